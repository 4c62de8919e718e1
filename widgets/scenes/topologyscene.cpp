// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/topologyscene.h"

#include "widgets/ladder/rungwords.h"
#include "widgets/scenes/ladderscene.h"
#include "widgets/scenes/timelinescene.h"
#include "widgets/timeline/guilt.h"
#include "widgets/timeline/strokes.h"
#include "widgets/topology/topologypainter.h"

#include <qcustomplot.h>

#include <QCoreApplication>

namespace interlock {

namespace {

constexpr double margin = 14;

QString tr(const char *text)
{
    return QCoreApplication::translate("Scenes", text);
}

}

qint64 tellingMoment(const Run &run, const Verdict &verdict)
{
    for (const size_t guilty : guiltyEvents(verdict)) {
        if (guilty < run.events.size())
            return run.events[guilty].at;
    }
    for (auto event = run.events.rbegin(); event != run.events.rend(); ++event) {
        const bool isRole = event->kind == Event::Kind::Node && static_cast<NodeChange>(event->what) == NodeChange::RoleChanged;
        if (isRole && run.names.bytes(event->text) == "primary")
            return event->at;
    }
    const qint64 last = run.events.empty() ? 0 : run.events.back().at;
    return std::max(run.duration, last);
}

void drawTopologyScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme, qint64 at)
{
    const QFont bold = theme.sized(0.9, true);
    const double line = lineHeight(bold);
    drawLabel(painter, bold, place.left() + margin, place.top() + line / 2 + 2, tr("Topology at %1").arg(text(At {at})), theme.quiet);
    const QRectF area = place.adjusted(margin, line + 8, -margin, -2);
    GroupHistory history;
    history.extend(run);
    if (!history.hasGroup() || area.height() < 1)
        return;
    const GroupMoment moment = GroupMoment::of(run, history, at);
    const TopologyLayout layout = TopologyLayout::make(area, run.header, theme);
    TopologyPainter(painter, moment, layout, theme).draw();
}

void drawFailoverScene(QCPPainter &painter, const QRectF &place, const Run &run, const Verdict &verdict, const Theme &theme, qint64 at)
{
    constexpr double mostTop = 300; // of topology and ladder, when the timeline stands below
    constexpr double leastTimeline = 170;
    const double top = place.height() >= mostTop + leastTimeline ? std::max(mostTop, place.height() * 0.5) : place.height();
    const double left = place.width() * 0.58;
    drawTopologyScene(painter, QRectF(place.left(), place.top(), left, top), run, theme, at);
    drawLadderScene(painter, QRectF(place.left() + left, place.top(), place.width() - left, top), run, theme, at);
    if (top < place.height())
        drawTimelineScene(painter, QRectF(place.left(), place.top() + top, place.width(), place.height() - top), run, verdict, theme);
}

}
