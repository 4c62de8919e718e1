// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sampleruns.h"

#include "engine/base/random.h"

#include <algorithm>

namespace interlock::samples {

namespace {

qint64 time(double milliseconds)
{
    return milliseconds < 0 ? never : ms(milliseconds);
}

}

RunBuilder::RunBuilder(const QString &experiment, const QString &preset)
{
    m_run.header.program = QStringLiteral("interlock 0.1.0");
    m_run.header.experiment = experiment;
    m_run.header.preset = preset;
    m_run.header.seed = 7;
    m_run.header.started = QStringLiteral("2024-05-01T12:00:00Z");
    m_run.header.nodes = {{QStringLiteral("redis"), QStringLiteral("independent"), QStringLiteral("7.0.15"), true, {}}};
}

RunBuilder &RunBuilder::actor(const QString &name)
{
    m_run.header.lanes.append({Lane::Type::Actor, name, {}});
    return *this;
}

RunBuilder &RunBuilder::node(const QString &name, const QString &key)
{
    m_run.header.lanes.append({Lane::Type::Node, name, key});
    m_node = name.toUtf8();
    m_key = key.toUtf8();
    return *this;
}

RunBuilder &RunBuilder::resource(const QString &name)
{
    m_run.header.lanes.append({Lane::Type::Resource, name, {}});
    return *this;
}

size_t RunBuilder::add(const Event &event)
{
    m_run.events.push_back(event);
    return m_run.events.size() - 1;
}

size_t RunBuilder::command(double at, const char *who, const QByteArray &text, const QByteArray &reply, ReplyType type, double latency)
{
    Event event {.at = time(at), .until = time(at + latency), .sent = time(at), .answered = time(at + latency)};
    event.kind = Event::Kind::Command;
    event.what = static_cast<quint8>(type);
    event.lane = m_run.names.intern(who);
    event.node = m_run.names.intern(m_node);
    event.text = m_run.names.intern(text);
    event.detail = m_run.names.intern(reply);
    event.flags = type == ReplyType::Error ? 0 : Event::Accepted;
    return add(event);
}

size_t RunBuilder::belief(Belief what, double at, const char *who, const char *token, double until, const char *why)
{
    Event event {.at = time(at), .until = time(until), .sent = time(std::max(0., at - 1)), .answered = time(at)};
    event.kind = Event::Kind::Belief;
    event.what = static_cast<quint8>(what);
    event.lane = m_run.names.intern(who);
    event.key = m_run.names.intern(m_key);
    event.text = m_run.names.intern(token);
    event.detail = m_run.names.intern(why);
    return add(event);
}

size_t RunBuilder::released(double sent, double answered, const char *who, const char *token, int deleted)
{
    const size_t index = belief(Belief::Released, answered, who, token);
    m_run.events[index].sent = time(sent);
    m_run.events[index].number = deleted;
    return index;
}

size_t RunBuilder::owner(OwnerChange what, double at, const char *token, double until, bool inferred)
{
    Event event {.at = time(at), .until = time(until)};
    event.kind = Event::Kind::Owner;
    event.what = static_cast<quint8>(what);
    event.lane = m_run.names.intern(m_node);
    event.key = m_run.names.intern(m_key);
    event.text = m_run.names.intern(token);
    event.flags = inferred ? Event::Inferred : 0;
    return add(event);
}

size_t RunBuilder::entered(double at, const char *who, const char *token)
{
    Event event {.at = time(at)};
    event.kind = Event::Kind::Resource;
    event.what = static_cast<quint8>(Resource::Entered);
    event.lane = m_run.names.intern(who);
    event.key = m_run.names.intern("work");
    event.text = m_run.names.intern(token);
    return add(event);
}

size_t RunBuilder::left(double at, const char *who)
{
    const size_t index = entered(at, who, "");
    m_run.events[index].what = static_cast<quint8>(Resource::Left);
    return index;
}

size_t RunBuilder::wrote(double at, const char *who, int fencing, bool accepted)
{
    const size_t index = entered(at, who, "value");
    Event &event = m_run.events[index];
    event.what = static_cast<quint8>(Resource::Wrote);
    event.key = m_run.names.intern("storage");
    event.number = fencing;
    event.flags = accepted ? Event::Accepted : 0;
    return index;
}

size_t RunBuilder::fault(const char *what, double from, double until, const char *who)
{
    Event event {.at = time(from), .until = time(until)};
    event.kind = Event::Kind::Fault;
    event.lane = m_run.names.intern(who);
    event.text = m_run.names.intern(what);
    event.flags = Event::Touched;
    return add(event);
}

RunBuilder &RunBuilder::limiter(const LimiterInfo &info)
{
    m_run.header.limiters.append(info);
    return *this;
}

size_t RunBuilder::decision(double at, const char *who, const char *limiter, LimiterAnswer what, const DecisionFigures &figures, double latency)
{
    Event event {.at = time(at), .until = time(at + latency), .answered = time(at + latency)};
    event.kind = Event::Kind::Decision;
    event.what = static_cast<quint8>(what);
    event.number = static_cast<qint64>(m_run.decisions.size());
    event.lane = m_run.names.intern(who);
    event.node = m_run.names.intern(m_node);
    event.key = m_run.names.intern("api");
    event.text = m_run.names.intern(limiter);
    event.flags = what == LimiterAnswer::Admitted ? Event::Accepted : 0;
    m_run.decisions.push_back(figures);
    return add(event);
}

size_t RunBuilder::phase(double at, const char *text)
{
    Event event {.at = time(at)};
    event.kind = Event::Kind::Phase;
    event.text = m_run.names.intern(text);
    return add(event);
}

Run RunBuilder::finish(double duration)
{
    m_run.duration = time(duration);
    m_run.isComplete = true;
    std::stable_sort(m_run.events.begin(), m_run.events.end(), [](const Event &left, const Event &right) { return left.at < right.at; });
    return std::move(m_run);
}

namespace {

RunBuilder releaseStory(const QString &preset)
{
    RunBuilder run(QStringLiteral("lock-release"), preset);
    run.run().header.promise = QStringLiteral("Only the owner’s release removes a lock.");
    run.run().header.checks = {{QStringLiteral("release-by-owner"), {}, true}, {QStringLiteral("mutual-exclusion"), {}, false}};
    run.actor(QStringLiteral("A")).actor(QStringLiteral("B")).actor(QStringLiteral("C")).node(QStringLiteral("redis"), QStringLiteral("lock"));
    run.belief(Belief::Wants, 100, "A", "7f3a");
    run.command(101, "A", "SET lock 7f3a NX PX 1000", "OK", ReplyType::Status);
    run.owner(OwnerChange::Set, 101.5, "7f3a", 1101.5);
    run.belief(Belief::Granted, 102, "A", "7f3a", 1101);
    run.entered(102, "A", "7f3a");
    run.belief(Belief::Wants, 150, "B", "c210");
    run.belief(Belief::Wants, 300, "C", "e95d");
    for (double at = 150; at < 1100; at += 63) {
        run.command(at, "B", "SET lock c210 NX PX 1500", "(nil)", ReplyType::Nil);
        run.belief(Belief::Refused, at + 1, "B", "c210");
    }
    for (double at = 300; at < 1600; at += 71) {
        run.command(at, "C", "SET lock e95d NX PX 1500", "(nil)", ReplyType::Nil);
        run.belief(Belief::Refused, at + 1, "C", "e95d");
    }
    run.owner(OwnerChange::Expired, 1102, "");
    run.command(1107, "B", "SET lock c210 NX PX 1500", "OK", ReplyType::Status);
    run.owner(OwnerChange::Set, 1107.5, "c210", 2607.5);
    run.belief(Belief::Granted, 1108, "B", "c210", 2607);
    run.entered(1108, "B", "c210");
    run.left(1604, "A");
    run.belief(Belief::Ended, 1604, "A", "7f3a", -1, "released");
    return run;
}

}

Run releaseBreak()
{
    RunBuilder run = releaseStory(QStringLiteral("break"));
    run.command(1604, "A", "DEL lock", "(integer) 1", ReplyType::Integer);
    run.owner(OwnerChange::Deleted, 1604.5, "");
    run.released(1604, 1605, "A", "7f3a", 1);
    run.command(1610, "C", "SET lock e95d NX PX 1500", "OK", ReplyType::Status);
    run.owner(OwnerChange::Set, 1610.5, "e95d", 3110.5);
    run.belief(Belief::Granted, 1611, "C", "e95d", 3110);
    run.entered(1611, "C", "e95d");
    run.left(2503, "B");
    run.belief(Belief::Ended, 2503, "B", "c210", -1, "released");
    run.command(2503, "B", "DEL lock", "(integer) 1", ReplyType::Integer);
    run.owner(OwnerChange::Deleted, 2503.5, "");
    run.released(2503, 2504, "B", "c210", 1);
    run.left(2780, "C");
    run.belief(Belief::Ended, 2780, "C", "e95d", -1, "released");
    run.command(2780, "C", "DEL lock", "(integer) 0", ReplyType::Integer);
    run.released(2780, 2781, "C", "e95d", 0);
    return run.finish(2800);
}

Run releaseSafe()
{
    RunBuilder run = releaseStory(QStringLiteral("safe"));
    run.command(1604, "A", "EVALSHA compare-and-delete 1 lock 7f3a", "(integer) 0", ReplyType::Integer);
    run.released(1604, 1605, "A", "7f3a", 0);
    run.left(2503, "B");
    run.belief(Belief::Ended, 2503, "B", "c210", -1, "released");
    run.command(2503, "B", "EVALSHA compare-and-delete 1 lock c210", "(integer) 1", ReplyType::Integer);
    run.owner(OwnerChange::Deleted, 2503.5, "");
    run.released(2503, 2504, "B", "c210", 1);
    run.owner(OwnerChange::Set, 2510.5, "e95d", 4010.5);
    run.belief(Belief::Granted, 2511, "C", "e95d", 4010);
    run.entered(2511, "C", "e95d");
    run.left(3100, "C");
    run.belief(Belief::Ended, 3100, "C", "e95d", -1, "released");
    run.owner(OwnerChange::Deleted, 3100.5, "");
    run.released(3100, 3101, "C", "e95d", 1);
    return run.finish(3150);
}

Run fencing()
{
    RunBuilder run(QStringLiteral("lock-fencing"), QStringLiteral("safe"));
    run.run().header.promise = QStringLiteral("The resource accepts no late write.");
    run.run().header.checks = {{QStringLiteral("late-write"), {}, true}};
    run.actor(QStringLiteral("A")).actor(QStringLiteral("B")).actor(QStringLiteral("C"));
    run.node(QStringLiteral("redis"), QStringLiteral("lock")).resource(QStringLiteral("storage"));
    run.phase(0, "A takes the lock");
    run.belief(Belief::Wants, 40, "A", "aaaa");
    run.owner(OwnerChange::Set, 41, "aaaa", 541);
    run.belief(Belief::Granted, 42, "A", "aaaa", 540);
    run.entered(42, "A", "aaaa");
    run.belief(Belief::Renewed, 200, "A", "aaaa", 700);
    run.owner(OwnerChange::Renewed, 200, "aaaa", 700);
    run.fault("pause", 250, 1100, "A");
    run.belief(Belief::Wants, 300, "B", "bbbb");
    run.owner(OwnerChange::Expired, 702, "");
    run.owner(OwnerChange::Set, 720, "bbbb", 1220, true);
    run.belief(Belief::Granted, 721, "B", "bbbb", 1219);
    run.belief(Belief::Wants, 760, "C", "cccc");
    run.fault("crash", 900, -1, "C");
    run.entered(721, "B", "bbbb");
    run.wrote(900, "B", 34, true);
    run.left(1000, "B");
    run.belief(Belief::Ended, 1000, "B", "bbbb", -1, "released");
    run.owner(OwnerChange::Deleted, 1000.5, "");
    run.released(1000, 1001, "B", "bbbb", 1);
    run.belief(Belief::RenewalFailed, 1105, "A", "aaaa", -1, "no longer the owner");
    run.wrote(1150, "A", 33, false);
    run.left(1160, "A");
    run.belief(Belief::Ended, 1160, "A", "aaaa", -1, "lost");
    return run.finish(1300);
}

Run contention(int actors, int rounds)
{
    RunBuilder run(QStringLiteral("lock-contention"), QStringLiteral("safe"));
    run.run().header.promise = QStringLiteral("Two owners never work at once.");
    run.run().header.checks = {{QStringLiteral("mutual-exclusion"), {}, true}};
    QList<QByteArray> names;
    for (int i = 0; i < actors; ++i) {
        names.append("C" + QByteArray::number(i + 1));
        run.actor(QString::fromLatin1(names.last()));
    }
    run.node(QStringLiteral("redis"), QStringLiteral("lock"));
    Random random(3);
    double now = 10;
    for (int i = 0; i < actors; ++i)
        run.belief(Belief::Wants, now, names[i], "t" + QByteArray::number(i) + "-0");
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < actors; ++i) {
            const QByteArray token = "t" + QByteArray::number(i) + "-" + QByteArray::number(round);
            const double begun = now;
            const double worked = 5 + static_cast<double>(random.below(20));
            run.owner(OwnerChange::Set, now + 0.4, token, now + 1000);
            run.belief(Belief::Granted, now + 0.6, names[i], token, now + 1000);
            run.entered(now + 0.6, names[i], token);
            now += worked;
            for (int other = 0; other < actors; ++other) {
                if (other != i && random.below(4) == 0)
                    run.command(begun + static_cast<double>(random.below(static_cast<quint64>(worked * 10))) / 10, names[other], "SET lock t NX PX 1000", "(nil)", ReplyType::Nil);
            }
            run.left(now, names[i]);
            run.belief(Belief::Ended, now, names[i], token, -1, "released");
            run.owner(OwnerChange::Deleted, now + 0.3, "");
            run.released(now, now + 0.5, names[i], token, 1);
            if (round + 1 < rounds)
                run.belief(Belief::Wants, now + 1, names[i], "t" + QByteArray::number(i) + "-" + QByteArray::number(round + 1));
            now += 1;
        }
    }
    return run.finish(now + 20);
}

