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

qsizetype Reply::wireSize() const
{
    const auto lineSize = [](qint64 number) { return 1 + QByteArray::number(number).size() + 2; };
    switch (type) {
    case ReplyType::None:
        return 0;
    case ReplyType::Nil:
        return lineSize(-1);
    case ReplyType::Integer:
        return lineSize(integer);
    case ReplyType::String:
        return lineSize(text.size()) + text.size() + 2;
    case ReplyType::Status:
    case ReplyType::Error:
        return 1 + text.size() + 2;
    case ReplyType::Array:
        break;
    }
    qsizetype bytes = lineSize(static_cast<qint64>(elements.size()));
    for (const Reply &element : elements)
        bytes += element.wireSize();
    return bytes;
}

QByteArray Reply::shown(qsizetype limit) const
{
    return shortened(wholly(*this, limit), limit);
}

}
