// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/reply.h"

struct redisReader;

namespace interlock {

/// Builds replies while hiredis parses them, in place instead of as hiredis's own trees: a reply that is a number costs no memory, and
/// one that nobody asked for is turned down before hiredis's assertion about it ends the program.
class ReplyBuilder
{
public:
    ReplyBuilder() = default;
    ReplyBuilder(const ReplyBuilder &) = delete;
    ReplyBuilder &operator=(const ReplyBuilder &) = delete;

    /// From now on this reader's replies are built here; it must not parse any longer than this lives.
    void attach(redisReader &reader);

    void expectOne() { ++m_owed; }
    void expectNone() { m_owed = 0; }
    /// The reply that has just become complete.
    Reply take();
    /// An error reply that no command had asked for; empty: none came.
    const QByteArray &unasked() const { return m_unasked; }

private:
    struct Calls; // hiredis's callbacks

    Reply m_reply; // being parsed
    QByteArray m_unasked;
    size_t m_owed = 0; // replies
};

}
