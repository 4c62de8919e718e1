// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/failoverladder.h"
#include "engine/run/grouphistory.h"
#include "widgets/topology/nodewords.h"

#include <QObject>

#include <memory>
#include <optional>

namespace interlock {

class RunModel;

/// The shown run's group, its failovers, and the moment that all views of them show: where the pointer is, else what a person chose (a time or an
/// event), else the end of the record, which a live run moves on.
class GroupModel : public QObject
{
    Q_OBJECT

public:
    explicit GroupModel(RunModel &run, QObject *parent = nullptr);

    bool hasGroup() const { return m_history.hasGroup(); }
    const Run &run() const { return *m_shown; }
    RunModel &runModel() const { return m_model; }
    const GroupHistory &history() const { return m_history; }
    const std::vector<Ladder> &ladders() const { return m_ladders.ladders(); }

    qint64 time() const; ///< ns
    qint64 end() const; ///< ns: the latest that can be shown
    bool isAtEnd() const { return !m_pointed && !m_chosen; }
    GroupMoment moment() const { return GroupMoment::of(*m_shown, m_history, time()); }

    /// While the pointer is over a picture of time; none: it is not.
    void point(std::optional<qint64> time);
    /// Until another is chosen or the run is another; none: the end, whatever that is.
    void choose(std::optional<qint64> time);
    /// To the next (1) or the one before (-1) of the moments at which something became of the group.
    void step(int direction);

Q_SIGNALS:
    void reset(); ///< another run, or the finished record of the live one
    void laddersChanged();
    void moved(); ///< the moment is another, or more is known of it

private:
    void takeRun();
    void grow();
    void takeSelection();

    RunModel &m_model;
    std::shared_ptr<const Run> m_shown;
    GroupHistory m_history;
    FailoverLadders m_ladders;
    std::optional<qint64> m_pointed;
    std::optional<qint64> m_chosen;
};

}
