// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/topology/topologypainter.h"

#include "widgets/actors.h"
#include "widgets/ladder/rungwords.h"
#include "widgets/timeline/strokes.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

using Life = NodeState::Life;

QString tr(const char *text)
{
    return QCoreApplication::translate("Topology", text);
}

}

TopologyPainter::TopologyPainter(QPainter &painter, const GroupMoment &moment, const TopologyLayout &layout, const Theme &theme)
    : m_painter(painter)
    , m_moment(moment)
    , m_run(*moment.run)
    , m_group(moment.group)
    , m_layout(layout)
    , m_theme(theme)
    , m_s(theme.scale)
    , m_small(theme.sized(0.85))
    , m_bold(theme.sized(0.85, true))
{
}

void TopologyPainter::draw(int chosen)
{
    for (const ReplicationLink &link : m_group.links(m_run))
        drawLink(link);
    drawVotes();
    for (const TopologyLayout::Place &place : m_layout.clients)
        drawClient(place);
    for (const TopologyLayout::Place &place : m_layout.servers) {
        drawServer(place);
        drawNews(*m_group.node(place.node), place.box, chosen);
    }
    for (const TopologyLayout::Place &place : m_layout.sentinels) {
        drawSentinel(place);
        drawNews(*m_group.node(place.node), place.box, chosen);
    }
}

void TopologyPainter::drawClient(const TopologyLayout::Place &place)
{
    int actors = 0;
    QString name;
    for (const Lane &lane : m_run.header.lanes) {
        if (lane.type == Lane::Type::Actor && actors++ == place.node)
            name = lane.name;
    }
    const auto client = std::find_if(m_group.clients.begin(), m_group.clients.end(), [&](const ClientState &each) { return m_run.text(each.lane) == name; });
    const ClientState::Lock lock = client == m_group.clients.end() ? ClientState::Lock::None : client->lock;
    const QColor owner = m_theme.owner(place.node);
    QStringList texts {name};
    QColor fill = m_theme.background, ink = mixed(owner, m_theme.text, 0.45);
    if (lock == ClientState::Lock::Holds) {
        fill = owner;
        ink = Theme::textOn(owner);
        texts = {tr("%1 holds %2").arg(name, m_run.text(client->token).left(4)), tr("%1 holds").arg(name), name};
    } else if (lock == ClientState::Lock::Waits) {
        fill = mixed(owner, m_theme.background, 0.2);
        texts = {tr("%1 waits").arg(name), name};
    }
    drawBox(m_painter, place.box, fill, mixed(owner, m_theme.background, 0.65), m_s);
    const QString text = fitting(m_bold, texts, place.box.width() - 8 * m_s);
    drawLabel(m_painter, m_bold, place.box.center().x() - textWidth(m_bold, text) / 2, place.box.center().y(), text, ink);
}

void TopologyPainter::drawServer(const TopologyLayout::Place &place)
{
    const ServerState &server = *m_group.server(place.node);
    const bool isDead = server.life == Life::Dead;
    const QColor outline = isDead ? mixed(m_theme.quiet, m_theme.background, 0.6) : server.isPrimary ? m_theme.accent : m_theme.quiet;
    drawBox(m_painter, place.box, m_theme.background, outline, (server.isPrimary && !isDead ? 2.2 : 1.2) * m_s);
    drawLife(server, place.box);

    const double left = place.box.left() + 8 * m_s;
    const double width = place.box.width() - 16 * m_s;
    const QFont name = m_theme.sized(1.05, true);
    const QColor ink = isDead ? m_theme.quiet : m_theme.text;
    double y = place.box.top() + 5 * m_s + lineHeight(name) / 2;
    const QString title = nodeName(m_run, place.node);
    drawLabel(m_painter, name, left, y, title, ink);
    double used = textWidth(name, title) + 5 * m_s;
    const QString port = portOf(m_run, place.node);
    const QString offset = server.offset == never ? QString() : QLocale(QLocale::English).toString(server.offset);
    const QString told = fitting(m_small, {tr("offset %1").arg(offset), offset}, offset.isEmpty() ? 0 : width - used);
    const bool hasPort = used + textWidth(m_small, port) + 8 * m_s + textWidth(m_small, told) <= width;
    if (hasPort)
        drawLabel(m_painter, m_small, left + used, y, port, m_theme.quiet);
    drawLabel(m_painter, m_small, left + width - textWidth(m_small, told), y, told, m_theme.quiet);

    const QString said = roleText(m_moment, server);
    QFont role = m_theme.sized(0.95, true);
    if (textWidth(role, said) > width)
        role = m_bold;
    y += lineHeight(name) / 2 + lineHeight(role) / 2;
    const QColor roleInk = isDead ? m_theme.broken : server.isPrimary ? m_theme.accent : m_theme.quiet;
    drawLabel(m_painter, role, left, y, elided(role, said, width), roleInk);
    y += lineHeight(role) / 2 + 2 * m_s;
    drawLocks(server, QRectF(left, y, width, lineHeight(m_small) + 2 * m_s));
}

