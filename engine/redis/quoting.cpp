// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/quoting.h"

namespace interlock {

namespace {
/// The letter after the backslash, or 0 if the byte has no escape of its own.
char shortEscape(char byte)
{
    switch (byte) {
    case '"':
    case '\\':
        return byte;
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    case '\a':
        return 'a';
    case '\b':
        return 'b';
    default:
        return 0;
    }
}
}

void appendQuoted(QByteArrayView bytes, qsizetype limit, std::string &text)
{
    static constexpr char digits[] = "0123456789abcdef";
    const size_t most = text.size() + static_cast<size_t>(limit);
    text += '"';
    for (const char byte : bytes) {
        if (text.size() > most)
            return; // it will be cut anyway
        const auto value = static_cast<uchar>(byte);
        if (const char letter = shortEscape(byte)) {
            text += '\\';
            text += letter;
        } else if (value < 0x20 || value > 0x7e) {
            text += "\\x";
            text += digits[value >> 4];
            text += digits[value & 15];
        } else {
            text += byte;
        }
    }
    text += '"';
}

QByteArray shortened(const std::string &text, qsizetype limit)
{
    const auto size = static_cast<qsizetype>(text.size());
    if (size <= limit)
        return QByteArray(text.data(), size);
    return QByteArray(text.data(), limit) + "…";
}

}
