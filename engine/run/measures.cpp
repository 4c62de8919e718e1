// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/measures.h"

#include <algorithm>
#include <limits>
#include <map>

namespace interlock {

namespace {

std::optional<qint64> given(qint64 value)
{
    return value == never ? std::nullopt : std::optional(value);
}

/// A run is named once, however many measures were taken from it.
void addRun(std::vector<Name> &runs, Name run)
{
    if (run && std::find(runs.begin(), runs.end(), run) == runs.end())
        runs.push_back(run);
}

SeriesInfo infoOf(const Run &run, const QString &name)
{
    const auto known = std::find_if(run.header.series.begin(), run.header.series.end(), [&](const SeriesInfo &info) { return info.name == name; });
    if (known != run.header.series.end())
        return *known;
    return {name, name, {}, {}, {}, {}};
}

/// Whether the trials can be added to those so far. A file may say anything.
bool isTrial(const Event &event, qint64 trials)
{
    return event.until > 0 && event.number >= 0 && event.number <= event.until && event.until <= std::numeric_limits<qint64>::max() - 1 - trials;
}

void addShare(MeasuredCurve &curve, const Event &event)
{
    const std::optional<qint64> x = given(event.sent);
    auto point = std::find_if(curve.points.begin(), curve.points.end(), [&](const MeasuredPoint &each) { return each.x == x; });
    if (!isTrial(event, point == curve.points.end() ? 0 : point->trials))
        return;
    if (point == curve.points.end())
        point = curve.points.insert(point, MeasuredPoint {x, 0, {}, {}, 0, {}});
    point->y += event.number;
    point->trials += event.until;
    addRun(point->runs, event.lane);
}

void addValue(MeasuredCurve &curve, const Event &event)
{
    MeasuredPoint point {given(event.sent), event.number, given(event.until), given(event.answered), 0, {}};
    addRun(point.runs, event.lane);
    curve.points.push_back(std::move(point));
}

qint64 sum(qint64 left, qint64 right)
{
    qint64 all = 0;
    if (__builtin_add_overflow(left, right, &all))
        return right > 0 ? std::numeric_limits<qint64>::max() : std::numeric_limits<qint64>::min();
    return all;
}

template<typename Fits>
void forEachMeasure(const Run &run, const Fits &visit)
{
    for (const Event &event : run.events) {
        if (event.kind == Event::Kind::Measure)
            visit(event, static_cast<MeasureKind>(event.what));
    }
}

}

std::vector<MeasuredCurve> curvesOf(const Run &run)
{
    std::vector<MeasuredCurve> curves;
    for (const SeriesInfo &info : run.header.series)
        curves.push_back({info, false, {}});
    std::map<Name, size_t> places;
    forEachMeasure(run, [&](const Event &event, MeasureKind kind) {
        if (kind != MeasureKind::Value && kind != MeasureKind::Share)
            return;
        const auto [place, isNew] = places.try_emplace(event.text, curves.size());
        if (isNew) {
            const QString name = run.text(event.text);
            const auto known = std::find_if(curves.begin(), curves.end(), [&](const MeasuredCurve &curve) { return curve.info.name == name; });
            place->second = static_cast<size_t>(known - curves.begin());
            if (known == curves.end())
                curves.push_back({infoOf(run, name), false, {}});
            curves[place->second].isShare = kind == MeasureKind::Share; // one series is of one kind
        }
        MeasuredCurve &curve = curves[place->second];
        if (curve.isShare && kind == MeasureKind::Share)
            addShare(curve, event);
        else if (!curve.isShare && kind == MeasureKind::Value)
            addValue(curve, event);
    });
    std::erase_if(curves, [](const MeasuredCurve &curve) { return curve.points.empty(); });
    for (MeasuredCurve &curve : curves)
        std::stable_sort(curve.points.begin(), curve.points.end(), [](const MeasuredPoint &left, const MeasuredPoint &right) { return left.x < right.x; });
    return curves;
}

qint64 MeasuredCell::times() const
{
    qint64 all = 0;
    for (const MeasuredOutcome &outcome : outcomes)
        all += outcome.times;
    return all;
}

MeasuredTable tableOf(const Run &run)
{
    MeasuredTable table;
    std::map<Name, size_t> rows, columns;
    std::map<std::pair<size_t, size_t>, MeasuredCell> cells;
    forEachMeasure(run, [&](const Event &event, MeasureKind kind) {
        if (kind != MeasureKind::Cell)
            return;
        const auto [row, isNewRow] = rows.try_emplace(event.text, table.rows.size());
        if (isNewRow)
            table.rows.push_back(infoOf(run, run.text(event.text)));
        const auto [column, isNewColumn] = columns.try_emplace(event.key, size_t(table.columns.size()));
        if (isNewColumn)
            table.columns.append(run.text(event.key));
        MeasuredCell &cell = cells[{row->second, column->second}];
        const QString word = run.text(event.detail);
        auto outcome = std::find_if(cell.outcomes.begin(), cell.outcomes.end(), [&](const MeasuredOutcome &each) { return each.word == word; });
        if (outcome == cell.outcomes.end())
            outcome = cell.outcomes.insert(outcome, MeasuredOutcome {word, 0, 0});
        ++outcome->times;
        outcome->count = sum(outcome->count, event.number);
        addRun(cell.runs, event.lane);
    });
    table.cells.resize(table.rows.size() * size_t(table.columns.size()));
    for (auto &[place, cell] : cells)
        table.cells[place.first * size_t(table.columns.size()) + place.second] = std::move(cell);
    return table;
}

}
