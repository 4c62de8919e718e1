// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/checks.h"
#include "engine/experiments/catalogue.h"
#include "engine/run/runfile.h"
#include "engine/session.h"
#include "tests/support/testserver.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace interlock;

namespace {

bool is(const Event &event, Belief what)
{
    return event.kind == Event::Kind::Belief && event.what == static_cast<quint8>(what);
}

bool is(const Event &event, Resource what)
{
    return event.kind == Event::Kind::Resource && event.what == static_cast<quint8>(what);
}

/// The smallest change of the story that takes its guilt away: what would have been recorded if the promise had been kept.
using Edit = void (*)(Run &run);

void makeOthersReleasesDeleteNothing(Run &run)
{
    for (Event &event : run.events) {
        if (is(event, Belief::Released))
            event.number = 0;
    }
}

void letOnlyTheFirstClientWork(Run &run)
{
    const auto first = std::find_if(run.events.begin(), run.events.end(), [](const Event &event) { return is(event, Resource::Entered); });
    const Name lane = first->lane;
    std::erase_if(run.events, [lane](const Event &event) { return event.kind == Event::Kind::Resource && event.lane != lane; });
}

void giveTheKeyATtl(Run &run)
{
    for (Event &event : run.events) {
        const bool hasToken = event.kind == Event::Kind::Owner && event.text != 0;
        if ((hasToken || is(event, Belief::Granted)) && event.until == never)
            event.until = event.at + 1'000'000'000;
    }
}

/// Every renewal came a moment after the grant instead of when it came.
void renewInTime(Run &run)
{
    std::map<Name, qint64> grantedAt;
    for (Event &event : run.events) {
        if (is(event, Belief::Granted))
            grantedAt[event.lane] = event.at;
        if (!is(event, Belief::Renewed))
            continue;
        event.sent = grantedAt[event.lane] + 1;
        event.answered = event.sent + 1;
        event.at = event.answered + 1;
    }
    std::stable_sort(run.events.begin(), run.events.end(), [](const Event &left, const Event &right) { return left.at < right.at; });
}

void refuseTheLateWrite(Run &run)
{
    qint64 highest = 0;
    for (Event &event : run.events) {
        if (!is(event, Resource::Wrote) || !event.has(Event::Accepted))
            continue;
        if (event.number < highest)
            event.flags &= static_cast<quint8>(~Event::Accepted);
        highest = std::max(highest, event.number);
    }
}

/// Of each key the first requests, up to the limit.
void admitOnlyTheLimit(Run &run)
{
    std::map<std::pair<Name, Name>, qint64> admitted;
    for (Event &event : run.events) {
        if (event.kind != Event::Kind::Decision || !event.has(Event::Accepted))
            continue;
        if (++admitted[{event.text, event.key}] <= run.limiter(run.text(event.text))->limit)
            continue;
        event.what = static_cast<quint8>(LimiterAnswer::Rejected);
        event.flags &= static_cast<quint8>(~Event::Accepted);
    }
}

void leaveOnlyTheCorrectTwin(Run &run)
{
    std::erase_if(run.events, [&run](const Event &event) {
        return event.kind == Event::Kind::Decision && !run.limiter(run.text(event.text))->defect.isEmpty();
    });
    for (Event &event : run.events) {
        if (event.kind == Event::Kind::Command && run.text(event.text).startsWith(QLatin1String("PTTL")) && event.number == -1)
            event.number = 1'000;
    }
}

/// Whoever reads in the end what is there finds all that was acknowledged.
void findWhatWasLost(Run &run)
{
    std::set<Name> found;
    auto last = run.events.end();
    for (auto event = run.events.begin(); event != run.events.end(); ++event) {
        if (event->kind == Event::Kind::Owner && event->what == static_cast<quint8>(OwnerChange::Read)) {
            found.insert(event->text);
            last = event;
        }
    }
    QVERIFY(last != run.events.end());
    std::vector<Event> more;
    for (const Event &event : run.events) {
        if (!is(event, Resource::Wrote) || !event.has(Event::Accepted) || found.contains(event.text))
            continue;
        more.push_back(*last);
        more.back().text = event.text;
    }
    run.events.insert(last, more.begin(), more.end());
}

/// All sentinels see another primary a second after the first died.
void switchInTime(Run &run)
{
    qint64 killed = never;
    for (const Event &event : run.events) {
        const bool isDeath = event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::Killed);
        if (isDeath && run.text(event.lane) == run.header.nodes.first().name)
            killed = std::min(killed, event.at);
    }
    for (const NodeInfo &node : std::as_const(run.header.nodes)) {
        if (node.role != QLatin1String("sentinel"))
            continue;
        Event event;
        event.kind = Event::Kind::Sentinel;
        event.at = killed + 1'000'000'000;
        event.lane = run.names.intern(node.name.toUtf8());
        event.text = run.names.intern("+switch-master");
        run.events.push_back(event);
    }
    std::stable_sort(run.events.begin(), run.events.end(), [](const Event &left, const Event &right) { return left.at < right.at; });
}

