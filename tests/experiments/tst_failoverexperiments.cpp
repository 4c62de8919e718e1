// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the experiments on failover show, read from their records.
#include "engine/checks/checks.h"
#include "engine/session.h"
#include "tests/support/descendants.h"
#include "tests/support/testserver.h"

#include <QTest>

#include <map>

using namespace interlock;

namespace {

using Pairs = QList<std::pair<QString, QString>>;
using RunRef = std::shared_ptr<const Run>;
using Fits = std::function<bool(const Event &)>;

struct Outcome
{
    RunRef run;
    Verdict verdict;
    std::map<QString, RunRef> children;
    QString error;
};

/// One run, or one set, to its end. @param heard is called with the names so far and each event as it comes.
Outcome perform(const QString &experiment, const QString &preset, const Pairs &values = {},
    const std::function<void(Session &, const Names &, const Event &)> &heard = {})
{
    Session session;
    Outcome outcome;
    bool isOver = false;
    Names names;
    QObject::connect(&session, &Session::childFinished,
        [&](quint64, const QString &name, const QString &, const RunRef &record, const Verdict &) { outcome.children[name] = record; });
    QObject::connect(&session, &Session::finished, [&](quint64, const RunRef &run, const Verdict &verdict) {
        outcome.run = run;
        outcome.verdict = verdict;
        isOver = true;
    });
    QObject::connect(&session, &Session::failed, [&](quint64, const Error &error) {
        outcome.error = error.text;
        isOver = true;
    });
    QObject::connect(&session, &Session::batchReady, [&](const Batch &batch) {
        for (const QByteArray &name : batch.names)
            names.intern(name);
        for (const Event &event : batch.events) {
            if (heard)
                heard(session, names, event);
        }
    });
    RunRequest request;
    request.experiment = experiment;
    request.preset = preset;
    request.values = values;
    request.pace = 0.1;
    request.seed = 5;
    const Result<quint64> started = session.start(request);
    if (!started)
        return {{}, {}, {}, started.error().text};
    if (!QTest::qWaitFor([&] { return isOver; }, 240'000))
        outcome.error = QStringLiteral("The run did not end within 240 s.");
    return outcome;
}

QString said(const Outcome &outcome)
{
    QString all = outcome.error + (outcome.run ? outcome.run->incompleteBecause : QString());
    for (const CheckResult &check : outcome.verdict.checks)
        all += u' ' + text(check.sentences);
    return all;
}

/// The record of one run, and when things first happened in it; never: they did not.
class Reading
{
public:
    explicit Reading(const Run &run)
        : m_run(run)
    {
    }

    const Event *first(const Fits &fits) const
    {
        const auto found = std::find_if(m_run.events.begin(), m_run.events.end(), fits);
        return found == m_run.events.end() ? nullptr : &*found;
    }
    qint64 at(const Fits &fits) const
    {
        const Event *event = first(fits);
        return event ? event->at : never;
    }
    qint64 fault(const QString &name) const
    {
        return at([&](const Event &event) { return event.kind == Event::Kind::Fault && text(event.text) == name; });
    }
    const Event *belief(Belief what, const QString &who, qint64 since = 0) const
    {
        return first([&](const Event &event) {
            return event.kind == Event::Kind::Belief && static_cast<Belief>(event.what) == what && text(event.lane) == who && event.sent >= since;
        });
    }
    qint64 resource(Resource what, const QString &who) const
    {
        return at([&](const Event &event) {
            return event.kind == Event::Kind::Resource && static_cast<Resource>(event.what) == what && text(event.lane) == who;
        });
    }
    /// The server that took the primary's role when the first had died.
    const Event *promotion() const
    {
        const qint64 killed = fault(QStringLiteral("kill"));
        return first([&](const Event &event) {
            return event.kind == Event::Kind::Node && static_cast<NodeChange>(event.what) == NodeChange::RoleChanged && event.at >= killed
                && text(event.text) == QLatin1String("primary");
        });
    }
    /// The node told at some time that the key holds this token.
    bool had(Name node, Name token) const
    {
        return first([&](const Event &event) { return event.kind == Event::Kind::Owner && event.lane == node && event.text == token; });
    }
    const Event *command(const QString &who, const QString &begin) const
    {
        return first([&](const Event &event) {
            return event.kind == Event::Kind::Command && text(event.lane) == who && text(event.text).startsWith(begin);
        });
    }

private:
    QString text(Name name) const { return m_run.text(name); }

    const Run &m_run;
};

/// Sums of a set's measures by series, x or column, and outcome.
std::map<QString, qint64> sums(const Run &set)
{
    std::map<QString, qint64> all;
    for (const Event &event : set.events) {
        if (event.kind != Event::Kind::Measure)
            continue;
        const QString series = set.text(event.text);
        if (static_cast<MeasureKind>(event.what) == MeasureKind::Share) {
            const QString place = event.sent == never ? series : QStringLiteral("%1 %2").arg(series).arg(event.sent / 1'000'000);
            all[place + QStringLiteral(" lost")] += event.number;
            all[place + QStringLiteral(" of")] += event.until;
        } else {
            all[QStringLiteral("%1, %2, %3").arg(series, set.text(event.key), set.text(event.detail))] += event.number;
        }
    }
    return all;
}

qint64 sum(const std::map<QString, qint64> &all, const QString &place)
{
    const auto found = all.find(place);
    return found == all.end() ? 0 : found->second;
}

}

class FailoverExperimentsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useKeeperOfProgram(); }

