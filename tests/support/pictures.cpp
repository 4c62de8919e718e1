// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pictures.h"

#include "engine/checks/checks.h"

#include <QFile>
#include <QFontMetricsF>
#include <QTest>
#include <QXmlStreamReader>

namespace interlock {

QByteArray Pictures::exported(const Run &run, const QString &view, const QString &suffix, const ExportOptions &options)
{
    const QString file = path(QStringLiteral("out.") + suffix);
    QFile::remove(file);
    if (const Result<void> result = exportView(run, judge(run), view, file, options); !result)
        qWarning("%s", qPrintable(result.error().text));
    QFile picture(file);
    return picture.open(QIODevice::ReadOnly) ? picture.readAll() : QByteArray();
}

QString wordsOf(const QByteArray &svg)
{
    QString words;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::Characters)
            words += reader.text().toString() + QLatin1Char(' ');
    }
    return reader.hasError() ? reader.errorString() : words.simplified();
}

void verifyTextsAreInside(const QByteArray &svg, const QSizeF &millimetres)
{
    const QSizeF size = millimetres * (96 / 25.4);
    QXmlStreamReader reader(svg);
    int texts = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement || reader.name() != QLatin1String("text"))
            continue;
        ++texts;
        const QXmlStreamAttributes attributes = reader.attributes();
        const double pixels = attributes.value(QLatin1String("font-size")).toDouble();
        QFont font(attributes.value(QLatin1String("font-family")).toString());
        font.setPixelSize(qRound(pixels));
        font.setBold(attributes.value(QLatin1String("font-weight")).toInt() >= 700);
        font.setHintingPreference(QFont::PreferNoHinting);
        const double x = attributes.value(QLatin1String("x")).toDouble();
        const double y = attributes.value(QLatin1String("y")).toDouble();
        const QString text = reader.readElementText();
        QVERIFY2(pixels >= 11, qPrintable(text));
        QVERIFY2(x >= 0 && x + QFontMetricsF(font).horizontalAdvance(text) <= size.width() + 1, qPrintable(text));
        QVERIFY2(y >= pixels * 0.7 && y <= size.height(), qPrintable(text));
    }
    QVERIFY(texts > 10);
}

}
