// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/command.h"

#include "engine/redis/decimal.h"
#include "engine/redis/quoting.h"

#include <algorithm>
#include <string>

namespace interlock {

namespace {
/// True if redis-cli takes the argument as it stands: it splits at spaces and gives quotes and backslashes a meaning.
bool isPlain(QByteArrayView argument)
{
    return !argument.empty() && std::all_of(argument.begin(), argument.end(), [](char byte) {
        return byte > ' ' && byte < 0x7f && byte != '"' && byte != '\'' && byte != '\\';
    });
}
}

void Command::add(QByteArrayView argument)
{
    constexpr qsizetype usual = 160; // bytes of a script's call
    const qsizetype begin = m_bytes.size(), end = begin + argument.size();
    if (m_bytes.capacity() < end)
        m_bytes.reserve(std::max(usual, 2 * end));
    m_bytes.resize(end);
    std::copy(argument.begin(), argument.end(), m_bytes.data() + begin); // append() would take five times as long
    m_ends.append(end);
}

QByteArrayView Command::at(int i) const
{
    const qsizetype begin = i == 0 ? 0 : m_ends[i - 1];
    return QByteArrayView(m_bytes).sliced(begin, m_ends[i] - begin);
}

/// "*2\r\n", then "$3\r\n", "GET" and "\r\n" for each.
qsizetype Command::wireSize() const
{
    const auto lineSize = [](qint64 number) { return 1 + static_cast<qsizetype>(Decimal(number).size()) + 2; };
    qsizetype bytes = lineSize(size()) + m_bytes.size();
    for (int i = 0; i < size(); ++i)
        bytes += lineSize(at(i).size()) + 2;
    return bytes;
}

QByteArray Command::shown(qsizetype limit) const
{
    std::string text;
    text.reserve(static_cast<size_t>(std::min(m_bytes.size() + 2 * size(), limit + 4)));
    for (int i = 0; i < size() && static_cast<qsizetype>(text.size()) <= limit; ++i) {
        if (i > 0)
            text += ' ';
        const QByteArrayView argument = at(i);
        if (isPlain(argument))
            text.append(argument.data(), static_cast<size_t>(std::min(argument.size(), limit + 1)));
        else
            appendQuoted(argument, limit, text);
    }
    return shortened(text, limit);
}

}
