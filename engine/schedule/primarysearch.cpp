// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/primarysearch.h"

#include <QCoreApplication>

#include <algorithm>

namespace interlock {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::PrimarySearch)
};

Error failed(const QString &sentence)
{
    return {Error::Kind::Failed, sentence};
}

ServerAddress addressOf(const Endpoint &endpoint)
{
    return {endpoint.host, endpoint.port};
}

}

PrimarySearch::PrimarySearch(Actor &actor, SentinelEndpoint sentinels, SearchOptions options)
    : m_actor(actor)
    , m_endpoint(std::move(sentinels))
    , m_options(std::move(options))
    , m_random(actor.random().next()) // of its own: how often it is needed depends on the network
{
    Q_ASSERT(!m_endpoint.sentinels.isEmpty());
    for (const Endpoint &sentinel : m_endpoint.sentinels) {
        m_nodes.push_back(named(sentinel));
        m_sentinels.push_back({m_nodes.back(), {}, {}});
    }
}

Task<Result<std::unique_ptr<Client>>> PrimarySearch::find(Client *current)
{
    const Patience &patience = m_options.patience;
    const Nanoseconds end = m_actor.now() + patience.limit;
    for (Sentinel &sentinel : m_sentinels)
        sentinel.said.clear();
    for (int tried = 1;; ++tried) {
        m_refused.clear();
        std::vector<Sentinel *> order; // as it is now: learn() may change it meanwhile
        for (Sentinel &sentinel : m_sentinels)
            order.push_back(&sentinel);
        for (Sentinel *sentinel : order) {
            if (m_actor.now() >= end)
                break;
            Result<std::unique_ptr<Client>> found = co_await follow(*sentinel, current, end);
            if (found) {
                putFirst(*sentinel);
                co_return found;
            }
            sentinel->said = found.error().text;
        }
        // A try that leaves too little time for an answer would tell of that instead of what is wrong.
        const Nanoseconds pause = patience.pause(tried, m_random);
        if (tried >= patience.tries || m_actor.now() + pause + patience.answer > end)
            co_return notFound(tried);
        co_await m_actor.sleep(pause);
    }
}

/// To the server that this sentinel names, and asks it whether that is right.
Task<Result<std::unique_ptr<Client>>> PrimarySearch::follow(Sentinel &sentinel, Client *current, Nanoseconds end)
{
    const Result<ServerAddress> address = co_await ask(sentinel, end);
    if (!address)
        co_return address.error();
    for (const Refused &refusal : m_refused) {
        if (refusal.address == *address)
            co_return refused(sentinel, *address, refusal.why);
    }
    if (m_deposed == *address)
        co_return refused(sentinel, *address, Text::tr("which another sentinel has replaced."));
    if (m_actor.now() >= end)
        co_return refused(sentinel, *address, Text::tr("for which no time was left."));

    std::unique_ptr<Client> fresh;
    if (!current || !current->isUsable() || addressOf(current->node().endpoint) != *address)
        fresh = std::make_unique<Client>(m_actor, named(m_endpoint.server(address->host, address->port)), m_options.deadline);
    const QString why = co_await objection(fresh ? *fresh : *current, end);
    if (why.isEmpty())
        co_return fresh;
    m_refused.push_back({*address, why});
    co_return refused(sentinel, *address, why);
}

Task<Result<ServerAddress>> PrimarySearch::ask(Sentinel &sentinel, Nanoseconds end)
{
    const QString place = addressOf(sentinel.node.endpoint).shown();
    if (!sentinel.client || !sentinel.client->isUsable())
        sentinel.client = std::make_unique<Client>(m_actor, sentinel.node);
    const Command question("SENTINEL", "GET-MASTER-ADDR-BY-NAME", m_endpoint.primaryName);
    const Result<Reply> reply = co_await CommandStep(*sentinel.client, question, allowed(end));
    if (!reply)
        co_return failed(Text::tr("The sentinel at %1 could not be asked: %2").arg(place, reply.error().text));
    const Result<std::optional<ServerAddress>> primary = primaryFrom(*reply);
    if (!primary)
        co_return failed(Text::tr("The sentinel at %1 gave no address, but said “%2”.").arg(place, primary.error().text));
    if (!*primary)
        co_return failed(Text::tr("The sentinel at %1 does not know that name.").arg(place));
    co_return **primary;
}

/// Why this server is not the primary, or cannot be used as one; empty: it is.
Task<QString> PrimarySearch::objection(Client &client, Nanoseconds end)
{
    const Result<Reply> reply = co_await CommandStep(client, Command("ROLE"), allowed(end));
    if (!reply)
        co_return Text::tr("which could not be asked: %1").arg(reply.error().text);
    const Result<QString> role = roleFrom(*reply);
    if (!role)
        co_return Text::tr("which did not tell its role, but said “%1”.").arg(role.error().text);
    if (*role == QStringLiteral("master"))
        co_return QString();
    if (*role == QStringLiteral("slave"))
        co_return Text::tr("which is a replica.");
    co_return Text::tr("which is a %1.").arg(*role);
}

Error PrimarySearch::refused(const Sentinel &sentinel, const ServerAddress &address, const QString &why)
{
    return failed(Text::tr("The sentinel at %1 named %2, %3").arg(addressOf(sentinel.node.endpoint).shown(), address.shown(), why));
}

Error PrimarySearch::notFound(int tried) const
{
    const auto ended = [](const QString &sentence) { // what a system or a server said may have no full stop
        return sentence.endsWith(QLatin1Char('.')) || sentence.endsWith(QLatin1Char('?')) ? sentence : sentence + QLatin1Char('.');
    };
    QString text = Text::tr("The primary “%1” was not found; tried %2.")
                       .arg(m_endpoint.primaryName, tried == 1 ? Text::tr("once") : Text::tr("%1 times").arg(tried));
    for (const Sentinel &sentinel : m_sentinels) {
        text += QLatin1Char(' ');
        text += sentinel.said.isEmpty()
            ? Text::tr("There was no time to ask the sentinel at %1.").arg(addressOf(sentinel.node.endpoint).shown())
            : ended(sentinel.said);
    }
    return failed(text);
}

void PrimarySearch::learn(const NodeRef &sentinel, ServerAddress deposed)
{
    m_deposed = std::move(deposed);
    for (Sentinel &one : m_sentinels) {
        if (one.node.endpoint == sentinel.endpoint) {
            putFirst(one);
            return;
        }
    }
}

NodeRef PrimarySearch::named(Endpoint endpoint) const
{
    const ServerAddress address = addressOf(endpoint);
    const auto known = std::find_if(m_options.known.begin(), m_options.known.end(),
        [&](const NodeRef &node) { return addressOf(node.endpoint) == address; });
    return {known == m_options.known.end() ? address.shown() : known->name, std::move(endpoint)};
}

/// How long the next answer is waited for.
Nanoseconds PrimarySearch::allowed(Nanoseconds end) const
{
    return std::clamp<Nanoseconds>(end - m_actor.now(), 1ms, m_options.patience.answer);
}

void PrimarySearch::putFirst(Sentinel &sentinel)
{
    const auto place = std::find_if(m_sentinels.begin(), m_sentinels.end(), [&](const Sentinel &one) { return &one == &sentinel; });
    m_sentinels.splice(m_sentinels.begin(), m_sentinels, place);
}

}