void copyOnlyTheIncrement(Run &run)
{
    for (Event &event : run.events) {
        if (event.kind == Event::Kind::Node && event.what == static_cast<quint8>(NodeChange::Synced))
            event.text = run.names.intern("partial");
    }
}

const std::map<QString, Edit> innocence {
    {QStringLiteral("failover-lock-loss"), letOnlyTheFirstClientWork},
    {QStringLiteral("failover-zombie"), findWhatWasLost},
    {QStringLiteral("failover-election"), switchInTime},
    {QStringLiteral("replication-resync"), copyOnlyTheIncrement},
    {QStringLiteral("lock-release"), makeOthersReleasesDeleteNothing},
    {QStringLiteral("lock-contention"), letOnlyTheFirstClientWork},
    {QStringLiteral("lock-crash"), giveTheKeyATtl},
    {QStringLiteral("lock-watchdog"), renewInTime},
    {QStringLiteral("lock-fencing"), refuseTheLateWrite},
    {QStringLiteral("limiter-boundary"), admitOnlyTheLimit},
    {QStringLiteral("limiter-concurrency"), admitOnlyTheLimit},
    {QStringLiteral("limiter-defects"), leaveOnlyTheCorrectTwin},
    {QStringLiteral("limiter-clock-skew"), admitOnlyTheLimit},
};

struct Recorded
{
    QString experiment;
    QString preset;
    std::unique_ptr<Session> session;
    std::shared_ptr<const Run> run;
    Verdict verdict;
    QString path;
    bool isOver = false;
};

}

/// Runs every preset once, several side by side, saves the runs, and judges what stands in the files.
class RejudgeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aSavedRunGetsTheLiveVerdictFromItsEventsAlone_data() { presets(false); }
    void aSavedRunGetsTheLiveVerdictFromItsEventsAlone();
    void theInnocentTwinIsHeld_data() { presets(true); }
    void theInnocentTwinIsHeld();
    void aCopyCutShortIsNeverHeld_data() { presets(false); }
    void aCopyCutShortIsNeverHeld();

private:
    void presets(bool onlyBroken);
    void startNext();
    const Recorded &recorded(size_t index) const { return m_recorded[index]; }

    QTemporaryDir m_directory;
    std::vector<Recorded> m_recorded;
    size_t m_started = 0;
};

