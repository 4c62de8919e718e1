// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <map>

namespace interlock {

/// The answer to INFO: lines of name:value.
class InfoFields
{
public:
    explicit InfoFields(const QByteArray &info);

    /// Empty: not there.
    QByteArray text(const char *name) const;
    /// 0: not there, or no whole number.
    qint64 number(const char *name) const { return text(name).toLongLong(); }
    const std::map<QByteArray, QByteArray> &all() const { return m_fields; }

private:
    std::map<QByteArray, QByteArray> m_fields;
};

}
