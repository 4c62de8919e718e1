// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/command.h"

#include "engine/redis/quoting.h"

#include <algorithm>

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
    m_bytes.append(argument);
    m_ends.append(m_bytes.size());
}

QByteArrayView Command::at(int i) const
{
    const qsizetype begin = i == 0 ? 0 : m_ends[i - 1];
    return QByteArrayView(m_bytes).sliced(begin, m_ends[i] - begin);
}

/// "*2\r\n", then "$3\r\n", "GET" and "\r\n" for each.
qsizetype Command::wireSize() const
{
    const auto lineSize = [](qsizetype number) { return 1 + QByteArray::number(number).size() + 2; };
    qsizetype bytes = lineSize(size()) + m_bytes.size();
    for (int i = 0; i < size(); ++i)
        bytes += lineSize(at(i).size()) + 2;
    return bytes;
}

QByteArray Command::shown(qsizetype limit) const
{
    QByteArray text;
    for (int i = 0; i < size() && text.size() <= limit; ++i) {
        if (i > 0)
            text += ' ';
        const QByteArrayView argument = at(i);
        if (isPlain(argument))
            text += argument.first(qMin(argument.size(), limit + 1));
        else
            text += quoted(argument, limit);
    }
    return shortened(std::move(text), limit);
}

}
