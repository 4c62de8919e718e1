// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/choicebox.h"

#include <QTest>

using namespace interlock;

class TestChoiceBox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wordsAreWholeWhereThereIsRoom();
    void longWordsEndInAnEllipsis();
    void mayBeNarrowerThanItsWords();
};

namespace {

const QString words = QStringLiteral("Its program hangs, its watchdog does not");

}

void TestChoiceBox::wordsAreWholeWhereThereIsRoom()
{
    ChoiceBox box;
    box.addItem(words);
    box.resize(box.fontMetrics().horizontalAdvance(words) + 100, box.sizeHint().height());
    QCOMPARE(box.shown(), words);
}

void TestChoiceBox::longWordsEndInAnEllipsis()
{
    ChoiceBox box;
    box.addItem(words);
    const int width = box.fontMetrics().horizontalAdvance(words) / 2;
    box.resize(width, box.sizeHint().height());
    QVERIFY(box.shown().endsWith(QChar(0x2026)));
    QVERIFY(box.fontMetrics().horizontalAdvance(box.shown()) < width);
    QCOMPARE(box.currentText(), words);
}

void TestChoiceBox::mayBeNarrowerThanItsWords()
{
    ChoiceBox box;
    box.addItem(words);
    QVERIFY(box.minimumSizeHint().width() < box.fontMetrics().horizontalAdvance(words));
}

QTEST_MAIN(TestChoiceBox)
#include "tst_choicebox.moc"
