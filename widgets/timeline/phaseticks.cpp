// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/phaseticks.h"

#include "widgets/timeline/strokes.h"

#include <algorithm>

namespace interlock {

namespace {

constexpr double tick = 7; ///< pixels at scale 1
constexpr double gap = 4;

/// What belongs to one lane is shown in that lane.
bool isShown(const Run &run, const Mark &mark)
{
    return mark.kind == Mark::Kind::Phase && mark.event < run.events.size() && run.events[mark.event].lane == 0;
}

}

PhaseTicks::PhaseTicks(TimelinePlot *plot)
    : QCPLayerable(plot, QStringLiteral("axes"))
    , m_plot(*plot)
{
}

double PhaseTicks::heightFor(const TimelinePicture &picture, double height)
{
    constexpr double spare = 230;
    if (!picture.run || !picture.spans || height < spare * picture.theme.scale)
        return 0;
    const std::vector<Mark> &phases = picture.spans->phases();
    const bool hasSome = std::any_of(phases.begin(), phases.end(), [&](const Mark &mark) { return isShown(*picture.run, mark); });
    return hasSome ? lineHeight(picture.theme.sized(0.85)) + 2 * picture.theme.scale : 0;
}

void PhaseTicks::draw(QCPPainter *painter)
{
    const TimelinePicture &picture = m_plot.picture();
    const QRectF area = m_plot.rowsArea();
    const double s = picture.theme.scale;
    const QFont font = picture.theme.sized(0.85);
    const double height = lineHeight(font);
    if (!picture.run || !picture.spans || area.top() < height)
        return; // no room was left for them
    const Scale scale = m_plot.scale();
    const double middle = area.top() - height / 2 - s;
    double until = area.right();
    double nextTick = area.right() + tick;
    // From the last to the first, so that each knows where its words must end.
    const std::vector<Mark> &phases = picture.spans->phases();
    for (auto mark = phases.rbegin(); mark != phases.rend(); ++mark) {
        if (!isShown(*picture.run, *mark))
            continue;
        const double x = area.left() + scale.toPixel(static_cast<double>(mark->at));
        if (x > area.right())
            continue;
        if (nextTick - x < 2 * s) // one of many at one place stands for all
            continue;
        const bool began = x < area.left(); // before what is shown, and still going on
        const double left = began ? area.left() : x;
        if (!began)
            painter->fillRect(QRectF(std::round(left), area.top() - tick * s, std::max(1.0, std::round(s)), tick * s), picture.theme.quiet);
        const QString text = shortened(font, picture.run->text(picture.run->events[mark->event].text), until - left - 2 * gap * s);
        drawLabel(*painter, font, left + gap * s, middle, text, picture.theme.quiet);
        if (began)
            break;
        until = left;
        nextTick = left;
    }
}

}
