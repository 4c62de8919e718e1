// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/limiterruns.h"
#include "tests/support/sampleruns.h"
#include "widgets/limiters/limiterplot.h"
#include "widgets/limiters/limitertable.h"
#include "widgets/limiters/limiterview.h"
#include "widgets/runmodel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace interlock;
using namespace interlock::samples;

class TestLimiterView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyLimiterHasARow();
    void wheelKeepsTheTimeUnderThePointer();
    void clickAboveTheLineMeansTheAdmitted();
    void clickSaysWhyAndWhatTheOthersSaid();
    void fullStopAndCommaStepThroughRequests();
    void upAndDownAskTheOtherLimiters();
    void selectionFromElsewhereIsShown();
    void firstAboveTheLimitIsFound();
    void backspaceGoesBack();
    void dragMeasures();
    void hiddenLimitersHaveNoRow();
    void aRunWithoutLimitersHasNoRow();
    void theMenuChoosesLimiters();
    void aDefectSharesTheRowOfItsTwin();
    void aLiveRunIsFollowed();
    void aLongRunIsTakenInSteps();
    void figuresArriveAfterTheRun();
    void everyActionHasAKeyAndAName();
    void manyRowsScroll();
    void theTableHasEveryLimiter();
    void theTableIsCopied();
    void theTableLeavesOutTheHidden();

private:
    void show(Run run);
    /// Above (1) or below (-1) the base line of a row.
    QPoint pointAt(double milliseconds, size_t row, int side) const;
    QString answer() const { return label("Why")->text(); }
    QLabel *label(const char *name) const;
    void wheel(const QPoint &at, int delta);

    std::unique_ptr<RunModel> m_model;
    std::unique_ptr<LimiterView> m_view;
    LimiterPlot *m_plot = nullptr;
};

void TestLimiterView::init()
{
    m_model = std::make_unique<RunModel>();
    m_view = std::make_unique<LimiterView>(*m_model);
    m_view->resize(1000, 900);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    m_view->setFocus();
    m_plot = m_view->findChild<LimiterPlot *>();
    QVERIFY(m_plot);
}

void TestLimiterView::cleanup()
{
    m_view.reset();
    m_model.reset();
}

void TestLimiterView::show(Run run)
{
    m_model->show(std::make_shared<const Run>(std::move(run)), {});
    QCoreApplication::processEvents();
}

QPoint TestLimiterView::pointAt(double milliseconds, size_t row, int side) const
{
    const double base = LimiterRowPainter::baseOf(m_plot->placeOf(row), m_plot->heights());
    return QPoint(qRound(m_plot->rowsArea().left() + m_plot->scale().toPixel(milliseconds * 1e6)), qRound(base) - 4 * side);
}

QLabel *TestLimiterView::label(const char *name) const
{
    for (QLabel *each : m_view->findChildren<QLabel *>()) {
        if (each->accessibleName() == QLatin1String(name))
            return each;
    }
    return nullptr;
}

void TestLimiterView::wheel(const QPoint &at, int delta)
{
    QWheelEvent event(at, m_plot->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(m_plot, &event);
}

void TestLimiterView::everyLimiterHasARow()
{
    show(eightLimiters(boundaryBurst()));
    QCOMPARE(m_plot->picture().rows.size(), 8u);
    for (size_t row = 0; row < 8; ++row) {
        QCOMPARE(m_plot->rowAt(m_plot->placeOf(row).center().y()), std::optional<size_t>(row));
        QVERIFY(m_plot->rowsArea().contains(m_plot->rowsArea().center().x(), m_plot->placeOf(row).center().y()));
    }
}

void TestLimiterView::wheelKeepsTheTimeUnderThePointer()
{
    show(eightLimiters(boundaryBurst()));
    const QPoint at = pointAt(1000, 3, 1);
    const double pixel = at.x() - m_plot->rowsArea().left();
    const double time = m_plot->scale().toTime(pixel), length = m_plot->scale().length;
    wheel(at, 120);
    QVERIFY(m_plot->scale().length < length);
    QVERIFY(std::abs(m_plot->scale().toTime(pixel) - time) < 1000);
}

void TestLimiterView::clickAboveTheLineMeansTheAdmitted()
{
    // At 860 ms the fixed window admits its ninth; at 870 and 875 ms it rejects: close together when all is seen.
    show(eightLimiters(boundaryBurst()));
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointAt(868, 0, 1));
    QVERIFY(m_model->selected());
    QCOMPARE(m_model->run().events[*m_model->selected()].at, ms(865));
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointAt(866, 0, -1));
    QCOMPARE(m_model->run().events[*m_model->selected()].at, ms(870));
    QCOMPARE(label("Question")->text(), QStringLiteral("Why was request 11 rejected?"));
}

