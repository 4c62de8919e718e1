// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/legend.h"

#include "widgets/timeline/legendflow.h"

#include <QCoreApplication>
#include <QPainter>

#include <set>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Timeline", text);
}

using Entry = LegendEntry;

QString nameOf(Mark::Kind kind)
{
    switch (kind) {
    case Mark::Kind::Command:
        return tr("command");
    case Mark::Kind::CommandFailed:
        return tr("error or no answer");
    case Mark::Kind::Refused:
        return tr("refused");
    case Mark::Kind::Renewed:
        return tr("renewed");
    case Mark::Kind::RenewalFailed:
        return tr("renewal failed");
    case Mark::Kind::Released:
        return tr("release removed the key");
    case Mark::Kind::ReleasedNothing:
        return tr("release removed nothing");
    case Mark::Kind::GaveUp:
        return tr("gave up");
    case Mark::Kind::Died:
        return tr("died");
    case Mark::Kind::WriteAccepted:
        return tr("write accepted");
    case Mark::Kind::WriteRefused:
        return tr("write refused");
    case Mark::Kind::Fault:
        return tr("fault");
    case Mark::Kind::Node:
        return tr("server");
    default:
        return {}; // those of a node's lane bear their own words
    }
}

void addBars(QList<Entry> &entries, const Spans &spans, bool overlapsBreak, const Theme &theme)
{
    bool waits = false, holds = false, thinks = false, works = false, pauses = false, stops = false;
    for (const LaneRow &row : spans.rows()) {
        waits |= !row.waiting.empty();
        holds |= !row.holding.empty();
        works |= !row.working.empty();
        for (const Span &span : row.holding)
            thinks |= span.turn < span.end && span.turn != never;
        for (const Span &span : row.state) {
            pauses |= span.kind == Span::Kind::Paused;
            stops |= span.kind == Span::Kind::Held;
        }
    }
    const QColor color = theme.owner(0);
    const auto middle = [](const QRectF &box, double share) {
        return QRectF(box.left(), box.center().y() - box.height() * share / 2, box.width(), box.height() * share);
    };
    const double s = theme.scale;
    if (waits)
        entries.append({tr("waits"), [=](QPainter &painter, const QRectF &box) { drawBox(painter, middle(box, 0.44), mixed(color, theme.background, 0.2), mixed(color, theme.background, 0.65)); }});
    if (holds)
        entries.append({tr("holds"), [=](QPainter &painter, const QRectF &box) { drawBox(painter, middle(box, 0.62), color); }});
    if (thinks)
        entries.append({tr("thinks it holds"), [=](QPainter &painter, const QRectF &box) {
                            drawBox(painter, middle(box, 0.62), mixed(color, theme.background, 0.14));
                            drawHatch(painter, middle(box, 0.62), Theme::Hatch::Rising, color, s);
                            drawBox(painter, middle(box, 0.62), Qt::transparent, color, 1.2 * s);
                        }});
    if (works)
        entries.append({tr("works"), [=](QPainter &painter, const QRectF &box) {
                            drawBox(painter, box, workColor(color, theme));
                            drawBox(painter, middle(box, 0.62), color);
                        }});
    if (!spans.overlaps().empty())
        entries.append({overlapsBreak ? tr("two owners at once") : tr("two at work"), [=](QPainter &painter, const QRectF &box) {
                            const QColor both = overlapsBreak ? theme.broken : theme.unknown;
                            drawBox(painter, box, mixed(both, theme.background, 0.2));
                            drawHatch(painter, box, overlapsBreak ? Theme::Hatch::Rising : Theme::Hatch::Falling, both, s);
                            drawBox(painter, box, Qt::transparent, both, 1.5 * s);
                        }});
    if (pauses)
        entries.append({tr("paused"), [=](QPainter &painter, const QRectF &box) {
                            drawBox(painter, box, mixed(theme.quiet, theme.background, 0.1));
                            drawHatch(painter, box, Theme::Hatch::Falling, mixed(theme.quiet, theme.background, 0.4), s);
                        }});
    if (stops)
        entries.append({tr("held at a point"), [=](QPainter &painter, const QRectF &box) {
                            drawBracket(painter, box.left(), box.right(), box.center().y() + s, theme.quiet, s);
                        }});
}

void addMarks(QList<Entry> &entries, const Spans &spans, bool marksShown, const Theme &theme)
{
    std::set<Mark::Kind> kinds;
    for (const LaneRow &row : spans.rows()) {
        for (const std::vector<Mark> *marks : {&row.commands, &row.marks}) {
            const bool isBelowBar = marks == &row.marks && row.lane.type == Lane::Type::Actor;
            for (const Mark &mark : *marks) {
                if (marksShown || !isBelowBar || mark.kind == Mark::Kind::Died)
                    kinds.insert(mark.kind);
            }
        }
    }
    for (const Mark::Kind kind : kinds) {
        if (nameOf(kind).isEmpty())
            continue;
        entries.append({nameOf(kind), [kind, theme](QPainter &painter, const QRectF &box) {
                            drawMark(painter, kind, box.center(), 9 * theme.scale, theme.text, theme.background);
                        }});
    }
}

}

double drawLegend(QPainter *painter, const QRectF &place, const Spans &spans, bool overlapsBreak, bool marksShown, const Theme &theme)
{
    QList<Entry> entries;
    addBars(entries, spans, overlapsBreak, theme);
    const auto bars = entries.size();
    addMarks(entries, spans, marksShown, theme);
    for (auto i = bars; i < entries.size(); ++i)
        entries[i].symbol = 11;
    return drawLegendFlow(painter, place, entries, theme);
}

}
