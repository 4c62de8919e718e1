// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/topology/failoverview.h"

#include "widgets/ladder/ladderview.h"
#include "widgets/topology/topologyview.h"

namespace interlock {

FailoverView::FailoverView(GroupModel &group, QWidget *parent)
    : QSplitter(Qt::Horizontal, parent)
    , m_topology(new TopologyView(group, this))
    , m_ladder(new LadderView(group, this))
{
    setObjectName(QStringLiteral("failoverSplitter"));
    setAccessibleName(tr("Failover"));
    setChildrenCollapsible(false);
    setFocusProxy(m_topology);
    addWidget(m_topology);
    addWidget(m_ladder);
    setStretchFactor(0, 3);
    setStretchFactor(1, 2);
    setSizes({600, 400}); // shares
    connect(m_topology, &TopologyView::strikeAsked, this, &FailoverView::strikeAsked);
}

void FailoverView::setTheme(const Theme &theme)
{
    m_topology->setTheme(theme);
    m_ladder->setTheme(theme);
}

bool FailoverView::isPart(const QString &view)
{
    return view == QLatin1String("failover") || view == QLatin1String("topology") || view == QLatin1String("ladder");
}

void FailoverView::setParts(const QStringList &views)
{
    const bool both = views.contains(QStringLiteral("failover"));
    const bool topology = both || views.contains(QStringLiteral("topology"));
    m_topology->setVisible(topology);
    m_ladder->setVisible(both || views.contains(QStringLiteral("ladder")));
    setFocusProxy(topology ? static_cast<QWidget *>(m_topology) : m_ladder);
}

}