void TestLimiterView::clickSaysWhyAndWhatTheOthersSaid()
{
    show(eightLimiters(boundaryBurst()));
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointAt(1010, 0, 1));
    // The edge was at 1 s: this is the first of the new window, which ends in 990 ms.
    QCOMPARE(label("Question")->text(), QStringLiteral("Why was request 13 admitted?"));
    QVERIFY2(answer().startsWith("Fixed window: with this request 1 of 10 are used in the window, which ends in 990 ms."), qPrintable(answer()));
    // The bucket had 0 tokens at 865 ms and gains 10 a second; the log has 10 since 820 ms.
    QVERIFY2(answer().contains("admitted by Token bucket, Leaky bucket and GCRA, and rejected by Fixed window, first hit, Sliding log"), qPrintable(answer()));
    QVERIFY(m_view->accessibleDescription().contains(answer()));
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QVERIFY(!m_model->selected());
    QVERIFY(answer().startsWith("Click a request"));
}

void TestLimiterView::fullStopAndCommaStepThroughRequests()
{
    show(eightLimiters(boundaryBurst()));
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    QCOMPARE(label("Question")->text(), QStringLiteral("Why was request 1 admitted?"));
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    QCOMPARE(label("Question")->text(), QStringLiteral("Why was request 2 admitted?"));
    QTest::keyClick(m_view.get(), Qt::Key_Comma);
    QTest::keyClick(m_view.get(), Qt::Key_Comma);
    QCOMPARE(label("Question")->text(), QStringLiteral("Why was request 1 admitted?"));
}

void TestLimiterView::upAndDownAskTheOtherLimiters()
{
    show(eightLimiters(boundaryBurst()));
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointAt(1010, 0, 1));
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QCOMPARE(label("Question")->text(), QStringLiteral("Why was request 13 rejected?"));
    // The first entry is of 820 ms: it leaves at 1820 ms.
    QVERIFY2(answer().startsWith("Sliding log: 10 of 10 in the last 1 s; the oldest leaves in 810 ms, so it asks to come back then."), qPrintable(answer()));
    QTest::keyClick(m_view.get(), Qt::Key_Up);
    QVERIFY2(answer().startsWith("Fixed window, first hit:"), qPrintable(answer()));
}

void TestLimiterView::selectionFromElsewhereIsShown()
{
    show(eightLimiters(boundaryBurst()));
    wheel(pointAt(900, 0, 1), 1800);
    const std::vector<Event> &events = m_model->run().events;
    size_t last = events.size();
    while (events[--last].kind != Event::Kind::Decision) { }
    QVERIFY(m_plot->scale().end() < double(events[last].at));
    m_model->select(last);
    QVERIFY(m_plot->scale().begin <= double(events[last].at) && double(events[last].at) <= m_plot->scale().end());
    QVERIFY(label("Question")->text().startsWith("Why was request"));
}

void TestLimiterView::firstAboveTheLimitIsFound()
{
    show(eightLimiters(boundaryBurst()));
    QTest::keyClick(m_view.get(), Qt::Key_V);
    // Ten since 820 ms: the first one more is at 1010 ms, with the fixed window and with the buckets.
    QVERIFY(m_model->selected());
    QCOMPARE(m_model->run().events[*m_model->selected()].at, ms(1010));
}

void TestLimiterView::backspaceGoesBack()
{
    show(eightLimiters(boundaryBurst()));
    const Scale before = m_plot->scale();
    wheel(pointAt(800, 2, 1), 240);
    QVERIFY(!(m_plot->scale() == before));
    QTest::keyClick(m_view.get(), Qt::Key_Backspace);
    QVERIFY(std::abs(m_plot->scale().begin - before.begin) < 1 && std::abs(m_plot->scale().length - before.length) < 1);
}

