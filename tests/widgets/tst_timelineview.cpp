// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/checks.h"
#include "tests/support/sampleruns.h"
#include "widgets/runmodel.h"
#include "widgets/timeline/plot.h"
#include "widgets/timeline/timelineview.h"

#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace interlock;
using namespace interlock::samples;

class TestTimelineView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void wheelKeepsTheTimeUnderThePointer();
    void dragMeasuresAndSnapsToEdges();
    void shiftDragPans();
    void fullStopSelectsTheNextEvent();
    void clickSelectsTheEvent();
    void selectionFromElsewhereIsShown();
    void focusAndFocusAgain();
    void backspaceGoesBack();
    void firstViolationJumpsToItsEvent();
    void firstViolationIsOffWithoutOne();
    void followStopsWhenThePersonLooksElsewhere();
    void spaceIsLeftToPlayAndPause();
    void everyActionHasAKeyAndAName();
    void aLongRunIsTakenInSteps();
    void overlapsWhileLiveAreLoudOnlyIfThePromiseIsAboutThem_data();
    void overlapsWhileLiveAreLoudOnlyIfThePromiseIsAboutThem();

private:
    void show(Run run);
    QAction *action(const char *name) const { return m_view->findChild<QAction *>(QString::fromLatin1(name)); }
    QPoint pointAt(double milliseconds, int row = 0) const;
    void wheel(const QPoint &at, int delta);

    std::unique_ptr<RunModel> m_model;
    std::unique_ptr<TimelineView> m_view;
    TimelinePlot *m_plot = nullptr;
};

void TestTimelineView::init()
{
    m_model = std::make_unique<RunModel>();
    m_view = std::make_unique<TimelineView>(*m_model);
    m_view->resize(1000, 500);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    m_view->setFocus();
    m_plot = m_view->findChild<TimelinePlot *>();
    QVERIFY(m_plot);
}

void TestTimelineView::cleanup()
{
    m_view.reset();
    m_model.reset();
}

void TestTimelineView::show(Run run)
{
    const Verdict verdict = judge(run);
    m_model->show(std::make_shared<const Run>(std::move(run)), verdict);
    QCoreApplication::processEvents();
}

QPoint TestTimelineView::pointAt(double milliseconds, int row) const
{
    for (const Band &band : m_plot->bands()) {
        if (band.row == row)
            return QPoint(qRound(m_plot->rowsArea().left() + m_plot->scale().toPixel(milliseconds * 1e6)), qRound(m_plot->rowsArea().top() + band.top + band.height / 2));
    }
    return {};
}

