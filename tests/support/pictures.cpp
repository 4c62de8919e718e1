// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pictures.h"

#include "engine/checks/checks.h"

#include <QFile>
#include <QFontMetricsF>
#include <QTest>
#include <QXmlStreamReader>

#include <vector>

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

namespace {

/// A text of an SVG, where it says that it stands.
struct Placed
{
    QString text;
    QRectF letters; ///< as high as capitals
    double pixels = 0;
    bool isHidden = false; ///< by the group that it is in
};

std::vector<Placed> textsOf(const QByteArray &svg)
{
    std::vector<Placed> texts;
    QXmlStreamReader reader(svg);
    bool isHidden = false;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QXmlStreamAttributes attributes = reader.attributes();
        if (reader.name() == QLatin1String("g"))
            isHidden = attributes.value(QLatin1String("fill-opacity")).toString() == QLatin1String("0");
        if (reader.name() != QLatin1String("text"))
            continue;
        const double pixels = attributes.value(QLatin1String("font-size")).toDouble();
        QFont font(attributes.value(QLatin1String("font-family")).toString());
        font.setPixelSize(qRound(pixels));
        font.setBold(attributes.value(QLatin1String("font-weight")).toInt() >= 700);
        font.setHintingPreference(QFont::PreferNoHinting);
        const double x = attributes.value(QLatin1String("x")).toDouble();
        const double y = attributes.value(QLatin1String("y")).toDouble();
        const QString text = reader.readElementText();
        texts.push_back({text, QRectF(x, y - pixels * 0.7, QFontMetricsF(font).horizontalAdvance(text), pixels * 0.7), pixels, isHidden});
    }
    return texts;
}

}

void verifyTextsAreInside(const QByteArray &svg, const QSizeF &millimetres)
{
    const QSizeF size = millimetres * (96 / 25.4);
    const std::vector<Placed> texts = textsOf(svg);
    for (const Placed &each : texts) {
        QVERIFY2(!each.isHidden, qPrintable(each.text));
        QVERIFY2(each.pixels >= 11, qPrintable(each.text));
        QVERIFY2(each.letters.left() >= 0 && each.letters.right() <= size.width() + 1, qPrintable(each.text));
        QVERIFY2(each.letters.top() >= 0 && each.letters.bottom() <= size.height(), qPrintable(each.text));
    }
    QVERIFY(texts.size() > 10);
}

void verifyTextsAreApart(const QByteArray &svg)
{
    const std::vector<Placed> texts = textsOf(svg);
    for (auto each = texts.begin(); each != texts.end(); ++each) {
        for (auto other = texts.begin(); other != each; ++other)
            QVERIFY2(!each->letters.intersects(other->letters), qPrintable(QStringLiteral("“%1” runs into “%2”").arg(each->text, other->text)));
    }
}

}