    void aLockThatNoReplicaHasIsGrantedAgain()
    {
        const Outcome outcome = perform(QStringLiteral("failover-lock-loss"), QStringLiteral("break"));
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(said(outcome)));
        QCOMPARE(outcome.verdict.judgement, Judgement::Broken);
        const Reading reading(*outcome.run);
        const Event *promotion = reading.promotion();
        const Event *grantA = reading.belief(Belief::Granted, QStringLiteral("A"));
        const Event *grantB = reading.belief(Belief::Granted, QStringLiteral("B"));
        QVERIFY(promotion && grantA && grantB);
        const QString promoted = outcome.run->text(promotion->lane);
        QVERIFY2(promoted == QLatin1String("N2") || promoted == QLatin1String("N3"), qPrintable(promoted));
        QVERIFY(!reading.had(promotion->lane, grantA->text));

        const qint64 killed = reading.fault(QStringLiteral("kill"));
        QVERIFY(reading.fault(QStringLiteral("cut-replication")) <= grantA->sent);
        QVERIFY(grantA->at < killed);
        const Event *refusal = reading.belief(Belief::Refused, QStringLiteral("B"));
        QVERIFY(refusal && refusal->at < killed); // B was there before the primary died
        QVERIFY(killed < promotion->at && killed < grantB->sent);
        QVERIFY(reading.resource(Resource::Entered, QStringLiteral("A")) < reading.resource(Resource::Entered, QStringLiteral("B")));
        QVERIFY(reading.resource(Resource::Entered, QStringLiteral("B")) < reading.resource(Resource::Left, QStringLiteral("A")));
        QVERIFY2(said(outcome).contains(QStringLiteral("replica %1, promoted at").arg(promoted)), qPrintable(said(outcome)));
        QVERIFY2(said(outcome).contains(QStringLiteral("was gone after the failover")), qPrintable(said(outcome)));
    }

    void aLockThatBothReplicasHaveOutlivesThePrimary()
    {
        const Outcome outcome = perform(QStringLiteral("failover-lock-loss"), QStringLiteral("safe"));
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(said(outcome)));
        QCOMPARE(outcome.verdict.judgement, Judgement::Held);
        const Reading reading(*outcome.run);
        const Event *set = reading.command(QStringLiteral("A"), QStringLiteral("SET lock"));
        const Event *wait = reading.command(QStringLiteral("A"), QStringLiteral("WAIT 2"));
        QVERIFY(set && wait);
        QCOMPARE(wait->number, qint64(2));
        QCOMPARE(wait->connection, set->connection);
        QCOMPARE(wait->node, set->node);
        const Event *promotion = reading.promotion();
        const Event *grantA = reading.belief(Belief::Granted, QStringLiteral("A"));
        QVERIFY(promotion && grantA);
        QVERIFY(reading.had(promotion->lane, grantA->text));
        const qint64 killed = reading.fault(QStringLiteral("kill"));
        const Event *refused = reading.belief(Belief::Refused, QStringLiteral("B"), killed);
        const Event *granted = reading.belief(Belief::Granted, QStringLiteral("B"), killed);
        QVERIFY(refused && granted);
        QVERIFY(refused->at < granted->at);
        QVERIFY(granted->answered > reading.resource(Resource::Left, QStringLiteral("A")));
    }

    void aLockThatNoReplicaConfirmsIsGivenUp()
    {
        const Outcome outcome = perform(QStringLiteral("failover-lock-loss"), QStringLiteral("safe-abort"));
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(said(outcome)));
        QCOMPARE(outcome.verdict.judgement, Judgement::Held);
        const Reading reading(*outcome.run);
        const Event *wait = reading.command(QStringLiteral("A"), QStringLiteral("WAIT 2"));
        QVERIFY(wait);
        QCOMPARE(wait->number, qint64(0));
        QCOMPARE(reading.resource(Resource::Entered, QStringLiteral("A")), never);
        const Event *released = reading.belief(Belief::Released, QStringLiteral("A"));
        QVERIFY(released);
        QCOMPARE(released->number, qint64(1));
        QVERIFY(released->at < reading.fault(QStringLiteral("kill")));
        QVERIFY(reading.resource(Resource::Entered, QStringLiteral("B")) != never);
    }

    void eachRunOfTheStatisticsIsCountedOnce()
    {
        const Outcome outcome = perform(QStringLiteral("failover-lock-loss"), QStringLiteral("statistics"), {{"runs", "4"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(said(outcome)));
        QCOMPARE(outcome.verdict.judgement, Judgement::None);
        QCOMPARE(outcome.children.size(), size_t(4));
        qint64 lost = 0;
        for (const auto &[name, run] : outcome.children) {
            QVERIFY2(run->isComplete, qPrintable(run->incompleteBecause));
            const Verdict verdict = judge(*run);
            QVERIFY(verdict.judgement != Judgement::Unknown);
            lost += verdict.judgement == Judgement::Broken;
            const Reading reading(*run);
            const Event *entered = reading.belief(Belief::Granted, QStringLiteral("A"));
            QVERIFY(entered && entered->at <= reading.fault(QStringLiteral("kill")));
        }
        const auto all = sums(*outcome.run);
        QCOMPARE(sum(all, QStringLiteral("statistics of")), qint64(4));
        QCOMPARE(sum(all, QStringLiteral("statistics lost")), lost);
    }

    /// Killed within a millisecond: with a lag of 100 ms and more nothing has arrived by then.
    void whatHasNotArrivedDiesWithThePrimary()
    {
        const Outcome outcome = perform(QStringLiteral("failover-lock-loss"), QStringLiteral("lag"), {{"runs", "1"}, {"span", "1ms"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(said(outcome)));
        QCOMPARE(outcome.children.size(), size_t(5));
        const auto all = sums(*outcome.run);
        for (const int lag : {0, 100, 200, 300, 400})
            QCOMPARE(sum(all, QStringLiteral("lag %1 of").arg(lag)), qint64(1));
        for (const int lag : {100, 200, 300, 400})
            QCOMPARE(sum(all, QStringLiteral("lag %1 lost").arg(lag)), qint64(1));
    }

    /// And with a kill long after the grant everything has arrived: the twin.
    void whatHasArrivedOutlivesThePrimary()
    {
        const Outcome outcome = perform(QStringLiteral("failover-lock-loss"), {},
            {{"replication", "lag"}, {"lag", "20ms"}, {"kill", "asked"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(said(outcome)));
        QCOMPARE(outcome.verdict.judgement, Judgement::Held);
    }

    void remediesAgainstALinkThatIsCut()
    {
        const Outcome outcome = perform(QStringLiteral("failover-remedies"), {}, {{"fault", "cut"}, {"writing", "300ms"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(said(outcome)));
        QCOMPARE(outcome.children.size(), size_t(4));
        const auto all = sums(*outcome.run);
        const QString fault = QStringLiteral("Link cut");
        for (const char *remedy : {"none", "wait-1", "wait-2", "min-replicas"}) {
            const QString place = QStringLiteral("%1, %2, ").arg(QLatin1String(remedy), fault);
            const bool isNone = qstrcmp(remedy, "none") == 0;
            QCOMPARE(sum(all, place + QStringLiteral("lost")) > 0, isNone);
            QCOMPARE(sum(all, place + QStringLiteral("refused")) > 0, !isNone);
            QCOMPARE(sum(all, place + QStringLiteral("kept")), qint64(0));
        }
    }

    void replicasThatAreStoppedLoseNothing()
    {
        const Outcome outcome = perform(QStringLiteral("failover-remedies"), {}, {{"fault", "stopped"}, {"writing", "300ms"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(said(outcome)));
        const auto all = sums(*outcome.run);
        for (const char *remedy : {"none", "wait-1", "wait-2", "min-replicas"})
            QCOMPARE(sum(all, QStringLiteral("%1, Replicas stopped, lost").arg(QLatin1String(remedy))), qint64(0));
        QVERIFY(sum(all, QStringLiteral("none, Replicas stopped, kept")) > 0);
        QVERIFY(sum(all, QStringLiteral("wait-1, Replicas stopped, refused")) > 0);
    }

    void aCellIsWhatItsRunSays()
    {
        const Outcome outcome = perform(QStringLiteral("failover-remedies"), {}, {{"remedy", "none"}, {"writing", "300ms"}});
        QVERIFY2(outcome.run && outcome.run->isComplete, qPrintable(said(outcome)));
        QCOMPARE(outcome.children.size(), size_t(4));
        QStringList columns; // in the order of the table, whichever run ended first
        for (const Event &event : outcome.run->events) {
            if (event.kind == Event::Kind::Measure && !columns.contains(outcome.run->text(event.key)))
                columns.append(outcome.run->text(event.key));
        }
        QCOMPARE(columns, (QStringList {"Link cut", "Link held", "Replicas stopped", "Primary asleep"}));
        const auto all = sums(*outcome.run);
        for (const auto &[name, fault] : {std::pair("none-cut", "Link cut"), {"none-held", "Link held"}, {"none-stopped", "Replicas stopped"},
                 {"none-asleep", "Primary asleep"}}) {
            const RunRef run = outcome.children.at(QLatin1String(name));
            const qint64 written = std::count_if(run->events.begin(), run->events.end(), [](const Event &event) {
                return event.kind == Event::Kind::Resource && static_cast<Resource>(event.what) == Resource::Wrote;
            });
            QVERIFY(written > 0);
            const QString place = QStringLiteral("none, %1, ").arg(QLatin1String(fault));
            QCOMPARE(sum(all, place + QStringLiteral("lost")) + sum(all, place + QStringLiteral("kept")) + sum(all, place + QStringLiteral("refused")),
                written);
            const CheckFunction check = findCheck(QStringLiteral("lost-acknowledged-write"));
            QCOMPARE(check(*run, {QStringLiteral("lost-acknowledged-write"), {}, true}).judgement == Judgement::Broken,
                sum(all, place + QStringLiteral("lost")) > 0);
        }
    }

    void aRunThatIsStoppedLeavesNothing_data()
    {
        QTest::addColumn<QString>("phase");
        QTest::addRow("cut") << QStringLiteral("The replicas are cut off");
        QTest::addRow("grant") << QStringLiteral("A takes the lock");
        QTest::addRow("wait") << QStringLiteral("A works");
        QTest::addRow("kill") << QStringLiteral("The primary is killed");
        QTest::addRow("promotion") << QStringLiteral("takes the primary’s role");
        QTest::addRow("end") << QStringLiteral("A is done");
    }
    void aRunThatIsStoppedLeavesNothing()
    {
        QFETCH(QString, phase);
        bool wasThere = false;
        const Outcome outcome = perform(QStringLiteral("failover-lock-loss"), QStringLiteral("break"), {},
            [&](Session &session, const Names &names, const Event &event) {
                if (event.kind != Event::Kind::Phase || !names.text(event.text).contains(phase))
                    return;
                wasThere = true;
                session.stop();
            });
        QVERIFY2(outcome.run, qPrintable(said(outcome)));
        QVERIFY(wasThere);
        QVERIFY(!outcome.run->isComplete);
        QTRY_COMPARE_WITH_TIMEOUT(descendants("redis-server").size(), 0, 5000);
    }

    /// Two of three sentinels are dead when the primary dies.
    void aFailoverThatDoesNotComeEndsTheRunWithASentence()
    {
        bool isDone = false;
        const Outcome outcome = perform(QStringLiteral("failover-lock-loss"), QStringLiteral("break"), {},
            [&](Session &session, const Names &, const Event &event) {
                if (event.kind != Event::Kind::Phase || std::exchange(isDone, true))
                    return;
                session.strike({QStringLiteral("S1"), Strike::Kind::Kill, {}});
                session.strike({QStringLiteral("S2"), Strike::Kind::Kill, {}});
            });
        QVERIFY2(outcome.run, qPrintable(said(outcome)));
        QVERIFY(!outcome.run->isComplete);
        for (const char *words : {"No server took the primary’s role within", "S3: ", "+sdown"})
            QVERIFY2(outcome.run->incompleteBecause.contains(QString::fromUtf8(words)), qPrintable(outcome.run->incompleteBecause));
        QTRY_COMPARE_WITH_TIMEOUT(descendants("redis-server").size(), 0, 5000);
    }
};

QTEST_GUILESS_MAIN(FailoverExperimentsTest)
#include "tst_failoverexperiments.moc"
