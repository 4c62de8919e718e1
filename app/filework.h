// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/mailbox.h"
#include "engine/base/result.h"
#include "engine/run/setfiles.h"
#include "widgets/scenes.h"

#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace interlock {

/// A run as it was read from a file.
struct OpenedRun
{
    QString path;
    std::shared_ptr<const Run> run;
    Verdict verdict; ///< judged again from the events
    QStringList problems; ///< what was wrong with the file, in sentences
    QStringList children; ///< of a set, the names of its runs whose records lie beside it
    QStringList missing; ///< and of those whose do not
};

/// Reads, writes and exports run files away from the window's thread; results come by signal.
class FileWork : public QObject
{
    Q_OBJECT

public:
    explicit FileWork(QObject *parent = nullptr);
    ~FileWork() override; ///< finishes what is being written

    /// Ends with opened() or failed(). When another file is asked for meanwhile, only that one is told of.
    void open(const QString &path);
    /// Ends with saved() or failed().
    /// @param children of a set: they are written beside it.
    void save(const QString &path, std::shared_ptr<const Run> run, const Verdict &verdict, const std::vector<ChildRun> &children = {});
    /// Ends with exported() or failed(). Pictures are drawn on the window's thread, data are written on another.
    void exportTo(const QString &path, std::shared_ptr<const Run> run, const Verdict &verdict, const QString &view, const ExportOptions &options);

Q_SIGNALS:
    void opened(const interlock::OpenedRun &run);
    void saved(const QString &path, std::shared_ptr<const interlock::Run> run);
    void exported(const QString &path);
    void failed(const QString &path, const interlock::Error &error);

private:
    /// On another thread. The job lies in a list of ours, for the reason that Mailbox gives.
    void start(std::function<void()> job);
    void deliver(int job, const QString &path, const Result<OpenedRun> &read);

    int m_lastOpened = 0;
    std::mutex m_mutex;
    std::deque<std::function<void()>> m_jobs; ///< not begun
    Mailbox m_mail; ///< from the other threads
    QThreadPool m_pool; // the last member: its destructor waits for jobs that use the others
};

}
