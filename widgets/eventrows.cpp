// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/eventrows.h"

#include "engine/run/verdict.h"
#include "widgets/rediscli.h"

#include <QCoreApplication>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("EventRows", text);
}

/// "for 1.5 s", "no TTL" when there is no end.
QString lifetime(const Event &event)
{
    if (event.until == never)
        return tr("no TTL");
    return tr("until %1").arg(text(At {event.until}));
}

/// The script that a call runs, by its SHA or by how its body begins; null if the run does not know it.
const ScriptInfo *scriptOf(const Run &run, const QList<QByteArray> &arguments)
{
    const bool bySha = arguments[0] == "EVALSHA";
    constexpr qsizetype escape = 4; // a shortened body may end inside of one: \x0a
    const QByteArray body = arguments[1].chopped(std::min(arguments[1].size(), escape));
    for (const ScriptInfo &script : run.header.scripts) {
        if (bySha ? script.sha.toUtf8() == arguments[1] : !body.isEmpty() && script.body.toUtf8().startsWith(body))
            return &script;
    }
    return nullptr;
}

/// The command as it was recorded, but a script by its name: "EVALSHA compare-and-delete lock c210".
QString commandText(const Run &run, const Event &event)
{
    const QString recorded = run.text(event.text);
    if (!recorded.startsWith(QLatin1String("EVAL")))
        return recorded;
    std::optional<QList<QByteArray>> arguments = commandArguments(run.names.bytes(event.text));
    const bool isWhole = arguments.has_value() && !event.has(Event::Shortened);
    if (!arguments) // shortened inside of the body
        arguments = commandArguments(recorded.chopped(1).toUtf8() + '"');
    if (!arguments || arguments->size() < 2)
        return recorded;
    const ScriptInfo *script = scriptOf(run, *arguments);
    if (!script)
        return recorded;
    QString text = QString::fromUtf8(arguments->first()) + QLatin1Char(' ') + script->name.section(QLatin1Char('/'), -1);
    for (qsizetype i = 3; i < arguments->size() && isWhole; ++i) // the number of keys says nothing to people
        text += QLatin1Char(' ') + QString::fromUtf8((*arguments)[i]);
    return isWhole ? text : text + QStringLiteral(" …");
}

void fillBelief(EventRow &row, const Run &run, const Event &event)
{
    const QString lock = run.text(event.key);
    const QString token = run.text(event.text);
    const QString why = run.text(event.detail);
    switch (static_cast<Belief>(event.what)) {
    case Belief::Wants:
        row.command = tr("wants %1").arg(lock);
        row.note = tr("waits");
        break;
    case Belief::Refused:
        row.command = tr("was refused %1").arg(lock);
        row.answer = tr("no");
        row.note = why;
        break;
    case Belief::Granted:
        row.command = tr("holds %1").arg(lock);
        row.answer = token;
        row.note = event.number > 0 ? tr("granted, fencing token %1, %2").arg(event.number).arg(lifetime(event))
                                    : tr("granted, %1").arg(lifetime(event));
        break;
    case Belief::Renewed:
        row.command = tr("renewed %1").arg(lock);
        row.answer = token;
        row.note = lifetime(event);
        break;
    case Belief::RenewalFailed:
        row.command = tr("could not renew %1").arg(lock);
        row.note = why;
        break;
    case Belief::Ended:
        row.command = tr("no longer holds %1").arg(lock);
        row.answer = token;
        row.note = why;
        break;
    case Belief::Released:
        row.command = tr("release of %1 answered").arg(lock);
        row.answer = QString::number(event.number);
        row.note = event.number > 0 ? tr("removed the key") : tr("removed nothing");
        break;
    case Belief::GaveUp:
        row.command = tr("gave up %1").arg(lock);
        row.note = why;
        break;
    }
}

void fillOwner(EventRow &row, const Run &run, const Event &event)
{
    const QString lock = run.text(event.key);
    row.answer = event.text ? run.text(event.text) : tr("nobody");
    QString lasts = event.text ? lifetime(event) : QString();
    switch (static_cast<OwnerChange>(event.what)) {
    case OwnerChange::Set:
        row.command = tr("%1 set").arg(lock);
        break;
    case OwnerChange::Renewed:
        row.command = tr("%1 renewed").arg(lock);
        break;
    case OwnerChange::Deleted:
        row.command = tr("%1 deleted").arg(lock);
        break;
    case OwnerChange::Expired:
        row.command = tr("%1 expired").arg(lock);
        break;
    case OwnerChange::Promoted:
        row.command = tr("promoted, %1 as it has it").arg(lock);
        break;
    case OwnerChange::Restarted:
        row.command = tr("restarted, %1 as it has it").arg(lock);
        break;
    case OwnerChange::Read:
        row.command = tr("%1 read").arg(lock);
        break;
    }
    QStringList notes {lasts, run.text(event.detail)};
    if (event.has(Event::Inferred))
        notes.append(tr("inferred"));
    notes.removeAll(QString());
    row.note = notes.join(QStringLiteral(", "));
}

