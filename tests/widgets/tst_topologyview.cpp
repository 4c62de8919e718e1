// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/grouprecords.h"
#include "widgets/ladder/ladderview.h"
#include "widgets/runmodel.h"
#include "widgets/topology/failoverview.h"
#include "widgets/topology/groupmodel.h"
#include "widgets/topology/nodepanel.h"
#include "widgets/topology/topologyview.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

using namespace interlock;
using namespace interlock::samples;

namespace {

constexpr int n1 = 0, n2 = 1, n3 = 2, s2 = 4; // as the header lists them

constexpr qint64 sec(double seconds) { return static_cast<qint64>(seconds * 1e9 + 0.5); }

}

class TestTopologyView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsTheEndThenWhatIsChosen();
    void saysTheMomentInWords();
    void rolesAreFollowed();
    void theSliderMovesTheMoment();
    void keysStepThroughMoments();
    void theSelectedEventIsTheMoment();
    void thePointerWinsWhileItIsThere();
    void aLiveRunIsFollowedUntilAMomentIsChosen();
    void aClickTellsTheFactsOfANode();
    void keysChooseANodeAndOpenIt();
    void strikesAreAskedForOnlyWhereAllowed();
    void strikesFitTheStateOfTheNode();
    void strikesCarryTheirAmount();
    void thePanelStaysInside();
    void whatChangedIsRinged();
    void drawsEveryMomentOfEveryRecord();
    void aRunWithoutAGroupIsSaid();
    void everyActionHasAKeyAndAName();
    void partsStandAlone();

private:
    void show(Run run);
    TopologyView &view() const { return m_view->topology(); }
    NodePanel *panel() const { return view().findChild<NodePanel *>(); }
    QPushButton *button(Strike::Kind kind) const { return panel()->findChild<QPushButton *>(QLatin1String(strikeWord(kind))); }
    QString title() const { return view().findChild<QLabel *>()->text(); }
    void click(int node) { QTest::mouseClick(&view(), Qt::LeftButton, {}, view().layoutOfNodes().boxOf(node).center().toPoint()); }
    void press(Qt::Key key) { QTest::keyClick(&view(), key); }
    /// How many of the colour's pixels there are around a box.
    int pixels(const QRectF &box, const QColor &color) const;

    std::unique_ptr<RunModel> m_model;
    std::unique_ptr<GroupModel> m_group;
    std::unique_ptr<FailoverView> m_view;
};

void TestTopologyView::init()
{
    m_model = std::make_unique<RunModel>();
    m_group = std::make_unique<GroupModel>(*m_model);
    m_view = std::make_unique<FailoverView>(*m_group);
    m_view->setTheme(Theme::light());
    m_view->resize(900, 420);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    view().setFocus();
}

void TestTopologyView::cleanup()
{
    m_view.reset();
    m_group.reset();
    m_model.reset();
}

void TestTopologyView::show(Run run)
{
    m_model->show(std::make_shared<const Run>(std::move(run)), {});
    QCoreApplication::processEvents();
}

int TestTopologyView::pixels(const QRectF &box, const QColor &color) const
{
    const QImage image = view().grab().toImage();
    int found = 0;
    for (int y = std::max(0, int(box.top())); y < std::min<int>(image.height(), int(box.bottom())); ++y) {
        for (int x = std::max(0, int(box.left())); x < std::min<int>(image.width(), int(box.right())); ++x)
            found += image.pixelColor(x, y) == color;
    }
    return found;
}

void TestTopologyView::showsTheEndThenWhatIsChosen()
{
    show(lockLoss());
    QCOMPARE(m_group->time(), sec(3.9));
    QCOMPARE(title(), QStringLiteral("Topology at 3.900 s"));
    m_group->choose(sec(2.204));
    QCOMPARE(title(), QStringLiteral("Topology at 2.204 s"));
    m_group->choose({});
    QCOMPARE(title(), QStringLiteral("Topology at 3.900 s"));
}

void TestTopologyView::saysTheMomentInWords()
{
    show(lockLoss());
    m_group->choose(sec(0.45));
    QString said = view().accessibleDescription();
    for (const char *part : {"N1: primary, lock is 7f3a (A).", "N2: replica of N1, cut at 0.380 s · 130 B behind", "S2 takes N1 for the primary."})
        QVERIFY2(said.contains(QString::fromUtf8(part)), qPrintable(said));
    m_group->choose(sec(2.3));
    said = view().accessibleDescription();
    for (const char *part : {"N1: primary, killed.", "N3: primary, lock is c210 (B).", "S1 takes N3 for the primary.", "S2 takes N1 for the primary, leads, picks N3."})
        QVERIFY2(said.contains(QString::fromUtf8(part)), qPrintable(said));
}

