// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/cluster.h"

#include "engine/lab/asking.h"
#include "engine/redis/connection.h"
#include "engine/redis/slot.h"

#include <QCoreApplication>

#include <algorithm>
#include <memory>

namespace interlock {

namespace {

constexpr Nanoseconds pollInterval = 20ms;
constexpr Nanoseconds reminderInterval = 250ms;

QString tr(const char *text)
{
    return QCoreApplication::translate("Cluster", text);
}

/// What a member's view of the cluster lacks; empty: nothing.
QString missing(const QByteArray &info, size_t members)
{
    const QList<QByteArray> lines = info.split('\n');
    for (const QByteArray &wanted : {QByteArray("cluster_state:ok"), "cluster_slots_assigned:" + QByteArray::number(slotCount),
             "cluster_slots_ok:" + QByteArray::number(slotCount), "cluster_known_nodes:" + QByteArray::number(members),
             "cluster_size:" + QByteArray::number(members)}) {
        const QByteArray name = wanted.first(wanted.indexOf(':') + 1);
        const auto line = std::find_if(lines.begin(), lines.end(), [&](const QByteArray &one) { return one.startsWith(name); });
        if (line == lines.end() || line->trimmed() != wanted)
            return QString::fromLatin1(line == lines.end() ? name : line->trimmed());
    }
    return {};
}

using Connections = std::vector<std::unique_ptr<Connection>>;

/// Each takes its share of the slots, then all are told of each other. Epochs are given while nobody knows anybody (later they are
/// refused), or the members would have to settle them among themselves.
Task<Result<void>> introduce(const Connections &members, Clock &clock)
{
    const auto count = static_cast<int>(members.size());
    for (int i = 0; i < count; ++i) {
        Connection &member = *members[static_cast<size_t>(i)];
        const auto [first, last] = slotShare(i, count);
        Result<Reply> done = co_await ask(member, Command("CLUSTER", "ADDSLOTSRANGE", first, last), clock);
        if (done)
            done = co_await ask(member, Command("CLUSTER", "SET-CONFIG-EPOCH", i + 1), clock);
        if (!done)
            co_return done.error();
    }
    for (size_t i = 0; i < members.size(); ++i) {
        for (size_t other = i + 1; other < members.size(); ++other) {
            const Endpoint &endpoint = members[other]->endpoint();
            const Result<Reply> done = co_await ask(*members[i], Command("CLUSTER", "MEET", endpoint.host, endpoint.port), clock);
            if (!done)
                co_return done.error();
        }
    }
    co_return Result<void>();
}

/// The others tell this member of themselves once more. What was said before it knew the speaker told it of no slots, and without
/// this it would hear of them again only by the pings: one a second, to one of the others by chance.
Task<Result<void>> remind(const Connections &members, Connection &member, Clock &clock)
{
    const Endpoint &endpoint = member.endpoint();
    for (const auto &other : members) {
        if (other.get() == &member)
            continue;
        const Result<Reply> done = co_await ask(*other, Command("CLUSTER", "MEET", endpoint.host, endpoint.port), clock);
        if (!done)
            co_return done.error();
    }
    co_return Result<void>();
}

/// Waits until each member sees the whole cluster.
Task<Result<void>> agree(const Connections &members, Clock &clock, Nanoseconds until)
{
    const QByteArray allSlots = "cluster_slots_assigned:" + QByteArray::number(slotCount);
    Nanoseconds reminder = clock.now() + reminderInterval;
    for (;;) {
        bool isWhole = true;
        const bool isReminding = clock.now() >= reminder;
        if (isReminding)
            reminder = clock.now() + reminderInterval;
        for (const auto &member : members) {
            const Result<Reply> info = co_await ask(*member, Command("CLUSTER", "INFO"), clock);
            if (!info)
                co_return info.error();
            const QString what = missing(info->text, members.size());
            isWhole = isWhole && what.isEmpty();
            if (!what.isEmpty() && clock.now() >= until) {
                co_return Error {Error::Kind::TimedOut,
                    tr("The servers did not agree on a cluster in time: %1 still says %2.").arg(member->endpoint().shown(), what)};
            }
            if (isReminding && !info->text.contains(allSlots)) {
                const Result<void> reminded = co_await remind(members, *member, clock);
                if (!reminded)
                    co_return reminded;
            }
        }
        if (isWhole)
            co_return Result<void>();
        co_await rest(clock, pollInterval);
    }
}

}

Task<Result<void>> formCluster(std::vector<Endpoint> endpoints, Clock &clock, Nanoseconds limit)
{
    const Nanoseconds until = clock.now() + limit;
    Connections members;
    for (const Endpoint &endpoint : endpoints)
        members.push_back(std::make_unique<Connection>(endpoint));
    Result<void> done = co_await introduce(members, clock);
    if (done)
        done = co_await agree(members, clock, until);
    co_return done;
}

}
