// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/witnesses.h"
#include "engine/checks/acknowledgedwrites.h"
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/sentences.h"
#include "engine/checks/serverroles.h"

#include <algorithm>
#include <unordered_set>

namespace interlock {

namespace {

/// Counts what one witness asks for. @p whom is 0 for anybody.
using Count = qint64 (*)(const History &history, Name whom);

template<typename Fits>
qint64 countEvents(const History &history, const Fits &fits)
{
    return std::count_if(history.run().events.begin(), history.run().events.end(), fits);
}

qint64 beliefs(const History &history, Belief what, Name whom)
{
    return countEvents(history, [&](const Event &event) {
        return event.kind == Event::Kind::Belief && static_cast<Belief>(event.what) == what && (!whom || event.lane == whom);
    });
}

qint64 faults(const History &history, Name whom)
{
    return countEvents(history, [&](const Event &event) {
        return event.kind == Event::Kind::Fault && event.has(Event::Touched) && (!whom || event.text == whom);
    });
}

qint64 asked(const History &history, Name whom)
{
    if (whom)
        return beliefs(history, Belief::Refused, whom) + beliefs(history, Belief::Granted, whom);
    std::unordered_set<Name> lanes;
    for (const Event &event : history.run().events) {
        const auto what = static_cast<Belief>(event.what);
        if (event.kind == Event::Kind::Belief && (what == Belief::Refused || what == Belief::Granted))
            lanes.insert(event.lane);
    }
    return qint64(lanes.size());
}

qint64 granted(const History &history, Name whom)
{
    return beliefs(history, Belief::Granted, whom);
}

qint64 refused(const History &history, Name whom)
{
    return beliefs(history, Belief::Refused, whom);
}

qint64 released(const History &history, Name whom)
{
    return beliefs(history, Belief::Released, whom);
}

qint64 renewed(const History &history, Name whom)
{
    return beliefs(history, Belief::Renewed, whom);
}

/// By the clients' reckoning; and where that sees none, by the node's word, which is about a key and not about a lane.
qint64 expired(const History &history, Name whom)
{
    const qint64 end = history.order().empty() ? 0 : history.event(history.order().back()).at;
    qint64 leases = 0;
    for (const Hold &hold : history.holds()) {
        const qint64 limit = hold.releaseSent == never ? std::max(end, history.run().duration) : hold.releaseSent;
        leases += (!whom || hold.lane == whom) && history.lease(hold, limit) < limit;
    }
    if (whom)
        return leases;
    const qint64 told = countEvents(history, [](const Event &event) {
        return event.kind == Event::Kind::Owner && static_cast<OwnerChange>(event.what) == OwnerChange::Expired;
    });
    return std::max(leases, told);
}

qint64 overrun(const History &history, Name whom)
{
    return std::count_if(history.sections().begin(), history.sections().end(),
        [&](const Stay &section) { return (!whom || section.lane == whom) && history.overrun(section) > 0; });
}

qint64 wrote(const History &history, Name whom)
{
    return countEvents(history, [&](const Event &event) {
        return event.kind == Event::Kind::Resource && static_cast<Resource>(event.what) == Resource::Wrote
            && (!whom || event.lane == whom);
    });
}

qint64 acknowledged(const History &history, Name whom)
{
    return countEvents(history, [&](const Event &event) {
        return event.kind == Event::Kind::Resource && static_cast<Resource>(event.what) == Resource::Wrote
            && event.has(Event::Accepted) && (!whom || event.lane == whom);
    });
}

qint64 lost(const History &history, Name whom)
{
    const std::vector<AcknowledgedWrite> writes = acknowledgedWrites(history).writes;
    return std::count_if(writes.begin(), writes.end(), [&](const AcknowledgedWrite &write) {
        return write.fate == AcknowledgedWrite::Fate::Lost && (!whom || history.event(write.event).lane == whom);
    });
}

/// How often the lane did it; of anybody, how many lanes did.
template<typename Fits>
qint64 countOrLanes(const History &history, Name whom, const Fits &fits)
{
    std::unordered_set<Name> lanes;
    qint64 count = 0;
    for (const Event &event : history.run().events) {
        if (!fits(event) || (whom && event.lane != whom))
            continue;
        ++count;
        lanes.insert(event.lane);
    }
    return whom ? count : qint64(lanes.size());
}

qint64 promoted(const History &history, Name whom)
{
    ServerRoles roles(history.run());
    return countOrLanes(history, whom, [&roles](const Event &event) {
        const auto isPrimary = [&] {
            const ServerState *server = roles.find(event.lane);
            return server && server->isPrimary;
        };
        const bool wasPrimary = isPrimary(); // as the record says at its beginning, where it tells all roles again
        roles.read(event);
        return !wasPrimary && isPrimary();
    });
}

qint64 switched(const History &history, Name whom)
{
    const Name name = history.run().names.find("+switch-master");
    return countOrLanes(history, whom, [name](const Event &event) { return event.kind == Event::Kind::Sentinel && name && event.text == name; });
}

/// One failover is judged by them.
qint64 asRuled(const History &history, Name whom)
{
    const CheckResult rule = checks::promotionRule(history, {});
    return rule.judgement == Judgement::Held && (!whom || history.event(rule.events.front()).lane == whom);
}

qint64 synced(const History &history, Name whom)
{
    return countEvents(history, [&](const Event &event) {
        return event.kind == Event::Kind::Node && static_cast<NodeChange>(event.what) == NodeChange::Synced && (!whom || event.lane == whom);
    });
}

/// Probes are no traffic.
template<typename Fits>
qint64 decisions(const History &history, Name limiter, const Fits &fits)
{
    return countEvents(history, [&](const Event &event) {
        return event.kind == Event::Kind::Decision && !event.has(Event::Touched) && (!limiter || event.text == limiter)
            && fits(static_cast<LimiterAnswer>(event.what));
    });
}

qint64 decided(const History &history, Name limiter)
{
    return decisions(history, limiter, [](LimiterAnswer answer) { return answer < LimiterAnswer::Failed; });
}

qint64 admitted(const History &history, Name limiter)
{
    return decisions(history, limiter, [](LimiterAnswer answer) { return answer == LimiterAnswer::Admitted; });
}

qint64 rejected(const History &history, Name limiter)
{
    return decisions(history, limiter, [](LimiterAnswer answer) { return answer == LimiterAnswer::Rejected; });
}

qint64 failed(const History &history, Name limiter)
{
    return decisions(history, limiter, [](LimiterAnswer answer) { return answer == LimiterAnswer::Failed; });
}

constexpr std::pair<const char *, Count> counts[] = {
    {"fault", faults},
    {"asked", asked},
    {"granted", granted},
    {"refused", refused},
    {"released", released},
    {"renewed", renewed},
    {"expired", expired},
    {"overrun", overrun},
    {"wrote", wrote},
    {"acknowledged", acknowledged},
    {"lost", lost},
    {"promoted", promoted},
    {"as-ruled", asRuled},
    {"switched", switched},
    {"synced", synced},
    {"decided", decided},
    {"admitted", admitted},
    {"rejected", rejected},
    {"failed", failed},
};

Sentence absence(const Witness &witness, qint64 found)
{
    const QByteArray id = "witness." + witness.what.toLatin1();
    if (witness.what == QLatin1String("fault"))
        return witness.whom.isEmpty() ? say("witness.fault.any") : say("witness.fault", witness.whom);
    if (witness.whom.isEmpty())
        return say((id + ".any").constData(), found, qint64(witness.atLeast));
    return say(id.constData(), witness.whom, found, qint64(witness.atLeast));
}

CheckResult unknown(const Witness &witness, Sentence sentence)
{
    CheckResult result;
    result.check = QStringLiteral("witness-") + witness.what;
    result.judgement = Judgement::Unknown;
    result.sentences.push_back(std::move(sentence));
    return result;
}

}

std::optional<CheckResult> missing(const History &history, const Witness &witness)
{
    for (const auto &[what, count] : counts) {
        if (witness.what != QLatin1String(what))
            continue;
        const Name whom = history.run().names.find(witness.whom.toUtf8());
        const bool isNobody = !witness.whom.isEmpty() && !whom; // never mentioned in this run
        const qint64 found = isNobody ? 0 : count(history, whom);
        if (found >= witness.atLeast)
            return {};
        return unknown(witness, absence(witness, found));
    }
    return unknown(witness, say("witness.no-such", witness.what));
}

}
