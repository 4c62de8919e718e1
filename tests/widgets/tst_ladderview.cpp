// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/grouprecords.h"
#include "widgets/ladder/ladderview.h"
#include "widgets/ladder/rungwords.h"
#include "widgets/runmodel.h"
#include "widgets/topology/groupmodel.h"

#include <QAction>
#include <QScrollBar>
#include <QTest>

using namespace interlock;
using namespace interlock::samples;

namespace {

constexpr qint64 sec(double seconds) { return static_cast<qint64>(seconds * 1e9 + 0.5); }

using Kind = Rung::Kind;

}

class TestLadderView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyStepHasARow();
    void stepsReadAsTheyWerePublished();
    void timesCountFromTheLoss();
    void theMomentIsMarkedAndInView();
    void pointingShowsItsMoment();
    void aClickSelectsTheEvent();
    void theSelectedStepIsExplained();
    void keysStepUpAndDown();
    void everyStepIsExplainedInTwoSentences();
    void eachLadderHasATitle();
    void aCopyTellsBytesAndTimes();
    void smallPicturesLeaveOutTheMinor();
    void nothingIsSaidWhereNothingFailed();
    void everyActionHasAKeyAndAName();

private:
    void show(Run run);
    const LadderPicture &picture() const { return m_view->picture(); }
    int row(Kind kind, int nth = 0) const;
    QPoint pointAt(int row) const { return picture().rows()[size_t(row)].place.center().toPoint() - QPoint(0, m_view->verticalScrollBar()->value()); }
    QString label(Kind kind, int nth = 0) const { return rungLabel(m_model->run(), *picture().rung(row(kind, nth))); }

    std::unique_ptr<RunModel> m_model;
    std::unique_ptr<GroupModel> m_group;
    std::unique_ptr<LadderView> m_view;
};

void TestLadderView::init()
{
    m_model = std::make_unique<RunModel>();
    m_group = std::make_unique<GroupModel>(*m_model);
    m_view = std::make_unique<LadderView>(*m_group);
    m_view->setTheme(Theme::light());
    m_view->resize(320, 520);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    m_view->setFocus();
}

void TestLadderView::cleanup()
{
    m_view.reset();
    m_group.reset();
    m_model.reset();
}

void TestLadderView::show(Run run)
{
    m_model->show(std::make_shared<const Run>(std::move(run)), {});
    QCoreApplication::processEvents();
}

int TestLadderView::row(Kind kind, int nth) const
{
    for (int i = 0; i < int(picture().rows().size()); ++i) {
        const Rung *rung = picture().rung(i);
        if (rung && rung->kind == kind && nth-- == 0)
            return i;
    }
    return -1;
}

void TestLadderView::everyStepHasARow()
{
    show(lockLoss());
    QCOMPARE(picture().rows().size(), m_group->ladders().front().rungs.size() + 1);
    QVERIFY(picture().rows().front().isTitle());
    double bottom = 0;
    for (const LadderPicture::Row &each : picture().rows()) {
        QVERIFY(each.place.top() >= bottom - 0.01);
        bottom = each.place.bottom();
    }
    QCOMPARE(picture().height(), bottom);
}

void TestLadderView::stepsReadAsTheyWerePublished()
{
    show(lockLoss());
    QCOMPARE(label(Kind::Fault), QStringLiteral("replication cut"));
    QCOMPARE(label(Kind::CallsDown), QStringLiteral("+sdown"));
    QCOMPARE(label(Kind::AgreedDown), QStringLiteral("+odown 2/2"));
    QCOMPARE(label(Kind::Votes), QStringLiteral("+vote ×3 → S2"));
    QCOMPARE(label(Kind::Selected), QStringLiteral("+selected N3"));
    QCOMPARE(label(Kind::Promoted), QStringLiteral("promoted"));
    QCOMPARE(label(Kind::Switched), QStringLiteral("+switch → N3"));
    QCOMPARE(label(Kind::Partial), QStringLiteral("partial: 110 B"));
    const Run &run = m_model->run();
    QCOMPARE(rungTellers(run, *picture().rung(row(Kind::CallsDown))), QStringLiteral("S2 S1"));
    QCOMPARE(rungTellers(run, *picture().rung(row(Kind::Promoted))), QStringLiteral("N3"));
    QCOMPARE(rungTimes(run, *picture().rung(row(Kind::CallsDown))), QStringLiteral("S2 at 1.242 s, S1 at 1.301 s"));
    QCOMPARE(ladderTitle(run, m_group->ladders().front()), QStringLiteral("Failover of N1"));
}

