// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/measures/measuretexts.h"

#include "engine/run/setfiles.h"
#include "widgets/measures/measurechart.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace interlock {

namespace {

QString tr(const char *text, const char *meaning = nullptr)
{
    return QCoreApplication::translate("Measures", text, meaning);
}

struct Unit
{
    double size;
    const char *form;
};

constexpr std::array<Unit, 4> lengths {{{1e9, QT_TRANSLATE_NOOP("Measures", "%1 s")}, {1e6, QT_TRANSLATE_NOOP("Measures", "%1 ms")},
    {1e3, QT_TRANSLATE_NOOP("Measures", "%1 µs")}, {1, QT_TRANSLATE_NOOP("Measures", "%1 ns")}}};
constexpr std::array<Unit, 4> sizes {{{1e9, QT_TRANSLATE_NOOP("Measures", "%1 GB")}, {1e6, QT_TRANSLATE_NOOP("Measures", "%1 MB")},
    {1e3, QT_TRANSLATE_NOOP("Measures", "%1 kB")}, {1, QT_TRANSLATE_NOOP("Measures", "%1 B")}}};

/// Without zeros at the end, and never as 1e+06. @param digits that count.
QString number(double value, int digits)
{
    const double size = std::abs(value);
    if (size < 1e-12)
        return QStringLiteral("0");
    const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
    QString text = QString::number(value, 'f', std::clamp(digits - before, 0, 9));
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text.replace(QLatin1Char('-'), QStringLiteral("\u2212"));
}

QString inUnits(const std::array<Unit, 4> &units, double value, int digits)
{
    const double rounded = std::abs(value) * (1 + 0.5 * std::pow(10, -digits)); // 999.6 ms is said as 1 s
    for (const Unit &unit : units) {
        if (rounded >= unit.size || unit.size == 1)
            return tr(unit.form).arg(number(value / unit.size, digits));
    }
    return {};
}

QString text(double value, const QString &unit, int digits, bool isTick)
{
    if (isTick && std::abs(value) < 1e-12)
        return QStringLiteral("0");
    if (unit == QLatin1String("ns"))
        return value == 0 ? tr("0 ms") : inUnits(lengths, value, digits);
    if (unit == QLatin1String("bytes"))
        return inUnits(sizes, value, digits);
    if (unit == QLatin1String("thousandths"))
        return number(value / 1'000, digits);
    // What is counted is not rounded.
    const QString count = number(value, std::max(digits, 15));
    return unit.isEmpty() || isTick ? count : tr("%1 %2").arg(count, unit);
}

double asNumber(qint64 value)
{
    return static_cast<double>(value);
}

QString at(const MeasuredCurve &curve, const MeasuredPoint &point)
{
    return figureText(asNumber(point.x.value_or(0)), curve.info.xUnit);
}

/// Of shares the first and the last point, of values a jump if there is one: what lies between them a sentence cannot tell.
QString curveSummary(const MeasuredCurve &curve)
{
    const std::optional<Jump> jump = steepestJump(curve);
    const MeasuredPoint &first = jump ? curve.points[jump->point] : curve.points.front();
    const MeasuredPoint &last = jump ? curve.points[jump->point + 1] : curve.points.back();
    const auto said = [&](const MeasuredPoint &point) {
        return curve.isShare ? tr("%1 of %2").arg(point.y).arg(point.trials) : pointText(curve, point);
    };
    if (curve.points.size() == 1)
        return tr("%1 at %2: %3.").arg(curve.info.title, at(curve, first), pointText(curve, first));
    if (!curve.isShare && !jump)
        return {};
    return tr("%1: %2 at %3, %4 at %5.").arg(curve.info.title, said(first), at(curve, first), said(last), at(curve, last));
}

/// "Requests for each answer: Again at once 99, After a fixed time 11.9 and 4 more."
QString rowsSummary(const MeasureChart &chart)
{
    const MeasuredCurve &first = chart.curves.front().curve;
    if (chart.curves.size() == 1)
        return tr("%1: %2.").arg(first.info.title, pointText(first, first.points.front()));
    constexpr qsizetype most = 3;
    QStringList parts;
    for (const ChartCurve &each : chart.curves)
        parts.append(tr("%1 %2", "a name and its figure").arg(each.curve.info.title, pointText(each.curve, each.curve.points.front())));
    QString list = parts.mid(0, most).join(QStringLiteral(", "));
    if (parts.size() > most)
        list = tr("%1 and %2 more").arg(list).arg(parts.size() - most);
    return chart.yTitle.isEmpty() ? list + QLatin1Char('.') : tr("%1: %2.").arg(chart.yTitle, list);
}

QString tableSummary(const MeasuredTable &table)
{
    std::vector<MeasuredOutcome> all;
    qint64 cells = 0;
    for (const MeasuredCell &cell : table.cells) {
        cells += cell.times();
        for (const MeasuredOutcome &outcome : cell.outcomes) {
            const auto known = std::find_if(all.begin(), all.end(), [&](const MeasuredOutcome &each) { return each.word == outcome.word; });
            if (known == all.end())
                all.push_back(outcome);
            else
                known->times += outcome.times;
        }
    }
    QStringList parts;
    for (const MeasuredOutcome &outcome : all)
        parts.append(tr("%1 %2").arg(outcomeText(outcome.word)).arg(outcome.times));
    return parts.isEmpty() ? QString() : tr("Of %1 outcomes: %2.").arg(cells).arg(parts.join(QStringLiteral(", ")));
}

}

QString figureText(double value, const QString &unit)
{
    return text(value, unit, 3, false);
}

QString tickText(double value, const QString &unit)
{
    return text(value, unit, 6, true);
}

QString percentText(double share)
{
    const double percent = share * 100;
    const bool isSmall = percent > 0 && percent < 0.95;
    const bool isNearlyAll = percent < 100 && percent > 99.05;
    return tr("%1 %").arg(QString::number(percent, 'f', isSmall || isNearlyAll ? 1 : 0));
}

QString shareText(const MeasuredPoint &point)
{
    const ShareBounds bounds = wilsonBounds(point.y, point.trials);
    return tr("%1 of %2, %3 (%4 to %5)")
        .arg(QString::number(point.y), QString::number(point.trials), percentText(asNumber(point.y) / asNumber(point.trials)), percentText(bounds.low), percentText(bounds.high));
}

QString pointText(const MeasuredCurve &curve, const MeasuredPoint &point)
{
    if (curve.isShare)
        return shareText(point);
    const QString value = figureText(asNumber(point.y), curve.info.yUnit);
    if (!point.low || !point.high)
        return value;
    return tr("%1 (%2 to %3)").arg(value, figureText(asNumber(*point.low), curve.info.yUnit), figureText(asNumber(*point.high), curve.info.yUnit));
}

QString pointSentence(const MeasuredCurve &curve, const MeasuredPoint &point)
{
    const auto titled = [](const QString &title, const QString &value) { return title.isEmpty() ? value : tr("%1: %2").arg(title, value); };
    QStringList parts;
    if (curve.info.title != curve.info.yTitle)
        parts.append(curve.info.title);
    if (point.x)
        parts.append(titled(curve.info.xTitle, figureText(asNumber(*point.x), curve.info.xUnit)));
    parts.append(titled(curve.info.yTitle, pointText(curve, point)));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString outcomeText(const QString &word)
{
    static constexpr std::array<const char *, 9> words {QT_TRANSLATE_NOOP("Measures", "lost"), QT_TRANSLATE_NOOP("Measures", "kept"),
        QT_TRANSLATE_NOOP("Measures", "refused"), QT_TRANSLATE_NOOP("Measures", "held"), QT_TRANSLATE_NOOP("Measures", "broken"),
        QT_TRANSLATE_NOOP("Measures", "unknown"), QT_TRANSLATE_NOOP("Measures", "yes"), QT_TRANSLATE_NOOP("Measures", "no"), QT_TRANSLATE_NOOP("Measures", "none")};
    for (const char *known : words) {
        if (word == QLatin1String(known))
            return tr(known);
    }
    return word;
}

QString cellText(const MeasuredCell &cell, const QString &unit)
{
    const qint64 times = cell.times();
    QStringList parts;
    for (const MeasuredOutcome &outcome : cell.outcomes) {
        QString part = outcomeText(outcome.word);
        if (times > 1)
            part = tr("%1 %2 of %3").arg(part).arg(outcome.times).arg(times);
        if (outcome.count != 0)
            part = tr("%1, %2").arg(part, figureText(asNumber(outcome.count), unit));
        parts.append(part);
    }
    return parts.join(QStringLiteral("; "));
}

QString measuresSummary(const Run &run)
{
    constexpr qsizetype most = 3; // curves: more would not be read
    QStringList sentences;
    for (const MeasureChart &chart : chartsOf(run)) {
        if (!chart.hasX) {
            sentences.append(rowsSummary(chart));
            continue;
        }
        for (const ChartCurve &each : chart.curves)
            sentences.append(curveSummary(each.curve));
    }
    sentences.removeAll(QString());
    sentences = sentences.mid(0, most);
    sentences.append(tableSummary(tableOf(run)));
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

QString silentSummary(const Run &run)
{
    const std::vector<SilentRun> silent = silentRunsIn(run);
    if (silent.size() < 2)
        return silent.empty() ? QString() : silent.front().sentence;
    return tr("%1 runs tell nothing. %2").arg(silent.size()).arg(silent.front().sentence);
}

QStringList measureLines(const Run &run)
{
    QStringList lines;
    for (const MeasuredCurve &curve : curvesOf(run)) {
        for (const MeasuredPoint &point : curve.points) {
            if (curve.isShare && point.x)
                lines.append(pointSentence(curve, point));
        }
    }
    const MeasuredTable table = tableOf(run);
    for (size_t row = 0; row < table.rows.size(); ++row) {
        for (qsizetype i = 0; i < table.columns.size(); ++i) {
            const SeriesInfo &info = table.rows[row];
            if (const QString cell = cellText(table.cell(row, static_cast<size_t>(i)), info.yUnit); !cell.isEmpty())
                lines.append(tr("%1 · %2: %3").arg(info.title, table.columns[i], cell));
        }
    }
    return lines;
}

}