QStringList TopologyPainter::lockKeys(int node) const
{
    QStringList keys;
    for (const Lane &lane : m_run.header.lanes) {
        if (lane.type == Lane::Type::Node && lane.name == nodeName(m_run, node) && !lane.key.isEmpty())
            keys.append(lane.key);
    }
    return keys;
}

/// A chip for each lock that it knows, in its owner's colour; where it should know one and does not, that is said.
void TopologyPainter::drawLocks(const ServerState &server, const QRectF &line)
{
    const QStringList keys = lockKeys(server.node);
    if (server.life == Life::Dead || keys.isEmpty())
        return;
    double x = line.left();
    const double middle = line.center().y();
    for (const QString &key : keys) {
        const KeyState *state = server.key(m_run.names.find(key.toUtf8()));
        const bool hasOwner = state && state->token != 0;
        const QString word = hasOwner ? tokenText(m_moment, state->token) : tr("no %1").arg(key);
        const double width = textWidth(hasOwner ? m_bold : m_small, word);
        if (x + width + 12 * m_s > line.right() + 12 * m_s)
            return;
        if (!hasOwner) {
            drawLabel(m_painter, m_small, x, middle, word, m_theme.quiet);
            x += width + 10 * m_s;
            continue;
        }
        const QString client = m_run.text(m_moment.history->clientOf(state->token));
        const QColor owner = m_theme.owner(actorIndex(m_run.header, client));
        const QRectF chip(x, line.top(), width + 12 * m_s, line.height());
        const QColor fill = state->isInferred ? mixed(owner, m_theme.background, 0.25) : owner;
        drawBox(m_painter, chip, fill, state->isInferred ? owner : QColor(), 1.2 * m_s, state->isInferred);
        drawLabel(m_painter, m_bold, x + 6 * m_s, middle, word, state->isInferred ? mixed(owner, m_theme.text, 0.45) : Theme::textOn(owner));
        x += chip.width() + 6 * m_s;
    }
}

void TopologyPainter::drawSentinel(const TopologyLayout::Place &place)
{
    const SentinelState &sentinel = *m_group.sentinel(place.node);
    const bool isDead = sentinel.life == Life::Dead;
    const QColor outline = sentinel.isLeader ? m_theme.accent : mixed(m_theme.quiet, m_theme.background, isDead ? 0.35 : 0.5);
    drawBox(m_painter, place.box, m_theme.panel, outline, (sentinel.isLeader ? 2 : 1) * m_s);
    drawLife(sentinel, place.box);
    const QFont name = m_theme.sized(0.95, true);
    const double line = lineHeight(m_small);
    const QString said = sentinelText(m_run, sentinel);
    const QString fits = elided(m_small, said, place.box.width() - 8 * m_s);
    const double y = fits.isEmpty() ? place.box.center().y() : place.box.top() + 3 * m_s + line / 2;
    const QString title = nodeName(m_run, place.node);
    const QString primary = isDead ? QString() : nodeName(m_run, sentinel.primary);
    const double gap = primary.isEmpty() ? 0 : 7 * m_s;
    const double width = textWidth(name, title) + gap + textWidth(name, primary);
    const double x = place.box.center().x() - width / 2;
    drawLabel(m_painter, name, x, y, title, isDead ? m_theme.quiet : m_theme.text);
    drawLabel(m_painter, name, x + textWidth(name, title) + gap, y, primary, m_theme.accent);
    drawLabel(m_painter, m_small, place.box.center().x() - textWidth(m_small, fits) / 2, y + line, fits, isDead ? m_theme.broken : m_theme.quiet);
}

