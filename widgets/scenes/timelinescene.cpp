// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/timelinescene.h"

#include "widgets/timeline/guilt.h"
#include "widgets/timeline/lanepainter.h"
#include "widgets/timeline/legend.h"
#include "widgets/timeline/plot.h"

namespace interlock {

void drawTimelineScene(QCPPainter &painter, const QRectF &place, const Run &run, const Verdict &verdict, const Theme &theme)
{
    Spans spans;
    spans.extend(run);
    const bool overlapsBreak = overlapsBreakThePromise(run.header, verdict, false);
    TimelinePlot plot;
    plot.setTheme(theme);
    plot.setLeastLane(0); // paper does not scroll
    plot.setBroken(overlapsBreak);
    plot.setGuilty(guiltyEvents(verdict));
    plot.setNow(std::max(run.duration, spans.last()));
    plot.setRun(&run, &spans);

    // A legend of all marks may leave the lanes too low for them: then it goes without.
    QSize size;
    double legendHeight = 0;
    bool marksShown = false;
    for (const bool withMarks : {true, false}) {
        legendHeight = drawLegend(nullptr, place, spans, overlapsBreak, withMarks, theme);
        size = QSize(static_cast<int>(place.width()), static_cast<int>(place.height() - legendHeight));
        if (size.width() < 1 || size.height() < 1)
            continue;
        plot.layOut(size);
        marksShown = withMarks;
        if (!plot.bands().empty() && LanePainter::showsMarks(plot.bands().front().height, theme.scale))
            break;
    }
    if (size.width() < 1 || size.height() < 1)
        return;
    drawLegend(&painter, QRectF(place.left(), place.bottom() - legendHeight, place.width(), legendHeight), spans, overlapsBreak, marksShown, theme);
    plot.setScale(plot.scale().showing(0, static_cast<double>(std::max(run.duration, spans.last())), 0.02));
    painter.save();
    painter.translate(place.topLeft());
    plot.toPainter(&painter, size.width(), size.height());
    painter.restore();
}

}
