// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/grouprecords.h"

#include "tests/support/history.h"

#include <algorithm>

namespace interlock::samples {

namespace {

constexpr const char *servers = R"(
node: N1 primary
node: N2 replica
node: N3 replica
)";

constexpr const char *sentinels = R"(
node: S1 sentinel
node: S2 sentinel
node: S3 sentinel
)";

/// With the lanes of clients and of what each server says of the lock, and with addresses.
Run record(const QString &experiment, const QString &preset, const QByteArray &head, const QByteArray &events, const QStringList &clients)
{
    test::History history = test::parseHistory(head + events);
    if (!history.mistake.isEmpty())
        qFatal("%s", qPrintable(history.mistake));
    Run run = std::move(history.run);
    Header &header = run.header;
    header.program = QStringLiteral("interlock 0.1.0");
    header.experiment = experiment;
    header.preset = preset;
    header.promise = QStringLiteral("Two owners never work at once, whatever dies.");
    header.seed = 7;
    header.started = QStringLiteral("2026-05-01T12:00:00Z");
    header.relay = true;
    for (const QString &client : clients)
        header.lanes.append({Lane::Type::Actor, client, {}});
    for (qsizetype i = 0; i < header.nodes.size(); ++i) {
        NodeInfo &node = header.nodes[i];
        node.version = QStringLiteral("7.0.15");
        node.address = QStringLiteral("127.0.0.1:%1").arg(6401 + i);
        if (node.role != QLatin1String("sentinel"))
            header.lanes.append({Lane::Type::Node, node.name, QStringLiteral("lock")});
    }
    std::stable_sort(run.events.begin(), run.events.end(), [](const Event &left, const Event &right) { return left.at < right.at; });
    return run;
}

constexpr const char *lockLossEvents = R"(
ends: 3.9
0 N1 node ready
0 N2 node ready
0 N3 node ready
0 N1 node role-changed text=primary
0 N2 node role-changed text=replica node=N1
0 N3 node role-changed text=replica node=N1
0 N2 node linked text=up node=N1
0 N3 node linked text=up node=N1
0.010 N1 node offset offset=280
0.010 N2 node offset offset=280
0.010 N3 node offset offset=280
0.380 N1 fault cut-replication begins
0.380 N1 fault cut-replication until=0.530
0.383 N2 node linked text=down node=N1
0.384 N3 node linked text=down node=N1
0.400 A wants lock t=7f3a
0.400 A command text=SET_lock_7f3a_NX_PX_30000 answered=0.412
0.411 N1 owner lock set t=7f3a until=30.411
0.412 A granted lock t=7f3a sent=0.410 ttl=30 nx
0.412 A entered work t=7f3a
0.450 N1 node offset offset=410
0.460 N2 node linked text=connecting node=N1
0.500 B wants lock t=c210
0.510 B command text=SET_lock_c210_NX_PX_30000 answered=0.511
0.511 B refused lock t=c210 sent=0.510
0.530 N1 fault kill
0.530 N1 node killed
1.242 S2 sentinel +sdown node=N1 rest=master_lab_127.0.0.1_6401
1.301 S1 sentinel +sdown node=N1 rest=master_lab_127.0.0.1_6401
1.328 S2 sentinel +odown node=N1 rest=master_lab_127.0.0.1_6401_#quorum_2/2
1.329 S2 sentinel +new-epoch epoch=1 rest=1
1.330 S2 sentinel +try-failover node=N1 rest=master_lab_127.0.0.1_6401
1.334 S2 sentinel +vote-for-leader node=S2 epoch=1 rest=5ca1ab1e_1
1.341 S1 sentinel +new-epoch epoch=1 rest=1
1.342 S3 sentinel +new-epoch epoch=1 rest=1
1.345 S1 sentinel +vote-for-leader node=S2 epoch=1 rest=5ca1ab1e_1
1.347 S3 sentinel +vote-for-leader node=S2 epoch=1 rest=5ca1ab1e_1
1.398 S2 sentinel +elected-leader node=N1 rest=master_lab_127.0.0.1_6401
1.399 S2 sentinel +failover-state-select-slave node=N1 rest=master_lab_127.0.0.1_6401
1.410 S3 sentinel +sdown node=N1 rest=master_lab_127.0.0.1_6401
1.450 S2 sentinel +selected-slave node=N3 rest=slave_127.0.0.1:6403_127.0.0.1_6403_@_lab_127.0.0.1_6401
1.451 S2 sentinel +failover-state-send-slaveof-noone node=N3 rest=slave_127.0.0.1:6403_127.0.0.1_6403_@_lab_127.0.0.1_6401
1.520 S2 sentinel +failover-state-wait-promotion node=N3 rest=slave_127.0.0.1:6403_127.0.0.1_6403_@_lab_127.0.0.1_6401
2.193 N3 node role-changed text=primary
2.193 N3 owner lock promoted
2.200 N3 node offset offset=280
2.202 B command text=SET_lock_c210_NX_PX_30000 answered=2.204
2.203 N3 owner lock set t=c210 until=32.203
2.204 B granted lock t=c210 sent=2.202 ttl=30 nx
2.204 B entered work t=c210
2.240 S2 sentinel +promoted-slave node=N3 rest=slave_127.0.0.1:6403_127.0.0.1_6403_@_lab_127.0.0.1_6401
2.241 S2 sentinel +failover-state-reconf-slaves node=N1 rest=master_lab_127.0.0.1_6401
2.270 S2 sentinel +slave-reconf-sent node=N2 rest=slave_127.0.0.1:6402_127.0.0.1_6402_@_lab_127.0.0.1_6401
2.278 S1 sentinel +switch-master node=N3 rest=lab_127.0.0.1_6401_127.0.0.1_6403
2.281 S3 sentinel +switch-master node=N3 rest=lab_127.0.0.1_6401_127.0.0.1_6403
2.300 N2 node role-changed text=replica node=N3
2.310 N2 node linked text=syncing node=N3
2.600 N3 node offset offset=390
2.750 N2 node linked text=up node=N3
2.750 N2 node synced text=partial bytes=110 node=N3
2.750 N2 owner lock set t=c210 until=32.203
2.760 N2 node offset offset=390
3.240 S2 sentinel +slave-reconf-done node=N2 rest=slave_127.0.0.1:6402_127.0.0.1_6402_@_lab_127.0.0.1_6401
3.270 S2 sentinel +failover-end node=N1 rest=master_lab_127.0.0.1_6401
3.271 S2 sentinel +switch-master node=N3 rest=lab_127.0.0.1_6401_127.0.0.1_6403
3.272 S2 sentinel +slave node=N1 rest=slave_127.0.0.1:6401_127.0.0.1_6401_@_lab_127.0.0.1_6403
3.412 A left work
3.412 A ended lock t=7f3a released
3.600 N3 node offset offset=402
3.610 N2 node offset offset=402
3.800 B left work
)";

}

