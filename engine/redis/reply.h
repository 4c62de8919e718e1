// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/event.h"

#include <QByteArray>

#include <vector>

namespace interlock {

/// What Redis answered, as a value. An error reply is an answer like any other.
struct Reply
{
    ReplyType type = ReplyType::None;
    qint64 integer = 0; ///< of an Integer
    QByteArray text; ///< of a Status, String or Error
    std::vector<Reply> elements; ///< of an Array

    bool isError() const { return type == ReplyType::Error; }
    bool isNil() const { return type == ReplyType::Nil; }
    bool isOk() const { return type == ReplyType::Status && text == "OK"; }
    bool isInteger(qint64 value) const { return type == ReplyType::Integer && integer == value; }
    /// An error reply that begins with this word: "NOSCRIPT", "READONLY", "NOAUTH"…
    bool isError(QByteArrayView code) const;

    /// How many bytes it took on its way from the server, in RESP2.
    qsizetype wireSize() const;
    /// In one line, as redis-cli would show it: OK, 1, (nil), "a b", ERR …, [1, "x"]. At most @p limit bytes, then "…".
    QByteArray shown(qsizetype limit = 256) const;

    bool operator==(const Reply &) const = default;
};

}
