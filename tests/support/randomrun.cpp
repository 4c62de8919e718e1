// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/randomrun.h"

#include "engine/base/random.h"
#include "engine/run/eventfields.h"

#include <array>

namespace interlock {

namespace {

constexpr std::array enumerators {7, 8, 7, 3, 11, 1, 1, 1, 3, 1, 3};

Name randomText(Random &random, Names &names)
{
    static const QByteArray texts[] {"", "A", "B", "redis", "lock", "SET lock a1 NX PX 1000", "OK", "(nil)", "\"quoted\"",
        "back\\slash", "two\nlines", QByteArray("zero\0byte", 9), "tab\t", "\xC3\xA9t\xC3\xA9 \xF0\x9F\x94\x92", "\x7F\x01"};
    if (random.below(4) == 0)
        return names.intern(QByteArray("token-" + QByteArray::number(random.below(1000))));
    return names.intern(texts[random.below(std::size(texts))]);
}

qint64 randomValue(Random &random, Names &names, EventField::Type type)
{
    switch (type) {
    case EventField::Type::Time:
        return random.below(3) == 0 ? never : static_cast<qint64>(random.below(4'000'000'000'000'000'000));
    case EventField::Type::Figure:
        return random.below(3) == 0 ? never : static_cast<qint64>(random.next() >> 1);
    case EventField::Type::Duration:
        return static_cast<qint64>(random.below(100'000'000'000));
    case EventField::Type::Integer:
        return static_cast<qint64>(random.next());
    case EventField::Type::Text:
        return randomText(random, names);
    case EventField::Type::Word:
        return 0;
    case EventField::Type::Flag:
        break;
    }
    return static_cast<qint64>(random.below(2));
}

Event randomEvent(Random &random, Names &names, qint64 at)
{
    Event event;
    event.kind = static_cast<Event::Kind>(random.below(eventKinds));
    event.what = static_cast<quint8>(random.below(static_cast<quint64>(enumerators[static_cast<size_t>(event.kind)])));
    for (const EventField &field : eventFields(event.kind, event.what)) {
        if (field.slot == EventField::Slot::At || field.slot == EventField::Slot::What)
            continue;
        if (random.below(2) == 0)
            setValue(event, field.slot, randomValue(random, names, field.type));
    }
    event.at = at;
    return event;
}

DecisionFigures randomFigures(Random &random)
{
    DecisionFigures figures;
    for (const FigureField &field : figureFields()) {
        if (random.below(2) == 0)
            figures.*field.value = static_cast<qint64>(random.below(2 * mostFigure + 1)) - mostFigure;
    }
    return figures;
}

/// Numbers of decisions are given when they are answered, so that they need not rise with the time when they were sent.
void addFigures(Run &run, Random &random)
{
    std::vector<Event *> decisions;
    for (Event &event : run.events) {
        if (event.kind == Event::Kind::Decision)
            decisions.push_back(&event);
    }
    for (size_t i = decisions.size(); i > 0; --i) {
        std::swap(decisions[i - 1], decisions[random.below(i)]);
        decisions[i - 1]->number = static_cast<qint64>(i - 1);
        run.decisions.push_back(randomFigures(random));
    }
}

Header fullHeader()
{
    Header header;
    header.program = "interlock 0.1.0";
    header.experiment = "lock-release";
    header.preset = "break";
    header.promise = QString::fromUtf8("only the owner’s “release” removes a lock");
    header.expected = Judgement::Broken;
    header.values = {{"ttl", "1000ms"}, {"release", "del"}, {"clients", "5"}}; // not in the order of the alphabet
    header.seed = 18'446'744'073'709'551'615U;
    header.pace = 0.1;
    header.started = "2026-01-02T03:04:05Z";
    header.relay = true;
    header.target = "redis://127.0.0.1:6390/1";
    header.nodes = {{"redis", "primary", "7.0.15", true, {}}, {"other", "replica", "7.2.1", false, "127.0.0.1:7001"}};
    header.lanes = {{Lane::Type::Actor, "A", ""}, {Lane::Type::Node, "redis", "lock"}, {Lane::Type::Resource, "stock", ""}};
    header.scripts = {{"compare-and-delete", "abc123", "if redis.call(\"GET\", KEYS[1]) == ARGV[1]\nthen return 1 end"}};
    header.checks = {{"release-by-owner", {{"key", "lock"}, {"bound", "5"}}, true}, {"late-write", {}, false}};
    header.witnesses = {{"fault", "pause", 1}, {"asked", "", 2}};
    header.limiters = {{"gcra", "GCRA", "gcra", "", {{"rate", "10/s"}, {"capacity", "5"}}, 5, 1'000'000, "", 0, 0},
        {"fixed-window defect", "Fixed window, “two commands”", "fixed-window", "two-commands", {}, mostFigure, 1, "fixed-window",
            1'700'000'040'000'000, 60'000'000}};
    return header;
}

}

Run randomRun(size_t count, quint64 seed)
{
    Random random(seed);
    Run run;
    run.header = fullHeader();
    qint64 at = 0;
    for (size_t i = 0; i < count; ++i) {
        at += static_cast<qint64>(random.below(3)) * 1'000;
        run.events.push_back(randomEvent(random, run.names, at));
    }
    addFigures(run, random);
    run.isComplete = true;
    run.duration = 4'000'000'000'000'000'000;
    return run;
}

}