void fillResource(EventRow &row, const Run &run, const Event &event)
{
    const QString name = run.text(event.key);
    const QString what = run.text(event.text);
    switch (static_cast<Resource>(event.what)) {
    case Resource::Entered:
        row.command = tr("begins to work in %1").arg(name);
        row.note = what.isEmpty() ? QString() : tr("under token %1").arg(what);
        break;
    case Resource::Left:
        row.command = tr("stops working in %1").arg(name);
        row.note = run.text(event.detail);
        break;
    case Resource::Wrote:
        row.command = what.isEmpty() ? tr("writes to %1").arg(name) : tr("writes %1 to %2").arg(what, name);
        row.answer = event.has(Event::Accepted) ? tr("accepted") : tr("refused");
        row.note = event.number > 0 ? tr("fencing token %1").arg(event.number) : QString();
        break;
    }
}

void fillNode(EventRow &row, const Run &run, const Event &event)
{
    switch (static_cast<NodeChange>(event.what)) {
    case NodeChange::Started:
        row.command = tr("started");
        break;
    case NodeChange::Ready:
        row.command = tr("ready");
        break;
    case NodeChange::RoleChanged:
        row.command = event.node == 0 ? tr("is %1 now").arg(run.text(event.text)) : tr("is %1 of %2 now").arg(run.text(event.text), run.text(event.node));
        break;
    case NodeChange::Paused:
        row.command = tr("paused");
        break;
    case NodeChange::Resumed:
        row.command = tr("resumed");
        break;
    case NodeChange::Killed:
        row.command = tr("killed");
        break;
    case NodeChange::Ended:
        row.command = tr("ended");
        break;
    case NodeChange::ClockMoved:
        row.command = tr("clock moved");
        break;
    case NodeChange::Offset:
        row.command = tr("offset %1").arg(event.number);
        break;
    case NodeChange::Linked:
        row.command = tr("link to %1: %2").arg(run.text(event.node), run.text(event.text));
        break;
    case NodeChange::Synced:
        row.command = tr("brought up to %1: %2, %3 bytes").arg(run.text(event.node), run.text(event.text)).arg(event.number);
        break;
    }
    const auto what = static_cast<NodeChange>(event.what);
    const bool isSaid = what == NodeChange::RoleChanged || what == NodeChange::Linked || what == NodeChange::Synced;
    QStringList notes {isSaid ? QString() : run.text(event.text), run.text(event.detail)};
    notes.removeAll(QString());
    row.note = notes.join(QStringLiteral(", "));
}

void fillFault(EventRow &row, const Run &run, const Event &event)
{
    row.command = event.has(Event::Begins) ? tr("fault begins: %1").arg(run.text(event.text)) : tr("fault: %1").arg(run.text(event.text));
    row.answer = event.has(Event::Touched) || event.has(Event::Begins) ? QString() : tr("touched nothing");
    QStringList notes {run.text(event.detail)};
    if (event.until != never && event.until > event.at)
        notes.append(tr("for %1").arg(text(For {event.until - event.at})));
    notes.removeAll(QString());
    row.note = notes.join(QStringLiteral(", "));
}

void fillMeasure(EventRow &row, const Run &run, const Event &event)
{
    const QString of = run.text(event.text);
    switch (static_cast<MeasureKind>(event.what)) {
    case MeasureKind::Value:
        row.command = tr("%1 at %2").arg(of).arg(event.sent);
        row.answer = QString::number(event.number);
        break;
    case MeasureKind::Share:
        row.command = tr("%1 at %2").arg(of).arg(event.sent);
        row.answer = tr("%1 of %2").arg(event.number).arg(event.until);
        break;
    case MeasureKind::Cell:
        row.command = tr("%1, %2").arg(of, run.text(event.key));
        row.answer = tr("%1, %2").arg(run.text(event.detail)).arg(event.number);
        break;
    }
    row.note = event.lane == 0 ? QString() : tr("in run %1").arg(run.text(event.lane));
}

