// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/measuring.h"
#include "tests/support/pictures.h"
#include "widgets/scenes.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QXmlStreamReader>

using namespace interlock;
using interlock::test::Measuring;

namespace {

const SeriesInfo lost {QStringLiteral("lost"), QStringLiteral("Without WAIT"), QStringLiteral("Lag"), QStringLiteral("Locks lost"), QStringLiteral("ns"), {}};
const SeriesInfo logBytes {QStringLiteral("log"), QStringLiteral("Sliding log"), QStringLiteral("Requests"), QStringLiteral("Memory"), QStringLiteral("requests"), QStringLiteral("bytes")};

Run measuredRun()
{
    Measuring measuring({lost, logBytes, {QStringLiteral("none"), QStringLiteral("No remedy"), {}, {}, {}, QStringLiteral("writes")}});
    measuring.share("lost", 0, 0, 10, "lag-0").share("lost", 50'000'000, 9, 30, "lag-50");
    measuring.value("log", 1, 96).value("log", 128, 4'144, 4'100, 4'200).value("log", 129, 18'048).value("log", 10'000, 1'290'000);
    measuring.cell("none", "Cut link", "lost", 1'869, "none-cut").cell("none", "Held, then dropped", "kept", 0);
    Run run = measuring.run();
    run.isComplete = true;
    return run;
}

}

class MeasureScenesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void offersWhatWasMeasured();
    void sameRunGivesTheSameBytes_data();
    void sameRunGivesTheSameBytes();
    void chartsNameAxesSeriesAndCounts();
    void allTextIsInside_data();
    void allTextIsInside();
    void onlyLossesAreVermilion();
    void pointsAreExportedAsNumbers();
    void cellsAreExportedAsNumbers();

private:
    Pictures m_pictures;
};

void MeasureScenesTest::offersWhatWasMeasured()
{
    QVERIFY(viewsOf(measuredRun()).contains(QStringLiteral("measures")));
    QVERIFY(viewsOf(measuredRun()).contains(QStringLiteral("matrix")));
    QVERIFY(!viewsOf(Measuring().run()).contains(QStringLiteral("measures")));
    QVERIFY(!viewsOf(Measuring().value("log", 1, 1).run()).contains(QStringLiteral("matrix")));
}

void MeasureScenesTest::sameRunGivesTheSameBytes_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("suffix");
    for (const char *view : {"measures", "matrix"}) {
        for (const QString &suffix : formatsOf(QString::fromLatin1(view))) {
            if (suffix != QLatin1String("pdf")) // has its date in it
                QTest::addRow("%s as %s", view, qPrintable(suffix)) << view << suffix;
        }
    }
}

void MeasureScenesTest::sameRunGivesTheSameBytes()
{
    QFETCH(QString, view);
    QFETCH(QString, suffix);
    const QByteArray first = m_pictures.exported(measuredRun(), view, suffix);
    QVERIFY(first.size() > 100);
    QCOMPARE(m_pictures.exported(measuredRun(), view, suffix), first);
    Measuring other({lost});
    other.share("lost", 0, 7, 10).cell("wait", "Cut link", "refused", 0);
    QVERIFY(m_pictures.exported(other.run(), view, suffix) != first);
}

void MeasureScenesTest::chartsNameAxesSeriesAndCounts()
{
    const QString words = wordsOf(m_pictures.exported(measuredRun(), QStringLiteral("measures"), QStringLiteral("svg"), {.millimetres = {240, 180}}));
    for (const char *part : {"Locks lost", "Without WAIT", "Lag", "0 of 10", "9 of 30", "50 ms", "20 %", "Memory", "Sliding log", "Requests", "10 kB", "10000", "128 → 129: × 4.36"})
        QVERIFY2(words.contains(QString::fromUtf8(part)), qPrintable(QStringLiteral("%1 is missing in %2").arg(QString::fromUtf8(part), words)));
    const QString table = wordsOf(m_pictures.exported(measuredRun(), QStringLiteral("matrix"), QStringLiteral("svg")));
    for (const char *part : {"No remedy", "Cut link", "Held, then dropped", "lost", "1869 writes", "kept"})
        QVERIFY2(table.contains(QString::fromUtf8(part)), qPrintable(QStringLiteral("%1 is missing in %2").arg(QString::fromUtf8(part), table)));
}

void MeasureScenesTest::allTextIsInside_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<QSizeF>("size");
    for (const char *view : {"measures", "matrix"}) {
        for (const QSizeF &size : {QSizeF(160, 90), QSizeF(90, 60), QSizeF(300, 200), QSizeF(80, 200)})
            QTest::addRow("%s, %.0f × %.0f mm", view, size.width(), size.height()) << view << size;
    }
}

