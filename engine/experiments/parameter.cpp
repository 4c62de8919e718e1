// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/parameter.h"

#include "engine/base/words.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <optional>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Parameter", text);
}

struct Unit
{
    const char *word;
    qint64 nanoseconds;
};
constexpr std::array units {
    Unit {"min", 60'000'000'000}, Unit {"s", 1'000'000'000}, Unit {"ms", 1'000'000}, Unit {"us", 1'000}, Unit {"ns", 1},
};

/// The nanoseconds of @p digits × unit, where digits is "12" or "1.5"; nothing if that is no whole number of them.
std::optional<qint64> nanoseconds(const QString &digits, const QString &unitWord)
{
    const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit &one) { return unitWord == QLatin1String(one.word); });
    if (unit == units.end())
        return {};
    const qsizetype point = digits.indexOf(u'.');
    bool ok = false;
    const qint64 whole = digits.left(point < 0 ? digits.size() : point).toLongLong(&ok);
    qint64 result = 0;
    if (!ok || __builtin_mul_overflow(whole, unit->nanoseconds, &result))
        return {};
    qint64 part = unit->nanoseconds;
    for (qsizetype i = point + 1; point >= 0 && i < digits.size(); ++i) {
        const int digit = digits.at(i).digitValue();
        if (digit != 0 && part % 10 != 0)
            return {};
        part /= 10;
        if (__builtin_add_overflow(result, digit * part, &result))
            return {};
    }
    return result;
}

constexpr qsizetype longestPath = 4096;

std::optional<qint64> readDuration(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("^([0-9]+(?:\\.[0-9]+)?) *([a-z]*)$"));
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return {};
    return nanoseconds(match.captured(1), match.captured(2).isEmpty() ? QStringLiteral("ms") : match.captured(2));
}

std::optional<qint64> readChoice(const QList<Option> &options, const QString &text)
{
    for (qsizetype i = 0; i < options.size(); ++i) {
        if (options.at(i).word == text)
            return i;
    }
    return {};
}

std::optional<qint64> readToggle(const QString &text)
{
    if (text == QLatin1String("on") || text == QLatin1String("true") || text == QLatin1String("1"))
        return 1;
    if (text == QLatin1String("off") || text == QLatin1String("false") || text == QLatin1String("0"))
        return 0;
    return {};
}

std::optional<qint64> readInteger(const QString &text)
{
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    return ok ? std::optional(number) : std::nullopt;
}

/// "1.5 s": the largest unit that is not above the value (minutes are left to clocks), exactly.
QString showDuration(qint64 value)
{
    for (const Unit &unit : units) {
        if (unit.nanoseconds > 1'000'000'000 || (value < unit.nanoseconds && unit.nanoseconds > 1))
            continue;
        QString digits = QString::number(value / unit.nanoseconds);
        if (const qint64 rest = value % unit.nanoseconds) {
            // The unit and the rest together are the digits behind the point: 1,000 + 50 of 1,050 µs give "1050", so "050".
            QString decimals = QString::number(unit.nanoseconds + rest).mid(1);
            while (decimals.endsWith(u'0'))
                decimals.chop(1);
            digits += u'.' + decimals;
        }
        const bool micro = unit.nanoseconds == 1'000;
        return digits + u' ' + (micro ? QStringLiteral("µs") : QString::fromLatin1(unit.word));
    }
    return QStringLiteral("0 s");
}

}

Parameter Parameter::duration(
    QString name, QString label, QString help, Nanoseconds value, Nanoseconds least, Nanoseconds most)
{
    return {std::move(name), std::move(label), std::move(help), Type::Duration, value.count(), least.count(), most.count(), {}, {}, {}};
}

Parameter Parameter::integer(
    QString name, QString label, QString help, qint64 value, qint64 least, qint64 most, QString unit)
{
    return {std::move(name), std::move(label), std::move(help), Type::Integer, value, least, most, std::move(unit), {}, {}};
}

Parameter Parameter::choice(QString name, QString label, QString help, QList<Option> options, int value)
{
    const qint64 last = options.size() - 1;
    return {std::move(name), std::move(label), std::move(help), Type::Choice, value, 0, last, {}, std::move(options), {}};
}

Parameter Parameter::toggle(QString name, QString label, QString help, bool value)
{
    return {std::move(name), std::move(label), std::move(help), Type::Toggle, value ? 1 : 0, 0, 1, {}, {}, {}};
}

Parameter Parameter::file(QString name, QString label, QString help, QString filter)
{
    return {std::move(name), std::move(label), std::move(help), Type::File, 0, 0, 0, {}, {}, std::move(filter)};
}