QString decisionAnswer(LimiterAnswer answer)
{
    switch (answer) {
    case LimiterAnswer::Admitted:
        return tr("admitted");
    case LimiterAnswer::Rejected:
        return tr("rejected");
    case LimiterAnswer::Failed:
        break;
    }
    return tr("no answer");
}

/// "7 left", "again in 1.5 s", "waits 200 ms": what the limiter said of the time after.
QString decisionPromise(const Event &event, const DecisionFigures &figures)
{
    switch (static_cast<LimiterAnswer>(event.what)) {
    case LimiterAnswer::Admitted:
        return figures.delay > 0 ? tr("%1 left, waits %2").arg(figures.remaining).arg(text(For {figures.delay * 1'000}))
                                 : tr("%1 left").arg(figures.remaining);
    case LimiterAnswer::Rejected:
        return figures.retryAfter == never ? tr("never admitted") : tr("again in %1").arg(text(For {figures.retryAfter * 1'000}));
    case LimiterAnswer::Failed:
        break;
    }
    return {};
}

void fillDecision(EventRow &row, const Run &run, const Event &event)
{
    const DecisionFigures figures = run.figures(event) ? *run.figures(event) : DecisionFigures {};
    const QString asked = tr("%1 asks %2 for %3").arg(run.text(event.text), run.text(event.key)).arg(figures.cost);
    row.command = event.has(Event::Touched) ? tr("probe: %1").arg(asked) : asked;
    row.answer = decisionAnswer(static_cast<LimiterAnswer>(event.what));
    QStringList notes {decisionPromise(event, figures), run.text(event.detail)};
    notes.removeAll(QString());
    row.note = notes.join(QStringLiteral(", "));
}

}

QStringList eventColumns()
{
    return {tr("Time"), tr("Who"), tr("Command"), tr("Answer"), tr("Note")};
}

EventRow eventRow(const Run &run, size_t index)
{
    const Event &event = run.events[index];
    EventRow row;
    row.time = QString::number(static_cast<double>(event.at) / 1e9, 'f', 3);
    row.who = run.text(event.lane);
    switch (event.kind) {
    case Event::Kind::Command:
        row.command = commandText(run, event);
        row.answer = event.answered == never ? tr("no answer") : run.text(event.detail);
        if (event.answered != never && event.answered > event.at)
            row.note = tr("after %1").arg(text(For {event.answered - event.at}));
        break;
    case Event::Kind::Belief:
        fillBelief(row, run, event);
        break;
    case Event::Kind::Owner:
        fillOwner(row, run, event);
        break;
    case Event::Kind::Resource:
        fillResource(row, run, event);
        break;
    case Event::Kind::Node:
        fillNode(row, run, event);
        break;
    case Event::Kind::Fault:
        fillFault(row, run, event);
        break;
    case Event::Kind::Phase:
        row.command = run.text(event.text);
        row.note = run.text(event.detail);
        break;
    case Event::Kind::Note:
        row.command = event.key == 0 ? run.text(event.text) : tr("%1 of %2").arg(run.text(event.text), run.text(event.key));
        row.answer = event.key == 0 ? QString() : QString::number(event.number);
        row.note = run.text(event.detail);
        break;
    case Event::Kind::Decision:
        fillDecision(row, run, event);
        break;
    case Event::Kind::Sentinel:
        row.command = event.node == 0 ? run.text(event.text) : tr("%1 %2").arg(run.text(event.text), run.text(event.node));
        row.note = run.text(event.detail);
        break;
    case Event::Kind::Measure:
        fillMeasure(row, run, event);
        break;
    }
    return row;
}

QStringList decisionColumns()
{
    QStringList columns {QStringLiteral("limiter"), QStringLiteral("key")};
    for (const FigureField &field : figureFields())
        columns.append(QString::fromLatin1(field.name));
    return columns;
}

QStringList decisionCells(const Run &run, size_t index)
{
    const Event &event = run.events[index];
    const DecisionFigures *figures = run.figures(event);
    if (!figures)
        return QStringList(decisionColumns().size(), QString());
    QStringList cells {run.text(event.text), run.text(event.key)};
    for (const FigureField &field : figureFields()) {
        const qint64 value = figures->*field.value;
        cells.append(value == never ? QString() : QString::number(value));
    }
    return cells;
}

QString eventCell(const EventRow &row, int column)
{
    switch (column) {
    case 0:
        return row.time;
    case 1:
        return row.who;
    case 2:
        return row.command;
    case 3:
        return row.answer;
    case 4:
        return row.note;
    default:
        return {};
    }
}

}