/// Crossed out, hatched, or inside a dashed line that nothing passes.
void TopologyPainter::drawLife(const NodeState &node, const QRectF &box)
{
    if (node.life == Life::Paused || node.life == Life::Starting) {
        const QRectF inside = box.adjusted(1.5 * m_s, 1.5 * m_s, -1.5 * m_s, -1.5 * m_s);
        drawHatch(m_painter, inside, node.life == Life::Paused ? Theme::Hatch::Falling : Theme::Hatch::Dots, mixed(m_theme.quiet, m_theme.background, 0.35), m_s);
    }
    if (node.life == Life::Dead) {
        m_painter.setPen(QPen(mixed(m_theme.broken, m_theme.background, 0.6), 1.6 * m_s, Qt::SolidLine, Qt::RoundCap)); // words stand on it
        const QRectF inside = box.adjusted(5 * m_s, 4 * m_s, -5 * m_s, -4 * m_s);
        m_painter.drawLine(inside.topLeft(), inside.bottomRight());
        m_painter.drawLine(inside.bottomLeft(), inside.topRight());
    }
    if (m_group.isIsolated(m_run, node.node)) {
        const QRectF around = box.adjusted(-7 * m_s, -7 * m_s, 7 * m_s, 7 * m_s);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(m_theme.broken, 1.6 * m_s, Qt::DashLine, Qt::FlatCap));
        m_painter.drawRoundedRect(around, 8 * m_s, 8 * m_s);
        const QString word = tr("isolated");
        patched(m_bold, {around.left() + 10 * m_s, around.top()}, word, m_theme.broken, m_theme.background);
    }
}

/// A ring around what has just changed, with a word if there is one for it, and around what is chosen.
void TopologyPainter::drawNews(const NodeState &node, const QRectF &box, int chosen)
{
    const bool isNew = node.changed >= 0 && m_group.at - node.changed <= newFor;
    m_painter.setBrush(Qt::NoBrush);
    if (isNew) {
        const QRectF ring = box.adjusted(-3.5 * m_s, -3.5 * m_s, 3.5 * m_s, 3.5 * m_s);
        m_painter.setPen(QPen(mixed(m_theme.accent, m_theme.background, 0.55), 2.5 * m_s));
        m_painter.drawRoundedRect(ring, 6 * m_s, 6 * m_s);
        const QString word = newsText(m_moment, node, newFor);
        const double width = textWidth(m_bold, word);
        patched(m_bold, {box.right() - width - 8 * m_s, ring.top()}, word, node.life == Life::Dead ? m_theme.broken : m_theme.accent, m_theme.background);
    }
    if (node.node == chosen) {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(m_theme.text, 1.2 * m_s, Qt::DotLine, Qt::FlatCap));
        m_painter.drawRoundedRect(box.adjusted(-6 * m_s, -6 * m_s, 6 * m_s, 6 * m_s), 8 * m_s, 8 * m_s);
    }
}

/// Text on a patch, so that lines behind it do not run through the letters.
void TopologyPainter::patched(const QFont &font, const QPointF &leftMiddle, const QString &text, const QColor &color, const QColor &background)
{
    if (text.isEmpty())
        return;
    const double height = lineHeight(font) - 2 * m_s;
    m_painter.fillRect(QRectF(leftMiddle.x() - 3 * m_s, leftMiddle.y() - height / 2, textWidth(font, text) + 6 * m_s, height), background);
    drawLabel(m_painter, font, leftMiddle.x(), leftMiddle.y(), text, color);
}

}
