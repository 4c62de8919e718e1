// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/paintbuffer.h"

namespace interlock {

OpaquePaintBuffer::OpaquePaintBuffer(const QSize &size, double devicePixelRatio)
    : QCPAbstractPaintBuffer(size, devicePixelRatio)
{
    OpaquePaintBuffer::reallocateBuffer();
}

QCPPainter *OpaquePaintBuffer::startPainting()
{
    auto *painter = new QCPPainter(&m_picture); // QCustomPlot deletes it
    painter->setRenderHint(QPainter::Antialiasing);
    return painter;
}

void OpaquePaintBuffer::draw(QCPPainter *painter) const
{
    if (painter && painter->isActive())
        painter->drawPixmap(0, 0, m_picture);
}

void OpaquePaintBuffer::reallocateBuffer()
{
    setInvalidated();
    m_picture = QPixmap((QSizeF(mSize) * mDevicePixelRatio).toSize().expandedTo(QSize(1, 1)));
    m_picture.setDevicePixelRatio(mDevicePixelRatio);
    m_picture.fill(m_background);
}

}
