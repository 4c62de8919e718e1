// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/topology/topologylayout.h"

#include "widgets/timeline/strokes.h"

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

/// Who there is, and how much room each kind wants.
struct Needs
{
    std::vector<int> clients, servers, sentinels;
    double client = 0, server = 0, sentinel = 0; ///< heights
    double widest = 0; ///< of a server
    double between = 0; ///< rows of servers, with the words beside the arrows
    double arc = 0; ///< above a row of servers: for ways over heads
    double votes = 0; ///< below the sentinels: for the arrows of their votes
    double gap = 0;

    Needs(const Header &header, const Theme &theme)
    {
        const bool hasLocks = std::any_of(header.lanes.begin(), header.lanes.end(), [](const Lane &lane) { return lane.type == Lane::Type::Node && !lane.key.isEmpty(); });
        int actors = 0;
        for (const Lane &lane : header.lanes) {
            if (lane.type == Lane::Type::Actor && hasLocks) // they are shown for what they think of a lock
                clients.push_back(actors++);
        }
        for (qsizetype i = 0; i < header.nodes.size(); ++i) {
            const QString &role = header.nodes[i].role;
            const auto node = static_cast<int>(i);
            if (role == QLatin1String("sentinel"))
                sentinels.push_back(node);
            else if (role == QLatin1String("primary"))
                servers.insert(servers.begin(), node);
            else if (role == QLatin1String("replica"))
                servers.push_back(node);
        }
        const double s = theme.scale;
        const double line = lineHeight(theme.sized(0.85));
        client = line + 7 * s;
        server = lineHeight(theme.sized(1.05, true)) + lineHeight(theme.sized(0.95, true)) + (hasLocks ? line + 15 * s : 12 * s);
        sentinel = 2 * line + 7 * s;
        widest = 178 * s;
        between = 44 * s;
        arc = 34 * s;
        votes = 16 * s;
        gap = 14 * s;
    }

    double below() const { return sentinels.empty() ? 0 : gap + sentinel + votes; }
    double above() const { return clients.empty() ? 0 : client + gap; }
    double perRow(double width, double scale) const { return std::max(1.0, std::floor(width / (152 * scale))); }
    /// Of all servers, the first one alone in a row above the others.
    double tall(double width, double scale) const
    {
        const double rows = std::ceil(static_cast<double>(servers.size() - 1) / perRow(width, scale));
        return server + rows * (between + server);
    }
    double flat(double width, double scale) const
    {
        const double rows = std::ceil(static_cast<double>(servers.size()) / perRow(width, scale));
        return arc + rows * server + (rows - 1) * between;
    }
};

/// Side by side over the whole width, each in the middle of its share.
void row(std::vector<TopologyLayout::Place> &places, const std::vector<int> &nodes, double left, double top, double width, double widest, double height, double air)
{
    const double share = width / static_cast<double>(nodes.size());
    const double own = std::max(1.0, std::min(widest, share - air));
    for (size_t i = 0; i < nodes.size(); ++i)
        places.push_back({nodes[i], QRectF(std::round(left + (static_cast<double>(i) + 0.5) * share - own / 2), std::round(top), own, height)});
}

/// The point of the box's edge on the line from its middle to @p towards, a little outside.
QPointF edge(const QRectF &box, const QPointF &towards, double air)
{
    const QPointF middle = box.center();
    const QPointF way = towards - middle;
    const double x = std::abs(way.x()), y = std::abs(way.y());
    if (x < 0.001 && y < 0.001)
        return middle;
    const double part = std::min(x > 0.001 ? (box.width() / 2 + air) / x : 1e9, y > 0.001 ? (box.height() / 2 + air) / y : 1e9);
    return middle + way * part;
}

}

