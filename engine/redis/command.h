// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QVarLengthArray>

#ifndef Q_MOC_RUN // moc cannot read it
#include <concepts>
#endif

namespace interlock {

/// A command and its arguments, each a string of bytes. Numbers are written in decimal.
class Command
{
public:
    template<typename... Arguments>
    explicit Command(const Arguments &...arguments)
    {
        (add(arguments), ...);
    }

    void add(QByteArrayView argument);
    void add(const char *argument) { add(QByteArrayView(argument)); }
    void add(const QByteArray &argument) { add(QByteArrayView(argument)); }
    void add(const QString &argument) { add(argument.toUtf8()); }
    void add(std::integral auto argument) { add(QByteArrayView(QByteArray::number(static_cast<qlonglong>(argument)))); }

    int size() const { return static_cast<int>(m_ends.size()); }
    QByteArrayView at(int i) const;

    /// How many bytes it takes on its way to the server.
    qsizetype wireSize() const;
    /// The command as redis-cli takes it: arguments with spaces or bytes that do not print are quoted and escaped.
    /// At most @p limit bytes, then "…".
    QByteArray shown(qsizetype limit = 512) const;

private:
    QByteArray m_bytes;
    QVarLengthArray<qsizetype, 12> m_ends;
};

}
