// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every preset of every experiment, once, on servers of its own: the rows are the catalogue.
#include "engine/experiments/catalogue.h"
#include "engine/runplan.h"
#include "tests/support/sessions.h"
#include "tests/support/testserver.h"

#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <memory>
#include <optional>

using namespace interlock;

namespace {

/// Of a set: the runs that it is made of; otherwise 0.
int childrenIn(const RunRequest &request)
{
    const Result<RunPlan> plan = makePlan(request);
    return plan ? int(childrenOf(*plan).size()) : 0;
}

/// A set that repeats its runs to count them does so twice here.
RunRequest requestOf(const QString &experiment, const QString &preset)
{
    RunRequest request;
    request.experiment = experiment;
    request.preset = preset;
    request.pace = 0.1;
    const QList<Parameter> parameters = experiments::find(experiment)->parameters;
    const bool repeats = std::any_of(parameters.begin(), parameters.end(), [](const Parameter &one) { return one.name == QLatin1String("runs"); });
    if (repeats && childrenIn(request) > 0)
        request.values = {{QStringLiteral("runs"), QStringLiteral("2")}};
    return request;
}

template<typename Row>
void forEachPreset(const Row &row)
{
    for (const Experiment &experiment : experiments::all()) {
        for (const Preset &preset : experiment.presets)
            row(experiment, preset);
    }
}

}

class PresetsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        useKeeperOfProgram();
        QList<RunRequest> requests;
        int children = 0; // of sets
        forEachPreset([&](const Experiment &experiment, const Preset &preset) {
            requests << requestOf(experiment.id, preset.name);
            children += childrenIn(requests.last());
        });
        const qsizetype all = requests.size();
        QVERIFY(all > 0);
        m_runs = std::make_unique<Sessions>(requests);
        m_runs->start(4);
        QTRY_COMPARE_WITH_TIMEOUT(m_runs->outcomes().size(), all, 240'000 + 15'000 * children);
    }
    void cleanupTestCase() { m_runs.reset(); }

    void givesItsDeclaredVerdict_data() { rows(); }
    void givesItsDeclaredVerdict()
    {
        const Outcome outcome = this->outcome();
        QVERIFY2(!outcome.error, qPrintable(outcome.said()));
        QVERIFY2(outcome.run->isComplete, qPrintable(outcome.run->incompleteBecause));
        QVERIFY2(outcome.verdict.judgement == preset().expected, qPrintable(outcome.said()));
    }

    /// Something moves within half a second after the servers are ready; twice that here, for a machine that is busy with tests.
    void showsSomethingAtOnce_data() { rows(); }
    void showsSomethingAtOnce()
    {
        const Outcome outcome = this->outcome();
        QVERIFY(outcome.run);
        qint64 first = never;
        if (isSet())
            return; // its runs are others' rows, but for their number
        for (const Event &event : outcome.run->events) {
            const bool isOfAClient = event.kind == Event::Kind::Command && event.lane;
            if (event.kind == Event::Kind::Belief || event.kind == Event::Kind::Decision || event.kind == Event::Kind::Resource || isOfAClient)
                first = std::min(first, event.at);
        }
        QVERIFY2(first < 1'000'000'000, qPrintable(QString::number(first)));
    }

    /// Every actor that begins to wait for a lock, hold it or work ends that in the record.
    void leavesNoOpenEnds_data() { rows(); }
    void leavesNoOpenEnds()
    {
        const Outcome outcome = this->outcome();
        QVERIFY(outcome.run);
        if (isSet()) {
            QVERIFY(std::any_of(outcome.run->events.begin(), outcome.run->events.end(),
                [](const Event &event) { return event.kind == Event::Kind::Measure; }));
            return;
        }
        QHash<std::pair<Name, Name>, int> holds, sections, waits;
        const bool isAboutLocks = experiments::find(outcome.run->header.experiment)->family == QLatin1String("locks");
        for (const Event &event : outcome.run->events) {
            const std::pair place {event.lane, event.text};
            if (event.kind == Event::Kind::Belief) {
                const auto what = Belief(event.what);
                waits[place] += (what == Belief::Wants) - (what == Belief::Granted) - (what == Belief::GaveUp);
                holds[place] += (what == Belief::Granted) - (what == Belief::Ended);
            } else if (event.kind == Event::Kind::Resource) {
                const auto what = Resource(event.what);
                sections[place] += (what == Resource::Entered) - (what == Resource::Left);
            }
        }
        for (const auto *open : {&waits, &holds, &sections}) {
            QVERIFY(!isAboutLocks || open == &sections || !open->isEmpty());
            for (auto entry = open->begin(); entry != open->end(); ++entry)
                QVERIFY2(entry.value() == 0, qPrintable(outcome.run->text(entry.key().first)));
        }
    }

    /// The catalogue's own order: what breaks the promise comes first, and its name says what is expected.
    void namesSayWhatIsExpected_data() { rows(); }
    void namesSayWhatIsExpected()
    {
        const Judgement expected = preset().expected;
        if (preset().name.startsWith(QLatin1String("break")))
            QCOMPARE(expected, Judgement::Broken);
        else if (preset().name.startsWith(QLatin1String("safe")))
            QCOMPARE(expected, Judgement::Held);
        else
            QCOMPARE(expected, Judgement::None);
        QVERIFY(expected == Judgement::None || !preset().witnesses.isEmpty());
        QVERIFY(!preset().title.isEmpty());
    }

private:
    void rows()
    {
        QTest::addColumn<QString>("experiment");
        QTest::addColumn<QString>("name");
        forEachPreset([](const Experiment &experiment, const Preset &preset) {
            QTest::addRow("%s %s", qPrintable(experiment.id), qPrintable(preset.name)) << experiment.id << preset.name;
        });
    }
    Outcome outcome() const { return m_runs->outcomes().value(QString::fromLatin1(QTest::currentDataTag())); }
    bool isSet() const
    {
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        return childrenIn(requestOf(tag.section(u' ', 0, 0), tag.section(u' ', 1))) > 0;
    }
    Preset preset() const
    {
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        return *experiments::find(tag.section(u' ', 0, 0))->preset(tag.section(u' ', 1));
    }

    std::unique_ptr<Sessions> m_runs;
};

QTEST_GUILESS_MAIN(PresetsTest)
#include "tst_presets.moc"
