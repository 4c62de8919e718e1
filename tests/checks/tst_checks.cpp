// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/random.h"
#include "engine/checks/checks.h"
#include "tests/support/history.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <array>
#include <ctime>

using namespace interlock;
using interlock::test::History;

namespace {

const QStringList lockChecks {QStringLiteral("mutual-exclusion"), QStringLiteral("mutual-exclusion-watched"),
    QStringLiteral("release-by-owner"), QStringLiteral("stuck-lock"), QStringLiteral("renewal"), QStringLiteral("late-write")};
const QStringList groupChecks {
    QStringLiteral("lost-acknowledged-write"), QStringLiteral("new-primary"), QStringLiteral("promotion-rule"), QStringLiteral("increment")};
const QStringList everyCheck = lockChecks + groupChecks
    + QStringList {QStringLiteral("limiter-bound"), QStringLiteral("exactly-the-limit"), QStringLiteral("twin-equality"),
        QStringLiteral("key-without-ttl"), QStringLiteral("retry-honesty")};

QDir folder()
{
    return QDir(QStringLiteral(INTERLOCK_SOURCE_DIR "/tests/checks/histories"));
}

QStringList files()
{
    return folder().entryList({QStringLiteral("*.history")}, QDir::Files, QDir::Name);
}

History load(const QString &name)
{
    QFile file(folder().filePath(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return test::parseHistory(file.readAll());
}

void shift(qint64 &time, qint64 by)
{
    if (time != never)
        time += by;
}

void addRows()
{
    QTest::addColumn<QString>("file");
    for (const QString &name : files())
        QTest::newRow(qPrintable(name.chopped(8))) << name;
}

/// Within what the reader of a file lets through.
void damage(std::vector<DecisionFigures> &decisions, Random &random)
{
    constexpr std::array<qint64, 7> numbers {0, 1, -1, mostFigure, -mostFigure, never, 60'000'000};
    if (decisions.empty())
        return;
    const FigureField &field = figureFields()[random.below(figureFields().size())];
    const qint64 number = numbers.at(random.below(numbers.size()));
    decisions[random.below(decisions.size())].*field.value = number == never ? field.absent : number;
}

/// A contended run of a lock with a TTL of 1 s: each client in turn waits, works 1 ms and hands over.
Run contendedRun(size_t rounds, int clients)
{
    Run run;
    run.isComplete = true;
    const Name lock = run.names.intern(QByteArrayView("lock"));
    const Name released = run.names.intern(QByteArrayView("released"));
    std::vector<Name> lanes;
    for (int i = 0; i < clients; ++i)
        lanes.push_back(run.names.intern(QByteArray("client ") + QByteArray::number(i)));
    run.events.reserve(rounds * 7);
    const auto add = [&](Event::Kind kind, auto what, Name lane, Name token, qint64 at) -> Event & {
        Event event;
        event.kind = kind;
        event.what = quint8(what);
        event.lane = lane;
        event.key = lock;
        event.text = token;
        event.at = at;
        event.answered = at;
        run.events.push_back(event);
        return run.events.back();
    };
    for (size_t i = 0; i < rounds; ++i) {
        const qint64 begin = qint64(i) * 2'000'000;
        const Name lane = lanes[i % lanes.size()];
        const Name other = lanes[(i + 1) % lanes.size()];
        const Name token = run.names.intern("token " + QByteArray::number(quint64(i)));
        add(Event::Kind::Belief, Belief::Wants, lane, token, begin);
        Event &granted = add(Event::Kind::Belief, Belief::Granted, lane, token, begin + 200'000);
        granted.flags = Event::Conditional;
        granted.sent = begin - 50'000;
        granted.until = granted.sent + 1'000'000'000;
        add(Event::Kind::Resource, Resource::Entered, lane, token, begin + 200'000);
        add(Event::Kind::Belief, Belief::Refused, other, token, begin + 700'000).sent = begin + 600'000;
        add(Event::Kind::Resource, Resource::Left, lane, token, begin + 1'200'000);
        add(Event::Kind::Belief, Belief::Ended, lane, token, begin + 1'900'000).detail = released;
        Event &answer = add(Event::Kind::Belief, Belief::Released, lane, token, begin + 2'100'000);
        answer.sent = begin + 1'900'000;
        answer.number = 1;
    }
    return run;
}

}

class ChecksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void judgesHistory_data() { addRows(); }
    void judgesHistory();
    void hasEnoughHistoriesOfEachCheck();
    void keepsVerdictWhenAllTimesAreShifted_data() { addRows(); }
    void keepsVerdictWhenAllTimesAreShifted();
    void keepsVerdictWhenClientsAreRenamed_data() { addRows(); }
    void keepsVerdictWhenClientsAreRenamed();
    void neverHoldsWithoutItsTail_data() { addRows(); }
    void neverHoldsWithoutItsTail();
    void survivesAnythingInTheRecord();
    void holdsContentionOfManyClientsInLinearTime();
    void breaksContentionByOneEditedTime();
};

void ChecksTest::judgesHistory()
{
    QFETCH(QString, file);
    const History history = load(file);
    QVERIFY2(history.mistake.isEmpty(), qPrintable(history.mistake));
    const CheckFunction check = findCheck(history.use.check);
    QVERIFY2(check, qPrintable(history.use.check));
    const CheckResult result = check(history.run, history.use);
    const QString said = text(result.sentences);
    QVERIFY2(result.judgement == history.expected, qPrintable(word(result.judgement) + QStringLiteral(": ") + said));
    QCOMPARE(result.check, history.use.check);
    for (const QString &part : history.says)
        QVERIFY2(said.contains(part), qPrintable(said));
    for (const QString &part : history.neverSays)
        QVERIFY2(!said.contains(part), qPrintable(said));
    QVERIFY2(!said.isEmpty() && !said.contains(QLatin1Char('%')), qPrintable(said));
    QVERIFY(result.judgement != Judgement::Broken || !result.events.empty());
    for (const size_t event : result.events)
        QVERIFY(event < history.run.events.size());
    QVERIFY2(file.chopped(8).endsWith(word(history.expected)), "The file's name ends with its verdict.");
}

void ChecksTest::hasEnoughHistoriesOfEachCheck()
{
    for (const QString &check : everyCheck) {
        std::array<int, 3> count {};
        for (const QString &file : files()) {
            const History history = load(file);
            if (history.use.check == check)
                ++count.at(size_t(history.expected));
        }
        const QString found = QStringLiteral("%1: %2 held, %3 broken, %4 unknown").arg(check).arg(count[0]).arg(count[1]).arg(count[2]);
        QVERIFY2(count[0] >= 2 && count[1] >= 2 && count[2] >= 1 && count[0] + count[1] + count[2] >= 8, qPrintable(found));
    }
}

void ChecksTest::keepsVerdictWhenAllTimesAreShifted()
{
    QFETCH(QString, file);
    for (const qint64 by : {qint64(1'234'567'891), qint64(-7'000'000'003)}) {
        History history = load(file);
        for (Event &event : history.run.events) {
            shift(event.at, by);
            shift(event.until, by);
            shift(event.sent, by);
            shift(event.answered, by);
        }
        history.run.duration += by;
        QCOMPARE(findCheck(history.use.check)(history.run, history.use).judgement, history.expected);
    }
}

void ChecksTest::keepsVerdictWhenClientsAreRenamed()
{
    QFETCH(QString, file);
    History history = load(file);
    Run renamed = history.run;
    renamed.names = Names();
    // Other numbers and another alphabetical order, so that nothing can hang on either.
    for (int i = 0; i < 100; ++i)
        renamed.names.intern("padding " + QByteArray::number(i));
    const auto isServer = [&](Name lane) {
        return std::any_of(history.run.header.nodes.begin(), history.run.header.nodes.end(),
            [&](const NodeInfo &node) { return node.name == history.run.text(lane); });
    };
    for (size_t i = renamed.events.size(); i-- > 0;) {
        Event &event = renamed.events[i];
        if (isServer(event.lane))
            event.lane = renamed.names.intern(history.run.names.bytes(event.lane));
        else if (event.lane)
            event.lane = renamed.names.intern(QByteArray::number(1'000 - qint64(event.lane)) + " %1 " + history.run.names.bytes(event.lane));
        for (Name *name : {&event.node, &event.key, &event.text, &event.detail})
            *name = renamed.names.intern(history.run.names.bytes(*name));
    }
    QCOMPARE(findCheck(history.use.check)(renamed, history.use).judgement, history.expected);
}

void ChecksTest::neverHoldsWithoutItsTail()
{
    QFETCH(QString, file);
    const History history = load(file);
    for (size_t left = 0; left <= history.run.events.size(); ++left) {
        Run cut = history.run;
        cut.events.resize(left);
        cut.isComplete = false;
        QVERIFY(findCheck(history.use.check)(cut, history.use).judgement != Judgement::Held);
        // The cap of the record cuts as well.
        cut.isComplete = true;
        cut.dropped = 1;
        QVERIFY(findCheck(history.use.check)(cut, history.use).judgement != Judgement::Held);
    }
}

/// A file may hold anything that its fields can hold.
void ChecksTest::survivesAnythingInTheRecord()
{
    Random random(20);
    constexpr std::array<qint64, 8> times {0, 1, -1, never, never - 1, std::numeric_limits<qint64>::min(), 1'000'000'000, 1'100'000'000};
    const QStringList names = files();
    QVERIFY(!names.isEmpty());
    const auto anyTime = [&] { return times.at(random.below(times.size())); };
    for (int round = 0; round < 2'000; ++round) {
        History history = load(names[qsizetype(random.below(quint64(names.size())))]);
        for (int change = 0; change < 6 && !history.run.events.empty(); ++change) {
            Event &event = history.run.events[random.below(history.run.events.size())];
            switch (random.below(10)) {
            case 0: event.at = anyTime(); break;
            case 1: event.until = anyTime(); break;
            case 2: event.sent = anyTime(); break;
            case 3: event.answered = anyTime(); break;
            case 4: event.number = anyTime(); break;
            case 5: event.lane = Name(random.below(12)); break;
            case 6: event.text = Name(random.next()); break;
            case 7: event.what = quint8(random.next()); break;
            case 8: event.kind = Event::Kind(random.below(11)); break;
            case 9: damage(history.run.decisions, random); break;
            }
        }
        for (const QString &check : everyCheck)
            QVERIFY(!text(findCheck(check)(history.run, history.use).sentences).isEmpty());
    }
}

void ChecksTest::holdsContentionOfManyClientsInLinearTime()
{
    Run run = contendedRun(1'000'000 / 7, 50);
    QVERIFY(run.events.size() > 990'000);
    for (const QString &check : lockChecks)
        run.header.checks.append({check, {}, true});
    // The processor's time, since tests run beside each other.
    const std::clock_t began = std::clock();
    const Verdict verdict = judge(run);
    const double took = double(std::clock() - began) / CLOCKS_PER_SEC;
    qInfo("%zu events, %zu checks: %.2f s", run.events.size(), verdict.checks.size(), took);
    for (const CheckResult &result : verdict.checks)
        QVERIFY2(result.judgement == Judgement::Held, qPrintable(text(result.sentences)));
    QVERIFY2(took < 30, "A pass over every pair of events would take hours.");
}

void ChecksTest::breaksContentionByOneEditedTime()
{
    Run run = contendedRun(1'000, 50);
    const auto left = std::find_if(run.events.begin() + 3'500, run.events.end(),
        [](const Event &event) { return event.kind == Event::Kind::Resource && Resource(event.what) == Resource::Left; });
    left->at += 1'000'001; // one nanosecond into the next client's section
    const CheckResult result = findCheck(QStringLiteral("mutual-exclusion"))(run, {});
    QCOMPARE(result.judgement, Judgement::Broken);
    QVERIFY2(text(result.sentences).contains(QStringLiteral("Both worked for 1 ns. ")), qPrintable(text(result.sentences)));
}

QTEST_APPLESS_MAIN(ChecksTest)
#include "tst_checks.moc"
