// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/plot.h"

#include "widgets/timeline/lanenames.h"
#include "widgets/timeline/paintbuffer.h"
#include "widgets/timeline/phaseticks.h"
#include "widgets/timeline/plottable.h"
#include "widgets/timeline/pointerlayer.h"
#include "widgets/timeline/strokes.h"
#include "widgets/timeline/timeaxis.h"

#include <algorithm>

namespace interlock {

TimelinePlot::TimelinePlot(QWidget *parent)
    : TimePlot(parent)
    , m_buffer(new OpaquePaintBuffer(size(), bufferDevicePixelRatio()))
    , m_lanes(new TimelinePlottable(xAxis, yAxis, m_picture))
    , m_names(new LaneNames(this))
    , m_phases(new PhaseTicks(this))
{
    mPaintBuffers.clear();
    mPaintBuffers.append(QSharedPointer<QCPAbstractPaintBuffer>(m_buffer));
    // Until a pointer is in it, nothing is, but its buffer would be cleared and blended all the same.
    layer(QLatin1String(PointerLayer::layerName))->setMode(QCPLayer::lmLogical);
    setUpTimeAxis(*this, m_picture.theme, m_picture.now);
    setTheme(Theme::light());
}

void TimelinePlot::setTheme(const Theme &theme)
{
    m_picture.theme = theme;
    styleTimeAxis(*this, theme);
    m_buffer->setBackground(theme.background);
    layOut(size());
}

void TimelinePlot::setRun(const Run *run, const Spans *spans)
{
    m_picture.run = run;
    m_picture.spans = spans;
    layOut(size());
}

void TimelinePlot::setLit(std::set<int> rows)
{
    m_names->setLit(rows);
    m_lanes->setLit(std::move(rows));
}

void TimelinePlot::layOut(const QSize &size)
{
    const double s = m_picture.theme.scale;
    const double names = m_picture.spans ? LaneNames::widthFor(*m_picture.spans, m_picture.theme) : 80 * s;
    const int bottom = static_cast<int>(lineHeight(m_picture.theme.sized(0.85)) + 14 * s);
    const int top = static_cast<int>(4 * s + PhaseTicks::heightFor(m_picture, size.height()));
    const QMargins margins(static_cast<int>(names), top, static_cast<int>(14 * s), bottom);
    axisRect()->setMargins(margins);
    // The layout system would do this only while drawing, but whoever asks for positions before that needs it now.
    setViewport(QRect(QPoint(), size));
    axisRect()->setOuterRect(QRect(QPoint(), size));
    axisRect()->update(QCPLayoutElement::upLayout);
    const double available = std::max(1.0, static_cast<double>(size.height() - top - bottom));
    m_bands = m_picture.spans ? layOutLanes(*m_picture.spans, available, m_leastLane * s, s) : std::vector<Band>();
    setScrolled(scrolled());
}

double TimelinePlot::rowsHeight() const
{
    return heightOf(m_bands);
}

double TimelinePlot::rowStep() const
{
    return m_bands.empty() ? 1 : m_bands.front().height;
}

void TimelinePlot::setScrolled(double pixels)
{
    TimePlot::setScrolled(pixels);
    m_lanes->setBands(m_bands, scrolled());
    m_names->forget();
}

int TimelinePlot::rowAt(double y) const
{
    const double place = y - rowsArea().top() + scrolled();
    for (const Band &band : m_bands) {
        if (place >= band.top && place < band.top + band.height)
            return band.row;
    }
    return -1;
}

void TimelinePlot::paintEvent(QPaintEvent *event)
{
    if (!qFuzzyCompare(bufferDevicePixelRatio(), devicePixelRatioF())) // it came to another screen
        return QCustomPlot::paintEvent(event);
    QCPPainter painter(this);
    for (const QSharedPointer<QCPAbstractPaintBuffer> &buffer : std::as_const(mPaintBuffers))
        buffer->draw(&painter);
}

}
