// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/copysteps.h"

#include "engine/run/rungkinds.h"

namespace interlock {

using What = CopyStep::What;

CopySample CopySample::from(const InfoFields &primary, const InfoFields &replica, qint64 at)
{
    CopySample sample;
    sample.at = at;
    sample.fullCopies = primary.number("sync_full");
    sample.isWriting = primary.text("slave0").contains("state=wait_bgsave");
    sample.isLoading = replica.number("loading") == 1;
    sample.isLinked = replica.text("master_link_status") == "up";
    sample.sent = primary.number("master_repl_offset");
    sample.applied = sample.isLinked ? replica.number("slave_repl_offset") : 0;
    sample.oldest = primary.number("repl_backlog_first_byte_offset");
    sample.snapshot = std::max<qint64>(0, replica.number("master_sync_total_bytes")); // -1: it has not been told
    return sample;
}

const char *stepWord(What what)
{
    static_assert(copyStepWords.size() == size_t(What::Increment) + 1);
    return copyStepWords.at(static_cast<size_t>(what));
}

void CopySteps::enter(What what, qint64 at)
{
    m_current = what;
    m_since = at;
}

void CopySteps::finish(std::vector<CopyStep> &ended, qint64 at, qint64 bytes)
{
    ended.push_back({*m_current, m_since, at, bytes});
    m_current.reset();
}

std::vector<CopyStep> CopySteps::add(const CopySample &sample)
{
    std::vector<CopyStep> ended;
    m_isDown = m_isDown || (m_linked && !sample.isLinked);
    if (m_isDown && !m_isFull && sample.fullCopies > m_linked->fullCopies) {
        m_isFull = true;
        m_began = sample;
        enter(What::Snapshot, sample.at);
    }
    m_snapshot = std::max(m_snapshot, sample.snapshot);
    if (m_current == What::Snapshot && (!sample.isWriting || sample.isLoading))
        enter(What::Transfer, sample.at);
    if (m_current == What::Transfer && (sample.isLoading || sample.isLinked)) {
        ended.push_back({What::Snapshot, m_began.at, m_since, m_snapshot}); // its size is known only now
        finish(ended, sample.at, m_snapshot);
        enter(What::Load, sample.at);
    }
    if (sample.isLinked)
        link(ended, sample);
    return ended;
}

void CopySteps::link(std::vector<CopyStep> &ended, const CopySample &sample)
{
    if (m_current == What::Load) {
        finish(ended, sample.at, m_snapshot);
        m_missed = sample.sent - m_began.sent;
        m_goal = sample.sent;
        ended.push_back({What::Buffer, m_began.at, sample.at, m_missed});
        enter(What::CatchUp, sample.at);
    } else if (m_isDown && !m_isFull && !m_current) {
        m_missed = sample.sent - m_linked->applied;
        m_goal = sample.sent;
        enter(What::Increment, sample.at);
    }
    if (m_current && sample.applied >= m_goal) {
        finish(ended, sample.at, m_missed);
        m_isDown = m_isFull = false;
        m_snapshot = 0;
    }
    if (!m_current)
        m_linked = sample;
}

}
