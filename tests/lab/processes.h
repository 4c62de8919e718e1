// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QString>

#include <sys/stat.h>

namespace interlock {

/// The state letter of /proc/PID/stat: R, S, T (stopped), Z; 0 if there is no such process.
inline char processState(qint64 process)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = file.readAll();
    return line.at(line.lastIndexOf(')') + 2);
}

/// There is no such process, or it only waits for its parent to notice its end.
inline bool hasGone(qint64 process)
{
    const char state = processState(process);
    return state == 0 || state == 'Z' || state == 'X';
}

inline int permissions(const QString &path)
{
    struct stat about;
    return stat(QFile::encodeName(path).constData(), &about) == 0 ? static_cast<int>(about.st_mode & 07777) : -1;
}

}
