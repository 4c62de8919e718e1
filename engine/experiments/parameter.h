// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/time.h"

#include <QCoreApplication>
#include <QHash>
#include <QList>
#include <QString>

#include <map>
#include <utility>

namespace interlock {

/// A choice that a parameter offers: its word on the command line and its label in the window.
struct Option
{
    QString word;
    QString label;
};

/// A value that the user may set, declared as data: forms, help and range checks follow from it.
struct Parameter
{
    enum class Type { Duration, Integer, Choice, Toggle, File };

    QString name; ///< on the command line: "ttl"
    QString label; ///< "TTL of A"
    QString help; ///< one sentence
    Type type = Type::Integer;
    qint64 value = 0; ///< default. Duration: ns; Choice: index of the option; Toggle: 0 or 1
    qint64 least = 0;
    qint64 most = 1;
    QString unit; ///< of an Integer, for show: "client|clients" for one and for others, "ms" for all
    QList<Option> options; ///< of a Choice
    QString filter; ///< of a File, for a dialog: "Traces (*.csv)"

    static Parameter duration(QString name, QString label, QString help, Nanoseconds value, Nanoseconds least, Nanoseconds most);
    static Parameter integer(QString name, QString label, QString help, qint64 value, qint64 least, qint64 most, QString unit);
    static Parameter choice(QString name, QString label, QString help, QList<Option> options, int value = 0);
    static Parameter toggle(QString name, QString label, QString help, bool value);
    /// A path, empty until it is set; whether it can be read is for the experiment to say.
    static Parameter file(QString name, QString label, QString help, QString filter);

    /// Reads a value as the command line takes it: "1500ms", "1.5s", "250us", a bare number (duration: ms), a choice's word,
    /// "on" or "off". A File's path is no number: 0 if it can be used. Invalid with a sentence that names the parameter and its range.
    Result<qint64> parse(const QString &text) const;
    /// The inverse: "1500ms", "5", "script", "on".
    QString write(qint64 value) const;
    /// For people: "1.5 s", "5 clients", the option's label.
    QString show(qint64 value) const;
    /// "10 ms to 60 s", "del, get-del or script".
    QString range() const;
};

/// The values of one run's parameters.
class Values
{
public:
    explicit Values(QList<Parameter> parameters = {});

    const QList<Parameter> &parameters() const { return m_parameters; }
    /// Invalid: unknown name (says which there are) or unusable value.
    Result<void> set(const QString &name, const QString &text);
    Result<void> set(const QString &name, qint64 value);

    /// Precondition for all: the parameter is declared, of this type.
    qint64 number(const QString &name) const;
    Nanoseconds duration(const QString &name) const { return Nanoseconds(number(name)); }
    int integer(const QString &name) const { return static_cast<int>(number(name)); }
    bool toggle(const QString &name) const { return number(name) != 0; }
    QString choice(const QString &name) const; ///< the option's word
    QString file(const QString &name) const { return m_paths.value(name); }

    /// For the run's header.
    QList<std::pair<QString, QString>> written() const;

private:
    QList<Parameter> m_parameters;
    std::map<QString, qint64> m_values;
    QHash<QString, QString> m_paths; ///< of Files
};

}