void TestTopologyView::rolesAreFollowed()
{
    show(sleepingPrimary());
    m_group->choose(sec(1));
    QVERIFY(view().accessibleDescription().contains(QStringLiteral("N1: primary, paused")));
    m_group->choose(sec(3.3));
    QVERIFY2(view().accessibleDescription().contains(QStringLiteral("N1: still primary")), qPrintable(view().accessibleDescription()));
    QVERIFY(view().accessibleDescription().contains(QStringLiteral("N2: primary")));
    m_group->choose(sec(3.45));
    QVERIFY(view().accessibleDescription().contains(QStringLiteral("N1: replica of N2")));
}

void TestTopologyView::theSliderMovesTheMoment()
{
    show(lockLoss());
    auto *slider = view().findChild<QSlider *>();
    QCOMPARE(slider->value(), slider->maximum());
    slider->setValue(slider->maximum() / 2);
    QCOMPARE(m_group->time(), sec(1.95));
    m_group->choose(sec(0.975));
    QCOMPARE(slider->value(), slider->maximum() / 4);
    slider->setValue(slider->maximum());
    QVERIFY(m_group->isAtEnd());
    QVERIFY(!slider->accessibleName().isEmpty());
}

void TestTopologyView::keysStepThroughMoments()
{
    show(lockLoss());
    press(Qt::Key_Home);
    QCOMPARE(m_group->time(), 0);
    press(Qt::Key_Period);
    QCOMPARE(m_group->time(), sec(0.38)); // an offset is no moment
    press(Qt::Key_Period);
    QCOMPARE(m_group->time(), sec(0.383));
    press(Qt::Key_Comma);
    QCOMPARE(m_group->time(), sec(0.38));
    press(Qt::Key_End);
    QCOMPARE(m_group->time(), sec(3.9));
    press(Qt::Key_Comma);
    QCOMPARE(m_group->time(), sec(3.412)); // A's hold ended
    press(Qt::Key_Escape);
    QVERIFY(m_group->isAtEnd());
}

void TestTopologyView::theSelectedEventIsTheMoment()
{
    show(lockLoss());
    const std::vector<Event> &events = m_model->run().events;
    size_t index = 0;
    while (events[index].at < sec(2.193))
        ++index;
    m_model->select(index);
    QCOMPARE(m_group->time(), sec(2.193));
    m_model->select({});
    QVERIFY(m_group->isAtEnd());
}

void TestTopologyView::thePointerWinsWhileItIsThere()
{
    show(lockLoss());
    m_group->choose(sec(1));
    m_group->point(sec(2.5));
    QCOMPARE(title(), QStringLiteral("Topology at 2.500 s"));
    m_group->point({});
    QCOMPARE(title(), QStringLiteral("Topology at 1.000 s"));
}

void TestTopologyView::aLiveRunIsFollowedUntilAMomentIsChosen()
{
    const Run whole = lockLoss();
    m_model->begin(whole.header);
    Batch batch;
    for (size_t i = 1; i < whole.names.size(); ++i)
        batch.names.push_back(whole.names.bytes(Name(i)));
    batch.lanes = whole.header.lanes;
    const auto send = [&](double from, double to) {
        batch.events.clear();
        for (const Event &event : whole.events) {
            if (event.at >= sec(from) && event.at < sec(to))
                batch.events.push_back(event);
        }
        batch.now = sec(to);
        m_model->append(batch);
        batch.names.clear();
        QCoreApplication::processEvents();
    };
    send(0, 0.5);
    QCOMPARE(title(), QStringLiteral("Topology now, at 0.500 s"));
    QVERIFY(view().accessibleDescription().contains(QStringLiteral("N1: primary, lock is 7f3a (A)")));
    send(0.5, 1);
    QVERIFY(view().accessibleDescription().contains(QStringLiteral("N1: primary, killed")));
    m_group->choose(sec(0.45));
    send(1, 2.5);
    QCOMPARE(title(), QStringLiteral("Topology at 0.450 s"));
    press(Qt::Key_End);
    QVERIFY(view().accessibleDescription().contains(QStringLiteral("N3: primary")));
    // The finished record of the same run: the person stays at the moment.
    m_group->choose(sec(0.45));
    show(whole);
    QCOMPARE(title(), QStringLiteral("Topology at 0.450 s"));
}

