// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/reply.h"

#include "engine/redis/decimal.h"
#include "engine/redis/quoting.h"

#include <string>
#include <utility>

namespace interlock {

bool Reply::isError(QByteArrayView code) const
{
    return isError() && QByteArrayView(text).startsWith(code)
        && (text.size() == code.size() || text.at(code.size()) == ' ');
}

namespace {
void append(const Reply &reply, qsizetype limit, std::string &text)
{
    switch (reply.type) {
    case ReplyType::None:
        return;
    case ReplyType::Nil:
        text += "(nil)";
        return;
    case ReplyType::Integer:
        text += Decimal(reply.integer).text();
        return;
    case ReplyType::String:
        appendQuoted(reply.text, limit, text);
        return;
    case ReplyType::Status:
    case ReplyType::Error:
        text.append(reply.text.data(), static_cast<size_t>(reply.text.size()));
        return;
    case ReplyType::Array:
        break;
    }
    text += '[';
    const char *separator = "";
    for (const Reply &element : reply.elements) {
        if (static_cast<qsizetype>(text.size()) > limit)
            return; // it will be cut anyway
        text += std::exchange(separator, ", ");
        append(element, limit, text);
    }
    text += ']';
}
}

qsizetype Reply::wireSize() const
{
    const auto lineSize = [](qint64 number) { return 1 + static_cast<qsizetype>(Decimal(number).size()) + 2; };
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
    std::string line;
    line.reserve(128);
    append(*this, limit, line);
    return shortened(line, limit);
}

}