Result<qint64> Parameter::parse(const QString &text) const
{
    const QString trimmed = text.trimmed();
    std::optional<qint64> read;
    switch (type) {
    case Type::Duration:
        read = readDuration(trimmed);
        break;
    case Type::Integer:
        read = readInteger(trimmed);
        break;
    case Type::Choice:
        read = readChoice(options, trimmed);
        break;
    case Type::Toggle:
        read = readToggle(trimmed);
        break;
    case Type::File:
        read = text.size() <= longestPath && !text.contains(QChar(0)) ? std::optional<qint64>(0) : std::nullopt;
        break;
    }
    if (!read) {
        return Error {Error::Kind::Invalid,
            type == Type::Duration
                ? tr("“%1” is no value for %2: give a time such as 1500ms or 1.5s, from %3.").arg(text, name, range())
                : tr("“%1” is no value for %2: it takes %3.").arg(text, name, range())};
    }
    if (*read < least || *read > most)
        return Error {Error::Kind::Invalid, tr("%1 is out of range for %2: it takes %3.").arg(trimmed, name, range())};
    return *read;
}

QString Parameter::write(qint64 given) const
{
    switch (type) {
    case Type::Duration:
        for (const Unit &one : units) {
            // Never in minutes or seconds: values of one parameter are easier to compare in one unit.
            if (one.nanoseconds <= 1'000'000 && given % one.nanoseconds == 0)
                return QString::number(given / one.nanoseconds) + QLatin1String(one.word);
        }
        break;
    case Type::Integer:
        break;
    case Type::Choice:
        return given >= 0 && given < options.size() ? options.at(given).word : QString();
    case Type::Toggle:
        return given ? QStringLiteral("on") : QStringLiteral("off");
    case Type::File:
        return {};
    }
    return QString::number(given);
}

QString Parameter::show(qint64 given) const
{
    switch (type) {
    case Type::Duration:
        return showDuration(given);
    case Type::Integer: {
        const qsizetype form = given == 1 ? 0 : -1; // of "client|clients"
        return (QString::number(given) + u' ' + unit.section(u'|', form, form)).trimmed();
    }
    case Type::Choice:
        return given >= 0 && given < options.size() ? options.at(given).label : QString();
    case Type::File:
        return {};
    case Type::Toggle:
        break;
    }
    return given ? tr("on") : tr("off");
}

QString Parameter::range() const
{
    switch (type) {
    case Type::Duration:
        return tr("%1 to %2").arg(showDuration(least), showDuration(most));
    case Type::Integer:
        return tr("%1 to %2").arg(QString::number(least), show(most));
    case Type::Choice: {
        QStringList words;
        for (const Option &option : options)
            words.append(option.word);
        return listedOr(words);
    }
    case Type::File:
        return tr("the path of a file");
    case Type::Toggle:
        break;
    }
    return tr("on or off");
}

Values::Values(QList<Parameter> parameters)
    : m_parameters(std::move(parameters))
{
    for (const Parameter &parameter : std::as_const(m_parameters))
        m_values[parameter.name] = parameter.value;
}

Result<void> Values::set(const QString &name, const QString &text)
{
    for (const Parameter &parameter : std::as_const(m_parameters)) {
        if (parameter.name != name)
            continue;
        const Result<qint64> value = parameter.parse(text);
        if (!value)
            return value.error();
        m_values[name] = *value;
        if (parameter.type == Parameter::Type::File)
            m_paths[name] = text;
        return {};
    }
    QStringList names;
    for (const Parameter &parameter : std::as_const(m_parameters))
        names.append(parameter.name);
    if (names.isEmpty())
        return Error {Error::Kind::Invalid, tr("There is no value named “%1”: this experiment has none.").arg(name)};
    return Error {Error::Kind::Invalid,
        tr("There is no value named “%1”.%2 This experiment has %3.").arg(name, didYouMean(name, names), listedAnd(names))};
}

Result<void> Values::set(const QString &name, qint64 value)
{
    for (const Parameter &parameter : std::as_const(m_parameters)) {
        if (parameter.name == name)
            return set(name, parameter.type == Parameter::Type::Choice && (value < 0 || value >= parameter.options.size())
                    ? QString::number(value)
                    : parameter.write(value));
    }
    return set(name, QString::number(value));
}

qint64 Values::number(const QString &name) const
{
    const auto found = m_values.find(name);
    Q_ASSERT_X(found != m_values.end(), "Values::number", qPrintable(name));
    return found == m_values.end() ? 0 : found->second;
}

QString Values::choice(const QString &name) const
{
    for (const Parameter &parameter : m_parameters) {
        if (parameter.name == name)
            return parameter.write(number(name));
    }
    Q_ASSERT_X(false, "Values::choice", qPrintable(name));
    return {};
}

QList<std::pair<QString, QString>> Values::written() const
{
    QList<std::pair<QString, QString>> pairs;
    for (const Parameter &parameter : m_parameters)
        pairs.append({parameter.name, parameter.type == Parameter::Type::File ? file(parameter.name) : parameter.write(number(parameter.name))});
    return pairs;
}

}