void TestTimelineView::wheel(const QPoint &at, int delta)
{
    QWheelEvent event(at, m_plot->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(m_plot, &event);
}

void TestTimelineView::wheelKeepsTheTimeUnderThePointer()
{
    show(releaseBreak());
    const QPoint at = pointAt(1500);
    const double pixel = at.x() - m_plot->rowsArea().left();
    const double time = m_plot->scale().toTime(pixel);
    const double length = m_plot->scale().length;
    wheel(at, 120);
    QVERIFY(m_plot->scale().length < length);
    QVERIFY(std::abs(m_plot->scale().toTime(pixel) - time) < 1000);
}

void TestTimelineView::dragMeasuresAndSnapsToEdges()
{
    show(releaseBreak());
    QSignalSpy pointed(m_view.get(), &TimelineView::pointed);
    // B was let in at 1.108 s; A left at 1.604 s. The pointer is two pixels beside each.
    QTest::mousePress(m_plot, Qt::LeftButton, {}, pointAt(1108) + QPoint(2, 0));
    QTest::mouseMove(m_plot, pointAt(1300));
    QTest::mouseMove(m_plot, pointAt(1604, 1) + QPoint(-1, 0));
    QTest::mouseRelease(m_plot, Qt::LeftButton, {}, pointAt(1604, 1) + QPoint(-1, 0));
    const QString said = pointed.last().first().toString();
    QVERIFY2(said.contains(QLatin1String("to 1.604 s")) || said.contains(QLatin1String("to 1.605 s")), qPrintable(said));
    QVERIFY(!m_model->selected()); // a drag is no click
}

void TestTimelineView::shiftDragPans()
{
    show(releaseBreak());
    wheel(pointAt(1500), 480);
    const Scale before = m_plot->scale();
    QTest::mousePress(m_plot, Qt::LeftButton, Qt::ShiftModifier, QPoint(600, 50));
    QTest::mouseMove(m_plot, QPoint(500, 50));
    QTest::mouseRelease(m_plot, Qt::LeftButton, Qt::ShiftModifier, QPoint(500, 50));
    QCOMPARE(m_plot->scale().length, before.length);
    QVERIFY(std::abs(m_plot->scale().begin - before.begin - 100 * before.perPixel()) < 1000);
}

void TestTimelineView::fullStopSelectsTheNextEvent()
{
    show(releaseBreak());
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    QCOMPARE(m_model->selected(), std::optional<size_t>(0));
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    QCOMPARE(m_model->selected(), std::optional<size_t>(1));
    QTest::keyClick(m_view.get(), Qt::Key_Comma);
    QCOMPARE(m_model->selected(), std::optional<size_t>(0));
    QTest::keyClick(m_view.get(), Qt::Key_Comma);
    QCOMPARE(m_model->selected(), std::optional<size_t>(0));
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QVERIFY(!m_model->selected());
}

void TestTimelineView::clickSelectsTheEvent()
{
    show(releaseBreak());
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointAt(600));
    QVERIFY(m_model->selected());
    const Event &event = m_model->run().events[*m_model->selected()];
    QCOMPARE(m_model->run().text(event.lane), QStringLiteral("A"));
    QCOMPARE(event.at, ms(102));
}

void TestTimelineView::selectionFromElsewhereIsShown()
{
    show(releaseBreak());
    wheel(pointAt(200), 1200);
    const size_t last = m_model->run().events.size() - 1;
    QVERIFY(m_plot->scale().end() < double(m_model->run().events[last].at));
    m_model->select(last);
    const double at = double(m_model->run().events[last].at);
    QVERIFY(m_plot->scale().begin <= at && at <= m_plot->scale().end());
}

void TestTimelineView::focusAndFocusAgain()
{
    show(releaseBreak());
    const double whole = m_plot->scale().length;
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointAt(600));
    QTest::keyClick(m_view.get(), Qt::Key_F);
    // A worked for 1502 ms; a quarter of that stands on both sides.
    QVERIFY(std::abs(m_plot->scale().length - 1.5 * 1502e6) < 1e6);
    QTest::keyClick(m_view.get(), Qt::Key_F);
    QCOMPARE(m_plot->scale().length, whole);
}

void TestTimelineView::backspaceGoesBack()
{
    show(releaseBreak());
    const Scale before = m_plot->scale();
    wheel(pointAt(800), 240);
    QVERIFY(!(m_plot->scale() == before));
    QTest::keyClick(m_view.get(), Qt::Key_Backspace);
    QVERIFY(std::abs(m_plot->scale().begin - before.begin) < 1 && std::abs(m_plot->scale().length - before.length) < 1);
}

void TestTimelineView::firstViolationJumpsToItsEvent()
{
    show(releaseBreak());
    QVERIFY(m_model->verdict().judgement == Judgement::Broken);
    QVERIFY(action("violation")->isEnabled());
    wheel(pointAt(200), 1200);
    QTest::keyClick(m_view.get(), Qt::Key_V);
    QCOMPARE(m_model->selected(), std::optional<size_t>(m_model->verdict().checks.front().events.front()));
    const double at = double(m_model->run().events[*m_model->selected()].at);
    QVERIFY(m_plot->scale().begin <= at && at <= m_plot->scale().end());
}

