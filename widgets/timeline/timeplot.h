// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/scale.h"

#include <qcustomplot.h>

namespace interlock {

/// A picture of rows over one axis of time, in ns. Where they are higher than their place, it can be scrolled.
class TimePlot : public QCustomPlot
{
    Q_OBJECT

public:
    explicit TimePlot(QWidget *parent);

    /// What is shown; its width is that of the rows. Does not redraw.
    Scale scale() const;
    void setScale(const Scale &scale);

    QRectF rowsArea() const { return axisRect()->rect(); }
    virtual double rowsHeight() const = 0; ///< of all rows, pixels
    virtual double rowStep() const = 0; ///< pixels by which a key scrolls
    double scrolled() const { return m_scrolled; } ///< pixels
    /// As far as there is something to be seen.
    virtual void setScrolled(double pixels);
    /// Fits rows and margins to the size; to be called before a redraw when rows, theme or size have changed.
    virtual void layOut(const QSize &size) = 0;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    double m_scrolled = 0;
};

}
