// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/names.h"

#include <QTest>

using namespace interlock;

class TestNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreGivenInOrderOfFirstUse()
    {
        Names names;
        QCOMPARE(names.size(), size_t(1));
        QCOMPARE(names.intern("lock"), Name(1));
        QCOMPARE(names.intern(QStringLiteral("Schlüssel")), Name(2));
        QCOMPARE(names.intern(QByteArray("lock")), Name(1));
        QCOMPARE(names.size(), size_t(3));
        QCOMPARE(names.bytes(2), QByteArray("Schl\xc3\xbcssel"));
        QCOMPARE(names.text(2), QStringLiteral("Schlüssel"));
    }
    void zeroIsTheEmptyText()
    {
        Names names;
        QCOMPARE(names.intern(""), Name(0));
        QCOMPARE(names.intern(QByteArrayView()), Name(0));
        QCOMPARE(names.bytes(0), QByteArray());
        QCOMPARE(names.bytes(7), QByteArray()); // there is none of that number
        QCOMPARE(names.size(), size_t(1));
    }
    void whatIsNotThereIsNotFound()
    {
        Names names;
        names.intern("lock");
        QCOMPARE(names.find("lock"), Name(1));
        QCOMPARE(names.find("loc"), Name(0));
        QCOMPARE(names.find(QByteArrayView("lock\0", 5)), Name(0));
        QCOMPARE(names.size(), size_t(2));
    }
    void manyTextsKeepTheirNumbers()
    {
        Names names;
        constexpr Name many = 100'000;
        const QByteArray &first = names.bytes(names.intern("1"));
        for (Name i = 2; i <= many; ++i)
            QCOMPARE(names.intern(QByteArray::number(i)), i);
        for (Name i = 1; i <= many; ++i) {
            QCOMPARE(names.find(QByteArray::number(i)), i);
            QCOMPARE(names.bytes(i), QByteArray::number(i));
        }
        QCOMPARE(names.find(QByteArray::number(many + 1)), Name(0));
        QCOMPARE(&names.bytes(1), &first);
    }
    void aCopyGoesItsOwnWay()
    {
        Names names;
        names.intern("lock");
        Names copy = names;
        QCOMPARE(copy.intern("A"), Name(2));
        QCOMPARE(names.intern("B"), Name(2));
        QCOMPARE(copy.find("B"), Name(0));
        QCOMPARE(copy.find("lock"), Name(1));
    }
};

QTEST_APPLESS_MAIN(TestNames)
#include "tst_names.moc"
