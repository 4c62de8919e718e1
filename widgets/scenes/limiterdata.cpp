// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Limiters as data: every decision, and every figure.
#include "widgets/scenes/limiterscene.h"

#include "engine/base/jsonwriter.h"
#include "widgets/limiters/limiterfigures.h"
#include "widgets/scenes/tablescene.h"

#include <functional>

namespace interlock {

namespace {

/// A number, or nothing: empty in CSV, null in JSON.
using Number = std::optional<double>;

struct FigureColumn
{
    const char *name;
    Number (*value)(const LimiterFigures &);
};

Number number(std::optional<qint64> value, double divisor = 1)
{
    return value ? Number(static_cast<double>(*value) / divisor) : Number();
}

constexpr double microsecond = 1'000; // ns

const FigureColumn figureColumns[] {
    {"admitted", [](const LimiterFigures &figures) { return number(figures.admitted); }},
    {"rejected", [](const LimiterFigures &figures) { return number(figures.rejected); }},
    {"failed", [](const LimiterFigures &figures) { return number(figures.failed); }},
    {"window_us", [](const LimiterFigures &figures) { return number(figures.basis.window); }},
    {"limit", [](const LimiterFigures &figures) { return number(figures.basis.quota); }},
    {"most_in_window", [](const LimiterFigures &figures) { return figures.basis.window > 0 ? number(figures.mostInWindow) : Number(); }},
    {"most_in_tenth_of_window", [](const LimiterFigures &figures) { return figures.basis.window > 0 ? number(figures.mostAtOnce) : Number(); }},
    {"unevenness", [](const LimiterFigures &figures) { return figures.unevenness; }},
    {"longest_retry_after_us", [](const LimiterFigures &figures) { return number(figures.longestRetry); }},
    {"rejected_without_retry_after", [](const LimiterFigures &figures) { return number(figures.withoutRetry); }},
    {"latency_p50_us", [](const LimiterFigures &figures) { return number(figures.latency50, microsecond); }},
    {"latency_p99_us", [](const LimiterFigures &figures) { return number(figures.latency99, microsecond); }},
    {"commands_per_decision", [](const LimiterFigures &figures) { return figures.commands; }},
    {"bytes_per_decision", [](const LimiterFigures &figures) { return figures.bytes; }},
    {"bytes_per_key", [](const LimiterFigures &figures) { return number(figures.keyBytes); }},
    {"differs_from_twin_at_us", [](const LimiterFigures &figures) { return number(figures.differsAt, microsecond); }},
};

/// One decision in the order of the columns below.
struct DecisionCell
{
    const char *name;
    std::function<QString(const Run &, const Event &, const DecisionFigures &)> text;
    bool isNumber = true;
};

QString written(qint64 value)
{
    return value == never ? QString() : QString::number(value);
}

const char *answerWord(const Event &event)
{
    switch (static_cast<LimiterAnswer>(event.what)) {
    case LimiterAnswer::Admitted:
        return "admitted";
    case LimiterAnswer::Rejected:
        return "rejected";
    case LimiterAnswer::Failed:
        break;
    }
    return "failed";
}

QString figure(const Event &event, qint64 value)
{
    return static_cast<LimiterAnswer>(event.what) == LimiterAnswer::Failed ? QString() : written(value); // it said nothing
}

const QList<DecisionCell> &decisionCells()
{
    static const QList<DecisionCell> cells {
        {"sent_ns", [](const Run &, const Event &event, const DecisionFigures &) { return written(event.at); }},
        {"due_ns", [](const Run &, const Event &event, const DecisionFigures &) { return written(event.sent); }},
        {"answered_ns", [](const Run &, const Event &event, const DecisionFigures &) { return written(event.answered); }},
        {"caller", [](const Run &run, const Event &event, const DecisionFigures &) { return run.text(event.lane); }, false},
        {"key", [](const Run &run, const Event &event, const DecisionFigures &) { return run.text(event.key); }, false},
        {"cost", [](const Run &, const Event &, const DecisionFigures &figures) { return written(figures.cost); }},
        {"answer", [](const Run &, const Event &event, const DecisionFigures &) { return QString::fromLatin1(answerWord(event)); }, false},
        {"limit", [](const Run &, const Event &event, const DecisionFigures &figures) { return figure(event, figures.limit); }},
        {"remaining", [](const Run &, const Event &event, const DecisionFigures &figures) { return figure(event, figures.remaining); }},
        {"retry_after_us", [](const Run &, const Event &event, const DecisionFigures &figures) { return figure(event, figures.retryAfter); }},
        {"reset_after_us", [](const Run &, const Event &event, const DecisionFigures &figures) { return figure(event, figures.resetAfter); }},
        {"delay_us", [](const Run &, const Event &event, const DecisionFigures &figures) { return figure(event, figures.delay); }},
        {"level", [](const Run &, const Event &event, const DecisionFigures &figures) { return figure(event, figures.level); }},
        {"now_us", [](const Run &, const Event &event, const DecisionFigures &figures) { return figure(event, figures.now); }},
        {"server_time_us", [](const Run &, const Event &event, const DecisionFigures &figures) { return figure(event, figures.serverTime); }},
        {"asked_us", [](const Run &, const Event &, const DecisionFigures &figures) { return written(figures.asked); }},
        {"why", [](const Run &run, const Event &event, const DecisionFigures &) { return run.text(event.detail); }, false},
    };
    return cells;
}

void write(JsonWriter &json, const QString &text, bool isNumber)
{
    if (!isNumber)
        json.text(text);
    else if (text.isEmpty())
        json.null();
    else
        json.integer(text.toLongLong());
}

LimiterRecord recordOf(const Run &run)
{
    LimiterRecord record;
    record.extend(run);
    return record;
}

}

QByteArray decisionsCsv(const Run &run)
{
    QStringList titles {QStringLiteral("limiter"), QStringLiteral("request")};
    for (const DecisionCell &cell : decisionCells())
        titles.append(QString::fromLatin1(cell.name));
    QByteArray csv = csvLine(titles);
    const LimiterRecord record = recordOf(run);
    for (const DecisionSeries &series : record.series()) {
        for (size_t i = 0; i < series.points().size(); ++i) {
            const Event &event = run.events[series.points()[i].event];
            QStringList values {series.info().name, QString::number(i + 1)};
            for (const DecisionCell &cell : decisionCells())
                values.append(cell.text(run, event, *run.figures(event)));
            csv += csvLine(values);
        }
    }
    return csv;
}

QByteArray decisionsJson(const Run &run)
{
    QByteArray out = "[";
    const LimiterRecord record = recordOf(run);
    for (const DecisionSeries &series : record.series()) {
        out += out.size() > 1 ? ",\n" : "\n";
        JsonWriter json(out);
        json.beginObject().key("limiter").text(series.info().name).key("title").text(series.info().title).key("algorithm").text(series.info().algorithm);
        json.key("defect").text(series.info().defect).key("values").beginArray();
        for (const auto &[name, value] : series.info().values)
            json.text(name + QLatin1Char('=') + value);
        json.endArray().key("decisions").beginArray();
        for (const DecisionPoint &point : series.points()) {
            const Event &event = run.events[point.event];
            json.beginObject();
            for (const DecisionCell &cell : decisionCells()) {
                json.key(cell.name);
                write(json, cell.text(run, event, *run.figures(event)), cell.isNumber);
            }
            json.endObject();
        }
        json.endArray().endObject();
    }
    return out + "\n]\n";
}

QByteArray limiterFiguresCsv(const Run &run)
{
    QStringList titles {QStringLiteral("limiter"), QStringLiteral("algorithm"), QStringLiteral("defect")};
    for (const FigureColumn &column : figureColumns)
        titles.append(QString::fromLatin1(column.name));
    QByteArray csv = csvLine(titles);
    const LimiterRecord record = recordOf(run);
    for (size_t i = 0; i < record.series().size(); ++i) {
        const LimiterInfo &info = record.series()[i].info();
        const LimiterFigures figures = measure(run, record, i);
        QStringList values {info.name, info.algorithm, info.defect};
        for (const FigureColumn &column : figureColumns) {
            const Number value = column.value(figures);
            values.append(value ? QString::number(*value, 'g', 12) : QString());
        }
        csv += csvLine(values);
    }
    return csv;
}

QByteArray limiterFiguresJson(const Run &run)
{
    QByteArray out = "[";
    const LimiterRecord record = recordOf(run);
    for (size_t i = 0; i < record.series().size(); ++i) {
        const LimiterInfo &info = record.series()[i].info();
        const LimiterFigures figures = measure(run, record, i);
        out += out.size() > 1 ? ",\n" : "\n";
        JsonWriter json(out);
        json.beginObject().key("limiter").text(info.name).key("algorithm").text(info.algorithm).key("defect").text(info.defect);
        for (const FigureColumn &column : figureColumns) {
            json.key(column.name);
            if (const Number value = column.value(figures))
                json.real(*value);
            else
                json.null();
        }
        json.endObject();
    }
    return out + "\n]\n";
}

}
