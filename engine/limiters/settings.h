// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <map>
#include <utility>

namespace interlock {

/// So many units in so many microseconds: an exact quotient in lowest terms.
struct Rate
{
    qint64 amount = 1; ///< at least 1
    qint64 period = 1; ///< µs, at least 1

    bool operator==(const Rate &) const = default;
};

/// A value of a limiter, declared as data.
struct Setting
{
    enum class Type { Count, Duration, Rate, Choice };

    QString name; ///< on the command line: "window"
    QString help; ///< one sentence
    Type type = Type::Count;
    QString standard; ///< what it is if nobody sets it, as the command line takes it; empty: depends on others
    qint64 least = 0; ///< of a Count or a Duration (µs)
    qint64 most = 1;
    QStringList words; ///< of a Choice

    static Setting count(QString name, QString help, QString standard, qint64 least, qint64 most);
    static Setting duration(QString name, QString help, QString standard); ///< 1 µs to 30 days
    static Setting rate(QString name, QString help, QString standard); ///< above 0, at most 1,000,000,000 a second
    static Setting choice(QString name, QString help, QStringList words); ///< the first is the standard

    /// "1 to 1000", "a time such as 250us, 100ms or 60s", "aligned or first-hit".
    QString range() const;
};

/// The largest limit: 30 days at a million a second, and some more.
inline constexpr qint64 mostCount = 4'000'000'000'000;

/// The values of one limiter.
class Settings
{
public:
    explicit Settings(QList<Setting> declared = {});

    const QList<Setting> &declared() const { return m_declared; }
    /// Reads a value: durations "250us", "100ms", "1.5s"; rates "10/s", "0.5/60s", "3/100ms"; counts in digits; a choice's word.
    /// Invalid with a sentence: an unknown name (says which there are), a value that cannot be read or is out of range.
    Result<void> set(const QString &name, const QString &text);

    /// Precondition for all: declared, of this type. Durations in µs.
    qint64 number(const QString &name) const;
    Rate rate(const QString &name) const;
    QString word(const QString &name) const;
    /// Whether it has a value: one without a standard has none until it is set.
    bool has(const QString &name) const { return m_values.count(name) > 0; }

    /// Every value that is set, as the command line takes it.
    QList<std::pair<QString, QString>> written() const;

private:
    struct Value
    {
        QString text;
        qint64 number = 0;
        Rate rate;
    };
    static Result<Value> read(const Setting &setting, const QString &text);

    QList<Setting> m_declared;
    std::map<QString, Value> m_values;
};

}
