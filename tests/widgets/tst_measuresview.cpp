// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/measuring.h"
#include "widgets/measures/matrixmodel.h"
#include "widgets/measures/matrixpicture.h"
#include "widgets/measures/matrixview.h"
#include "widgets/measures/measuresview.h"
#include "widgets/runmodel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace interlock;
using interlock::test::Measuring;

namespace {

const SeriesInfo lost {QStringLiteral("lost"), QStringLiteral("Without WAIT"), QStringLiteral("Lag"), QStringLiteral("Locks lost"), QStringLiteral("ns"), {}};
const SeriesInfo safe {QStringLiteral("safe"), QStringLiteral("With WAIT"), QStringLiteral("Lag"), QStringLiteral("Locks lost"), QStringLiteral("ns"), {}};

Measuring curves()
{
    Measuring measuring({lost, safe});
    measuring.share("lost", 0, 0, 1, "lag-0-1").share("lost", 50'000'000, 1, 1, "lag-50-1").share("lost", 50'000'000, 0, 1, "lag-50-2").share("lost", 100'000'000, 1, 1, "lag-100-1");
    measuring.share("safe", 0, 0, 2).share("safe", 100'000'000, 0, 2, "safe-100-1");
    return measuring;
}

Measuring outcomes()
{
    Measuring measuring;
    measuring.cell("No remedy", "Cut link", "lost", 7, "none-cut").cell("No remedy", "Held link", "kept", 0, "none-held");
    measuring.cell("WAIT 2", "Cut link", "refused", 0, "wait-cut-1").cell("WAIT 2", "Cut link", "kept", 0, "wait-cut-2");
    return measuring;
}

std::shared_ptr<const Run> shared(Run run)
{
    run.isComplete = true;
    return std::make_shared<const Run>(std::move(run));
}

}

class TestMeasuresView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aPointIsReadUnderThePointer();
    void aClickOpensTheRunOfAPoint();
    void severalRunsAreOfferedInAMenu();
    void keysGoFromPointToPoint();
    void aPointOfTheRunItselfOpensNothing();
    void curvesGrowWithTheRun();
    void anotherRunForgetsTheMarkedPoint();
    void chartsFollowThemeAndSize();
    void aCellOpensItsRun();
    void cellsSayWhatTheyAre();
    void theWorstOutcomeIsShownFirst();
    void theTableIsCopied();
    void theTableFillsWithTheRun();

private:
    QPoint pointOf(size_t curve, size_t point) const { return m_measures->plot().positionOf({0, curve, point}).toPoint(); }
    MeasurePlot *plot() const { return m_measures->findChild<MeasurePlot *>(); }

    std::unique_ptr<RunModel> m_model;
    std::unique_ptr<MeasuresView> m_measures;
    std::unique_ptr<MatrixView> m_matrix;
};

void TestMeasuresView::init()
{
    m_model = std::make_unique<RunModel>();
    m_measures = std::make_unique<MeasuresView>(*m_model);
    m_matrix = std::make_unique<MatrixView>(*m_model);
    for (QWidget *view : {static_cast<QWidget *>(m_measures.get()), static_cast<QWidget *>(m_matrix.get())}) {
        view->resize(800, 400);
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view));
    }
}

void TestMeasuresView::cleanup()
{
    m_measures.reset();
    m_matrix.reset();
    m_model.reset();
}

void TestMeasuresView::aPointIsReadUnderThePointer()
{
    m_model->show(shared(curves().run()), {});
    QSignalSpy pointed(m_measures.get(), &MeasuresView::pointed);
    QTest::mouseMove(plot(), pointOf(0, 1));
    QTRY_VERIFY(!pointed.isEmpty());
    // Of 1 of 2 Wilson's interval is 9.5 % to 90.5 %.
    QCOMPARE(pointed.last().first().toString(), QStringLiteral("Without WAIT · Lag: 50 ms · Locks lost: 1 of 2, 50 % (9 % to 91 %)"));
    QCOMPARE(m_measures->accessibleDescription(), pointed.last().first().toString());
    QTest::mouseMove(plot(), QPoint(3, 3));
    QTRY_COMPARE(pointed.last().first().toString(), QString());
}

