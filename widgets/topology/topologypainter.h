// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"
#include "widgets/topology/nodewords.h"
#include "widgets/topology/topologylayout.h"

class QPainter;

namespace interlock {

/// Draws a group at one moment: who is primary and who follows, what strikes them, what each sentinel believes, who has the lock. The
/// same on the screen and on paper; nothing is clipped, hatches are lines.
class TopologyPainter
{
public:
    /// All must outlive the painter.
    TopologyPainter(QPainter &painter, const GroupMoment &moment, const TopologyLayout &layout, const Theme &theme);

    /// @param chosen the node under the keyboard or whose facts are shown; -1: none.
    void draw(int chosen = -1);

    /// For how long, ns, what changed is marked as new.
    static constexpr qint64 newFor = 400'000'000;

private:
    void drawClient(const TopologyLayout::Place &place);
    void drawServer(const TopologyLayout::Place &place);
    void drawLocks(const ServerState &server, const QRectF &line);
    void drawSentinel(const TopologyLayout::Place &place);
    void drawLink(const ReplicationLink &link);
    void labelLink(const QPainterPath &way, const QStringList &texts, const QColor &color);
    void drawVotes();
    void drawLife(const NodeState &node, const QRectF &box);
    void drawNews(const NodeState &node, const QRectF &box, int chosen);
    void drawArrowHead(const QPointF &tip, double degrees, const QColor &color);
    void patched(const QFont &font, const QPointF &leftMiddle, const QString &text, const QColor &color, const QColor &background);
    QStringList lockKeys(int node) const;

    QPainter &m_painter;
    const GroupMoment &m_moment;
    const Run &m_run;
    const GroupState &m_group;
    const TopologyLayout &m_layout;
    const Theme &m_theme;
    double m_s;
    QFont m_small;
    QFont m_bold;
    std::vector<QRectF> m_labels; // beside arrows
};

}