void RejudgeTest::initTestCase()
{
    useKeeperOfProgram();
    for (const Experiment &experiment : experiments::all()) {
        for (const Preset &preset : experiment.presets) {
            Recorded recorded;
            recorded.experiment = experiment.id;
            recorded.preset = preset.name;
            recorded.path = m_directory.filePath(experiment.id + QLatin1Char('-') + preset.name + QStringLiteral(".interlock.jsonl"));
            m_recorded.push_back(std::move(recorded));
        }
    }
    for (int i = 0; i < 8; ++i)
        startNext();
    const auto areOver = [this] {
        return std::all_of(m_recorded.begin(), m_recorded.end(), [](const Recorded &recorded) { return recorded.isOver; });
    };
    QVERIFY(QTest::qWaitFor(areOver, 240'000));
    for (const Recorded &recorded : m_recorded) {
        QVERIFY2(recorded.run, qPrintable(recorded.path));
        QVERIFY(writeRunFile(recorded.path, *recorded.run, recorded.verdict));
    }
}

void RejudgeTest::startNext()
{
    if (m_started == m_recorded.size())
        return;
    Recorded &recorded = m_recorded[m_started++];
    recorded.session = std::make_unique<Session>();
    connect(recorded.session.get(), &Session::finished, this,
        [this, &recorded](quint64, std::shared_ptr<const Run> run, const Verdict &verdict) {
            recorded.run = std::move(run);
            recorded.verdict = verdict;
            recorded.isOver = true;
            startNext();
        });
    connect(recorded.session.get(), &Session::failed, this, [this, &recorded](quint64, const Error &error) {
        qWarning("%s", qPrintable(error.text));
        recorded.isOver = true;
        startNext();
    });
    RunRequest request;
    request.experiment = recorded.experiment;
    request.preset = recorded.preset;
    request.pace = 0.1;
    const Result<quint64> started = recorded.session->start(request);
    QVERIFY2(started, started ? "" : qPrintable(started.error().text));
}

void RejudgeTest::presets(bool onlyBroken)
{
    QTest::addColumn<size_t>("index");
    for (size_t i = 0; i < m_recorded.size(); ++i) {
        const Recorded &recorded = m_recorded[i];
        if (!onlyBroken || recorded.run->header.expected == Judgement::Broken)
            QTest::addRow("%s %s", qPrintable(recorded.experiment), qPrintable(recorded.preset)) << i;
    }
}

void RejudgeTest::aSavedRunGetsTheLiveVerdictFromItsEventsAlone()
{
    QFETCH(size_t, index);
    QFile file(recorded(index).path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray text = file.readAll();
    const qsizetype end = text.lastIndexOf("\"verdict\":");
    QVERIFY(end > 0);
    // Whatever the file says of its verdict does not count.
    QByteArray last = text.mid(text.lastIndexOf('\n', text.size() - 2) + 1);
    const qsizetype lastSize = last.size();
    last.replace("\"held\"", "\"none\"").replace("\"broken\"", "\"held\"").replace("\"none\"", "\"broken\"");
    text = text.chopped(lastSize) + last;
    QVERIFY(file.resize(0) && file.seek(0));
    QCOMPARE(file.write(text), text.size());
    file.close();
    const Result<ReadRun> read = readRunFile(recorded(index).path);
    QVERIFY2(read, read ? "" : qPrintable(read.error().text));
    QVERIFY2(read->problems.isEmpty(), qPrintable(read->problems.join(QLatin1Char('\n'))));
    const Verdict again = judge(read->run);
    QCOMPARE(word(again.judgement), word(recorded(index).verdict.judgement));
    QCOMPARE(verdictLine(read->run, again), verdictLine(*recorded(index).run, recorded(index).verdict));
}

void RejudgeTest::theInnocentTwinIsHeld()
{
    QFETCH(size_t, index);
    Run twin = *recorded(index).run;
    QCOMPARE(word(judge(twin).judgement), QStringLiteral("broken"));
    const auto edit = innocence.find(recorded(index).experiment);
    QVERIFY2(edit != innocence.end(), "Say here how this experiment's story becomes innocent.");
    edit->second(twin);
    const QString path = recorded(index).path + QStringLiteral(".twin");
    QVERIFY(writeRunFile(path, twin, recorded(index).verdict)); // with its true count and the old verdict
    const Result<ReadRun> read = readRunFile(path);
    QVERIFY(read);
    QVERIFY2(read->problems.isEmpty(), qPrintable(read->problems.join(QLatin1Char('\n'))));
    const Verdict verdict = judge(read->run);
    QVERIFY2(verdict.judgement == Judgement::Held, verdictLine(read->run, verdict).constData());
}

void RejudgeTest::aCopyCutShortIsNeverHeld()
{
    QFETCH(size_t, index);
    QFile file(recorded(index).path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    const qsizetype step = std::max<qsizetype>(text.size() / 23, 1);
    for (qsizetype size = text.size() - 1; size > 0; size -= step) {
        if (size == text.size() - 1)
            --size; // without the last byte, a line's end, the file is whole
        const QString path = recorded(index).path + QStringLiteral(".cut");
        QFile cut(path);
        QVERIFY(cut.open(QIODevice::WriteOnly));
        QCOMPARE(cut.write(text.left(size)), size);
        cut.close();
        const Result<ReadRun> read = readRunFile(path);
        if (!read)
            continue; // not even a header: no verdict at all
        QVERIFY(!read->run.isComplete);
        QVERIFY(!read->problems.isEmpty());
        const Judgement judgement = judge(read->run).judgement;
        const bool isOpen = judgement == Judgement::Broken || judgement == Judgement::Unknown;
        QVERIFY2(isOpen || recorded(index).verdict.judgement == Judgement::None, qPrintable(QString::number(size)));
        QVERIFY(judgement != Judgement::Held);
    }
}

QTEST_GUILESS_MAIN(RejudgeTest)
#include "tst_rejudge.moc"