TopologyLayout TopologyLayout::make(const QRectF &area, const Header &header, const Theme &theme)
{
    TopologyLayout layout;
    layout.area = area;
    const Needs needs(header, theme);
    if (needs.servers.empty() || area.width() < 1 || area.height() < 1)
        return layout;
    const double s = theme.scale;
    const double width = area.width();
    const double tall = needs.tall(width, s) + needs.below();
    layout.isFlat = needs.servers.size() > 1 && tall > area.height() && needs.flat(width, s) + needs.below() < tall;
    double height = layout.isFlat ? needs.flat(width, s) + needs.below() : tall;
    const bool hasClients = !needs.clients.empty() && height + needs.above() <= area.height();
    height += hasClients ? needs.above() : 0;

    // What is left goes between the rows, within reason, and then above and below all.
    const double rows = 2.0 + (hasClients ? 1 : 0);
    const double more = std::clamp((area.height() - height) / rows, 0.0, 40 * s);
    const double squeeze = std::clamp((height - area.height()) / 3, 0.0, needs.between * 0.6);
    double y = area.top() + std::max(0.0, (area.height() - height - more * (rows - 1)) / 2);
    if (hasClients) {
        row(layout.clients, needs.clients, area.left(), y, width, 150 * s, needs.client, 10 * s);
        y += needs.client + needs.gap + more;
    }
    const auto each = static_cast<size_t>(needs.perRow(width, s));
    std::vector<int> rest = needs.servers;
    if (layout.isFlat) {
        y += std::max(0.0, needs.arc - squeeze);
    } else {
        row(layout.servers, {rest.front()}, area.left(), y, width, needs.widest, needs.server, 16 * s);
        rest.erase(rest.begin());
        y += needs.server + (rest.empty() ? 0 : needs.between - squeeze + more);
    }
    for (size_t from = 0; from < rest.size(); from += each) {
        const std::vector<int> some(rest.begin() + qint64(from), rest.begin() + qint64(std::min(rest.size(), from + each)));
        row(layout.servers, some, area.left(), y, width, needs.widest, needs.server, (layout.isFlat ? 64 : 40) * s);
        y += needs.server + (from + each < rest.size() ? needs.between - squeeze : 0);
    }
    if (!needs.sentinels.empty())
        row(layout.sentinels, needs.sentinels, area.left(), y + needs.gap - squeeze / 3 + more / 2, width, 150 * s, needs.sentinel, 18 * s);
    return layout;
}

double TopologyLayout::readableHeight(const Header &header, const Theme &theme, double width)
{
    const Needs needs(header, theme);
    if (needs.servers.empty())
        return 0;
    return std::min(needs.tall(width, theme.scale), needs.flat(width, theme.scale)) + needs.below();
}

Theme TopologyLayout::fittingTheme(const QSizeF &size, const Header &header, const Theme &theme)
{
    constexpr double onADesk = 1;
    constexpr double step = 0.95;
    Theme fitting = theme;
    while (fitting.scale > onADesk && readableHeight(header, fitting, size.width()) > size.height())
        fitting = Theme::named(theme.name, std::max(onADesk, fitting.scale * step));
    return fitting;
}

int TopologyLayout::nodeAt(const QPointF &at) const
{
    for (const std::vector<Place> *places : {&servers, &sentinels}) {
        for (const Place &place : *places) {
            if (place.box.contains(at))
                return place.node;
        }
    }
    return -1;
}

QRectF TopologyLayout::boxOf(int node) const
{
    for (const std::vector<Place> *places : {&servers, &sentinels}) {
        for (const Place &place : *places) {
            if (place.node == node)
                return place.box;
        }
    }
    return {};
}

QPainterPath TopologyLayout::wayBetween(int from, int to, double scale) const
{
    const QRectF first = boxOf(from), last = boxOf(to);
    const double air = 4 * scale;
    const bool isSameRow = std::abs(first.center().y() - last.center().y()) < 1;
    const bool isBlocked = isSameRow && std::any_of(servers.begin(), servers.end(), [&](const Place &each) {
        const auto [left, right] = std::minmax({first.center().x(), last.center().x()}); // by value
        return std::abs(each.box.center().y() - first.center().y()) < 1 && each.box.center().x() > left + 1 && each.box.center().x() < right - 1;
    });
    QPainterPath way;
    if (isBlocked) {
        const QPointF start(first.center().x(), first.top() - air), end(last.center().x(), last.top() - air);
        way.moveTo(start);
        way.quadTo(QPointF((start.x() + end.x()) / 2, start.y() - 48 * scale), end);
        return way;
    }
    way.moveTo(edge(first, last.center(), air));
    way.lineTo(edge(last, first.center(), air));
    return way;
}

}
