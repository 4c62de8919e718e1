// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/plot.h"

#include <optional>

namespace interlock {

/// What follows the pointer: hair-line, measured stretch, marks, the selected event. It has a buffer of its own, so that
/// moving the pointer does not draw the lanes again.
class Overlay : public QCPLayerable
{
    Q_OBJECT

public:
    explicit Overlay(TimelinePlot *plot);

    std::optional<qint64> hairline; ///< ns
    std::optional<std::pair<qint64, qint64>> measured; ///< ns
    std::vector<qint64> marks; ///< ns
    bool hasFocus = false;

    struct Selected
    {
        int row = -1;
        qint64 begin = 0;
        qint64 end = 0;
    };
    std::optional<Selected> selected;

    void redraw(); ///< only this layer

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter *painter) override;

private:
    void drawFlag(QPainter &painter, double x, double top, const QString &text, const QColor &fill) const;
    void drawMeasured(QPainter &painter, const Scale &scale, const QRectF &area) const;
    void drawSelected(QPainter &painter, const Scale &scale, const QRectF &area) const;

    TimelinePlot &m_plot;
};

}
