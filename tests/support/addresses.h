// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QTest>

namespace interlock {

/// Fails the test unless the text is refused with a sentence that names what is wrong and repeats nothing of a password: "secret", "more".
template<typename Address>
void verifyRefused(const QString &text, const QString &named)
{
    const Result<Address> address = Address::parse(text);
    QVERIFY(!address);
    QCOMPARE(address.error().kind, Error::Kind::Invalid);
    const QString &sentence = address.error().text;
    QVERIFY2(sentence.contains(named), qPrintable(sentence));
    QVERIFY2(sentence.endsWith(QLatin1Char('.')), qPrintable(sentence));
    for (const char *hidden : {"secret", "more"})
        QVERIFY2(!sentence.contains(QLatin1String(hidden)), qPrintable(sentence));
}

/// Fails the test unless the address is shown so, and what is shown reads as the address without its logins.
/// @param forget takes them out
template<typename Address, typename Forget>
void verifyShown(const QString &text, const QString &shown, const Forget &forget)
{
    Result<Address> address = Address::parse(text);
    QVERIFY2(address.ok(), address ? "" : qPrintable(address.error().text));
    QCOMPARE(address->shown(), shown);
    forget(*address);
    const Result<Address> again = Address::parse(shown);
    QVERIFY(again.ok());
    QVERIFY(*again == *address);
}

}
