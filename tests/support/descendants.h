// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace interlock {

/// The processes of this name (argv[0] without its folder) that this process, its children or theirs started, by number.
/// Other tests' servers are never among them.
QList<qint64> descendants(const QByteArray &name);

}
