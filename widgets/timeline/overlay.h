// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/plot.h"
#include "widgets/timeline/pointerlayer.h"

#include <optional>

namespace interlock {

/// What follows the pointer over the timeline, and the selected event's lane and time.
class Overlay : public PointerLayer
{
    Q_OBJECT

public:
    explicit Overlay(TimelinePlot *plot);

    struct Selected
    {
        int row = -1;
        qint64 begin = 0;
        qint64 end = 0;
    };
    std::optional<Selected> selected;

    const Theme &theme() const override { return m_plot.picture().theme; }

protected:
    void drawSelected(QPainter &painter) const override;

private:
    TimelinePlot &m_plot;
};

}