void MeasureScenesTest::allTextIsInside()
{
    QFETCH(QString, view);
    QFETCH(QSizeF, size);
    const QSizeF pixels = size * 96 / 25.4;
    QXmlStreamReader reader(m_pictures.exported(measuredRun(), view, QStringLiteral("svg"), {.millimetres = size}));
    int texts = 0;
    QTransform transform;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement() && reader.name() == QLatin1String("g") && reader.attributes().hasAttribute(QLatin1String("transform"))) {
            const QStringList parts = reader.attributes().value(QLatin1String("transform")).toString().section(QLatin1Char('('), 1).section(QLatin1Char(')'), 0, 0).split(QLatin1Char(','));
            if (parts.size() == 6)
                transform = QTransform(parts[0].toDouble(), parts[1].toDouble(), parts[2].toDouble(), parts[3].toDouble(), parts[4].toDouble(), parts[5].toDouble());
        }
        if (!reader.isStartElement() || reader.name() != QLatin1String("text"))
            continue;
        const QXmlStreamAttributes attributes = reader.attributes();
        const QPointF at = transform.map(QPointF(attributes.value(QLatin1String("x")).toDouble(), attributes.value(QLatin1String("y")).toDouble()));
        QFont font(attributes.value(QLatin1String("font-family")).toString());
        font.setPixelSize(qRound(attributes.value(QLatin1String("font-size")).toDouble()));
        font.setWeight(static_cast<QFont::Weight>(attributes.value(QLatin1String("font-weight")).toInt()));
        font.setHintingPreference(QFont::PreferNoHinting);
        const QString text = reader.readElementText();
        const QString place = QStringLiteral("“%1” at %2, %3").arg(text).arg(at.x()).arg(at.y());
        QVERIFY2(at.x() >= 0 && at.x() + QFontMetricsF(font).horizontalAdvance(text) <= pixels.width() + 3, qPrintable(place));
        QVERIFY2(at.y() >= font.pixelSize() * 0.7 && at.y() <= pixels.height(), qPrintable(place));
        ++texts;
    }
    QVERIFY(!reader.hasError());
    QVERIFY(texts > 5);
}

void MeasureScenesTest::onlyLossesAreVermilion()
{
    const QByteArray vermilion = Theme::print().broken.name().toLatin1();
    QVERIFY(m_pictures.exported(measuredRun(), QStringLiteral("matrix"), QStringLiteral("svg")).contains(vermilion));
    const Run fine = Measuring().cell("none", "Cut link", "kept", 0).cell("none", "Held link", "refused", 0).run();
    const QByteArray held = m_pictures.exported(fine, QStringLiteral("matrix"), QStringLiteral("svg"));
    QVERIFY(held.size() > 200 && !held.contains(vermilion));
    QVERIFY(!m_pictures.exported(measuredRun(), QStringLiteral("measures"), QStringLiteral("svg")).contains(vermilion));
}

void MeasureScenesTest::pointsAreExportedAsNumbers()
{
    const QList<QByteArray> lines = m_pictures.exported(measuredRun(), QStringLiteral("measures"), QStringLiteral("csv")).split('\n');
    QCOMPARE(lines[0].trimmed(), QByteArray("series,x title,x,x unit,y title,y,y unit,of,share,low,high,runs"));
    QCOMPARE(lines[2].trimmed(), QByteArray("Without WAIT,Lag,50000000,ns,Locks lost,9,,30,0.300000,0.166647,0.478758,lag-50"));
    QCOMPARE(lines[4].trimmed(), QByteArray("Sliding log,Requests,128,requests,Memory,4144,bytes,,,4100,4200,"));
    const QJsonArray series = QJsonDocument::fromJson(m_pictures.exported(measuredRun(), QStringLiteral("measures"), QStringLiteral("json"))).array();
    QCOMPARE(series.size(), 2);
    const QJsonObject point = series[0].toObject().value(QLatin1String("points")).toArray()[1].toObject();
    QCOMPARE(point.value(QLatin1String("of")).toInteger(), 30);
    QCOMPARE(point.value(QLatin1String("share")).toDouble(), 0.3);
    QCOMPARE(point.value(QLatin1String("runs")).toArray(), QJsonArray {QStringLiteral("lag-50")});
    QCOMPARE(series[1].toObject().value(QLatin1String("points")).toArray().size(), 4);
}

void MeasureScenesTest::cellsAreExportedAsNumbers()
{
    const QList<QByteArray> lines = m_pictures.exported(measuredRun(), QStringLiteral("matrix"), QStringLiteral("csv")).split('\n');
    QCOMPARE(lines[1].trimmed(), QByteArray("No remedy,Cut link,lost,1,1,1869,writes,none-cut"));
    QCOMPARE(lines[2].trimmed(), QByteArray("No remedy,\"Held, then dropped\",kept,1,1,0,writes,"));
    const QJsonArray places = QJsonDocument::fromJson(m_pictures.exported(measuredRun(), QStringLiteral("matrix"), QStringLiteral("json"))).array();
    QCOMPARE(places.size(), 2);
    QCOMPARE(places[0].toObject().value(QLatin1String("outcomes")).toArray()[0].toObject().value(QLatin1String("count")).toInteger(), 1869);
}

QTEST_MAIN(MeasureScenesTest)
#include "tst_measurescenes.moc"
