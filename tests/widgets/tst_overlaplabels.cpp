// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sampleruns.h"
#include "widgets/timeline/overlaplabels.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace interlock;
using namespace interlock::samples;

class TestOverlapLabels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hideNoMarkWhereThereIsRoomBesideIt_data();
    void hideNoMarkWhereThereIsRoomBesideIt();
};

void TestOverlapLabels::hideNoMarkWhereThereIsRoomBesideIt_data()
{
    QTest::addColumn<double>("width"); // of 2.8 s; the overlaps last 496 and 892 ms, and at their ends there are releases
    QTest::newRow("label longer than the first overlap") << 600.0;
    QTest::newRow("label shorter than both") << 1200.0;
}

void TestOverlapLabels::hideNoMarkWhereThereIsRoomBesideIt()
{
    QFETCH(double, width);
    const Run run = releaseBreak();
    Spans spans;
    spans.extend(run);
    TimelinePicture picture;
    picture.run = &run;
    picture.spans = &spans;
    picture.theme = Theme::light();
    picture.now = run.duration;
    constexpr double height = 74;
    const QRectF area(0, 0, width, height * static_cast<double>(spans.order().size()));
    const Scale scale {.begin = 0, .length = static_cast<double>(run.duration), .width = width};
    QImage image(area.size().toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    std::vector<std::pair<int, LanePainter>> lanes;
    double top = 0;
    for (const int row : spans.order()) {
        lanes.emplace_back(row, LanePainter(painter, picture, scale, QRectF(0, top, width, height), row, nullptr));
        top += height;
    }
    const std::vector<OverlapLabel> labels = placeOverlaps(picture, lanes, scale, area);
    QCOMPARE(labels.size(), 2u);
    for (const OverlapLabel &label : labels) {
        const int row = spans.order()[static_cast<size_t>(label.box.center().y() / height)];
        for (const Mark &mark : spans.rows()[static_cast<size_t>(row)].marks) {
            const double x = scale.toPixel(static_cast<double>(mark.at));
            QVERIFY2(x < label.box.left() || x > label.box.right(), qPrintable(label.text));
        }
    }
}

QTEST_MAIN(TestOverlapLabels)
#include "tst_overlaplabels.moc"
