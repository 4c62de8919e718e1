// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A primary that slept, elections, and replicas that come back: what their records show. Expected values come from what each play does, and
// from Redis's own rules, applied here by hand.
#include "engine/experiments/catalogue.h"
#include "engine/run/measures.h"
#include "tests/support/sessions.h"
#include "tests/support/testserver.h"

#include <QTest>

using namespace interlock;

namespace {

const QStringList tested {QStringLiteral("failover-zombie"), QStringLiteral("failover-election"), QStringLiteral("replication-resync")};
constexpr int atOnce = 2; // six servers each

bool isNode(const Event &event, NodeChange what)
{
    return event.kind == Event::Kind::Node && static_cast<NodeChange>(event.what) == what;
}

/// A record, read by names.
struct Record
{
    const Run &run;

    QString text(Name name) const { return run.text(name); }
    bool is(Name name, const char *text) const { return run.names.bytes(name) == text; }

    template<typename Fits>
    const Event *first(const Fits &fits) const
    {
        const auto found = std::find_if(run.events.begin(), run.events.end(), fits);
        return found == run.events.end() ? nullptr : &*found;
    }
    template<typename Fits>
    qint64 count(const Fits &fits) const
    {
        return std::count_if(run.events.begin(), run.events.end(), fits);
    }
    const Event *node(const char *name, NodeChange what, qint64 since = 0) const
    {
        return first([&](const Event &event) { return isNode(event, what) && is(event.lane, name) && event.at >= since; });
    }
    const Event *published(const char *word, qint64 since = 0) const
    {
        return first([&](const Event &event) { return event.kind == Event::Kind::Sentinel && is(event.text, word) && event.at >= since; });
    }
    /// The first that became the primary at @p since or later; empty: nobody.
    QString promoted(qint64 since) const
    {
        const Event *event = first([&](const Event &each) { return isNode(each, NodeChange::RoleChanged) && is(each.text, "primary") && each.at >= since; });
        return event ? text(event->lane) : QString();
    }
    const Event *note(const char *lane, const char *text) const
    {
        return first([&](const Event &event) { return event.kind == Event::Kind::Note && is(event.lane, lane) && is(event.text, text); });
    }
};

bool isAcceptedWrite(const Event &event)
{
    return event.kind == Event::Kind::Resource && static_cast<Resource>(event.what) == Resource::Wrote && event.has(Event::Accepted);
}

qint64 fact(const Verdict &verdict, const QString &check, const QString &name)
{
    for (const CheckResult &result : verdict.checks) {
        for (const auto &[fact, value] : result.facts) {
            if (result.check == check && fact == name)
                return value;
        }
    }
    return -1;
}

/// What a chart shows of a series, summed up.
qint64 sumOf(const Run &run, const QString &series)
{
    qint64 sum = 0;
    for (const MeasuredCurve &curve : curvesOf(run)) {
        for (const MeasuredPoint &point : curve.points)
            sum += curve.info.name == series ? point.y : 0;
    }
    return sum;
}

}

class FailoverPlaysTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        useKeeperOfProgram();
        QList<RunRequest> requests;
        for (const QString &id : tested) {
            const Experiment *experiment = experiments::find(id);
            QVERIFY2(experiment, qPrintable(id));
            for (const Preset &preset : experiment->presets) {
                RunRequest request;
                request.experiment = id;
                request.preset = preset.name;
                request.pace = 0.1;
                requests.append(request);
            }
        }
        m_runs = std::make_unique<Sessions>(requests);
        m_runs->start(atOnce);
        QTRY_COMPARE_WITH_TIMEOUT(m_runs->outcomes().size(), requests.size(), 240'000);
        for (auto outcome = m_runs->outcomes().begin(); outcome != m_runs->outcomes().end(); ++outcome) {
            const QString preset = outcome.key().section(u' ', 1);
            const Experiment &experiment = *experiments::find(outcome.key().section(u' ', 0, 0));
            QVERIFY2(outcome->run && outcome->run->isComplete, qPrintable(outcome.key() + u' ' + outcome->said()));
            QVERIFY2(outcome->verdict.judgement == experiment.preset(preset)->expected, qPrintable(outcome.key() + u' ' + outcome->said()));
        }
    }
    void cleanupTestCase() { m_runs.reset(); }

    /// Everything that N1 acknowledged after it went on, and nothing else, is lost.
    void losesWhatTheZombieAcknowledged()
    {
        const Outcome outcome = of("failover-zombie break");
        const Record record {*outcome.run};
        const Event *resumed = record.node("N1", NodeChange::Resumed);
        const Event *demoted = record.first([&](const Event &event) {
            return isNode(event, NodeChange::RoleChanged) && record.is(event.lane, "N1") && record.is(event.text, "replica");
        });
        QVERIFY(resumed && demoted);
        QSet<Name> read;
        for (const Event &event : outcome.run->events) {
            if (event.kind == Event::Kind::Owner && static_cast<OwnerChange>(event.what) == OwnerChange::Read)
                read.insert(event.text);
        }
        qint64 afterwards = 0;
        for (const Event &event : outcome.run->events) {
            if (!isAcceptedWrite(event))
                continue;
            const bool isLate = event.at >= resumed->at;
            afterwards += isLate;
            QVERIFY2(read.contains(event.text) != isLate, qPrintable(record.text(event.text)));
        }
        QVERIFY2(afterwards > 20, qPrintable(QString::number(afterwards))); // a write each 10 ms, for 2 s
        QCOMPARE(fact(outcome.verdict, QStringLiteral("lost-acknowledged-write"), QStringLiteral("lost")), afterwards);
        QCOMPARE(sumOf(*outcome.run, QStringLiteral("lost")), afterwards);
        QCOMPARE(sumOf(*outcome.run, QStringLiteral("acknowledged")),
            fact(outcome.verdict, QStringLiteral("lost-acknowledged-write"), QStringLiteral("acknowledged")));
    }

    void staysStoppedUntilAllOthersFollowAnother()
    {
        for (const char *run : {"failover-zombie break", "failover-zombie safe", "failover-zombie min-replicas"}) {
            const Outcome outcome = of(run);
            const Record record {*outcome.run};
            const qint64 stopped = record.node("N1", NodeChange::Paused)->at;
            const qint64 resumed = record.node("N1", NodeChange::Resumed)->at;
            const QString promoted = record.promoted(stopped);
            QVERIFY2(promoted == QLatin1String("N2") || promoted == QLatin1String("N3"), qPrintable(promoted));
            const char *other = promoted == QLatin1String("N2") ? "N3" : "N2";
            const Event *linked = record.first([&](const Event &event) {
                return isNode(event, NodeChange::Linked) && record.is(event.lane, other) && record.is(event.text, "up") && record.text(event.node) == promoted;
            });
            QVERIFY(linked && linked->at < resumed);
            QSet<Name> switched;
            for (const Event &event : outcome.run->events) {
                if (event.kind == Event::Kind::Sentinel && record.is(event.text, "+switch-master") && event.at < resumed)
                    switched.insert(event.lane);
            }
            QCOMPARE(switched.size(), 3);
        }
    }

    void losesNothingOfAClientThatAsks()
    {
        const Outcome outcome = of("failover-zombie safe");
        const Record record {*outcome.run};
        QCOMPARE(fact(outcome.verdict, QStringLiteral("lost-acknowledged-write"), QStringLiteral("lost")), 0);
        const qint64 resumed = record.node("N1", NodeChange::Resumed)->at;
        const QString promoted = record.promoted(record.node("N1", NodeChange::Paused)->at);
        const auto writesTo = [&](const QString &node, qint64 from, qint64 until) {
            return record.count([&](const Event &event) {
                return event.kind == Event::Kind::Command && record.text(event.node) == node && event.at >= from && event.at < until
                    && record.text(event.text).startsWith(QLatin1String("RPUSH")) && event.has(Event::Accepted);
            });
        };
        QVERIFY(writesTo(QStringLiteral("N1"), 0, resumed) >= 30);
        QVERIFY(writesTo(promoted, 0, never) >= 20);
        QCOMPARE(writesTo(QStringLiteral("N1"), resumed, never), 0);
        QCOMPARE(sumOf(*outcome.run, QStringLiteral("lost")), 0);
    }

    void refusesForWantOfReplicas()
    {
        const Outcome outcome = of("failover-zombie min-replicas");
        const Record record {*outcome.run};
        const qint64 resumed = record.node("N1", NodeChange::Resumed)->at;
        const qint64 refused = record.count([&](const Event &event) {
            return event.kind == Event::Kind::Command && event.at >= resumed && record.text(event.detail).contains(QLatin1String("NOREPLICAS"));
        });
        QVERIFY2(refused > 100, qPrintable(QString::number(refused))); // ten clients, for 2 s
        const qint64 afterwards = record.count([&](const Event &event) { return isAcceptedWrite(event) && event.at >= resumed; });
        QCOMPARE(fact(outcome.verdict, QStringLiteral("lost-acknowledged-write"), QStringLiteral("lost")), afterwards);
        QVERIFY2(afterwards < refused, qPrintable(QString::number(afterwards)));
    }

    void oneOfThreeSentinelsPromotesNobody()
    {
        const Outcome outcome = of("failover-election break");
        const Record record {*outcome.run};
        const Event *killed = record.node("N1", NodeChange::Killed);
        QVERIFY(killed && outcome.run->duration - killed->at >= 6'000'000'000);
        QVERIFY(record.node("S2", NodeChange::Killed) && record.node("S3", NodeChange::Killed));
        QVERIFY(record.published("+sdown", killed->at)); // it does see the silence
        QVERIFY(!record.published("+odown"));
        QCOMPARE(record.promoted(killed->at), QString());
    }

    void nobodyIsPromotedWithPriorityZero()
    {
        const Outcome outcome = of("failover-election break-no-replica");
        const Record record {*outcome.run};
        const qint64 killed = record.node("N1", NodeChange::Killed)->at;
        QVERIFY(record.published("+elected-leader", killed));
        QVERIFY(record.published("-failover-abort-no-good-slave", killed));
        QCOMPARE(record.promoted(killed), QString());
    }

    /// Who it is follows from what the replicas said before the kill: the rules of sentinel.c, each by hand.
    void promotesWhomTheRulesName_data()
    {
        QTest::addColumn<QString>("preset");
        for (const char *preset : {"safe-priority", "safe-offset", "safe-runid", "safe-leader-dies"})
            QTest::newRow(preset) << QString::fromLatin1(preset);
    }
    void promotesWhomTheRulesName()
    {
        QFETCH(QString, preset);
        const Outcome outcome = of("failover-election " + preset);
        const Record record {*outcome.run};
        const qint64 killed = record.node("N1", NodeChange::Killed)->at;
        const auto told = [&](const char *replica, const char *what) { return record.note(replica, what); };
        for (const char *replica : {"N2", "N3"}) {
            for (const char *what : {"replica-priority", "replication-offset", "run-id"})
                QVERIFY2(told(replica, what) && told(replica, what)->at < killed, what);
        }
        const qint64 offset2 = told("N2", "replication-offset")->number;
        const qint64 offset3 = told("N3", "replication-offset")->number;
        QString expected;
        if (preset == QLatin1String("safe-priority")) {
            QCOMPARE(told("N2", "replica-priority")->number, 100);
            QCOMPARE(told("N3", "replica-priority")->number, 10);
            expected = QStringLiteral("N3");
        } else if (preset == QLatin1String("safe-offset")) {
            QVERIFY2(offset2 - offset3 > 50 * 1024, qPrintable(QString::number(offset2 - offset3)));
            expected = QStringLiteral("N2");
        } else {
            QCOMPARE(offset2, offset3);
            const QString id2 = record.text(told("N2", "run-id")->detail);
            const QString id3 = record.text(told("N3", "run-id")->detail);
            QVERIFY(id2.size() == 40 && id3.size() == 40 && id2 != id3);
            expected = id2 < id3 ? QStringLiteral("N2") : QStringLiteral("N3");
        }
        QCOMPARE(record.promoted(killed), expected);
        // It was said before it happened.
        const Event *prediction = record.first([&](const Event &event) {
            return event.kind == Event::Kind::Phase && record.text(event.text).contains(QStringLiteral("name %1:").arg(expected));
        });
        QVERIFY(prediction && prediction->at < killed);
    }

    void anotherLeadsWhenTheLeaderDies()
    {
        const Outcome outcome = of("failover-election safe-leader-dies");
        const Record record {*outcome.run};
        const qint64 killed = record.node("N1", NodeChange::Killed)->at;
        const Event *died = record.first([&](const Event &event) {
            return (isNode(event, NodeChange::Killed) || isNode(event, NodeChange::Ended)) && record.text(event.lane).startsWith(u'S');
        });
        QVERIFY(died && died->at > killed);
        const Event *leads = record.first([&](const Event &event) {
            return event.kind == Event::Kind::Sentinel && record.is(event.text, "+elected-leader") && event.lane != died->lane;
        });
        QVERIFY(leads && leads->at > died->at);
    }

    void copiesEverythingStepByStep()
    {
        const Outcome outcome = of("replication-resync break");
        const Record record {*outcome.run};
        const Event *synced = record.node("N2", NodeChange::Synced);
        QVERIFY(synced && record.is(synced->text, "full"));
        const auto step = [&](const char *name) { return record.note("N2", name); };
        for (const char *name : {"snapshot", "buffer", "transfer", "load", "catch-up"})
            QVERIFY2(step(name) && step(name)->until >= step(name)->at, name);
        QVERIFY(!step("increment"));
        QCOMPARE(step("transfer")->at, step("snapshot")->until);
        QCOMPARE(step("load")->at, step("transfer")->until);
        QCOMPARE(step("catch-up")->at, step("load")->until);
        QCOMPARE(step("buffer")->at, step("snapshot")->at);
        QCOMPARE(step("buffer")->until, step("load")->until);
        for (const char *name : {"snapshot", "transfer", "load"}) // 2048 values of 4 KiB, and their keys
            QVERIFY2(step(name)->number > 8 * 1024 * 1024 && step(name)->number < 11 * 1024 * 1024, qPrintable(QString::number(step(name)->number)));
        QVERIFY(step("buffer")->number > 0);
        QCOMPARE(step("catch-up")->number, step("buffer")->number);
        for (const char *name : {"snapshot", "load"}) // 2048 keys, 40 µs each
            QVERIFY2(step(name)->until - step(name)->at > 60'000'000, name);
    }

    void sendsOnlyTheIncrement()
    {
        const Outcome outcome = of("replication-resync safe");
        const Record record {*outcome.run};
        const Event *synced = record.node("N2", NodeChange::Synced);
        QVERIFY(synced && record.is(synced->text, "partial"));
        const Event *increment = record.note("N2", "increment");
        QVERIFY(increment);
        QVERIFY2(increment->number >= 64 * 1024 && increment->number < 128 * 1024, qPrintable(QString::number(increment->number)));
        for (const char *name : {"snapshot", "buffer", "transfer", "load", "catch-up"})
            QVERIFY2(!record.note("N2", name), name);
    }

    void drawsBothOffsetsAndTheBacklog()
    {
        for (const char *run : {"replication-resync break", "replication-resync safe"}) {
            const Outcome outcome = of(run);
            const std::vector<MeasuredCurve> curves = curvesOf(*outcome.run);
            QCOMPARE(curves.size(), size_t(3));
            for (const MeasuredCurve &curve : curves) {
                QVERIFY2(curve.points.size() > 5, qPrintable(curve.info.name));
                QVERIFY(std::is_sorted(curve.points.begin(), curve.points.end(), [](const auto &left, const auto &right) { return left.y < right.y; }));
            }
            const auto last = [&](size_t curve) { return curves[curve].points.back().y; };
            QVERIFY(last(0) >= last(1) && last(1) > last(2)); // sent, applied, oldest
            // Whether the replica was ever behind the oldest byte is what decides.
            bool wasBehind = false;
            for (size_t i = 0; i < curves[1].points.size(); ++i)
                wasBehind = wasBehind || curves[1].points[i].y < curves[2].points[i].y - 1;
            QCOMPARE(wasBehind, QByteArray(run).endsWith("break"));
        }
    }

private:
    Outcome of(const QString &run) const { return m_runs->outcomes().value(run); }
    Outcome of(const char *run) const { return of(QString::fromLatin1(run)); }

    std::unique_ptr<Sessions> m_runs;
};

QTEST_GUILESS_MAIN(FailoverPlaysTest)
#include "tst_failoverplays.moc"
