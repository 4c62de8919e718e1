// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/plot.h"

namespace interlock {

/// The parts of the story along the top: a small tick and its words, as far as there is room before the next.
class PhaseTicks : public QCPLayerable
{
    Q_OBJECT

public:
    explicit PhaseTicks(TimelinePlot *plot);

    /// The room above the lanes that a picture of this height leaves for them; 0 if it has no phases or cannot spare it. Pixels.
    static double heightFor(const TimelinePicture &picture, double height);

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter *painter) override;

private:
    const TimelinePlot &m_plot;
};

}
