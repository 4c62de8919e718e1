// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>
#include <vector>

namespace interlock {

/// Recorded commands as lines for a shell, so that they can be repeated by hand: "redis-cli SET lock 'a b' NX PX 1000".

/// The arguments of a command that was recorded as redis-cli takes it (quotes and escapes undone); nothing if a quote is left open.
std::optional<QList<QByteArray>> commandArguments(const QByteArray &recorded);

/// The argument as a POSIX shell takes it.
QByteArray shellQuoted(const QByteArray &argument);

/// One event as a line without its end. A command whose bytes a shell cannot pass goes through redis-cli's standard input; EVALSHA of a
/// script that the run knows becomes EVAL with its body; a command that was shortened in the record becomes a comment. Empty for what is no command.
QString redisCliLine(const Run &run, const Event &event);

/// The commands among these events (indices into Run::events), a line each, in their order.
QString redisCliLines(const Run &run, const std::vector<size_t> &events);

/// All commands of one actor, by its lane's name.
QString redisCliLinesOf(const Run &run, const QString &actor);

}
