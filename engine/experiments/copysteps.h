// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/infofields.h"

#include <QtGlobal>

#include <optional>
#include <vector>

namespace interlock {

/// What INFO of a primary and of its only replica said at one moment.
struct CopySample
{
    qint64 at = 0; ///< ns of the run
    qint64 fullCopies = 0; ///< that the primary has begun since its start
    bool isWriting = false; ///< the primary writes the snapshot that the replica waits for
    bool isLoading = false; ///< the replica reads the snapshot into its memory
    bool isLinked = false; ///< the replica has all that was copied, and gets the stream
    qint64 sent = 0; ///< bytes of the stream that the primary has written
    qint64 applied = 0; ///< and that the replica has applied; only of a linked one
    qint64 oldest = 0; ///< the first byte of the stream that the primary still keeps
    qint64 snapshot = 0; ///< bytes of the snapshot; 0: not known

    /// @p primary, @p replica answers to INFO.
    static CopySample from(const InfoFields &primary, const InfoFields &replica, qint64 at);
};

/// A part of what it takes to bring a replica up to date again.
struct CopyStep
{
    enum class What {
        Snapshot, ///< the primary writes all its data to a file
        Buffer, ///< what is written meanwhile is kept for the replica, until it is linked
        Transfer, ///< the file goes over
        Load, ///< the replica reads it
        CatchUp, ///< the replica applies what was kept for it
        Increment, ///< it needs nothing else: what it missed comes from the backlog
    };

    What what = What::Snapshot;
    qint64 from = 0; ///< ns of the run
    qint64 until = 0; ///< as far as samples can tell: a step between two of them takes no time
    qint64 bytes = 0;

    bool operator==(const CopyStep &) const = default;
};

/// "snapshot", "buffer", "transfer", "load", "catch-up", "increment": a note's text in the record.
const char *stepWord(CopyStep::What what);

/// Puts samples together into steps.
class CopySteps
{
public:
    /// In the order of time. Answers the steps that are complete by it: a snapshot’s size is known when the file is there.
    std::vector<CopyStep> add(const CopySample &sample);
    /// The step that goes on now, the buffer apart.
    std::optional<CopyStep::What> current() const { return m_current; }

private:
    void enter(CopyStep::What what, qint64 at);
    void finish(std::vector<CopyStep> &ended, qint64 at, qint64 bytes);
    void link(std::vector<CopyStep> &ended, const CopySample &sample);

    std::optional<CopySample> m_linked; ///< the last one before the link was lost
    bool m_isDown = false; ///< the link was lost, and the replica is not up to date again
    bool m_isFull = false; ///< and gets a full copy
    std::optional<CopyStep::What> m_current;
    qint64 m_since = 0; ///< of the current step
    CopySample m_began; ///< the first of the full copy
    qint64 m_snapshot = 0;
    qint64 m_goal = 0; ///< up to this byte it has to catch up
    qint64 m_missed = 0;
};

}
