// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/why.h"

#include "engine/base/words.h"
#include "engine/run/verdict.h"

#include <QCoreApplication>


namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Why", text);
}

/// "60 s", "4.2 s", "812 ms": the recorded microseconds as people say them.
QString lengthOf(qint64 microseconds)
{
    return text(For {microseconds * 1'000});
}

/// Everything that the sentences need, in units of cost.
struct State
{
    const LimiterInfo &limiter;
    const DecisionFigures &figures;
    bool admitted = false;

    /// The level in units, with as many decimals as it has, at most two, rounded down: never more than there is.
    QString level() const { return units(figures.level); }
    QString units(qint64 parts) const
    {
        const qint64 unit = std::max<qint64>(1, limiter.levelUnit);
        const qint64 hundredths = parts / unit * 100 + parts % unit * 100 / unit;
        if (hundredths % 100 == 0)
            return QString::number(hundredths / 100);
        return QString::number(static_cast<double>(hundredths) / 100, 'f', hundredths % 10 == 0 ? 1 : 2);
    }
    QString limit() const { return QString::number(figures.limit); }
    QString cost() const { return QString::number(figures.cost); }
    QString window() const { return lengthOf(limiter.window); }
    QString retry() const { return lengthOf(figures.retryAfter); }
    QString reset() const { return lengthOf(figures.resetAfter); }
};

/// "and this request costs 3", which only needs to be said if it is not 1.
QString withCost(const State &state, const QString &sentence)
{
    return state.figures.cost == 1 ? sentence : sentence + QLatin1Char(' ') + tr("It costs %1.").arg(state.cost());
}

QString fixedWindow(const State &state)
{
    if (state.admitted)
        return tr("with this request %1 of %2 are used in the window, which ends in %3.").arg(state.level(), state.limit(), state.reset());
    return tr("%1 of %2 are used in the window; it ends in %3, so it asks to come back then.").arg(state.level(), state.limit(), state.retry());
}

QString slidingLog(const State &state)
{
    if (state.admitted)
        return tr("with this request %1 of %2 in the last %3.").arg(state.level(), state.limit(), state.window());
    if (state.figures.cost == 1)
        return tr("%1 of %2 in the last %3; the oldest leaves in %4, so it asks to come back then.").arg(state.level(), state.limit(), state.window(), state.retry());
    return tr("%1 of %2 in the last %3; enough of the oldest have left in %4, so it asks to come back then.").arg(state.level(), state.limit(), state.window(), state.retry());
}

QString slidingWindow(const State &state)
{
    if (state.admitted)
        return tr("with this request the buckets of the last %3 hold %1 of %2.").arg(state.level(), state.limit(), state.window());
    return tr("the buckets of the last %3 hold %1 of %2; enough of them are over in %4, so it asks to come back then.").arg(state.level(), state.limit(), state.window(), state.retry());
}

QString slidingCounter(const State &state)
{
    if (state.admitted)
        return tr("with this request the count is %1 of %2: this window’s, and the one before by the share that still overlaps the last %3.").arg(state.level(), state.limit(), state.window());
    return tr("the count is %1 of %2: this window’s, and the one before by the share that still overlaps the last %3; it has fallen far enough in %4, so it asks to come back then.")
        .arg(state.level(), state.limit(), state.window(), state.retry());
}

QString tokenBucket(const State &state)
{
    if (state.admitted)
        return tr("there were enough tokens; %1 of %2 are left after this request.").arg(state.level(), state.limit());
    return tr("the bucket holds %1 of %2 tokens and this request takes %3; enough have come in %4, so it asks to come back then.").arg(state.level(), state.limit(), state.cost(), state.retry());
}

QString leakyBucket(const State &state)
{
    if (state.admitted && state.figures.delay > 0)
        return tr("there is room; with this request the bucket is filled to %1 of %2, and the request waits %3 for its turn.").arg(state.level(), state.limit(), lengthOf(state.figures.delay));
    if (state.admitted)
        return tr("there is room; with this request the bucket is filled to %1 of %2.").arg(state.level(), state.limit());
    return tr("the bucket is filled to %1 of %2 and this request needs room for %3; enough has drained in %4, so it asks to come back then.").arg(state.level(), state.limit(), state.cost(), state.retry());
}

QString gcra(const State &state)
{
    const QString most = lengthOf(state.figures.limit * state.limiter.levelUnit);
    if (state.admitted)
        return tr("it conforms; with this request it counts %1 ahead of now, of at most %2.").arg(lengthOf(state.figures.level), most);
    const QString with = lengthOf(state.figures.level + state.figures.cost * state.limiter.levelUnit);
    return tr("it comes too early: %1 are counted ahead of now, this request would make it %2, and at most %3 are allowed; it conforms in %4, so it asks to come back then.")
        .arg(lengthOf(state.figures.level), with, most, state.retry());
}

QString stateOf(const State &state)
{
    const QString &id = state.limiter.algorithm;
    if (id == QLatin1String("fixed-window"))
        return fixedWindow(state);
    if (id == QLatin1String("sliding-log"))
        return slidingLog(state);
    if (id == QLatin1String("sliding-window"))
        return slidingWindow(state);
    if (id == QLatin1String("sliding-counter"))
        return slidingCounter(state);
    if (id == QLatin1String("token-bucket"))
        return tokenBucket(state);
    if (id == QLatin1String("leaky-bucket"))
        return leakyBucket(state);
    if (id == QLatin1String("gcra"))
        return gcra(state);
    if (state.admitted)
        return tr("admitted, %1 of %2 remain.").arg(state.figures.remaining).arg(state.figures.limit);
    return tr("rejected, %1 of %2 remain; it asks to come back in %3.").arg(state.figures.remaining).arg(state.figures.limit).arg(state.retry());
}

/// What a failed decision says, and what a policy made of it.
QString failure(const Event &event, const Run &run)
{
    const QString because = run.text(event.detail);
    const QString sentence = event.answered == never ? tr("no answer came, so the request was neither admitted nor rejected.")
                                                     : tr("the answer was an error, so the request was neither admitted nor rejected.");
    return because.isEmpty() ? sentence : sentence + QLatin1Char(' ') + tr("Recorded: %1.").arg(because);
}

}

QString whyDecision(const LimiterInfo &limiter, const Event &event, const DecisionFigures &figures, const Run &run)
{
    const QString title = limiter.title.isEmpty() ? limiter.name : limiter.title;
    const QString frame = tr("%1: %2");
    const auto answer = static_cast<LimiterAnswer>(event.what);
    if (answer == LimiterAnswer::Failed)
        return frame.arg(title, failure(event, run));
    const State state {limiter, figures, answer == LimiterAnswer::Admitted};
    if (figures.cost == 0)
        return frame.arg(title, tr("this only looked; %1 of %2 remain.").arg(figures.remaining).arg(figures.limit));
    if (!state.admitted && figures.cost > figures.limit)
        return frame.arg(title, tr("it costs %1, and never are more than %2 admitted at once: no time to come back is promised.").arg(figures.cost).arg(figures.limit));
    QString sentence;
    if (!state.admitted && figures.retryAfter == never)
        sentence = tr("%1 of %2 remain, and it promises no time to come back.").arg(figures.remaining).arg(figures.limit);
    else
        sentence = stateOf(state);
    sentence = withCost(state, frame.arg(title, sentence));
    if (figures.asked != never && figures.now > figures.asked)
        sentence += QLatin1Char(' ') + tr("It had already seen a time %1 later than the caller’s clock, and decided for that.").arg(lengthOf(figures.now - figures.asked));
    return sentence;
}

QString whyQuestion(const DecisionSeries &series, size_t point)
{
    switch (series.points()[point].answer) {
    case LimiterAnswer::Admitted:
        return tr("Why was request %1 admitted?").arg(point + 1);
    case LimiterAnswer::Rejected:
        return tr("Why was request %1 rejected?").arg(point + 1);
    case LimiterAnswer::Failed:
        break;
    }
    return tr("What became of request %1?").arg(point + 1);
}

QString whatOthersSaid(const Run &run, const LimiterRecord &record, LimiterRecord::Place place, const QStringList &hidden)
{
    QStringList admitting, rejecting;
    for (size_t i = 0; i < record.series().size(); ++i) {
        const LimiterInfo &info = record.series()[i].info();
        if (i == place.series || hidden.contains(info.name))
            continue;
        const std::optional<LimiterRecord::Place> other = record.sameRequest(run, place, i);
        if (!other)
            continue;
        const LimiterAnswer answer = record.series()[i].points()[other->point].answer;
        if (answer == LimiterAnswer::Admitted)
            admitting.append(info.title);
        else if (answer == LimiterAnswer::Rejected)
            rejecting.append(info.title);
    }
    if (!admitting.isEmpty() && !rejecting.isEmpty())
        return tr("The same request was admitted by %1, and rejected by %2.").arg(listedAnd(admitting), listedAnd(rejecting));
    if (!admitting.isEmpty())
        return tr("The same request was admitted by %1.").arg(listedAnd(admitting));
    return rejecting.isEmpty() ? QString() : tr("The same request was rejected by %1.").arg(listedAnd(rejecting));
}

}
