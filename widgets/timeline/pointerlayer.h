// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"
#include "widgets/timeline/timeplot.h"

#include <optional>

namespace interlock {

/// What follows the pointer over a picture of time: hair-line, measured stretch, marks, the frame of who has the focus. It has a
/// buffer of its own, so that moving the pointer does not draw the picture again.
class PointerLayer : public QCPLayerable
{
    Q_OBJECT

public:
    static constexpr const char *layerName = "overlay"; ///< QCustomPlot's own, above all else

    explicit PointerLayer(TimePlot *plot);

    std::optional<qint64> hairline; ///< ns
    std::optional<std::pair<qint64, qint64>> measured; ///< ns
    std::vector<qint64> marks; ///< ns
    bool hasFocus = false;

    /// Where time runs, in the plot's pixels, and which.
    QRectF area() const { return m_plot.rowsArea(); }
    Scale scale() const { return m_plot.scale(); }
    virtual const Theme &theme() const = 0;

    void redraw(); ///< only this layer

protected:
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter *painter) override;
    virtual void drawSelected(QPainter &painter) const = 0;

private:
    void drawFlag(QPainter &painter, double x, double top, const QString &text, const QColor &fill) const;
    void drawMeasured(QPainter &painter) const;

    TimePlot &m_plot;
};

}