void TestLimiterView::dragMeasures()
{
    show(eightLimiters(boundaryBurst()));
    QSignalSpy pointed(m_view.get(), &LimiterView::pointed);
    QTest::mousePress(m_plot, Qt::LeftButton, {}, pointAt(500, 0, 1));
    QTest::mouseMove(m_plot, pointAt(700, 0, 1));
    QTest::mouseRelease(m_plot, Qt::LeftButton, {}, pointAt(700, 0, 1));
    QVERIFY(!pointed.isEmpty() && pointed.last().first().toString().contains(QLatin1String(" ms from ")));
    QVERIFY(!m_model->selected()); // a drag is no click
}

void TestLimiterView::hiddenLimitersHaveNoRow()
{
    m_view->setHidden({"gcra", "sliding-log"}); // before there is a run, as remembered
    show(eightLimiters(boundaryBurst()));
    QCOMPARE(m_plot->picture().rows.size(), 6u);
    QCOMPARE(m_view->findChild<QToolButton *>()->text(), QStringLiteral("Compare: 6 of 8 ▾"));
    m_view->setHidden({});
    QCOMPARE(m_plot->picture().rows.size(), 8u);
}

void TestLimiterView::aRunWithoutLimitersHasNoRow()
{
    show(eightLimiters(boundaryBurst()));
    QVERIFY(!m_plot->picture().rows.empty());
    m_model->clear();
    QVERIFY(m_plot->picture().rows.empty());
    m_plot->layOut(QSize(300, 200)); // as when it is shown again in another size
}

void TestLimiterView::theMenuChoosesLimiters()
{
    show(eightLimiters(boundaryBurst()));
    QSignalSpy changed(m_view.get(), &LimiterView::hiddenChanged);
    const auto choice = [this](const char *title) {
        for (QAction *action : m_view->findChild<QToolButton *>()->menu()->actions()) {
            if (action->text() == QLatin1String(title))
                return action;
        }
        return static_cast<QAction *>(nullptr);
    };
    choice("GCRA")->trigger();
    QTRY_COMPARE(m_plot->picture().rows.size(), 7u);
    QCOMPARE(changed.last().first().toStringList(), QStringList {"gcra"});
    choice("Show All")->trigger();
    QTRY_COMPARE(m_plot->picture().rows.size(), 8u);
    QCOMPARE(changed.last().first().toStringList(), QStringList());
}

void TestLimiterView::aDefectSharesTheRowOfItsTwin()
{
    show(flooredBucket());
    QCOMPARE(m_plot->picture().rows.size(), 1u);
    QTRY_VERIFY(m_plot->picture().figuresOf(1));
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointAt(700, 0, -1));
    QVERIFY2(answer().startsWith("Refill rounded down: the bucket holds 0 of 10 tokens"), qPrintable(answer()));
    QTest::keyClick(m_view.get(), Qt::Key_Down); // its twin's, in the same row
    QVERIFY2(answer().startsWith("Token bucket: there were enough tokens"), qPrintable(answer()));
    QVERIFY2(answer().endsWith("The same request was rejected by Refill rounded down."), qPrintable(answer()));
}

void TestLimiterView::aLiveRunIsFollowed()
{
    const Run whole = eightLimiters(boundaryBurst(8));
    m_model->begin({});
    Batch batch;
    for (size_t i = 1; i < whole.names.size(); ++i)
        batch.names.push_back(whole.names.bytes(Name(i)));
    batch.limiters = whole.header.limiters;
    batch.decisions = whole.decisions; // more than there are events for is no harm
    const auto send = [&](double from, double to) {
        batch.events.clear();
        for (const Event &event : whole.events) {
            if (event.at >= ms(from) && event.at < ms(to))
                batch.events.push_back(event);
        }
        batch.now = ms(to);
        m_model->append(batch);
        batch.names.clear();
        batch.decisions.clear();
        QCoreApplication::processEvents();
    };
    QAction *follow = m_view->findChild<QAction *>("follow");
    send(0, 3000);
    QVERIFY(follow->isChecked());
    QCOMPARE(m_plot->picture().rows.size(), 8u);
    send(3000, 6000);
    QVERIFY(m_plot->scale().end() >= 6e9);
    wheel(pointAt(2000, 0, 1), 360);
    QVERIFY(!follow->isChecked());
    const Scale stays = m_plot->scale();
    send(6000, 7000);
    QVERIFY(m_plot->scale() == stays);
    QTRY_VERIFY(m_plot->picture().figuresOf(7)); // measured while it goes on
}