void TestMeasuresView::aClickOpensTheRunOfAPoint()
{
    m_model->show(shared(curves().run()), {});
    QSignalSpy asked(m_measures.get(), &MeasuresView::childAsked);
    QTest::mouseClick(plot(), Qt::LeftButton, {}, pointOf(0, 2));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().toString(), QStringLiteral("lag-100-1"));
    QTest::mouseClick(plot(), Qt::LeftButton, {}, QPoint(3, 3));
    QCOMPARE(asked.size(), 1);
}

void TestMeasuresView::severalRunsAreOfferedInAMenu()
{
    m_model->show(shared(curves().run()), {});
    QSignalSpy asked(m_measures.get(), &MeasuresView::childAsked);
    QTest::mouseClick(plot(), Qt::LeftButton, {}, pointOf(0, 1));
    QVERIFY(asked.isEmpty());
    auto *menu = m_measures->findChild<QMenu *>();
    QVERIFY(menu);
    QCOMPARE(menu->actions().size(), 2);
    menu->actions().last()->trigger();
    QCOMPARE(asked.first().first().toString(), QStringLiteral("lag-50-2"));
    menu->close();
}

void TestMeasuresView::keysGoFromPointToPoint()
{
    m_model->show(shared(curves().run()), {});
    m_measures->setFocus();
    QSignalSpy asked(m_measures.get(), &MeasuresView::childAsked);
    const auto press = [this](Qt::Key key) { QTest::keyClick(m_measures.get(), key); };
    press(Qt::Key_Right);
    QCOMPARE(m_measures->plot().marked(), std::optional<PointPlace>({0, 0, 0}));
    press(Qt::Key_End);
    QCOMPARE(m_measures->plot().marked(), std::optional<PointPlace>({0, 0, 2}));
    press(Qt::Key_Down); // the nearest of the other curve
    QCOMPARE(m_measures->plot().marked(), std::optional<PointPlace>({0, 1, 1}));
    press(Qt::Key_Return);
    QCOMPARE(asked.first().first().toString(), QStringLiteral("safe-100-1"));
    press(Qt::Key_Left);
    press(Qt::Key_Left); // there is none before the first
    QCOMPARE(m_measures->plot().marked(), std::optional<PointPlace>({0, 1, 0}));
    press(Qt::Key_Escape);
    QVERIFY(!m_measures->plot().marked());
}

void TestMeasuresView::aPointOfTheRunItselfOpensNothing()
{
    m_model->show(shared(curves().run()), {});
    QSignalSpy asked(m_measures.get(), &MeasuresView::childAsked);
    QTest::keyClick(m_measures.get(), Qt::Key_Right);
    QTest::keyClick(m_measures.get(), Qt::Key_Down);
    QCOMPARE(m_measures->plot().marked(), std::optional<PointPlace>({0, 1, 0}));
    QTest::keyClick(m_measures.get(), Qt::Key_Return);
    QVERIFY(asked.isEmpty());
}

/// So many of the run's events as a batch of a live run.
Batch batchOf(const Run &run, size_t from, size_t until)
{
    Batch batch;
    batch.run = 1;
    for (size_t i = 1; from == 0 && i < run.names.size(); ++i)
        batch.names.push_back(run.names.bytes(static_cast<Name>(i)));
    batch.firstName = 1;
    batch.events.assign(run.events.begin() + static_cast<std::ptrdiff_t>(from), run.events.begin() + static_cast<std::ptrdiff_t>(until));
    return batch;
}

void TestMeasuresView::curvesGrowWithTheRun()
{
    const Run run = curves().run();
    m_model->begin(run.header);
    QVERIFY(m_measures->plot().charts().empty());
    m_model->append(batchOf(run, 0, 2));
    QTRY_COMPARE(m_measures->plot().charts().size(), size_t(1));
    QCOMPARE(m_measures->plot().curve({0, 0, 0}).points.size(), size_t(2));
    m_model->append(batchOf(run, 2, run.events.size()));
    QTRY_COMPARE(m_measures->plot().charts()[0].curves.size(), size_t(2));
}

void TestMeasuresView::anotherRunForgetsTheMarkedPoint()
{
    m_model->show(shared(curves().run()), {});
    QTest::keyClick(m_measures.get(), Qt::Key_Right);
    QVERIFY(m_measures->plot().marked());
    m_model->show(shared(Measuring().run()), {});
    QVERIFY(!m_measures->plot().marked());
    QTest::keyClick(m_measures.get(), Qt::Key_Right); // there is nothing to go to
    QVERIFY(!m_measures->plot().marked());
}

