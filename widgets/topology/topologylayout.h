// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"
#include "widgets/theme.h"

#include <QLineF>
#include <QPainterPath>
#include <QRectF>

#include <vector>

namespace interlock {

/// Where the parts of a group stand in a picture. It depends on who there is, never on what they do: a node keeps its place while its role
/// changes. The first primary stands above its replicas where there is room for that, else beside them; below are the sentinels, above the clients.
struct TopologyLayout
{
    struct Place
    {
        int node = -1; ///< its index in Header::nodes; of a client among the actors
        QRectF box;
    };

    QRectF area;
    std::vector<Place> clients; ///< none where there is no room for them, or no lock
    std::vector<Place> servers;
    std::vector<Place> sentinels;
    bool isFlat = false; ///< all servers in one row

    static TopologyLayout make(const QRectF &area, const Header &header, const Theme &theme);
    /// The least height at which everything is readable.
    static double readableHeight(const Header &header, const Theme &theme, double width);
    /// The theme, or the same in smaller type, though never smaller than on a desk, where the group would not go into an area of this size.
    static Theme fittingTheme(const QSizeF &size, const Header &header, const Theme &theme);

    /// The server or sentinel there; -1: none.
    int nodeAt(const QPointF &at) const;
    /// Null for a node that has no place.
    QRectF boxOf(int node) const;
    /// The way from one server's edge to another's; where others stand between them it goes over their heads.
    QPainterPath wayBetween(int from, int to, double scale) const;
};

}