void TestLimiterView::aLongRunIsTakenInSteps()
{
    show(flooredBucket());
    const auto isShown = [this] { return m_plot->picture().run == &m_model->run(); };
    QVERIFY(isShown());
    m_model->show(std::make_shared<const Run>(manyDecisions(10'000, 10)), {});
    QVERIFY(!isShown()); // the one before it is still there, and can be drawn
    m_plot->replot();
    QTRY_VERIFY(isShown());
    QCOMPARE(m_plot->picture().record->series().front().points().size(), 10'000u);
}

void TestLimiterView::figuresArriveAfterTheRun()
{
    show(eightLimiters(boundaryBurst()));
    QTRY_VERIFY(m_plot->picture().figuresOf(7));
    QCOMPARE(m_plot->picture().figuresOf(2)->keyBytes, std::optional<qint64>(368));
    QCOMPARE(m_plot->picture().figuresOf(0)->mostInWindow, 20);
}

void TestLimiterView::everyActionHasAKeyAndAName()
{
    QVERIFY(m_view->viewActions().size() >= 15);
    for (const QAction *each : m_view->viewActions()) {
        QVERIFY(!each->text().isEmpty());
        QVERIFY(!each->shortcuts().isEmpty());
        QVERIFY(!each->shortcuts().contains(QKeySequence(Qt::Key_Space)));
    }
    QVERIFY(!m_view->accessibleName().isEmpty());
    QVERIFY(!m_view->findChild<QToolButton *>()->accessibleName().isEmpty());
}

void TestLimiterView::manyRowsScroll()
{
    m_view->resize(1000, 420);
    show(eightLimiters(boundaryBurst()));
    QTRY_VERIFY(m_plot->rowsHeight() > m_plot->rowsArea().height());
    QVERIFY(m_plot->rowHeight() >= 60);
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    for (int i = 0; i < 7; ++i)
        QTest::keyClick(m_view.get(), Qt::Key_Down);
    QVERIFY(answer().startsWith("GCRA"));
    QVERIFY(m_plot->scrolled() > 0);
    QVERIFY(m_plot->placeOf(7).bottom() <= m_plot->rowsArea().bottom() + 1);
}

void TestLimiterView::theTableHasEveryLimiter()
{
    LimiterTable table(*m_model);
    table.resize(1000, 700);
    table.show();
    show(eightLimiters(boundaryBurst()));
    const QList<QTableView *> tables = table.findChildren<QTableView *>();
    QCOMPARE(tables.size(), 2);
    QTRY_COMPARE(tables[0]->model()->rowCount(), 8);
    const auto cell = [&](int which, int row, int column) { return tables[which]->model()->index(row, column).data().toString(); };
    QCOMPARE(cell(0, 0, 0), QStringLiteral("Fixed window"));
    QCOMPARE(cell(0, 0, 4), QStringLiteral("20\u00a0÷\u00a010\u00a0=\u00a02.00"));
    QCOMPARE(cell(0, 2, 4), QStringLiteral("10\u00a0÷\u00a010\u00a0=\u00a01.00"));
    QCOMPARE(cell(0, 2, 9), QStringLiteral("1.00"));
    QCOMPARE(cell(0, 2, 11), QStringLiteral("368"));
    QCOMPARE(cell(1, 0, 1), QStringLiteral("up to 10 in 100\u00a0ms"));
    QCOMPARE(cell(1, 7, 3), QStringLiteral("80 B: one time"));
    for (const QTableView *each : tables)
        QVERIFY(!each->accessibleName().isEmpty());
}

void TestLimiterView::theTableIsCopied()
{
    LimiterTable table(*m_model);
    table.show();
    show(flooredBucket());
    QTableView *measured = table.findChildren<QTableView *>().first();
    QTRY_COMPARE(measured->model()->rowCount(), 2);
    measured->selectRow(0);
    measured->actions().first()->trigger();
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith("Limiter\tadmitted\trejected\t"));
    QVERIFY2(lines[1].startsWith("Token bucket\t45\t15\t0\t"), qPrintable(lines[1])); // 10 and 59 gains of 0.6 are 45.4
    measured->actions().last()->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 3);
}

void TestLimiterView::theTableLeavesOutTheHidden()
{
    LimiterTable table(*m_model);
    table.show();
    show(eightLimiters(boundaryBurst()));
    const QTableView *measured = table.findChildren<QTableView *>().first();
    QTRY_COMPARE(measured->model()->rowCount(), 8);
    table.setHidden({"gcra"});
    QCOMPARE(measured->model()->rowCount(), 7);
}

QTEST_MAIN(TestLimiterView)
#include "tst_limiterview.moc"
