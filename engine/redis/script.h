// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QByteArray>
#include <QString>

namespace interlock {

/// A Lua script from resources/lua, by its path there without ".lua": "locks/compare-and-delete".
struct Script
{
    QString name;
    QByteArray body;
    QByteArray sha; ///< SHA-1 of the body in hexadecimal, as EVALSHA wants it

    static Script fromText(const QString &name, const QByteArray &body);
    /// Precondition: the script is part of the program (a missing one is a defect and ends it).
    static const Script &named(const QString &name);
};

}
