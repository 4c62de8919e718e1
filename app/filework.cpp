// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filework.h"

#include "engine/checks/checks.h"
#include "engine/run/runfile.h"

#include <QFileInfo>

#include <utility>

namespace interlock {

namespace {

Result<OpenedRun> read(const QString &path)
{
    Result<ReadRun> file = readRunFile(path);
    if (!file)
        return file.error();
    auto run = std::make_shared<const Run>(std::move(file->run));
    OpenedRun opened {path, run, judge(*run), file->problems, {}, {}};
    for (const QString &name : childrenNamedIn(*run))
        (QFileInfo::exists(childFile(path, name)) ? opened.children : opened.missing).append(name);
    for (const SilentRun &silent : silentRunsIn(*run)) { // one that could not be started has none
        if (QFileInfo::exists(childFile(path, silent.name)))
            opened.children.append(silent.name);
    }
    return opened;
}

}

FileWork::FileWork(QObject *parent)
    : QObject(parent)
{
}

FileWork::~FileWork() = default;

void FileWork::start(std::function<void()> job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_pool.start([this] {
        std::function<void()> next;
        {
            const std::lock_guard lock(m_mutex);
            next = std::move(m_jobs.front());
            m_jobs.pop_front();
        }
        next();
    });
}

void FileWork::open(const QString &path)
{
    const int job = ++m_lastOpened;
    start([this, job, path] {
        const Result<OpenedRun> result = read(path);
        m_mail.post([this, job, path, result] { deliver(job, path, result); });
    });
}

void FileWork::deliver(int job, const QString &path, const Result<OpenedRun> &read)
{
    if (job != m_lastOpened)
        return;
    if (read)
        Q_EMIT opened(*read);
    else
        Q_EMIT failed(path, read.error());
}

void FileWork::save(const QString &path, std::shared_ptr<const Run> run, const Verdict &verdict, const std::vector<ChildRun> &children)
{
    start([this, path, run, verdict, children] {
        const Result<void> result = writeSetFiles(path, *run, verdict, children);
        m_mail.post([this, path, run, result] {
            if (result)
                Q_EMIT saved(path, run);
            else
                Q_EMIT failed(path, result.error());
        });
    });
}

void FileWork::exportTo(const QString &path, std::shared_ptr<const Run> run, const Verdict &verdict, const QString &view, const ExportOptions &options)
{
    const auto write = [this, path, run, verdict, view, options] {
        const Result<void> result = exportView(*run, verdict, view, path, options);
        m_mail.post([this, path, result] {
            if (result)
                Q_EMIT exported(path);
            else
                Q_EMIT failed(path, result.error());
        });
    };
    const QString format = QFileInfo(path).suffix().toLower();
    if (format == QLatin1String("csv") || format == QLatin1String("json"))
        start(write);
    else
        write();
}

}