void TestLadderView::timesCountFromTheLoss()
{
    QCOMPARE(sinceText(sec(1.663)), QStringLiteral("1.663 s"));
    QCOMPARE(sinceText(-sec(0.15)), QStringLiteral("−0.150 s"));
    QCOMPARE(bytesText(410), QStringLiteral("410 B"));
    QCOMPARE(bytesText(52'000), QStringLiteral("52.0 kB"));
    QCOMPARE(bytesText(1'200'000), QStringLiteral("1.2 MB"));
    show(lockLoss());
    m_group->choose(sec(2.2));
    QVERIFY2(m_view->accessibleDescription().startsWith(QStringLiteral("Failover of N1: promoted, 1.663 s after the loss. N3 at 2.193 s.")),
        qPrintable(m_view->accessibleDescription()));
}

void TestLadderView::theMomentIsMarkedAndInView()
{
    show(lockLoss());
    const auto isInView = [this](int row) {
        const QRectF place = picture().rows()[size_t(row)].place;
        const int top = m_view->verticalScrollBar()->value();
        return place.top() >= top && place.bottom() <= top + m_view->viewport()->height();
    };
    m_view->resize(320, 160);
    QCoreApplication::processEvents();
    QCOMPARE(picture().momentRow(), row(Kind::Switched, 1));
    QVERIFY(isInView(picture().momentRow()));
    m_view->setTheme(Theme::light(2));
    QVERIFY(isInView(picture().momentRow()));
    m_view->setTheme(Theme::light());
    for (const auto &[time, expected] : {std::pair(0.2, -1), std::pair(0.6, row(Kind::Killed)), std::pair(1.42, row(Kind::CallsDown, 1)), std::pair(2.2, row(Kind::Promoted))}) {
        m_group->choose(sec(time));
        QCOMPARE(picture().momentRow(), expected);
        QVERIFY(expected < 0 || isInView(expected));
    }
}

void TestLadderView::pointingShowsItsMoment()
{
    show(lockLoss());
    QTest::mouseMove(m_view->viewport(), pointAt(row(Kind::Elected)));
    QTRY_COMPARE(m_group->time(), sec(1.398));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(m_view->viewport(), &leave);
    QVERIFY(m_group->isAtEnd());
    QVERIFY(!m_model->selected());
}

void TestLadderView::aClickSelectsTheEvent()
{
    show(lockLoss());
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, pointAt(row(Kind::Promoted)));
    QVERIFY(m_model->selected());
    const Event &event = m_model->run().events[*m_model->selected()];
    QCOMPARE(event.at, sec(2.193));
    QCOMPARE(m_model->run().text(event.lane), QStringLiteral("N3"));
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, pointAt(0)); // the title
    QVERIFY(!m_model->selected());
}

void TestLadderView::theSelectedStepIsExplained()
{
    show(lockLoss());
    const double before = picture().height();
    m_model->select(picture().rung(row(Kind::Votes))->told[1].event); // by whomever it was told
    const LadderPicture::Row &selected = picture().rows()[size_t(row(Kind::Votes))];
    QVERIFY(picture().height() > before);
    QCOMPARE(selected.meaning.join(QLatin1Char(' ')), rungMeaning(*picture().rung(row(Kind::Votes))));
    QVERIFY(m_view->accessibleDescription().contains(QStringLiteral("majority")));
    m_model->select({});
    QCOMPARE(picture().height(), before);
}

void TestLadderView::keysStepUpAndDown()
{
    show(lockLoss());
    QTest::keyClick(m_view.get(), Qt::Key_Home);
    QCOMPARE(*m_model->selected(), picture().rung(row(Kind::Fault))->told.front().event);
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QCOMPARE(*m_model->selected(), picture().rung(row(Kind::Killed))->told.front().event);
    QTest::keyClick(m_view.get(), Qt::Key_Up);
    QTest::keyClick(m_view.get(), Qt::Key_Up); // there is nothing before the first
    QCOMPARE(*m_model->selected(), picture().rung(row(Kind::Fault))->told.front().event);
    QTest::keyClick(m_view.get(), Qt::Key_End);
    QCOMPARE(*m_model->selected(), picture().rung(row(Kind::Switched, 1))->told.front().event);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QVERIFY(!m_model->selected());
}

