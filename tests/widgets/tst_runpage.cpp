// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/grouprecords.h"
#include "widgets/measures/measuresview.h"
#include "widgets/runmodel.h"
#include "widgets/runpage.h"
#include "widgets/timeline/timelineview.h"
#include "widgets/topology/failoverview.h"
#include "widgets/topology/topologyview.h"

#include <QTabWidget>
#include <QTest>

using namespace interlock;
using namespace interlock::samples;

namespace {

const QStringList failoverViews {QStringLiteral("topology"), QStringLiteral("ladder"), QStringLiteral("timeline"), QStringLiteral("measures")};

}

class TestRunPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void viewsComeInTheExperimentsOrder_data();
    void viewsComeInTheExperimentsOrder();
    void theTimelineStandsBelowWhereThereIsRoom();
    void measuresHaveThePlaceToThemselves();
    void theWholeGroupCanBeRead_data();
    void theWholeGroupCanBeRead();

private:
    void show(const QSize &size, double scale, const QStringList &views);
    QTabWidget &tabs() const { return *m_page->findChild<QTabWidget *>(); }
    QStringList titles() const;
    bool isTimelineATab() const { return tabs().indexOf(&m_page->timeline()) >= 0; }

    std::unique_ptr<RunModel> m_model;
    std::unique_ptr<RunPage> m_page;
};

void TestRunPage::init()
{
    m_model = std::make_unique<RunModel>();
    m_page = std::make_unique<RunPage>(*m_model);
}

void TestRunPage::cleanup()
{
    m_page.reset();
    m_model.reset();
}

void TestRunPage::show(const QSize &size, double scale, const QStringList &views)
{
    m_page->setTheme(Theme::light(scale));
    m_page->setTitle(QStringLiteral("Lock Loss"), QStringLiteral("Two owners never work at once, whatever dies."));
    m_page->setViews(views);
    m_page->resize(size);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    m_model->show(std::make_shared<const Run>(lockLoss()), {});
    QCoreApplication::processEvents(); // what is laid out once the size is known
    QCoreApplication::processEvents();
}

QStringList TestRunPage::titles() const
{
    QStringList all;
    for (int i = 0; i < tabs().count(); ++i)
        all.append(tabs().tabText(i));
    return all;
}

void TestRunPage::viewsComeInTheExperimentsOrder_data()
{
    QTest::addColumn<QStringList>("views");
    QTest::addColumn<QStringList>("expected");
    const QStringList matrixFirst {QStringLiteral("matrix"), QStringLiteral("topology"), QStringLiteral("ladder"), QStringLiteral("timeline")};
    QTest::newRow("topology first") << failoverViews << QStringList {"Failover", "Measures", "Events"};
    QTest::newRow("table first") << matrixFirst << QStringList {"Outcomes", "Failover", "Events"};
    QTest::newRow("no group") << QStringList {"timeline", "waits"} << QStringList {"Timeline", "Waits"};
    QTest::newRow("measures first") << QStringList {"measures", "limiters"} << QStringList {"Measures", "Limiters", "Timeline"};
    QTest::newRow("one that nobody knows") << QStringList {"portrait", "waits"} << QStringList {"Waits", "Timeline"};
}

void TestRunPage::viewsComeInTheExperimentsOrder()
{
    QFETCH(QStringList, views);
    QFETCH(QStringList, expected);
    show({1000, 900}, 1, views);
    QCOMPARE(titles(), expected);
    QCOMPARE(tabs().currentIndex(), 0);
}

void TestRunPage::theTimelineStandsBelowWhereThereIsRoom()
{
    show({1000, 900}, 1, failoverViews);
    QVERIFY(!isTimelineATab());
    QVERIFY(m_page->timeline().isVisible());
    m_page->resize(1000, 420);
    QTRY_VERIFY(isTimelineATab());
    QVERIFY(m_page->failover().isVisible());
    m_page->resize(1000, 660);
    QTRY_VERIFY(!isTimelineATab());
    QVERIFY(m_page->timeline().isVisible());
    m_page->setTheme(Theme::light(2)); // the same place, larger type
    QTRY_VERIFY(isTimelineATab());
}

void TestRunPage::measuresHaveThePlaceToThemselves()
{
    show({1000, 900}, 1, failoverViews);
    const int shared = tabs().height();
    m_page->showMeasured();
    QCOMPARE(tabs().currentWidget(), &m_page->measures());
    QVERIFY(!m_page->timeline().isVisible());
    QTRY_VERIFY(tabs().height() > shared + 100);
    m_page->showView(QStringLiteral("failover"));
    QVERIFY(m_page->timeline().isVisible());
}

void TestRunPage::theWholeGroupCanBeRead_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("a window") << QSize(680, 760) << 1.0;
    QTest::newRow("a small window") << QSize(560, 560) << 1.0;
    QTest::newRow("presented at 1280 × 800") << QSize(1280, 800) << 2.0;
    QTest::newRow("presented at 1920 × 1080") << QSize(1920, 1080) << 2.0;
    QTest::newRow("large text in a window") << QSize(760, 760) << 2.0;
}

void TestRunPage::theWholeGroupCanBeRead()
{
    QFETCH(QSize, size);
    QFETCH(double, scale);
    show(size, scale, failoverViews);
    const TopologyView &topology = m_page->failover().topology();
    QTRY_VERIFY(topology.isVisible() && topology.layoutOfNodes().area.height() > 0);
    QCOMPARE(m_page->size(), size);
    const QRect visible(topology.mapTo(m_page.get(), QPoint()), topology.size());
    QVERIFY(m_page->rect().contains(visible));
    for (int node = 0; node < 6; ++node) {
        const QRectF box = topology.layoutOfNodes().boxOf(node);
        QVERIFY2(QRectF(topology.pictureArea()).contains(box), qPrintable(QStringLiteral("node %1 from %2 to %3 of %4").arg(node).arg(box.top()).arg(box.bottom()).arg(topology.height())));
        for (int other = 0; other < node; ++other)
            QVERIFY(!box.intersects(topology.layoutOfNodes().boxOf(other)));
    }
}

QTEST_MAIN(TestRunPage)
#include "tst_runpage.moc"