void TestTimelineView::firstViolationIsOffWithoutOne()
{
    show(contention(3, 2));
    QVERIFY(!action("violation")->isEnabled());
}

void TestTimelineView::followStopsWhenThePersonLooksElsewhere()
{
    const Run whole = contention(4, 20);
    m_model->begin(whole.header);
    Batch batch;
    for (size_t i = 1; i < whole.names.size(); ++i)
        batch.names.push_back(whole.names.bytes(Name(i)));
    batch.lanes = whole.header.lanes;
    const auto send = [&](size_t from, size_t to, double now) {
        batch.events.assign(whole.events.begin() + qsizetype(from), whole.events.begin() + qsizetype(to));
        batch.now = ms(now);
        m_model->append(batch);
        batch.names.clear();
    };
    send(0, 100, 2000);
    QVERIFY(action("follow")->isChecked());
    send(100, 200, 4000);
    QVERIFY(m_plot->scale().end() >= 4e9);
    wheel(QPoint(300, 60), 360);
    QVERIFY(!action("follow")->isChecked());
    const Scale stays = m_plot->scale();
    send(200, 300, 8000);
    QVERIFY(m_plot->scale() == stays);
    action("follow")->trigger();
    QVERIFY(action("follow")->isChecked());
    QVERIFY(m_plot->scale().end() >= 8e9);
    send(300, 400, 9000);
    QVERIFY(m_plot->scale().end() >= 9e9);
}

void TestTimelineView::spaceIsLeftToPlayAndPause()
{
    for (const QAction *each : m_view->viewActions())
        QVERIFY(!each->shortcuts().contains(QKeySequence(Qt::Key_Space)));
}

void TestTimelineView::everyActionHasAKeyAndAName()
{
    QVERIFY(m_view->viewActions().size() >= 15);
    for (const QAction *each : m_view->viewActions()) {
        QVERIFY(!each->text().isEmpty());
        QVERIFY(!each->shortcuts().isEmpty());
    }
    QVERIFY(!m_view->accessibleName().isEmpty());
}

void TestTimelineView::aLongRunIsTakenInSteps()
{
    show(releaseBreak());
    const auto isShown = [this] { return m_plot->picture().run == &m_model->run(); };
    QVERIFY(isShown());
    m_model->show(std::make_shared<const Run>(synthetic(100'000)), {});
    QVERIFY(!isShown()); // the one before it is still there, and can be drawn
    m_plot->replot();
    QTRY_VERIFY(isShown());
    QCOMPARE(m_plot->picture().spans->rows().size(), 21u);
    QCOMPARE(m_plot->picture().spans->last(), m_model->run().events.back().at);
}

void TestTimelineView::overlapsWhileLiveAreLoudOnlyIfThePromiseIsAboutThem_data()
{
    QTest::addColumn<QString>("check");
    QTest::addColumn<bool>("judges");
    QTest::addColumn<Judgement>("expected");
    QTest::addColumn<bool>("isLoud");
    QTest::newRow("promised to be apart") << "mutual-exclusion" << true << Judgement::Held << true;
    QTest::newRow("promised, watched") << "mutual-exclusion-watched" << true << Judgement::Held << true;
    QTest::newRow("only a note") << "mutual-exclusion" << false << Judgement::Held << false;
    QTest::newRow("another promise") << "release-by-owner" << true << Judgement::Held << false;
    QTest::newRow("meant to break") << "release-by-owner" << true << Judgement::Broken << true;
}

void TestTimelineView::overlapsWhileLiveAreLoudOnlyIfThePromiseIsAboutThem()
{
    QFETCH(QString, check);
    QFETCH(bool, judges);
    QFETCH(Judgement, expected);
    QFETCH(bool, isLoud);
    Header header;
    header.checks = {{check, {}, judges}};
    header.expected = expected;
    m_model->begin(header);
    QCOMPARE(m_plot->picture().overlapsBreak, isLoud);
}

QTEST_MAIN(TestTimelineView)
#include "tst_timelineview.moc"