void TestMeasuresView::chartsFollowThemeAndSize()
{
    m_model->show(shared(curves().run()), {});
    const QSize area = m_measures->plot().charts().empty() ? QSize() : plot()->size();
    QVERIFY(area.height() > 0);
    const int onADesk = m_measures->plot().readableHeight(area.width());
    m_measures->setTheme(Theme::dark(2));
    QCOMPARE(m_measures->plot().readableHeight(area.width()), onADesk * 2);
    QVERIFY(plot()->minimumHeight() >= onADesk * 2);
    QCOMPARE(plot()->grab().toImage().pixelColor(1, 1), Theme::dark(2).background);
}

void TestMeasuresView::aCellOpensItsRun()
{
    m_model->show(shared(outcomes().run()), {});
    QSignalSpy asked(m_matrix.get(), &MatrixView::childAsked);
    QTableView &table = m_matrix->table();
    QTRY_COMPARE(table.model()->rowCount(), 2);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(0, 1)).center());
    QCOMPARE(asked.first().first().toString(), QStringLiteral("none-held"));
    table.setCurrentIndex(table.model()->index(0, 0));
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(asked.last().first().toString(), QStringLiteral("none-cut"));
    // Of two runs the person chooses; where nothing was measured there is none.
    const qsizetype before = asked.size();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(1, 0)).center());
    auto *menu = m_matrix->findChild<QMenu *>();
    QVERIFY(menu);
    menu->actions().first()->trigger();
    QCOMPARE(asked.last().first().toString(), QStringLiteral("wait-cut-1"));
    menu->close();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(1, 1)).center());
    QCOMPARE(asked.size(), before + 1);
}

void TestMeasuresView::cellsSayWhatTheyAre()
{
    m_model->show(shared(outcomes().run()), {});
    const QAbstractItemModel &model = *m_matrix->table().model();
    QTRY_COMPARE(model.columnCount(), 2);
    QCOMPARE(model.index(0, 0).data(Qt::AccessibleTextRole).toString(), QStringLiteral("No remedy, Cut link: lost, 7"));
    QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("refused 1 of 2; kept 1 of 2"));
    QCOMPARE(model.index(1, 1).data(Qt::AccessibleTextRole).toString(), QStringLiteral("WAIT 2, Held link: not measured"));
    QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QStringLiteral("WAIT 2"));
    QCOMPARE(model.headerData(0, Qt::Horizontal).toString(), QStringLiteral("Cut link"));
}

void TestMeasuresView::theWorstOutcomeIsShownFirst()
{
    const MeasuredTable table = tableOf(Measuring().cell("a", "b", "kept", 0).cell("a", "b", "refused", 0).cell("a", "b", "lost", 0).run());
    QCOMPARE(outcomeKind(table.cells[0]), OutcomeKind::Bad);
    QCOMPARE(outcomeKind(QStringLiteral("refused")), OutcomeKind::Refused);
    QCOMPARE(outcomeKind(QStringLiteral("kept")), OutcomeKind::Good);
    QCOMPARE(outcomeKind(QStringLiteral("fast")), OutcomeKind::Other);
    QCOMPARE(outcomeKind(MeasuredCell()), OutcomeKind::Other);
}

void TestMeasuresView::theTableIsCopied()
{
    m_model->show(shared(outcomes().run()), {});
    QTableView &table = m_matrix->table();
    QTRY_COMPARE(table.model()->rowCount(), 2);
    table.setFocus();
    table.selectAll();
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("\tCut link\tHeld link\nNo remedy\tlost, 7\tkept\nWAIT 2\trefused 1 of 2; kept 1 of 2\t\n"));
}

void TestMeasuresView::theTableFillsWithTheRun()
{
    const Run run = outcomes().run();
    m_model->begin(run.header);
    m_model->append(batchOf(run, 0, 1));
    QTRY_COMPARE(m_matrix->table().model()->rowCount(), 1);
    m_model->append(batchOf(run, 1, run.events.size()));
    QTRY_COMPARE(m_matrix->table().model()->rowCount(), 2);
}

QTEST_MAIN(TestMeasuresView)
#include "tst_measuresview.moc"
