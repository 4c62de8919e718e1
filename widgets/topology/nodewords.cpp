// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/topology/nodewords.h"

#include "engine/run/verdict.h"
#include "widgets/ladder/rungwords.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace interlock {

namespace {

using Life = NodeState::Life;
using Link = ReplicationLink::State;

QString tr(const char *text)
{
    return QCoreApplication::translate("Topology", text);
}

QString lifeText(Life life)
{
    switch (life) {
    case Life::Running:
        return tr("running");
    case Life::Starting:
        return tr("starting");
    case Life::Paused:
        return tr("paused");
    case Life::Dead:
        break;
    }
    return tr("killed");
}

QString linkText(Link state)
{
    switch (state) {
    case Link::Up:
        return tr("up");
    case Link::Syncing:
        return tr("brought up");
    case Link::Connecting:
        return tr("connecting");
    case Link::Down:
        return tr("link down");
    case Link::Cut:
        return tr("cut");
    case Link::Held:
        return tr("held");
    case Link::Lagging:
        return tr("lag");
    case Link::Unknown:
        break;
    }
    return tr("not told");
}

QString sinceWords(qint64 since)
{
    return since < 0 ? tr("from the start") : tr("since %1").arg(text(At {since}));
}

QString with(const QString &what, qint64 since)
{
    return tr("%1, %2").arg(what, sinceWords(since));
}

const ReplicationLink *linkTo(const std::vector<ReplicationLink> &links, int node)
{
    const auto found = std::find_if(links.begin(), links.end(), [node](const ReplicationLink &each) { return each.to == node; });
    return found == links.end() ? nullptr : &*found;
}

void addServerFacts(const GroupMoment &moment, const ServerState &server, QList<std::pair<QString, QString>> &facts)
{
    const Run &run = *moment.run;
    const QString role = server.isPrimary ? tr("primary") : tr("replica of %1").arg(nodeName(run, server.follows));
    facts.append({tr("Role"), with(role, server.isPrimary ? server.roleSince : server.followsSince)});
    const std::vector<ReplicationLink> links = moment.group.links(run);
    if (const ReplicationLink *link = linkTo(links, server.node)) {
        const QString state = link->amount > 0 ? tr("%1 %2").arg(linkText(link->state), text(For {link->amount})) : linkText(link->state);
        facts.append({tr("Link"), with(state, link->since)});
        if (link->behind != never)
            facts.append({tr("Behind"), bytesText(link->behind)});
    }
    if (server.offset != never)
        facts.append({tr("Offset"), tr("%1 B").arg(QLocale(QLocale::English).toString(server.offset))});
    for (const KeyState &key : server.keys) {
        const QString what = key.token ? tokenText(moment, key.token) : tr("nobody’s");
        facts.append({run.text(key.key), key.until == never ? with(what, key.since) : tr("%1, until %2").arg(with(what, key.since), text(At {key.until}))});
    }
}

void addSentinelFacts(const Run &run, const SentinelState &sentinel, QList<std::pair<QString, QString>> &facts)
{
    facts.append({tr("Primary"), with(nodeName(run, sentinel.primary), sentinel.primarySince)});
    for (const SentinelState::Down &down : sentinel.down) {
        const QString what = down.isAgreed ? tr("%1, agreed by %2").arg(nodeName(run, down.node), QString::fromUtf8(down.quorum)) : nodeName(run, down.node);
        facts.append({tr("Calls down"), with(what, down.since)});
    }
    if (sentinel.vote && sentinel.vote->candidate >= 0)
        facts.append({tr("Votes for"), with(nodeName(run, sentinel.vote->candidate), sentinel.vote->at)});
    if (sentinel.isLeader)
        facts.append({tr("Leads"), sentinel.selected < 0 ? tr("the failover") : tr("the failover, promotes %1").arg(nodeName(run, sentinel.selected))});
    if (sentinel.epoch > 0)
        facts.append({tr("Epoch"), QString::number(sentinel.epoch)});
}

}

QString portOf(const Run &run, int node)
{
    const auto port = [](const NodeInfo &info) { return info.address.section(QLatin1Char(':'), -1); };
    const QList<NodeInfo> &nodes = run.header.nodes;
    const bool isTelling = std::any_of(nodes.begin(), nodes.end(), [&](const NodeInfo &each) { return port(each) != port(nodes.first()); });
    return node < 0 || node >= nodes.size() || !isTelling ? QString() : port(nodes[node]);
}

QString roleText(const GroupMoment &moment, const ServerState &server)
{
    const bool isLeft = server.isPrimary && server.isActing() && std::any_of(moment.group.servers.begin(), moment.group.servers.end(),
                            [&](const ServerState &each) { return each.isPrimary && each.roleSince > server.roleSince; });
    QString role = tr("primary");
    if (isLeft)
        role = tr("still primary");
    else if (!server.isPrimary)
        role = server.isActing() && server.follows >= 0 ? tr("replica of %1").arg(nodeName(*moment.run, server.follows)) : tr("replica");
    return server.isActing() ? role : tr("%1, %2").arg(role, lifeText(server.life));
}