void TestLadderView::everyStepIsExplainedInTwoSentences()
{
    const auto check = [](const Rung &rung) {
        const QString meaning = rungMeaning(rung);
        QVERIFY2(meaning.count(QStringLiteral(". ")) >= 1 || meaning.count(QStringLiteral("; ")) >= 1, qPrintable(meaning));
        QVERIFY2(meaning.endsWith(QLatin1Char('.')), qPrintable(meaning));
    };
    for (int kind = 0; kind <= int(Kind::Step); ++kind) {
        Rung rung;
        rung.kind = Kind(kind);
        check(rung);
    }
    QStringList meanings;
    for (const char *word : {"cut-replication", "lag-replication", "hold-replication", "cut-clients", "isolate", "heal"}) {
        Rung rung;
        rung.word = word;
        check(rung);
        meanings.append(rungMeaning(rung));
    }
    for (const char *word : {"snapshot", "buffer", "transfer", "load", "catch-up", "increment"}) {
        Rung rung;
        rung.kind = Kind::Step;
        rung.word = word;
        check(rung);
        meanings.append(rungMeaning(rung));
    }
    QCOMPARE(meanings.removeDuplicates(), 0);
}

void TestLadderView::eachLadderHasATitle()
{
    show(twoFailovers());
    QStringList titles;
    for (const LadderPicture::Row &each : picture().rows()) {
        if (each.isTitle())
            titles.append(ladderTitle(m_model->run(), m_group->ladders()[each.ladder]));
    }
    QCOMPARE(titles, (QStringList {"Failover of N1", "Failover of N3"}));
    m_group->choose(sec(4.55));
    QCOMPARE(picture().momentRow(), row(Kind::Promoted, 1));
}

void TestLadderView::aCopyTellsBytesAndTimes()
{
    show(resync());
    QCOMPARE(ladderTitle(m_model->run(), m_group->ladders().front()), QStringLiteral("Copy to N2"));
    QCOMPARE(label(Kind::Step), QStringLiteral("snapshot · 1.2 MB · 170 ms"));
    QCOMPARE(label(Kind::Full), QStringLiteral("full copy: 1.2 MB"));
    QCOMPARE(label(Kind::Partial), QStringLiteral("partial: 4100 B"));
}

void TestLadderView::smallPicturesLeaveOutTheMinor()
{
    show(lockLoss());
    LadderPicture small;
    small.setLadders(&m_model->run(), &m_group->ladders());
    small.fit(QSizeF(600, 500));
    const size_t all = m_group->ladders().front().rungs.size() + 1;
    QCOMPARE(small.rows().size(), all);
    small.fit(QSizeF(240, 350));
    QVERIFY(small.rows().size() < all);
    for (int i = 0; i < int(small.rows().size()); ++i)
        QVERIFY(!small.rung(i) || !isMinor(*small.rung(i)));
    small.fit(QSizeF(600, 240)); // two columns have room for all
    QCOMPARE(small.rows().size(), all);
    for (const LadderPicture::Row &each : small.rows())
        QVERIFY(each.place.bottom() <= 240 && each.place.right() <= 600);
}

void TestLadderView::nothingIsSaidWhereNothingFailed()
{
    show(lockLossUntil(0.3));
    QVERIFY(picture().rows().empty());
    QCOMPARE(m_view->accessibleDescription(), QStringLiteral("No failover yet."));
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QVERIFY(!m_model->selected());
    m_view->grab();
}

void TestLadderView::everyActionHasAKeyAndAName()
{
    QVERIFY(m_view->viewActions().size() >= 5);
    for (const QAction *each : m_view->viewActions()) {
        QVERIFY(!each->text().isEmpty());
        QVERIFY(!each->shortcuts().isEmpty());
    }
    QVERIFY(!m_view->accessibleName().isEmpty());
}

QTEST_MAIN(TestLadderView)
#include "tst_ladderview.moc"
