// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/checks.h"
#include "engine/checks/sentences.h"
#include "tests/support/history.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QTranslator>

using namespace interlock;

namespace {

/// A crashes as the owner of a lock without a TTL, B is refused, A and B write in order.
const QByteArray crash = R"(
0.100 A wants lock t=a1
0.102 A granted lock t=a1 sent=0.100 nx
0.102 A entered work t=a1
0.200 A wrote store fence=1
0.310 A fault crash
0.310 A left work
0.310 A ended lock t=a1 died
0.320 A fault pause untouched
0.400 B refused lock t=b1 sent=0.399
0.500 B refused lock t=b1 sent=0.499
)";

/// A overruns its lease of 1 s.
const QByteArray overrun = R"(
0.102 A granted lock t=a1 sent=0.100 ttl=1 nx
0.102 A entered work t=a1
0.900 A renewal-failed lock t=a1 sent=0.899
1.604 A left work
1.604 A ended lock t=a1 released
1.606 A released lock t=a1 sent=1.604 deleted=0
)";

const QByteArray decisions = R"(
0.100 A decision api gcra admitted times=3
0.200 A decision api gcra rejected
0.300 A decision api gcra failed
0.400 A decision api other admitted
0.500 A decision copy gcra admitted probe=3-at
)";

const QByteArray failover = R"(
node: N1 primary
node: N2 replica
node: N3 replica
0.300 A wrote orders text=6
0.400 A wrote orders text=7
0.405 B wrote orders text=8 refused
0.410 N1 node killed
2.190 N3 node role-changed text=primary
2.300 N2 node synced text=partial bytes=41 node=N3
2.400 N2 node role-changed text=replica node=N3
2.600 S1 sentinel +switch-master node=N3
2.700 S1 sentinel +switch-master node=N3
2.750 S3 sentinel +sdown node=N1
3.000 N3 owner orders read t=6
)";

/// N3 is to be promoted, by its lower priority number.
const QByteArray ruled = R"(
node: N1 primary
node: N2 replica
node: N3 replica
0.400 N2 note replica-priority value=100
0.400 N2 note replication-offset value=5000
0.400 N2 note run-id 0a
0.400 N3 note replica-priority value=10
0.400 N3 note replication-offset value=900
0.400 N3 note run-id f1
0.500 N1 node killed
)";

Run runOf(const QByteArray &history)
{
    return test::parseHistory(history).run;
}

/// Shouts, and counts in its own way, as another language would.
class Shouting : public QTranslator
{
public:
    QString translate(const char *, const char *source, const char *, int n) const override
    {
        if (QByteArray(source) == "It was the first of %n overlaps.")
            return n == 1 ? QStringLiteral("UNICUM") : QStringLiteral("%n OVERLAPS");
        if (QByteArray(source) == "%1 and %2 more")
            return QStringLiteral("%1 & %2");
        return {};
    }
    bool isEmpty() const override { return false; }
};

}

class VerdictTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysTimes_data();
    void saysTimes();
    void saysOneAndMany();
    void listsFewNames();
    void keepsPercentSignsOfNames();
    void speaksTheTranslatorsLanguage();
    void survivesSentencesOfOthers();

    void putsBrokenBeforeUnknownBeforeHeld();
    void letsOnlyJudgesDecide();
    void isUnknownWithoutTheCheckItNames();
    void drawsWithoutVerdict();
    void isUnknownIfNothingJudgesAnExpectedVerdict();
    void judgesValuesOfTheUsersOwn();

    void missesWitness_data();
    void missesWitness();
    void staysBrokenWithoutWitness();

    void printsTheVerdictLine();
    void printsTheTtlOfAStuckKey();
};

