// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/strike.h"
#include "widgets/theme.h"

#include <QSplitter>
#include <QStringList>

namespace interlock {

class GroupModel;
class LadderView;
class TopologyView;

/// One moment in two pictures side by side: the topology of the group, and the steps of the failover up to there.
class FailoverView : public QSplitter
{
    Q_OBJECT

public:
    explicit FailoverView(GroupModel &group, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Whether a view of this name is shown here: "topology", "ladder", or both as "failover".
    static bool isPart(const QString &view);
    /// Those among the names of views; one of them can stand alone.
    void setParts(const QStringList &views);

    TopologyView &topology() const { return *m_topology; }
    LadderView &ladder() const { return *m_ladder; }

Q_SIGNALS:
    void strikeAsked(const interlock::Strike &strike);

private:
    TopologyView *m_topology;
    LadderView *m_ladder;
};

}
