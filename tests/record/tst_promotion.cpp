// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which replica Sentinel promotes. Expected values are read off the order that Redis's page on Sentinel gives: priority, offset, run id.
#include "engine/run/promotion.h"

#include <QTest>

using namespace interlock;

namespace {

Candidate candidate(const char *name, qint64 priority, qint64 offset, const char *runId)
{
    return {QString::fromLatin1(name), priority, offset, QByteArray(runId)};
}

}

Q_DECLARE_METATYPE(std::vector<Candidate>)

class PromotionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void choosesByTheFirstDifference_data()
    {
        QTest::addColumn<std::vector<Candidate>>("candidates");
        QTest::addColumn<QString>("expected"); // empty: nobody
        QTest::addColumn<int>("why");
        const auto row = [](const char *name, std::vector<Candidate> candidates, const char *expected, Precedence why = Precedence::Alone) {
            QTest::newRow(name) << std::move(candidates) << QString::fromLatin1(expected) << static_cast<int>(why);
        };
        row("nobody is there", {}, "");
        row("the only one", {candidate("N2", 100, 0, "b")}, "N2");
        row("the only one may not", {candidate("N2", 0, 0, "b")}, "");
        row("nobody may", {candidate("N2", 0, 9, "a"), candidate("N3", 0, 5, "b")}, "");
        row("a lower number beats more data", {candidate("N2", 100, 9000, "a"), candidate("N3", 10, 5, "b")}, "N3", Precedence::Priority);
        row("0 is no low number", {candidate("N2", 100, 5, "b"), candidate("N3", 0, 9000, "a")}, "N2");
        row("more data beats the run id", {candidate("N2", 100, 5, "a"), candidate("N3", 100, 6, "b")}, "N3", Precedence::Offset);
        row("the smaller run id", {candidate("N2", 100, 5, "b0"), candidate("N3", 100, 5, "a9")}, "N3", Precedence::RunId);
        row("run ids in any case", {candidate("N2", 100, 5, "B0"), candidate("N3", 100, 5, "c0")}, "N2", Precedence::RunId);
        row("what decides among the best two counts",
            {candidate("N2", 10, 5, "a"), candidate("N3", 100, 9, "b"), candidate("N4", 10, 7, "c")}, "N4", Precedence::Offset);
    }
    void choosesByTheFirstDifference()
    {
        QFETCH(std::vector<Candidate>, candidates);
        QFETCH(QString, expected);
        QFETCH(int, why);
        for (int turn = 0; turn < 2; ++turn) { // the order in which they are given does not matter
            const std::optional<Choice> choice = choosePromotion(candidates);
            QCOMPARE(choice ? candidates[choice->candidate].name : QString(), expected);
            if (choice)
                QCOMPARE(static_cast<int>(choice->why), why);
            std::reverse(candidates.begin(), candidates.end());
        }
    }

    void readsWhatWasToldLastBefore()
    {
        Run run;
        const auto note = [&](qint64 at, const char *lane, const char *text, qint64 number, const char *detail = "") {
            Event event;
            event.kind = Event::Kind::Note;
            event.at = at;
            event.lane = run.names.intern(lane);
            event.text = run.names.intern(text);
            event.number = number;
            event.detail = run.names.intern(detail);
            run.events.push_back(event);
        };
        note(1, "N2", notedPriority, 100);
        note(1, "N2", notedOffset, 7);
        note(1, "N2", notedRunId, 0, "aa");
        note(1, "N3", notedPriority, 100); // and nothing else of N3
        note(2, "N2", notedOffset, 0);
        note(3, "N2", notedPriority, 1);
        QCOMPARE(candidatesOf(run, 3), (std::vector<Candidate> {candidate("N2", 100, 0, "aa")}));
        QCOMPARE(candidatesOf(run, 1), std::vector<Candidate>());
    }
};

QTEST_APPLESS_MAIN(PromotionTest)
#include "tst_promotion.moc"
