// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QColor>
#include <QPixmap>

namespace interlock {

/// What a plot draws into before it is shown, with the background in it and no pixel transparent. QCustomPlot's own buffer is
/// transparent, so that each redraw fills the window with the background and then blends the one over the other: most of the
/// time that a plot with little in it takes. This one is copied.
class OpaquePaintBuffer : public QCPAbstractPaintBuffer
{
public:
    OpaquePaintBuffer(const QSize &size, double devicePixelRatio);

    /// Precondition: opaque. From the next redraw on.
    void setBackground(const QColor &background) { m_background = background; }

    QCPPainter *startPainting() override;
    void draw(QCPPainter *painter) const override;
    /// To the background, whatever the plot asks for.
    void clear(const QColor &) override { m_picture.fill(m_background); }

protected:
    void reallocateBuffer() override;

private:
    QPixmap m_picture;
    QColor m_background = Qt::white;
};

}
