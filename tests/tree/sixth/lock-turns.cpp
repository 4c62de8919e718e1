// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "engine/experiments/stage.h"
#include "engine/locks/lock.h"
#include "engine/schedule/section.h"

// A sixth experiment, as somebody else would write it. tst_sixthexperiment adds it to a copy of the tree.
namespace interlock::experiments::lock_turns {

namespace {

Task<> client(Actor &actor, NodeRef node, LockOptions options)
{
    Client connection(actor, node);
    Lock lock(connection, options);
    const Result<bool> acquired = co_await lock.acquire(Waiting::fixed(5s, 20ms));
    if (!acquired || !*acquired)
        co_return;
    Section section(actor, options.key, lock.token());
    co_await actor.sleep(200ms);
    section.leave();
    std::ignore = co_await lock.release();
}

Task<Result<void>> play(Stage &stage)
{
    LockOptions options;
    options.key = stage.key("lock");
    options.ttl = 5s;
    options.acquiring = stage.values().toggle("nx") ? Acquiring::SetNxPx : Acquiring::Set;

    Actor &a = stage.actor("A", client, stage.node(), options);
    if (const auto entered = co_await stage.seen(saw::entered("A")); !entered)
        co_return entered.error();
    Actor &b = stage.actor("B", client, stage.node(), options);
    co_await stage.ended(a);
    co_await stage.ended(b);
    co_return Result<void>();
}

QList<CheckUse> checks(const Values &)
{
    return {{"mutual-exclusion", {}, true}};
}

}

Experiment describe()
{
    Experiment experiment;
    experiment.id = "lock-turns";
    experiment.family = "locks";
    experiment.title = "Turns";
    experiment.claim = "Two clients take turns.";
    experiment.promise = "Two owners never work at once.";
    experiment.parameters = {Parameter::toggle("nx", "NX", "Whether SET leaves another's lock alone.", false)};
    experiment.presets = {
        {"break", "SET", {}, Judgement::Broken, {{"granted", "B", 1}}},
        {"safe", "SET with NX", {{"nx", "on"}}, Judgement::Held, {{"granted", "B", 1}}},
    };
    experiment.views = {"timeline"};
    experiment.checks = checks;
    experiment.play = play;
    return experiment;
}

}