Run lockLoss()
{
    Run run = record(QStringLiteral("failover-lock-loss"), QStringLiteral("break"), QByteArray(servers) + sentinels, lockLossEvents,
        {QStringLiteral("A"), QStringLiteral("B")});
    run.header.checks = {{QStringLiteral("mutual-exclusion-work"), {}, true}, {QStringLiteral("lost-acknowledged-write"), {}, false}};
    return run;
}

Run lockLossUntil(double seconds)
{
    Run run = lockLoss();
    const auto end = static_cast<qint64>(seconds * 1e9);
    std::erase_if(run.events, [end](const Event &event) {
        const bool isWhole = event.kind == Event::Kind::Fault && event.until != never && event.until > event.at;
        return event.at > end || (isWhole && event.until > end); // its end is not known yet
    });
    run.duration = end;
    run.isComplete = false;
    return run;
}

Run abortedFailover()
{
    return record(QStringLiteral("failover-election"), QStringLiteral("break-no-replica"), QByteArray(servers) + sentinels, R"(
ends: 12
0.500 N1 node killed
1.210 S1 sentinel +sdown node=N1 rest=master_lab_127.0.0.1_6401
1.260 S3 sentinel +sdown node=N1 rest=master_lab_127.0.0.1_6401
1.300 S1 sentinel +odown node=N1 rest=master_lab_127.0.0.1_6401_#quorum_2/2
1.301 S1 sentinel +new-epoch epoch=1 rest=1
1.302 S1 sentinel +try-failover node=N1 rest=master_lab_127.0.0.1_6401
1.305 S1 sentinel +vote-for-leader node=S1 epoch=1 rest=0b57ac1e_1
1.312 S3 sentinel +vote-for-leader node=S1 epoch=1 rest=0b57ac1e_1
1.370 S1 sentinel +elected-leader node=N1 rest=master_lab_127.0.0.1_6401
1.371 S1 sentinel +failover-state-select-slave node=N1 rest=master_lab_127.0.0.1_6401
1.440 S1 sentinel -failover-abort-no-good-slave node=N1 rest=master_lab_127.0.0.1_6401
9.400 S2 sentinel +sdown node=N1 rest=master_lab_127.0.0.1_6401
9.410 S2 sentinel +odown node=N1 rest=master_lab_127.0.0.1_6401_#quorum_3/2
9.411 S2 sentinel +new-epoch epoch=2 rest=2
9.412 S2 sentinel +try-failover node=N1 rest=master_lab_127.0.0.1_6401
9.415 S2 sentinel +vote-for-leader node=S2 epoch=2 rest=5ca1ab1e_2
9.425 S1 sentinel +vote-for-leader node=S2 epoch=2 rest=5ca1ab1e_2
9.480 S2 sentinel +elected-leader node=N1 rest=master_lab_127.0.0.1_6401
9.550 S2 sentinel -failover-abort-no-good-slave node=N1 rest=master_lab_127.0.0.1_6401
)",
        {});
}

