// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Spans of work: who was in which section, and when two were there at once.
#include "widgets/timeline/spanlayers.h"
#include "widgets/timeline/spans.h"

#include <algorithm>

namespace interlock {

using namespace spanlayers;

void Spans::takeResource(int actor, const Event &event, quint32 index)
{
    const auto what = static_cast<Resource>(event.what);
    if (what == Resource::Wrote) {
        const Mark mark {.at = event.at, .event = index, .by = static_cast<qint16>(actor),
            .kind = event.has(Event::Accepted) ? Mark::Kind::WriteAccepted : Mark::Kind::WriteRefused};
        for (LaneRow &row : m_rows) {
            if (row.lane.type == Lane::Type::Resource && row.name == event.key)
                addMark(row, mark);
        }
        if (actor >= 0)
            addMark(m_rows[size_t(actor)], mark);
        return;
    }
    if (actor < 0)
        return;
    Section &section = m_sections[event.key];
    if (what == Resource::Entered)
        enter(section, actor, event, index);
    else
        leave(section, actor, event.at);
}

void Spans::enter(Section &section, int row, const Event &event, quint32 index)
{
    for (Inside &inside : section.inside) {
        if (inside.row == row) {
            ++inside.depth;
            return;
        }
    }
    begin(m_rows[size_t(row)].working, Span::Kind::Working, event, index);
    section.inside.push_back({row});
    if (section.inside.size() < 2)
        return;
    for (Inside &inside : section.inside) {
        if (!inside.isContested)
            begin(m_rows[size_t(inside.row)].contested, Span::Kind::Contested, event, index);
        inside.isContested = true;
    }
    if (!section.overlap) {
        section.overlap = m_overlaps.size();
        m_overlaps.push_back({.key = event.key, .begin = event.at, .rows = {section.inside.front().row}, .event = index});
    }
    Overlap &overlap = m_overlaps[*section.overlap];
    overlap.owners = std::max(overlap.owners, static_cast<int>(section.inside.size()));
    if (std::find(overlap.rows.begin(), overlap.rows.end(), row) == overlap.rows.end())
        overlap.rows.push_back(row);
}

void Spans::leave(Section &section, int row, qint64 at)
{
    const auto left = std::find_if(section.inside.begin(), section.inside.end(), [row](const Inside &inside) { return inside.row == row; });
    if (left == section.inside.end() || --left->depth > 0)
        return;
    close(m_rows[size_t(row)].working, at);
    close(m_rows[size_t(row)].contested, at);
    section.inside.erase(left);
    if (section.inside.size() != 1)
        return;
    Inside &alone = section.inside.front();
    close(m_rows[size_t(alone.row)].contested, at);
    alone.isContested = false;
    if (section.overlap)
        m_overlaps[*section.overlap].end = at;
    section.overlap.reset();
}

}