void TestTopologyView::aClickTellsTheFactsOfANode()
{
    show(lockLoss());
    m_group->choose(sec(2.5));
    QVERIFY(panel()->isHidden());
    click(n3);
    QVERIFY(!panel()->isHidden());
    QCOMPARE(panel()->node(), n3);
    for (const char *part : {"Address: 127.0.0.1:6403.", "Role: primary, since 2.193 s.", "Offset: 280 B.", "lock: c210 (B), since 2.203 s, until 32.203 s."})
        QVERIFY2(panel()->accessibleDescription().contains(QString::fromUtf8(part)), qPrintable(panel()->accessibleDescription()));
    click(s2);
    QCOMPARE(panel()->node(), s2);
    for (const char *part : {"Primary: N1, from the start.", "Calls down: N1, agreed by 2/2, since 1.242 s.", "Votes for: S2, since 1.334 s.", "Leads: the failover, promotes N3."})
        QVERIFY2(panel()->accessibleDescription().contains(QString::fromUtf8(part)), qPrintable(panel()->accessibleDescription()));
    click(s2);
    QVERIFY(panel()->isHidden());
    click(n2);
    QTest::mouseClick(&view(), Qt::LeftButton, {}, QPoint(2, view().height() / 2));
    QVERIFY(panel()->isHidden());
}

void TestTopologyView::keysChooseANodeAndOpenIt()
{
    show(lockLoss());
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    press(Qt::Key_Return);
    QVERIFY(!panel()->isHidden());
    QCOMPARE(panel()->node(), n2);
    press(Qt::Key_Left);
    QCOMPARE(panel()->node(), n1);
    QTest::keyClick(panel(), Qt::Key_Escape);
    QVERIFY(panel()->isHidden());
    press(Qt::Key_Left); // round to the last
    press(Qt::Key_Return);
    QCOMPARE(panel()->node(), 5);
}

void TestTopologyView::strikesAreAskedForOnlyWhereAllowed()
{
    show(lockLossUntil(0.3));
    QSignalSpy asked(m_view.get(), &FailoverView::strikeAsked);
    click(n1);
    QVERIFY(!button(Strike::Kind::Kill)->isVisible());
    view().setStriking(true);
    QVERIFY(button(Strike::Kind::Kill)->isVisible());
    QTest::mouseClick(button(Strike::Kind::Kill), Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.last().first().value<Strike>(), (Strike {QStringLiteral("N1"), Strike::Kind::Kill, {}}));
    click(s2);
    QVERIFY(button(Strike::Kind::Isolate)->isVisible());
    QVERIFY(!button(Strike::Kind::CutReplication)->isVisible()); // a sentinel has no replicas
    QTest::mouseClick(button(Strike::Kind::Pause), Qt::LeftButton);
    QCOMPARE(asked.last().first().value<Strike>(), (Strike {QStringLiteral("S2"), Strike::Kind::Pause, {}}));
    view().setStriking(false);
    QVERIFY(!button(Strike::Kind::Kill)->isVisible());
}

void TestTopologyView::strikesFitTheStateOfTheNode()
{
    view().setStriking(true);
    show(lockLossUntil(1));
    click(n1); // dead
    QVERIFY(button(Strike::Kind::Restart)->isEnabled());
    for (const Strike::Kind kind : {Strike::Kind::Kill, Strike::Kind::Pause, Strike::Kind::Resume, Strike::Kind::CutReplication, Strike::Kind::Isolate})
        QVERIFY2(!button(kind)->isEnabled(), strikeWord(kind));
    click(n2); // running
    for (const Strike::Kind kind : {Strike::Kind::Kill, Strike::Kind::Pause, Strike::Kind::CutReplication, Strike::Kind::CutClients, Strike::Kind::Heal})
        QVERIFY2(button(kind)->isEnabled(), strikeWord(kind));
    QVERIFY(!button(Strike::Kind::Restart)->isEnabled());
    QVERIFY(!button(Strike::Kind::Resume)->isEnabled());
    show(sleepingPrimary());
    m_group->choose(sec(1));
    click(n1); // paused
    QVERIFY(button(Strike::Kind::Resume)->isEnabled());
    QVERIFY(button(Strike::Kind::Kill)->isEnabled());
    QVERIFY(!button(Strike::Kind::Pause)->isEnabled());
}

