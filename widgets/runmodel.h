// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"
#include "engine/session.h"

#include <QObject>

#include <memory>
#include <optional>

namespace interlock {

/// The run that the window shows, live or finished, and the event that is selected in it. Every view of a run reads it here.
class RunModel : public QObject
{
    Q_OBJECT

public:
    explicit RunModel(QObject *parent = nullptr);

    /// A live run begins: an empty record with this header.
    void begin(const Header &header);
    /// Adds the live run's batch, whether it is shown or aside. Events come in order of recording, which is nearly that of time.
    void append(const Batch &batch);
    /// The whole record, in order of time, replaces what is shown; a live run ends with that.
    void show(std::shared_ptr<const Run> run, const Verdict &verdict);
    void clear();

    /// Shows a finished record, and the live run goes on aside. Precondition: there is one.
    void lookAt(std::shared_ptr<const Run> run, const Verdict &verdict);
    /// Shows the live run that is aside. Precondition: there is one.
    void lookBack();
    /// The live run that is aside ended; what is shown stays.
    void endAside();
    bool isAside() const { return m_live && m_shown != m_live; }

    const Run &run() const { return *m_shown; }
    /// The same, for views that need it a while longer. A live one goes on growing.
    std::shared_ptr<const Run> sharedRun() const { return m_shown; }
    /// The record to keep or save; null while live.
    std::shared_ptr<const Run> finishedRun() const { return isLive() ? nullptr : m_shown; }
    const Verdict &verdict() const { return m_verdict; } ///< of a finished run
    bool isLive() const { return m_live && m_shown == m_live; }
    /// The last reset() put the finished record of the live run in its place: the person stays where they are.
    bool isContinued() const { return m_isContinued; }
    qint64 now() const { return m_shown->duration; } ///< ns: how far the record reaches

    std::optional<size_t> selected() const { return m_selected; }
    void select(std::optional<size_t> event);

Q_SIGNALS:
    void reset(); ///< another run, or the finished record of the live one
    void grown(size_t firstEvent); ///< events from this index on are new
    void selectionChanged();

private:
    void put(std::shared_ptr<const Run> run, const Verdict &verdict, bool isContinued = false);

    std::shared_ptr<const Run> m_shown;
    std::shared_ptr<Run> m_live; ///< the same object while it is shown
    Verdict m_verdict;
    bool m_isContinued = false;
    std::optional<size_t> m_selected;
};

}
