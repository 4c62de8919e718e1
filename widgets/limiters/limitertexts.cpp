// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limitertexts.h"

#include "engine/run/verdict.h"

#include <QCoreApplication>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiters", text);
}

/// What must stand in one line: "43 µs".
QString unbroken(QString words)
{
    return words.replace(QLatin1Char(' '), QChar::Nbsp);
}

QString lengthOf(std::optional<qint64> ns)
{
    return ns ? unbroken(text(For {*ns})) : notMeasured();
}

QString decimalOf(std::optional<double> number, int decimals)
{
    return number ? QString::number(*number, 'f', decimals) : notMeasured();
}

QString mostCell(const LimiterFigures &figures)
{
    if (figures.basis.window == 0 || figures.basis.quota == 0)
        return notMeasured();
    const double ratio = static_cast<double>(figures.mostInWindow) / static_cast<double>(figures.basis.quota);
    return unbroken(tr("%1 ÷ %2 = %3")).arg(figures.mostInWindow).arg(figures.basis.quota).arg(ratio, 0, 'f', 2);
}

QString retryCell(const LimiterFigures &figures)
{
    if (figures.longestRetry)
        return lengthOf(*figures.longestRetry * 1'000);
    return figures.withoutRetry > 0 ? tr("none told") : notMeasured();
}

/// What is known of an algorithm without measuring.
struct Theory
{
    const char *id;
    const char *complexity;
    const char *memory;
    const char *use;
};

constexpr Theory theories[] {
    {"fixed-window", QT_TRANSLATE_NOOP("Limiters", "O(1)"), QT_TRANSLATE_NOOP("Limiters", "one counter"),
        QT_TRANSLATE_NOOP("Limiters", "Quotas per day or month, where twice the limit across an edge does no harm.")},
    {"sliding-log", QT_TRANSLATE_NOOP("Limiters", "O(log n), n admitted in the window"), QT_TRANSLATE_NOOP("Limiters", "an entry for each admitted in the window"),
        QT_TRANSLATE_NOOP("Limiters", "Small limits that must hold in any window: logins, payments, messages sent.")},
    {"sliding-window", QT_TRANSLATE_NOOP("Limiters", "O(buckets)"), QT_TRANSLATE_NOOP("Limiters", "a counter for each bucket"),
        QT_TRANSLATE_NOOP("Limiters", "Large limits that must nearly hold in any window, at a fixed price.")},
    {"sliding-counter", QT_TRANSLATE_NOOP("Limiters", "O(1)"), QT_TRANSLATE_NOOP("Limiters", "two counters"),
        QT_TRANSLATE_NOOP("Limiters", "Many keys under steady traffic; a burst before an edge can still nearly double.")},
    {"token-bucket", QT_TRANSLATE_NOOP("Limiters", "O(1)"), QT_TRANSLATE_NOOP("Limiters", "two numbers"),
        QT_TRANSLATE_NOOP("Limiters", "Interfaces whose callers may save up for a burst, with a mean rate behind it.")},
    {"leaky-bucket", QT_TRANSLATE_NOOP("Limiters", "O(1)"), QT_TRANSLATE_NOOP("Limiters", "two numbers"),
        QT_TRANSLATE_NOOP("Limiters", "In front of something that wants an even stream; as a queue it evens it out.")},
    {"gcra", QT_TRANSLATE_NOOP("Limiters", "O(1)"), QT_TRANSLATE_NOOP("Limiters", "one time"),
        QT_TRANSLATE_NOOP("Limiters", "As the token bucket, with the least memory and an exact time to come back.")},
};

const Theory *theoryOf(const LimiterInfo &limiter)
{
    for (const Theory &theory : theories) {
        if (limiter.algorithm == QLatin1String(theory.id))
            return &theory;
    }
    return nullptr;
}

QString burstCell(const LimiterFigures &figures)
{
    if (figures.basis.window == 0)
        return notMeasured();
    return tr("up to %1 in %2").arg(figures.mostAtOnce).arg(lengthOf(std::max<qint64>(1, figures.basis.window / 10) * 1'000));
}

QString evennessCell(const LimiterFigures &figures)
{
    if (!figures.unevenness)
        return notMeasured();
    constexpr double even = 0.5, random = 1.2;
    const QString word = *figures.unevenness < even ? tr("even") : *figures.unevenness < random ? tr("mixed") : tr("in bursts");
    return tr("%1 (%2)").arg(word, decimalOf(figures.unevenness, 2));
}

}

QString notMeasured()
{
    return QStringLiteral("–");
}

QList<LimiterColumn> measuredColumns()
{
    return {{tr("Limiter"), {}}, {tr("admitted"), tr("Requests that were let pass.")}, {tr("rejected"), tr("Requests that were turned away.")},
        {tr("no answer"), tr("Requests without an answer, or with an error: neither admitted nor rejected.")},
        {tr("most in a window ÷ limit"), tr("The most that was admitted within any trailing window, of one limited thing; above 1 the limit was exceeded.")},
        {tr("unevenness"), tr("Standard deviation of the gaps between admitted requests, divided by their mean. 0: all equal; 1: as random arrivals; more: bursts.")},
        {tr("longest retry-after"), tr("The longest time that a rejected request was told to wait.")},
        {tr("p50"), tr("Latency: half of the answers came within this time.")}, {tr("p99"), tr("Latency: 99 of 100 answers came within this time.")},
        {tr("commands each"), tr("Commands sent to Redis for each decision.")}, {tr("bytes each"), tr("Bytes sent and received for each decision.")},
        {tr("bytes per key"), tr("MEMORY USAGE of all keys that one limited thing has, at its largest.")}};
}

QStringList measuredCells(const LimiterInfo &limiter, const LimiterFigures &figures)
{
    return {limiter.title, QString::number(figures.admitted), QString::number(figures.rejected), QString::number(figures.failed), mostCell(figures),
        decimalOf(figures.unevenness, 2), retryCell(figures), lengthOf(figures.latency50), lengthOf(figures.latency99), decimalOf(figures.commands, 2),
        decimalOf(figures.bytes, 0), figures.keyBytes ? QString::number(*figures.keyBytes) : notMeasured()};
}

QList<LimiterColumn> comparedColumns()
{
    return {{tr("Limiter"), {}}, {tr("burst"), tr("The most that was admitted within a tenth of a window.")},
        {tr("complexity"), tr("Work for one decision, and the commands that it took.")}, {tr("memory"), tr("What is kept for one limited thing, and what that took.")},
        {tr("evenness"), tr("From the measured unevenness: even below 0.5, in bursts from 1.2 on.")}, {tr("where to use"), {}}};
}

QStringList comparedCells(const LimiterInfo &limiter, const LimiterFigures &figures)
{
    const Theory *theory = theoryOf(limiter);
    QString complexity = theory ? tr(theory->complexity) : notMeasured();
    if (figures.commands)
        complexity = tr("%1; commands: %2").arg(complexity, decimalOf(figures.commands, 1));
    QString memory = theory ? tr(theory->memory) : notMeasured();
    if (figures.keyBytes)
        memory = tr("%1 B: %2").arg(*figures.keyBytes).arg(memory);
    QString use = theory ? tr(theory->use) : notMeasured();
    if (!limiter.defect.isEmpty())
        use = tr("Nowhere: this is a defect.");
    return {limiter.title, burstCell(figures), complexity, memory, evennessCell(figures), use};
}

}
