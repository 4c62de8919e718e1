// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/timelinescene.h"

#include "widgets/timeline/guilt.h"
#include "widgets/timeline/legend.h"
#include "widgets/timeline/plot.h"

namespace interlock {

void drawTimelineScene(QCPPainter &painter, const QRectF &place, const Run &run, const Verdict &verdict, const Theme &theme)
{
    Spans spans;
    spans.extend(run);
    const bool overlapsBreak = overlapsBreakThePromise(run.header, verdict, false);
    const double legendHeight = drawLegend(nullptr, place, spans, overlapsBreak, theme);
    drawLegend(&painter, QRectF(place.left(), place.bottom() - legendHeight, place.width(), legendHeight), spans, overlapsBreak, theme);

    const QSize size(static_cast<int>(place.width()), static_cast<int>(place.height() - legendHeight));
    if (size.width() < 1 || size.height() < 1)
        return;
    TimelinePlot plot;
    plot.setTheme(theme);
    plot.setLeastLane(0); // paper does not scroll
    plot.setBroken(overlapsBreak);
    plot.setGuilty(guiltyEvents(verdict));
    plot.setNow(std::max(run.duration, spans.last()));
    plot.setRun(&run, &spans);
    plot.layOut(size);
    plot.setScale(plot.scale().showing(0, static_cast<double>(std::max(run.duration, spans.last())), 0.02));
    painter.save();
    painter.translate(place.topLeft());
    plot.toPainter(&painter, size.width(), size.height());
    painter.restore();
}

}
