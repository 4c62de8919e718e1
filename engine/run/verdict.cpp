// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/verdict.h"

#include <QCoreApplication>

namespace interlock {

namespace {

constexpr qint64 microsecond = 1'000;
constexpr qint64 millisecond = 1'000'000;
constexpr qint64 second = 1'000'000'000;

/// @p ns in units of @p unit, rounded half up to @p decimals (0 or 3) without passing through floating point.
QString decimal(quint64 ns, qint64 unit, int decimals)
{
    const quint64 smallest = quint64(decimals ? unit / 1'000 : unit);
    const quint64 rounded = ns / smallest + (ns % smallest * 2 >= smallest ? 1 : 0);
    if (!decimals)
        return QString::number(rounded);
    return QStringLiteral("%1.%2").arg(rounded / 1'000).arg(rounded % 1'000, 3, 10, QLatin1Char('0'));
}

quint64 magnitude(qint64 ns)
{
    return ns < 0 ? quint64(0) - quint64(ns) : quint64(ns);
}

QString sign(qint64 ns)
{
    return ns < 0 ? QStringLiteral("\u2212") : QString();
}

}

QString text(At at)
{
    if (at.ns == never)
        return QCoreApplication::translate("checks", "never");
    return QCoreApplication::translate("checks", "%1 s").arg(sign(at.ns) + decimal(magnitude(at.ns), second, 3));
}

QString text(For length)
{
    if (length.ns == never)
        return QCoreApplication::translate("checks", "for ever");
    const quint64 ns = magnitude(length.ns);
    const auto say = [&](const char *unit, const QString &number) {
        return QCoreApplication::translate("checks", unit).arg(sign(length.ns) + number);
    };
    // The limits are those of rounding: 999.6 ms is said as 1 s, not as 1000 ms.
    if (ns >= quint64(second - millisecond / 2)) {
        QString number = decimal(ns, second, 3);
        while (number.endsWith(QLatin1Char('0')))
            number.chop(1);
        if (number.endsWith(QLatin1Char('.')))
            number.chop(1);
        return say(QT_TRANSLATE_NOOP("checks", "%1 s"), number);
    }
    if (ns >= quint64(millisecond - microsecond / 2))
        return say(QT_TRANSLATE_NOOP("checks", "%1 ms"), decimal(ns, millisecond, 0));
    if (ns >= quint64(microsecond))
        return say(QT_TRANSLATE_NOOP("checks", "%1 µs"), decimal(ns, microsecond, 0));
    return say(QT_TRANSLATE_NOOP("checks", "%1 ns"), QString::number(ns));
}

}
