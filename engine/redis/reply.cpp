// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/reply.h"

#include "engine/redis/quoting.h"

namespace interlock {

bool Reply::isError(QByteArrayView code) const
{
    return isError() && QByteArrayView(text).startsWith(code)
        && (text.size() == code.size() || text.at(code.size()) == ' ');
}

namespace {
QByteArray wholly(const Reply &reply, qsizetype limit)
{
    switch (reply.type) {
    case ReplyType::None:
        return {};
    case ReplyType::Nil:
        return "(nil)";
    case ReplyType::Integer:
        return QByteArray::number(reply.integer);
    case ReplyType::String:
        return quoted(reply.text, limit);
    case ReplyType::Status:
    case ReplyType::Error:
        return reply.text;
    case ReplyType::Array:
        break;
    }
    QByteArray text("[");
    for (const Reply &element : reply.elements) {
        if (text.size() > limit)
            return text; // it will be cut anyway
        if (text.size() > 1)
            text += ", ";
        text += wholly(element, limit);
    }
    text += ']';
    return text;
}
}

QByteArray Reply::shown(qsizetype limit) const
{
    return shortened(wholly(*this, limit), limit);
}

}