Run sleepingPrimary()
{
    return record(QStringLiteral("failover-zombie"), QStringLiteral("break"), QByteArray(servers) + sentinels, R"(
ends: 4
0.100 N1 owner lock set t=7f3a until=30.1
0.101 N2 owner lock set t=7f3a until=30.1
0.101 N3 owner lock set t=7f3a until=30.1
0.500 N1 fault pause begins
0.500 N1 node paused
0.500 N1 fault pause until=3.2
1.210 S1 sentinel +sdown node=N1 rest=master_lab_127.0.0.1_6401
1.230 S2 sentinel +sdown node=N1 rest=master_lab_127.0.0.1_6401
1.260 S3 sentinel +sdown node=N1 rest=master_lab_127.0.0.1_6401
1.300 S1 sentinel +odown node=N1 rest=master_lab_127.0.0.1_6401_#quorum_2/2
1.301 S1 sentinel +new-epoch epoch=1 rest=1
1.302 S1 sentinel +try-failover node=N1 rest=master_lab_127.0.0.1_6401
1.305 S1 sentinel +vote-for-leader rest=0b57ac1e_1
1.312 S3 sentinel +vote-for-leader rest=0b57ac1e_1
1.370 S1 sentinel +elected-leader node=N1 rest=master_lab_127.0.0.1_6401
1.440 S1 sentinel +selected-slave node=N2 rest=slave_127.0.0.1:6402_127.0.0.1_6402_@_lab_127.0.0.1_6401
1.441 S1 sentinel +failover-state-send-slaveof-noone node=N2 rest=slave_127.0.0.1:6402_127.0.0.1_6402_@_lab_127.0.0.1_6401
2.100 N2 node role-changed text=primary
2.150 S1 sentinel +promoted-slave node=N2 rest=slave_127.0.0.1:6402_127.0.0.1_6402_@_lab_127.0.0.1_6401
2.160 S2 sentinel +switch-master rest=lab_127.0.0.1_6401_127.0.0.1_6402
2.165 S3 sentinel +switch-master rest=lab_127.0.0.1_6401_127.0.0.1_6402
2.200 N3 node linked text=up node=N2
3.150 S1 sentinel +switch-master rest=lab_127.0.0.1_6401_127.0.0.1_6402
3.200 N1 node resumed
3.390 S1 sentinel +convert-to-slave node=N1 rest=slave_127.0.0.1:6401_127.0.0.1_6401_@_lab_127.0.0.1_6402
3.400 N1 node role-changed text=replica node=N2
3.510 N1 node linked text=up node=N2
3.510 N1 node synced text=partial bytes=2048 node=N2
)",
        {QStringLiteral("A")});
}

Run twoFailovers()
{
    return record(QStringLiteral("failover-election"), QStringLiteral("safe-priority"), QByteArray(servers) + sentinels, R"(
ends: 6
0.500 N1 node killed
1.200 S1 sentinel +sdown node=N1
1.220 S2 sentinel +sdown node=N1
1.230 S1 sentinel +odown node=N1 rest=#quorum_2/2
1.231 S1 sentinel +new-epoch epoch=1
1.232 S1 sentinel +vote-for-leader node=S1 epoch=1
1.240 S2 sentinel +vote-for-leader node=S1 epoch=1
1.300 S1 sentinel +elected-leader node=N1
1.900 N3 node role-changed text=primary
1.950 S1 sentinel +switch-master node=N3
1.960 S2 sentinel +switch-master node=N3
1.970 S3 sentinel +switch-master node=N3
2.000 N2 node linked text=up node=N3
3.000 N3 node killed
3.700 S2 sentinel +sdown node=N3
3.800 S3 sentinel +sdown node=N3
3.810 S2 sentinel +odown node=N3 rest=#quorum_2/2
3.811 S2 sentinel +new-epoch epoch=2
3.900 S2 sentinel +elected-leader node=N3
4.500 N2 node role-changed text=primary
4.600 S1 sentinel +switch-master node=N2
4.610 S3 sentinel +switch-master node=N2
4.620 S2 sentinel +switch-master node=N2
)",
        {});
}

Run resync()
{
    return record(QStringLiteral("replication-resync"), QStringLiteral("break"), servers, R"(
ends: 5
0.000 N1 node offset offset=1000
0.000 N2 node offset offset=1000
0.500 N1 fault cut-replication node=N2 begins
0.500 N1 fault cut-replication node=N2 until=1.5
0.510 N2 node linked text=down node=N1
0.600 N2 node linked text=connecting node=N1
1.000 N1 node offset offset=3000000
1.520 N2 node linked text=syncing node=N1
1.530 N2 note snapshot bytes=1200000 until=1.7
1.530 N2 note buffer bytes=52000 until=2.2
1.700 N2 note transfer bytes=1200000 until=2.0
2.000 N2 note load bytes=1200000 until=2.2
2.201 N2 node linked text=up node=N1
2.201 N2 node synced text=full bytes=1200000 node=N1
2.202 N2 note catch-up bytes=52000 until=2.25
3.000 N1 fault cut-replication node=N2 begins
3.000 N1 fault cut-replication node=N2 until=3.4
3.010 N2 node linked text=down node=N1
3.451 N2 node linked text=up node=N1
3.451 N2 node synced text=partial bytes=4100 node=N1
)",
        {});
}

}
