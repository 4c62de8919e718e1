// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later

/// How long a primary, two replicas and three sentinels behind relays take until they are ready, and how long after the kill of
/// the primary all sentinels name the same new one. With --kills, also how often replicas were promoted after each kill, which is
/// watched for 4 s more: it should be once. One JSON line each; what the sentinels said of a failover that was slow or not the
/// only one goes to standard error.
///
///     bench_failover [--groups N] [--kills N]        20 groups and no kills to watch, if not said otherwise

#include "engine/lab/asking.h"
#include "engine/lab/nodegroup.h"
#include "engine/redis/connection.h"
#include "tests/bench/measuring.h"
#include "tests/support/testserver.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QTimer>

#include <functional>
#include <optional>

using namespace interlock;

namespace {

constexpr double readyGoal = 1200; // ms, at the median
constexpr double failoverGoal = 2600;
constexpr Milliseconds patience = 60s;
constexpr Milliseconds afterwards = 4s;

/// Turns the event loop as the program does. Qt Test's waits sleep for 10 ms between two turns, and the relays with them: that alone
/// makes sentinels stand for election at the same time.
bool turnUntil(const std::function<bool()> &reached, Milliseconds limit = patience)
{
    QTimer timer; // also wakes the loop
    timer.setSingleShot(true);
    timer.start(limit);
    while (!reached()) {
        if (!timer.isActive())
            return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

/// What the sentinels of a group say, with the time since the kill.
class Sentinels
{
public:
    Sentinels(const NodeGroup &group, Clock &clock)
        : m_old(group.node("N1").announced)
        , m_clock(clock)
    {
        for (const GroupNode &node : group.nodes()) {
            if (node.role != NodeRole::Sentinel)
                continue;
            m_connections.push_back(std::make_unique<Connection>(node.direct));
            m_subscriptions.push_back(std::make_unique<Subscription>(
                node.direct, QList<QByteArray>(), QList<QByteArray> {"*"}, [this, name = node.name](const Subscription::Message &message) { heard(name, message); },
                [this](const Result<void> &) { ++m_listening; }, [](const Error &) {}));
        }
        if (!turnUntil([&] { return m_listening == m_connections.size(); }))
            qFatal("A sentinel cannot be listened to.");
    }

    /// Ends when all name the same primary, and not the old one.
    Task<> agree()
    {
        for (bool isAgreed = false; !isAgreed;) {
            std::vector<std::vector<Reply>> named;
            for (const auto &connection : m_connections) {
                const Result<Reply> reply = co_await ask(*connection, Command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NodeGroup::masterName), m_clock);
                named.push_back(reply ? reply->elements : std::vector<Reply>());
            }
            const auto &first = named.front();
            const bool isNew = first.size() == 2 && (first[0].text != m_old.host.toUtf8() || first[1].text != QByteArray::number(m_old.port));
            isAgreed = isNew && std::all_of(named.begin(), named.end(), [&](const auto &one) { return one == first; });
            co_await rest(m_clock, 5ms);
        }
    }

    int promotions = 0;
    QByteArray said;
    measuring::Stopwatch sinceKill;

private:
    void heard(const QString &name, const Subscription::Message &message)
    {
        promotions += message.channel == "+promoted-slave" ? 1 : 0;
        said += QByteArray::number(sinceKill.cost().wall, 'f', 0) + ' ' + name.toUtf8() + ' ' + message.channel + ' ' + message.payload + '\n';
    }

    const Endpoint m_old;
    Clock &m_clock;
    size_t m_listening = 0;
    std::vector<std::unique_ptr<Connection>> m_connections;
    std::vector<std::unique_ptr<Subscription>> m_subscriptions;
};

struct Figures
{
    std::vector<double> ready; // ms
    std::vector<double> failover;
    int once = 0; // kills that were followed by one promotion
    int never = 0;
    int more = 0;
};

void measureGroup(Keeper &keeper, bool isWatched, Figures &figures)
{
    RealClock clock;
    std::optional<Result<void>> ready;
    const measuring::Stopwatch start;
    NodeGroup group(keeper, NodeGroup::Options(), clock, [&](Result<void> result) { ready = std::move(result); });
    if (!turnUntil([&] { return ready.has_value(); }) || !*ready)
        qFatal("%s", qPrintable(ready && !*ready ? ready->error().text : QString()));
    figures.ready.push_back(start.cost().wall);

    Sentinels sentinels(group, clock);
    sentinels.sinceKill = {};
    if (!group.kill(QStringLiteral("N1")))
        qFatal("The primary did not run.");
    Task<> agreement = sentinels.agree();
    agreement.start();
    if (!turnUntil([&] { return agreement.isFinished(); }))
        qFatal("There was no new primary.\n%s", sentinels.said.constData());
    figures.failover.push_back(sentinels.sinceKill.cost().wall);
    if (isWatched)
        (void)turnUntil([] { return false; }, afterwards);
    ++(sentinels.promotions == 1 ? figures.once : sentinels.promotions == 0 ? figures.never : figures.more);
    if (figures.failover.back() > failoverGoal || sentinels.promotions > 1)
        std::fprintf(stderr, "%s\n", sentinels.said.constData());
}

void print(const char *bench, std::vector<double> times, double goal)
{
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    measuring::print({{"bench", bench}, {"groups", static_cast<int>(times.size())}, {"median_ms", measuring::rounded(median)},
        {"p95_ms", measuring::rounded(times[(times.size() * 95 - 1) / 100])}, {"worst_ms", measuring::rounded(times.back())}, {"limit_ms", goal},
        {"ok", median <= goal}});
}

}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addOptions({{"groups", "How many groups to measure.", "N", "20"}, {"kills", "How many kills to watch, instead.", "N", "0"}});
    parser.addHelpOption();
    parser.process(application);
    const int kills = parser.value("kills").toInt();
    const int groups = kills > 0 ? kills : std::max(1, parser.value("groups").toInt());

    useKeeperOfProgram();
    Keeper keeper([](const Result<void> &kept) {
        if (!kept)
            qFatal("%s", qPrintable(kept.error().text));
    });
    Figures figures;
    for (int i = 0; i < groups; ++i)
        measureGroup(keeper, kills > 0, figures);
    print("group_ready", figures.ready, readyGoal);
    print("failover", figures.failover, failoverGoal);
    if (kills > 0)
        measuring::print({{"bench", "promotions"}, {"kills", kills}, {"once", figures.once}, {"never", figures.never}, {"more", figures.more}, {"ok", figures.once == kills}});
    return 0;
}
