// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace interlock {

struct Mark;
struct Span;

/// How close the spans or marks of one layer stand to each other, told of so many neighbours at once. Where all of them are closer
/// than pixels can tell, a walk steps over the whole block and need not fetch each from memory, which of a million events is
/// half of what a redraw costs. With blocks of 4 and spans at 0–1, 3–4, 6–7, 9–10, 20–21: the block's longest is 1, its gap 10.
class Blocks
{
public:
    static constexpr size_t size = 64;

    struct Block
    {
        qint64 longest = 0; ///< ns: of its spans; marks have no length
        qint64 gap = 0; ///< ns: the longest from one's end to the next one's beginning, the first of the next block's included
    };

    /// Looks at the blocks that have been completed since. The last of a layer are left out, since they may still change.
    void take(const std::vector<Span> &spans);
    void take(const std::vector<Mark> &marks);
    /// The first index of which nothing is known.
    size_t known() const { return m_blocks.size() * size; }
    /// Something was put in at this index.
    void forget(size_t index) { m_blocks.resize(std::min(m_blocks.size(), index / size)); }

    /// The first index at or after @p index where a gap or a length above these (ns) may be, or where nothing is known.
    /// All before it, and it itself, follow the one before them within @p gap.
    size_t crowdedUntil(size_t index, qint64 longest, qint64 gap) const
    {
        size_t block = index / size;
        while (block < m_blocks.size() && m_blocks[block].longest <= longest && m_blocks[block].gap <= gap)
            ++block;
        return std::max(index, block * size);
    }

private:
    std::vector<Block> m_blocks;
};

}
