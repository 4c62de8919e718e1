// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/setfiles.h"

#include "engine/run/runfile.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

#include <set>

namespace interlock {

namespace {

QString childrenFolder(const QString &setFile)
{
    return setFile + QStringLiteral(".children");
}

Result<void> copy(const QString &from, const QString &to)
{
    const bool isItself = QFileInfo(from).absoluteFilePath() == QFileInfo(to).absoluteFilePath();
    if (isItself)
        return {};
    QFile source(from);
    QSaveFile target(to);
    if (!source.open(QIODevice::ReadOnly))
        return Error {Error::Kind::Missing, QCoreApplication::translate("RunFile", "%1 cannot be read: %2.").arg(from, source.errorString())};
    if (!target.open(QIODevice::WriteOnly) || target.write(source.readAll()) != source.size() || !target.commit())
        return Error {Error::Kind::Failed, QCoreApplication::translate("RunFile", "%1 cannot be written: %2.").arg(to, target.errorString())};
    return {};
}

bool isFileName(const QString &name)
{
    static const QRegularExpression pattern(QStringLiteral("\\A[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\\z"));
    return pattern.match(name).hasMatch();
}

}

QStringList childrenNamedIn(const Run &set)
{
    QStringList names;
    std::set<Name> known;
    for (const Event &event : set.events) {
        if (event.kind != Event::Kind::Measure || event.lane == 0 || !known.insert(event.lane).second)
            continue;
        if (const QString name = set.text(event.lane); isFileName(name))
            names.append(name);
    }
    return names;
}

QString childFile(const QString &setFile, const QString &name)
{
    return QDir(childrenFolder(setFile)).filePath(name + QLatin1Char('.') + QLatin1String(runFileExtension));
}

std::vector<SilentRun> silentRunsIn(const Run &set)
{
    std::vector<SilentRun> silent;
    if (!set.header.nodes.isEmpty()) // a set has no servers of its own, and its notes are about its runs
        return silent;
    for (const Event &event : set.events) {
        if (const QString name = set.text(event.lane); event.kind == Event::Kind::Note && isFileName(name))
            silent.push_back({name, set.text(event.text)});
    }
    return silent;
}

Result<void> makeChildrenFolder(const QString &setFile)
{
    const QFileInfo folder(childrenFolder(setFile));
    if (folder.dir().mkpath(folder.fileName()))
        return {};
    return Error {Error::Kind::Failed,
        QCoreApplication::translate("RunFile", "The folder %1 for the runs of the set cannot be made.").arg(childrenFolder(setFile))};
}

void dropEmptyChildrenFolder(const QString &setFile)
{
    QDir().rmdir(childrenFolder(setFile));
}

Result<void> writeChildFile(const QString &setFile, const ChildRun &child)
{
    Q_ASSERT(isFileName(child.name));
    if (const Result<void> made = makeChildrenFolder(setFile); !made)
        return made;
    const QString file = childFile(setFile, child.name);
    return child.run ? writeRunFile(file, *child.run, child.verdict) : copy(child.file, file);
}

Result<void> writeSetFiles(const QString &path, const Run &set, const Verdict &verdict, const std::vector<ChildRun> &children)
{
    for (const ChildRun &child : children) {
        if (const Result<void> written = writeChildFile(path, child); !written)
            return written;
    }
    return writeRunFile(path, set, verdict);
}

}
