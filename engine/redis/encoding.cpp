// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/encoding.h"

#include "engine/redis/command.h"
#include "engine/redis/decimal.h"

namespace interlock {

namespace {

void appendNumber(std::string &bytes, char kind, qsizetype number)
{
    bytes += kind;
    bytes += Decimal(number).text();
    bytes += "\r\n";
}

}

void encode(const Command &command, std::string &bytes)
{
    bytes.clear();
    appendNumber(bytes, '*', command.size());
    for (int i = 0; i < command.size(); ++i) {
        const QByteArrayView argument = command.at(i);
        appendNumber(bytes, '$', argument.size());
        bytes.append(argument.data(), static_cast<size_t>(argument.size()));
        bytes += "\r\n";
    }
}

}