QStringList linkTexts(const ReplicationLink &link)
{
    const QString behind = link.behind != never && link.behind > 0 ? tr("%1 behind").arg(bytesText(link.behind)) : QString();
    QString state = link.state == Link::Up || link.state == Link::Unknown ? QString() : linkText(link.state);
    if (link.state == Link::Lagging)
        state = tr("lag %1").arg(text(For {link.amount}));
    QStringList parts {state, behind};
    parts.removeAll(QString());
    QStringList texts;
    if (link.state == Link::Cut && link.since >= 0)
        texts.append(QStringList {tr("cut at %1").arg(text(At {link.since})), behind}.join(behind.isEmpty() ? QString() : QStringLiteral(" · ")));
    texts.append(parts.join(QStringLiteral(" · ")));
    texts.append(state);
    return texts;
}

QString tokenText(const GroupMoment &moment, Name token)
{
    constexpr qsizetype shown = 4;
    constexpr qsizetype whole = 8;
    const QString text = moment.run->text(token);
    const QString shortened = text.size() > whole ? text.left(shown) : text;
    const Name client = moment.history->clientOf(token);
    return client == 0 ? shortened : tr("%1 (%2)").arg(shortened, moment.run->text(client));
}

QString newsText(const GroupMoment &moment, const NodeState &node, qint64 within)
{
    const auto isNew = [&](qint64 since) { return since >= 0 && moment.group.at - since <= within; };
    const ServerState *server = moment.group.server(node.node);
    if (server && isNew(server->roleSince) && server->roleSince >= node.lifeSince)
        return server->isPrimary ? tr("promoted") : tr("replica now");
    if (isNew(node.lifeSince))
        return node.life == Life::Running ? tr("back") : lifeText(node.life);
    if (const SentinelState *sentinel = moment.group.sentinel(node.node); sentinel && isNew(sentinel->primarySince))
        return tr("switched");
    return {};
}

QString sentinelText(const Run &run, const SentinelState &sentinel)
{
    if (sentinel.life != Life::Running)
        return lifeText(sentinel.life);
    if (sentinel.isLeader)
        return sentinel.selected < 0 ? tr("leads") : tr("leads, picks %1").arg(nodeName(run, sentinel.selected));
    if (sentinel.vote && sentinel.vote->candidate >= 0)
        return sentinel.vote->candidate == sentinel.node ? tr("votes for itself") : tr("votes for %1").arg(nodeName(run, sentinel.vote->candidate));
    const auto down = std::find_if(sentinel.down.begin(), sentinel.down.end(), [&](const SentinelState::Down &each) { return each.node == sentinel.primary; });
    if (down == sentinel.down.end())
        return {};
    return down->isAgreed ? tr("+odown %1").arg(QString::fromUtf8(down->quorum)) : tr("+sdown");
}

QList<std::pair<QString, QString>> nodeFacts(const GroupMoment &moment, int node)
{
    QList<std::pair<QString, QString>> facts;
    const NodeState *state = moment.group.node(node);
    if (!state)
        return facts;
    const Run &run = *moment.run;
    if (const QString address = run.header.nodes[node].address; !address.isEmpty())
        facts.append({tr("Address"), address});
    facts.append({tr("Process"), with(lifeText(state->life), state->lifeSince)});
    if (const ServerState *server = moment.group.server(node))
        addServerFacts(moment, *server, facts);
    else
        addSentinelFacts(run, *moment.group.sentinel(node), facts);
    for (const FaultState &fault : moment.group.faults) {
        if (fault.node == node)
            facts.append({tr("Fault"), with(run.text(fault.name), fault.since)});
    }
    return facts;
}

QString groupSummary(const GroupMoment &moment)
{
    const Run &run = *moment.run;
    QStringList sentences {tr("At %1.").arg(text(At {moment.group.at}))};
    const std::vector<ReplicationLink> links = moment.group.links(run);
    for (const ServerState &server : moment.group.servers) {
        QStringList parts {tr("%1: %2").arg(nodeName(run, server.node), roleText(moment, server))};
        if (const ReplicationLink *link = linkTo(links, server.node))
            parts.append(linkTexts(*link).first());
        for (const KeyState &key : server.keys)
            parts.append(key.token ? tr("%1 is %2").arg(run.text(key.key), tokenText(moment, key.token)) : tr("no %1").arg(run.text(key.key)));
        if (moment.group.isIsolated(run, server.node))
            parts.append(tr("isolated"));
        parts.removeAll(QString());
        sentences.append(parts.join(QStringLiteral(", ")) + QLatin1Char('.'));
    }
    for (const SentinelState &sentinel : moment.group.sentinels) {
        QStringList parts {tr("%1 takes %2 for the primary").arg(nodeName(run, sentinel.node), nodeName(run, sentinel.primary)), sentinelText(run, sentinel)};
        parts.removeAll(QString());
        sentences.append(parts.join(QStringLiteral(", ")) + QLatin1Char('.'));
    }
    return sentences.join(QLatin1Char(' '));
}

}