Run synthetic(size_t events)
{
    RunBuilder run(QStringLiteral("lock-contention"), QStringLiteral("safe"));
    constexpr int actors = 20;
    QList<QByteArray> names;
    for (int i = 0; i < actors; ++i) {
        names.append("C" + QByteArray::number(i + 1));
        run.actor(QString::fromLatin1(names.last()));
    }
    run.node(QStringLiteral("redis"), QStringLiteral("lock"));
    run.run().events.reserve(events + 16);
    double now = 0;
    for (size_t round = 0; run.run().events.size() < events; ++round) {
        const auto i = static_cast<qsizetype>(round % actors);
        const QByteArray token = names[i] + "-token";
        run.belief(Belief::Wants, now, names[i], token);
        run.command(now, names[i], "SET lock t NX PX 1000", "OK", ReplyType::Status, 0.02);
        run.owner(OwnerChange::Set, now + 0.01, token, now + 1000);
        run.belief(Belief::Granted, now + 0.02, names[i], token, now + 1000);
        run.entered(now + 0.03, names[i], token);
        run.command(now + 0.04, names[(i + 7) % actors], "SET lock t NX PX 1000", "(nil)", ReplyType::Nil, 0.02);
        run.left(now + 0.08, names[i]);
        run.belief(Belief::Ended, now + 0.08, names[i], token, -1, "released");
        run.owner(OwnerChange::Deleted, now + 0.09, "");
        run.released(now + 0.08, now + 0.1, names[i], token, 1);
        now += 0.12;
    }
    return run.finish(now);
}

}
