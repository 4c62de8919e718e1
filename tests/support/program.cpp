// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.h"

namespace interlock {

std::unique_ptr<QProcess> started(const QStringList &arguments, const QStringList &through)
{
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"}) // as for root
        environment.remove(QLatin1String(name));
    process->setProcessEnvironment(environment);
    const QStringList all = through + QStringList {QStringLiteral(INTERLOCK_PROGRAM)} + arguments;
    process->start(all.first(), all.mid(1));
    return process;
}

Ended end(QProcess &process, int limit)
{
    if (!process.waitForFinished(limit) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

Ended call(const QStringList &arguments)
{
    return end(*started(arguments));
}

}
