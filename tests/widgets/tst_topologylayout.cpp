// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/topology/topologylayout.h"

#include <QTest>

using namespace interlock;

namespace {

Header group(int replicas, int sentinels, int clients)
{
    Header header;
    header.nodes.append({QStringLiteral("N1"), QStringLiteral("primary"), {}, true, {}});
    for (int i = 0; i < replicas; ++i)
        header.nodes.append({QStringLiteral("N%1").arg(i + 2), QStringLiteral("replica"), {}, true, {}});
    for (int i = 0; i < sentinels; ++i)
        header.nodes.append({QStringLiteral("S%1").arg(i + 1), QStringLiteral("sentinel"), {}, true, {}});
    for (int i = 0; i < clients; ++i)
        header.lanes.append({Lane::Type::Actor, QStringLiteral("C%1").arg(i + 1), {}});
    if (clients > 0)
        header.lanes.append({Lane::Type::Node, QStringLiteral("N1"), QStringLiteral("lock")});
    return header;
}

std::vector<QRectF> boxes(const TopologyLayout &layout)
{
    std::vector<QRectF> all;
    for (const std::vector<TopologyLayout::Place> *places : {&layout.clients, &layout.servers, &layout.sentinels}) {
        for (const TopologyLayout::Place &place : *places)
            all.push_back(place.box);
    }
    return all;
}

}

class TestTopologyLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingHasAPlaceOfItsOwn_data()
    {
        QTest::addColumn<int>("replicas");
        QTest::addColumn<int>("sentinels");
        QTest::addColumn<int>("clients");
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<double>("scale");
        QTest::newRow("usual") << 2 << 3 << 2 << QSizeF(430, 290) << 1.0;
        QTest::newRow("presentation") << 2 << 3 << 2 << QSizeF(1100, 440) << 2.0;
        QTest::newRow("wide and low") << 2 << 3 << 2 << QSizeF(700, 180) << 1.0;
        QTest::newRow("large") << 2 << 3 << 3 << QSizeF(1400, 900) << 1.0;
        QTest::newRow("no sentinels") << 1 << 0 << 0 << QSizeF(400, 260) << 1.0;
        QTest::newRow("eight replicas") << 8 << 5 << 4 << QSizeF(700, 460) << 1.0;
        QTest::newRow("alone") << 0 << 3 << 0 << QSizeF(400, 200) << 1.0;
    }

    void everythingHasAPlaceOfItsOwn()
    {
        QFETCH(int, replicas);
        QFETCH(int, sentinels);
        QFETCH(int, clients);
        QFETCH(QSizeF, size);
        QFETCH(double, scale);
        const Header header = group(replicas, sentinels, clients);
        const QRectF area(QPointF(10, 20), size);
        const TopologyLayout layout = TopologyLayout::make(area, header, Theme::light(scale));
        QCOMPARE(layout.servers.size(), size_t(replicas) + 1);
        QCOMPARE(layout.sentinels.size(), size_t(sentinels));
        const std::vector<QRectF> all = boxes(layout);
        for (size_t i = 0; i < all.size(); ++i) {
            QVERIFY2(area.contains(all[i]), qPrintable(QString::number(i)));
            for (size_t j = 0; j < i; ++j)
                QVERIFY2(!all[i].intersects(all[j]), qPrintable(QStringLiteral("%1 and %2").arg(j).arg(i)));
        }
    }

    void thePrimaryStandsAboveWhereThereIsRoom()
    {
        const TopologyLayout tall = TopologyLayout::make(QRectF(0, 0, 430, 300), group(2, 3, 0), Theme::light());
        QVERIFY(!tall.isFlat);
        QVERIFY(tall.boxOf(0).bottom() < tall.boxOf(1).top());
        QCOMPARE(tall.boxOf(1).top(), tall.boxOf(2).top());
        const TopologyLayout flat = TopologyLayout::make(QRectF(0, 0, 700, 180), group(2, 3, 0), Theme::light());
        QVERIFY(flat.isFlat);
        QCOMPARE(flat.boxOf(0).top(), flat.boxOf(2).top());
    }

    void clientsGiveWayFirst()
    {
        const double least = TopologyLayout::readableHeight(group(2, 3, 2), Theme::light(), 430);
        QVERIFY(TopologyLayout::make(QRectF(0, 0, 430, least + 2), group(2, 3, 2), Theme::light()).clients.empty());
        QCOMPARE(TopologyLayout::make(QRectF(0, 0, 430, least + 200), group(2, 3, 2), Theme::light()).clients.size(), 2u);
    }

    void typeShrinksToWhatHasRoom()
    {
        const Header header = group(2, 3, 2);
        const Theme large = Theme::dark(2);
        const double wanted = TopologyLayout::readableHeight(header, large, 900);
        QCOMPARE(TopologyLayout::fittingTheme(QSizeF(900, wanted), header, large), large);
        const Theme smaller = TopologyLayout::fittingTheme(QSizeF(900, wanted * 0.8), header, large);
        QCOMPARE(smaller.name, large.name);
        QVERIFY(smaller.scale < 2 && smaller.scale > 1.3);
        QVERIFY(TopologyLayout::readableHeight(header, smaller, 900) <= wanted * 0.8);
        QCOMPARE(TopologyLayout::fittingTheme(QSizeF(900, 10), header, large).scale, 1.0); // as on a desk, at least
    }

    void withoutALockThereAreNoClients()
    {
        Header header = group(2, 3, 2);
        header.lanes.removeLast();
        const TopologyLayout layout = TopologyLayout::make(QRectF(0, 0, 430, 500), header, Theme::light());
        QVERIFY(layout.clients.empty());
        QVERIFY(layout.boxOf(0).height() < TopologyLayout::make(QRectF(0, 0, 430, 500), group(2, 3, 2), Theme::light()).boxOf(0).height());
    }

    void aPointFindsItsNode()
    {
        const TopologyLayout layout = TopologyLayout::make(QRectF(0, 0, 430, 300), group(2, 3, 0), Theme::light());
        for (int node = 0; node < 6; ++node)
            QCOMPARE(layout.nodeAt(layout.boxOf(node).center()), node);
        QCOMPARE(layout.nodeAt(QPointF(1, 299)), -1);
        QVERIFY(layout.boxOf(17).isNull());
    }

    void waysRunFromEdgeToEdge()
    {
        const TopologyLayout layout = TopologyLayout::make(QRectF(0, 0, 430, 300), group(2, 3, 0), Theme::light());
        const QPainterPath down = layout.wayBetween(0, 1, 1);
        QVERIFY(!layout.boxOf(0).contains(down.pointAtPercent(0)));
        QVERIFY(!layout.boxOf(1).contains(down.pointAtPercent(1)));
        QVERIFY(down.pointAtPercent(1).y() < layout.boxOf(1).top());
        QVERIFY(down.length() < 120);
        const QPainterPath level = layout.wayBetween(2, 1, 1); // from right to left
        QVERIFY(level.pointAtPercent(0).x() > level.pointAtPercent(1).x());
    }

    void waysGoOverTheHeadsOfOthers()
    {
        const TopologyLayout flat = TopologyLayout::make(QRectF(0, 0, 700, 180), group(2, 3, 0), Theme::light());
        const QPainterPath way = flat.wayBetween(0, 2, 1);
        for (double at = 0; at <= 1; at += 0.05) {
            const QPointF point = way.pointAtPercent(at);
            QVERIFY(flat.nodeAt(point) < 0);
            QVERIFY(point.y() >= 0);
        }
        QVERIFY(way.pointAtPercent(0.5).y() < flat.boxOf(1).top());
    }
};

QTEST_MAIN(TestTopologyLayout)
#include "tst_topologylayout.moc"