void VerdictTest::saysTimes_data()
{
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("at");
    QTest::addColumn<QString>("length");
    QTest::newRow("zero") << qint64(0) << "0.000 s" << "0 ns";
    QTest::newRow("nanosecond") << qint64(1) << "0.000 s" << "1 ns";
    QTest::newRow("microseconds") << qint64(420'499) << "0.000 s" << "420 µs";
    QTest::newRow("almost a millisecond") << qint64(999'499) << "0.001 s" << "999 µs";
    QTest::newRow("rounded to a millisecond") << qint64(999'500) << "0.001 s" << "1 ms";
    QTest::newRow("milliseconds") << qint64(496'000'000) << "0.496 s" << "496 ms";
    QTest::newRow("half a millisecond is rounded up") << qint64(495'500'000) << "0.496 s" << "496 ms";
    QTest::newRow("almost a second") << qint64(999'499'999) << "0.999 s" << "999 ms";
    QTest::newRow("rounded to a second") << qint64(999'500'000) << "1.000 s" << "1 s";
    QTest::newRow("second and a part") << qint64(1'204'000'000) << "1.204 s" << "1.204 s";
    QTest::newRow("tenths") << qint64(6'200'000'000) << "6.200 s" << "6.2 s";
    QTest::newRow("ten seconds") << qint64(10'000'000'000) << "10.000 s" << "10 s";
    QTest::newRow("before the run") << qint64(-3'000'000) << "−0.003 s" << "−3 ms";
    QTest::newRow("never") << never << "never" << "for ever";
    QTest::newRow("the least") << std::numeric_limits<qint64>::min() << "−9223372036.855 s" << "−9223372036.855 s";
}

void VerdictTest::saysTimes()
{
    QFETCH(qint64, ns);
    QTEST(text(At {ns}), "at");
    QTEST(text(For {ns}), "length");
}

void VerdictTest::saysOneAndMany()
{
    QCOMPARE(text(say("overlap.first", qint64(2))), QStringLiteral("It was the first of 2 overlaps."));
    QCOMPARE(text(say("overlap.first", qint64(1))), QStringLiteral("It was the only overlap."));
    QCOMPARE(text(say("release.held", qint64(1))), QStringLiteral("One release deleted a lock, its owner’s."));
    QCOMPARE(text(say("release.held", qint64(118))), QStringLiteral("118 releases deleted a lock, each its owner’s."));
    // A fencing token is no count: its template has one form.
    QCOMPARE(text(say("write.refused", QStringLiteral("A"), qint64(1), At {0})), QStringLiteral("A’s late write with token 1 at 0.000 s was refused."));
}

void VerdictTest::listsFewNames()
{
    const auto list = [](const QStringList &names) {
        return text(say("stuck.many", QStringLiteral("lock"), QStringLiteral("A"), At {0}, names, qint64(9), At {0}));
    };
    QVERIFY(list({QStringLiteral("B"), QStringLiteral("C")}).contains(QStringLiteral("; B and C were refused 9 times")));
    QVERIFY(list({QStringLiteral("B"), QStringLiteral("C"), QStringLiteral("D")}).contains(QStringLiteral("; B, C and D were refused")));
    QVERIFY(list({QStringLiteral("B"), QStringLiteral("C"), QStringLiteral("D"), QStringLiteral("E")}).contains(QStringLiteral("; B, C, D and 1 more were refused")));
}

void VerdictTest::keepsPercentSignsOfNames()
{
    QCOMPARE(text(say("cause.deleted", QStringLiteral("%2"), QStringLiteral("%1"), At {0})),
        QStringLiteral("First cause: %2’s lock was deleted by %1 at 0.000 s."));
}

void VerdictTest::speaksTheTranslatorsLanguage()
{
    Shouting shouting;
    QVERIFY(QCoreApplication::installTranslator(&shouting));
    QCOMPARE(text(say("overlap.first", qint64(1))), QStringLiteral("UNICUM"));
    QCOMPARE(text(say("overlap.first", qint64(3))), QStringLiteral("3 OVERLAPS"));
    QCOMPARE(text(say("release.held", qint64(1))), QStringLiteral("One release deleted a lock, its owner’s."));
    QVERIFY(QCoreApplication::removeTranslator(&shouting));
    QCOMPARE(text(say("overlap.first", qint64(1))), QStringLiteral("It was the only overlap."));
}

void VerdictTest::survivesSentencesOfOthers()
{
    QCOMPARE(text(Sentence {QStringLiteral("from the future"), {qint64(1)}}), QStringLiteral("from the future"));
    QCOMPARE(text(Sentence {QStringLiteral("cause.expired"), {}}), QStringLiteral("First cause: ’s lock expired at ."));
    QCOMPARE(text(std::vector<Sentence> {}), QString());
}

void VerdictTest::putsBrokenBeforeUnknownBeforeHeld()
{
    Run run = runOf(crash);
    run.header.checks = {{QStringLiteral("late-write"), {}, true}, {QStringLiteral("no-such-check"), {}, true}, {QStringLiteral("stuck-lock"), {}, true}};
    const Verdict verdict = judge(run);
    QCOMPARE(verdict.judgement, Judgement::Broken);
    QCOMPARE(verdict.checks.size(), size_t(3));
    QCOMPARE(verdict.checks[0].check, QStringLiteral("stuck-lock"));
    QCOMPARE(verdict.checks[1].check, QStringLiteral("no-such-check"));
    QCOMPARE(verdict.checks[2].check, QStringLiteral("late-write"));
    run.header.checks.removeLast();
    QCOMPARE(judge(run).judgement, Judgement::Unknown);
    run.header.checks.removeLast();
    QCOMPARE(judge(run).judgement, Judgement::Held);
}

void VerdictTest::letsOnlyJudgesDecide()
{
    Run run = runOf(crash);
    run.header.checks = {{QStringLiteral("stuck-lock"), {}, false}, {QStringLiteral("late-write"), {}, true}};
    const Verdict verdict = judge(run);
    QCOMPARE(verdict.judgement, Judgement::Held);
    QCOMPARE(verdict.checks[0].check, QStringLiteral("late-write"));
    QCOMPARE(verdict.checks[1].judgement, Judgement::Broken);
    QVERIFY(!verdict.checks[1].judges);
}

void VerdictTest::isUnknownWithoutTheCheckItNames()
{
    Run run = runOf(crash);
    run.header.checks = {{QStringLiteral("all-is-well"), {}, true}};
    const Verdict verdict = judge(run);
    QCOMPARE(verdict.judgement, Judgement::Unknown);
    QCOMPARE(text(verdict.checks[0].sentences), QStringLiteral("There is no check named “all-is-well”."));
}

void VerdictTest::drawsWithoutVerdict()
{
    Run run = runOf(crash);
    run.header.preset = QStringLiteral("curve");
    QCOMPARE(judge(run).judgement, Judgement::None);
    run.header.checks = {{QStringLiteral("stuck-lock"), {}, false}};
    QCOMPARE(judge(run).judgement, Judgement::None);
    run.isComplete = false;
    QCOMPARE(judge(run).judgement, Judgement::None);
}

void VerdictTest::isUnknownIfNothingJudgesAnExpectedVerdict()
{
    Run run = runOf(crash);
    run.header.expected = Judgement::Held;
    const Verdict verdict = judge(run);
    QCOMPARE(verdict.judgement, Judgement::Unknown);
    QCOMPARE(text(verdict.checks[0].sentences), QStringLiteral("No check judges the promise of this run."));
}

void VerdictTest::judgesValuesOfTheUsersOwn()
{
    Run run = runOf(crash);
    run.header.checks = {{QStringLiteral("stuck-lock"), {}, true}};
    QCOMPARE(run.header.expected, Judgement::None);
    QCOMPARE(judge(run).judgement, Judgement::Broken);
}

void VerdictTest::missesWitness_data()
{
    QTest::addColumn<QByteArray>("history");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("whom");
    QTest::addColumn<int>("atLeast");
    QTest::addColumn<QString>("sentence"); // empty: it is there
    const auto row = [](const char *name, const QByteArray &history, const char *what, const char *whom, int atLeast, const char *sentence) {
        QTest::newRow(name) << history << QString::fromUtf8(what) << QString::fromUtf8(whom) << atLeast << QString::fromUtf8(sentence);
    };
    row("crash touched", crash, "fault", "crash", 1, "");
    row("pause touched nothing", crash, "fault", "pause", 1, "The fault did not touch anything: pause.");
    row("fault that was not there", crash, "fault", "hold", 1, "The fault did not touch anything: hold.");
    row("one fault of any name", crash, "fault", "", 1, "");
    row("two faults of any name", crash, "fault", "", 2, "No fault touched anything.");
    row("B asked twice", crash, "asked", "B", 2, "");
    row("B did not ask three times", crash, "asked", "B", 3, "B asked for the lock 2 of 3 times.");
    row("a grant is an attempt too", crash, "asked", "A", 1, "");
    row("two clients asked", crash, "asked", "", 2, "");
    row("no third client asked", crash, "asked", "", 3, "Clients that asked for the lock: 2, needed: 3.");
    row("nobody of that name asked", crash, "asked", "Z", 1, "Z asked for the lock 0 of 1 times.");
    row("A was granted", crash, "granted", "A", 1, "");
    row("B was not granted", crash, "granted", "B", 1, "B was granted the lock 0 of 1 times.");
    row("not two grants", crash, "granted", "", 2, "Grants of the lock: 1, needed: 2.");
    row("refused", crash, "refused", "B", 2, "");
    row("A was not refused", crash, "refused", "A", 1, "A was refused 0 of 1 times.");
    row("nothing expired", crash, "expired", "", 1, "Locks that expired: 0, needed: 1.");
    row("the node says expired", crash + "0.6 redis owner lock expired\n", "expired", "", 1, "");
    row("A's lease ran out", overrun, "expired", "A", 1, "");
    row("B's did not", overrun + "0.1 B left x\n", "expired", "B", 1, "Locks of B that expired: 0, needed: 1.");
    row("A overran", overrun, "overrun", "A", 1, "");
    row("nobody overran", crash, "overrun", "", 1, "Sections worked in beyond the TTL: 0, needed: 1.");
    row("A wrote", crash, "wrote", "A", 1, "");
    row("B did not write", crash, "wrote", "B", 1, "Writes by B: 0, needed: 1.");
    row("not two writes", crash, "wrote", "", 2, "Writes: 1, needed: 2.");
    row("A released", overrun, "released", "A", 1, "");
    row("nobody released", crash, "released", "", 1, "Releases: 0, needed: 1.");
    row("a failed renewal is none", overrun, "renewed", "A", 1, "Renewals by A: 0, needed: 1.");
    row("gcra decided", decisions, "decided", "gcra", 4, "");
    row("errors and probes are no decisions", decisions, "decided", "gcra", 5, "Decisions of gcra: 4, needed: 5.");
    row("all limiters decided", decisions, "decided", "", 5, "");
    row("none decided more", decisions, "decided", "", 6, "Decisions: 5, needed: 6.");
    row("gcra admitted", decisions, "admitted", "gcra", 3, "");
    row("a probe is not admitted", decisions, "admitted", "gcra", 4, "Requests that gcra admitted: 3, needed: 4.");
    row("all admitted", decisions, "admitted", "", 5, "Requests that were admitted: 4, needed: 5.");
    row("gcra rejected", decisions, "rejected", "gcra", 1, "");
    row("the other rejected nothing", decisions, "rejected", "other", 1, "Requests that other rejected: 0, needed: 1.");
    row("gcra failed", decisions, "failed", "gcra", 1, "");
    row("the other did not fail", decisions, "failed", "other", 1, "Requests that other did not decide: 0, needed: 1.");
    row("nobody rejected twice", decisions, "rejected", "", 2, "Requests that were rejected: 1, needed: 2.");
    row("A's writes were acknowledged", failover, "acknowledged", "A", 2, "");
    row("B's was refused", failover, "acknowledged", "B", 1, "Writes of B that were acknowledged: 0, needed: 1.");
    row("two writes were acknowledged", failover, "acknowledged", "", 3, "Writes that were acknowledged: 2, needed: 3.");
    row("one write is lost", failover, "lost", "A", 1, "");
    row("the other is not", failover, "lost", "", 2, "Writes that were lost: 1, needed: 2.");
    row("N3 was promoted", failover, "promoted", "N3", 1, "");
    row("a new primary to follow is no promotion", failover, "promoted", "N2", 1, "Promotions of N2: 0, needed: 1.");
    row("the primary of the beginning was not", "0 N1 node role-changed text=primary\n" + failover, "promoted", "N1", 1, "Promotions of N1: 0, needed: 1.");
    row("one server was promoted", failover, "promoted", "", 2, "Servers that were promoted: 1, needed: 2.");
    row("N3 came as the rules say", ruled + "2.0 N3 node role-changed text=primary\n", "as-ruled", "", 1, "");
    row("N3 and not N2 came so", ruled + "2.0 N3 node role-changed text=primary\n", "as-ruled", "N2", 1, "Promotions of N2 that priority, offset and run id foretold: 0, needed: 1.");
    row("N2 came against the rules", ruled + "2.0 N2 node role-changed text=primary\n", "as-ruled", "", 1, "Promotions that priority, offset and run id foretold: 0, needed: 1.");
    row("S1 switched twice", failover, "switched", "S1", 2, "");
    row("S1 is one sentinel", failover, "switched", "", 2, "Sentinels that switched to a new primary: 1, needed: 2.");
    row("S3 saw no more than a death", failover, "switched", "S3", 1, "Switches of S3 to a new primary: 0, needed: 1.");
    row("N2 was synced", failover, "synced", "N2", 1, "");
    row("no other was", failover, "synced", "", 2, "Times that a replica was brought up to its primary: 1, needed: 2.");
    row("unheard of", crash, "eclipse", "", 1, "There is no witness named “eclipse”.");
}

void VerdictTest::missesWitness()
{
    QFETCH(QByteArray, history);
    QFETCH(QString, what);
    QFETCH(QString, whom);
    QFETCH(int, atLeast);
    QFETCH(QString, sentence);
    Run run = runOf(history);
    run.header.checks = {{QStringLiteral("late-write"), {}, true}};
    run.header.witnesses = {{what, whom, atLeast}};
    const Verdict verdict = judge(run);
    if (sentence.isEmpty()) {
        QCOMPARE(verdict.judgement, Judgement::Held);
        QCOMPARE(verdict.checks.size(), size_t(1));
        return;
    }
    QCOMPARE(verdict.judgement, Judgement::Unknown);
    QCOMPARE(verdict.checks[0].check, QStringLiteral("witness-") + what);
    QCOMPARE(text(verdict.checks[0].sentences), sentence);
}

void VerdictTest::staysBrokenWithoutWitness()
{
    Run run = runOf(crash);
    run.header.checks = {{QStringLiteral("stuck-lock"), {}, true}};
    run.header.witnesses = {{QStringLiteral("fault"), QStringLiteral("pause"), 1}};
    const Verdict verdict = judge(run);
    QCOMPARE(verdict.judgement, Judgement::Broken);
    QCOMPARE(verdict.checks.size(), size_t(2));
    QCOMPARE(verdict.checks[1].check, QStringLiteral("witness-fault"));
}

void VerdictTest::printsTheVerdictLine()
{
    Run run = runOf(crash);
    run.header.experiment = QStringLiteral("lock-\"quoted\"");
    run.header.preset = QStringLiteral("safe");
    run.header.checks = {{QStringLiteral("late-write"), {}, true}};
    QCOMPARE(QString::fromUtf8(verdictLine(run, judge(run))),
        QStringLiteral("{\"experiment\":\"lock-\\\"quoted\\\"\",\"preset\":\"safe\",\"verdict\":\"held\",\"checks\":["
                       "{\"check\":\"late-write\",\"verdict\":\"held\",\"sentence\":\"One write was accepted.\"}]}"));
    run.header.checks.clear();
    QVERIFY(verdictLine(run, judge(run)).endsWith(",\"verdict\":\"none\",\"checks\":[]}"));
}

void VerdictTest::printsTheTtlOfAStuckKey()
{
    Run run = runOf(crash);
    run.header.checks = {{QStringLiteral("stuck-lock"), {}, true}};
    QJsonParseError error;
    const QJsonObject line = QJsonDocument::fromJson(verdictLine(run, judge(run)), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    const QJsonObject check = line[QStringLiteral("checks")].toArray().at(0).toObject();
    QCOMPARE(check[QStringLiteral("ttl")].toInt(), -1);
    QVERIFY(check[QStringLiteral("sentence")].toString().contains(QStringLiteral("(TTL −1)")));
}

QTEST_GUILESS_MAIN(VerdictTest)
#include "tst_verdict.moc"
