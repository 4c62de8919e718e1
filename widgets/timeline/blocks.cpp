// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/blocks.h"

#include "widgets/timeline/spans.h"

namespace interlock {

// A block is complete when the first of the next one is there: then all in it have ended.

void Blocks::take(const std::vector<Span> &spans)
{
    while (spans.size() > known() + size) {
        Block block;
        for (size_t i = known(); i < known() + size; ++i) {
            block.longest = std::max(block.longest, spans[i].end - spans[i].begin);
            block.gap = std::max(block.gap, spans[i + 1].begin - spans[i].end);
        }
        m_blocks.push_back(block);
    }
}

void Blocks::take(const std::vector<Mark> &marks)
{
    while (marks.size() > known() + size) {
        Block block;
        for (size_t i = known(); i < known() + size; ++i)
            block.gap = std::max(block.gap, marks[i + 1].at - marks[i].at);
        m_blocks.push_back(block);
    }
}

}
