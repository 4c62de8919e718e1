// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/measuring.h"
#include "widgets/verdictbar.h"

#include <QImage>
#include <QLabel>
#include <QTest>

using namespace interlock;

namespace {

CheckResult result(const char *check, Judgement judgement, std::vector<Sentence> sentences)
{
    CheckResult made;
    made.check = QString::fromLatin1(check);
    made.judgement = judgement;
    made.sentences = std::move(sentences);
    return made;
}

/// A sentence that no table of templates knows is shown by its id; that is enough here.
Sentence sentence(const char *id)
{
    return {QString::fromLatin1(id), {}};
}

class VerdictBarTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWordSentenceAndCause()
    {
        Run run;
        run.isComplete = true;
        Verdict verdict;
        verdict.judgement = Judgement::Broken;
        verdict.checks = {result("mutual-exclusion", Judgement::Broken, {sentence("headline"), sentence("cause")})};
        const VerdictTexts texts = verdictTexts(run, verdict);
        QCOMPARE(texts.word, "Broken");
        QCOMPARE(texts.sentence, text(sentence("headline")));
        QCOMPARE(texts.cause, text(sentence("cause")));
    }

    void wordsDifferByJudgement_data()
    {
        QTest::addColumn<Judgement>("judgement");
        QTest::addColumn<QString>("word");
        QTest::newRow("held") << Judgement::Held << "Held";
        QTest::newRow("broken") << Judgement::Broken << "Broken";
        QTest::newRow("unknown") << Judgement::Unknown << "Unknown";
        QTest::newRow("none") << Judgement::None << "No verdict";
    }
    void wordsDifferByJudgement()
    {
        QFETCH(Judgement, judgement);
        QFETCH(QString, word);
        QCOMPARE(judgementWord(judgement), word);
    }

    void saysWhyARunIsIncomplete()
    {
        Run run;
        run.isComplete = false;
        run.incompleteBecause = "The run was stopped.";
        Verdict verdict;
        QCOMPARE(verdictTexts(run, verdict).sentence, "The run was stopped.");
        verdict.checks = {result("stuck-lock", Judgement::Unknown, {sentence("headline")})};
        QVERIFY(verdictTexts(run, verdict).cause.contains("The run was stopped."));
        run.isComplete = true;
        QVERIFY(!verdictTexts(run, verdict).cause.contains("The run was stopped."));
    }

    void heldChecksStaySilentBesideABrokenOne()
    {
        Run run;
        run.isComplete = true;
        Verdict verdict;
        verdict.judgement = Judgement::Broken;
        verdict.checks = {result("a", Judgement::Broken, {sentence("headline")}), result("b", Judgement::Held, {sentence("all-is-well")})};
        QCOMPARE(verdictTexts(run, verdict).cause, QString());
        verdict.checks[1].judgement = Judgement::Broken;
        QCOMPARE(verdictTexts(run, verdict).cause, text(sentence("all-is-well")));
    }

    /// What was measured is the sentence of a run that promises nothing; its checks come after it.
    void saysWhatWasMeasured()
    {
        Run run = test::Measuring({{"lost", "Locks lost", {}, {}, {}, {}}}).share("lost", never, 9, 30).run();
        run.isComplete = true;
        Verdict verdict;
        verdict.judgement = Judgement::None;
        QCOMPARE(verdictTexts(run, verdict).sentence, "Locks lost: 9 of 30, 30 % (17 % to 48 %).");
        QCOMPARE(verdictTexts(run, verdict).cause, QString());
        verdict.checks = {result("a", Judgement::Held, {sentence("headline"), sentence("cause")})};
        QCOMPARE(verdictTexts(run, verdict).sentence, "Locks lost: 9 of 30, 30 % (17 % to 48 %).");
        QCOMPARE(verdictTexts(run, verdict).cause, text(sentence("headline")) + ' ' + text(sentence("cause")));
        verdict.judgement = Judgement::Held; // a promise comes first
        QCOMPARE(verdictTexts(run, verdict).sentence, text(sentence("headline")));
    }

    void showsTheTimeWhileRunning()
    {
        VerdictBar bar;
        bar.showRunning(1'234'000'000);
        QCOMPARE(bar.texts().word, "Running…");
        QVERIFY2(bar.texts().sentence.startsWith("1.2"), qPrintable(bar.texts().sentence));
    }

    void tellsScreenReaders()
    {
        VerdictBar bar;
        bar.showFailure({Error::Kind::Missing, "Install redis-server."});
        QVERIFY(bar.accessibleName().contains("Could not run"));
        QCOMPARE(bar.accessibleDescription(), "Install redis-server.");
    }

    /// Shape beside colour: in grey, held and broken and unknown still look different.
    void looksDifferentWithoutColour()
    {
        const auto grey = [](Judgement judgement) {
            VerdictBar bar;
            Verdict verdict;
            verdict.judgement = judgement;
            bar.showVerdict(Run(), verdict);
            for (QLabel *label : bar.findChildren<QLabel *>())
                label->setText(QString(" ")); // the same words everywhere, so that only the shape can differ
            bar.resize(500, 60);
            return bar.grab().toImage().convertToFormat(QImage::Format_Grayscale8).convertToFormat(QImage::Format_Mono);
        };
        QVERIFY(grey(Judgement::Held) != grey(Judgement::Broken));
        QVERIFY(grey(Judgement::Held) != grey(Judgement::Unknown));
        QVERIFY(grey(Judgement::Broken) != grey(Judgement::Unknown));
    }
};

}

QTEST_MAIN(VerdictBarTest)
#include "tst_verdictbar.moc"
