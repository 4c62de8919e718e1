// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>

#include <memory>

namespace interlock {

constexpr int programLimit = 60'000; // ms; far above what a call needs

/// How the program ended and what it said.
struct Ended
{
    int status = -1; ///< -1: it did not end by itself within the limit
    QByteArray out;
    QByteArray err;
};

/// Starts the program as a script does that has no display. @param through a program that is called with it and its arguments
std::unique_ptr<QProcess> started(const QStringList &arguments, const QStringList &through = {});
/// Waits for its end, @p limit ms at most.
Ended end(QProcess &process, int limit = programLimit);
Ended call(const QStringList &arguments);

}