void TestTopologyView::strikesCarryTheirAmount()
{
    view().setStriking(true);
    show(lockLossUntil(0.3));
    QSignalSpy asked(m_view.get(), &FailoverView::strikeAsked);
    click(n1);
    panel()->findChild<QSpinBox *>()->setValue(350);
    QTest::mouseClick(button(Strike::Kind::LagReplication), Qt::LeftButton);
    QCOMPARE(asked.last().first().value<Strike>(), (Strike {QStringLiteral("N1"), Strike::Kind::LagReplication, 350ms}));
    QTest::mouseClick(button(Strike::Kind::CutReplication), Qt::LeftButton);
    QCOMPARE(asked.last().first().value<Strike>().amount, Nanoseconds(0));
}

void TestTopologyView::thePanelStaysInside()
{
    view().setStriking(true);
    m_view->resize(760, 360);
    show(lockLoss());
    for (int node = n1; node <= 5; ++node) {
        click(node);
        QVERIFY2(view().rect().contains(panel()->geometry()), qPrintable(QString::number(node)));
        press(Qt::Key_Escape);
    }
}

void TestTopologyView::whatChangedIsRinged()
{
    show(lockLoss());
    const auto ring = [&](int node) { // something is drawn in a strip left of the box
        const QRectF box = view().layoutOfNodes().boxOf(node);
        return pixels(QRectF(box.left() - 6, box.top() + 10, 5, 20), Qt::white) < 5 * 20;
    };
    m_group->choose(sec(2.3));
    QVERIFY(ring(n3)); // promoted 107 ms ago
    QVERIFY(!ring(n1));
    m_group->choose(sec(0.7));
    QVERIFY(ring(n1)); // killed 170 ms ago
    m_group->choose(sec(1.2));
    QVERIFY(!ring(n1));
    QVERIFY(!ring(n3));
}

void TestTopologyView::drawsEveryMomentOfEveryRecord()
{
    for (const Run &run : {lockLoss(), abortedFailover(), sleepingPrimary(), twoFailovers(), resync()}) {
        show(run);
        m_group->choose(0);
        qint64 before = -1;
        QImage last;
        int different = 0;
        while (m_group->time() != before) {
            before = m_group->time();
            const QImage image = view().grab().toImage();
            different += image != last;
            last = image;
            m_group->step(1);
        }
        QVERIFY2(different >= 8, qPrintable(QString::number(different)));
    }
}

void TestTopologyView::aRunWithoutAGroupIsSaid()
{
    Run run = lockLoss();
    for (NodeInfo &node : run.header.nodes)
        node.role = QStringLiteral("independent");
    show(run);
    QVERIFY(!m_group->hasGroup());
    QCOMPARE(view().accessibleDescription(), QStringLiteral("The run has no group of servers."));
    press(Qt::Key_Right);
    press(Qt::Key_Return);
    QVERIFY(panel()->isHidden());
    view().grab();
}

void TestTopologyView::everyActionHasAKeyAndAName()
{
    QVERIFY(view().viewActions().size() >= 8);
    for (const QAction *each : view().viewActions()) {
        QVERIFY(!each->text().isEmpty());
        QVERIFY(!each->shortcuts().isEmpty());
        QVERIFY(!each->shortcuts().contains(QKeySequence(Qt::Key_Space)));
    }
    QVERIFY(!view().accessibleName().isEmpty());
}

void TestTopologyView::partsStandAlone()
{
    m_view->setParts({"topology"});
    QVERIFY(view().isVisible());
    QVERIFY(!m_view->ladder().isVisible());
    m_view->setParts({"timeline", "ladder"});
    QVERIFY(!view().isVisible());
    QVERIFY(m_view->ladder().isVisible());
    m_view->setParts({"failover"});
    QVERIFY(view().isVisible() && m_view->ladder().isVisible());
    for (const char *id : {"topology", "ladder", "failover"})
        QVERIFY(FailoverView::isPart(QLatin1String(id)));
    QVERIFY(!FailoverView::isPart(QStringLiteral("timeline")));
}

QTEST_MAIN(TestTopologyView)
#include "tst_topologyview.moc"
