// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/settings.h"

#include "engine/base/words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <numeric>
#include <optional>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Limiter", text);
}

constexpr qint64 second = 1'000'000; // µs
constexpr qint64 longest = 30 * 24 * 3600 * second;
constexpr qint64 fastest = 1'000'000'000; // a second

/// The whole number of smallest units in "1.5" of a unit that has so many; nothing if it is none or too large.
std::optional<qint64> wholeOf(const QString &digits, qint64 unit)
{
    const QString whole = digits.section(u'.', 0, 0);
    const QString decimals = digits.section(u'.', 1);
    bool ok = false;
    qint64 result = whole.toLongLong(&ok);
    if (!ok || __builtin_mul_overflow(result, unit, &result))
        return {};
    for (const QChar digit : decimals) {
        if (unit % 10 != 0 && digit != u'0')
            return {};
        unit /= 10;
        if (__builtin_add_overflow(result, digit.digitValue() * unit, &result))
            return {};
    }
    return result;
}

qint64 unitOf(const QString &word)
{
    return word == QLatin1String("us") ? 1 : word == QLatin1String("ms") ? 1'000 : second;
}

std::optional<qint64> readDuration(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^([0-9]+(?:\\.[0-9]+)?) *(us|ms|s)$"));
    const auto match = form.match(text);
    return match.hasMatch() ? wholeOf(match.captured(1), unitOf(match.captured(2))) : std::nullopt;
}

/// "10/s", "0.5/60s": the part before the stroke may have decimals, and the quotient stays exact.
std::optional<Rate> readRate(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^([0-9]+(?:\\.[0-9]{1,6})?) */ *([0-9]+(?:\\.[0-9]+)?)? *(us|ms|s)$"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return {};
    const QString count = match.captured(2).isEmpty() ? QStringLiteral("1") : match.captured(2);
    const std::optional<qint64> millionths = wholeOf(match.captured(1), second);
    const std::optional<qint64> period = wholeOf(count, unitOf(match.captured(3)));
    if (!millionths || !period || *period < 1 || *period > longest)
        return {};
    const qint64 most = fastest; // of millionths in a microsecond: that is units in a second
    if (*millionths < 1 || *millionths / *period > most || (*millionths / *period == most && *millionths % *period > 0))
        return Rate {0, 1};
    // millionths of a unit in the period: the quotient is millionths / (period × 1,000,000), shortened before it is multiplied
    const qint64 common = std::gcd(*millionths, *period);
    const qint64 rest = std::gcd(*millionths / common, second);
    return Rate {*millionths / common / rest, *period / common * (second / rest)};
}

QString showDuration(qint64 microseconds)
{
    if (microseconds % second == 0)
        return QStringLiteral("%1s").arg(microseconds / second);
    return microseconds % 1'000 == 0 ? QStringLiteral("%1ms").arg(microseconds / 1'000) : QStringLiteral("%1us").arg(microseconds);
}

}

Setting Setting::count(QString name, QString help, QString standard, qint64 least, qint64 most)
{
    return {std::move(name), std::move(help), Type::Count, std::move(standard), least, most, {}};
}

Setting Setting::duration(QString name, QString help, QString standard)
{
    return {std::move(name), std::move(help), Type::Duration, std::move(standard), 1, longest, {}};
}

Setting Setting::rate(QString name, QString help, QString standard)
{
    return {std::move(name), std::move(help), Type::Rate, std::move(standard), 0, 0, {}};
}

Setting Setting::choice(QString name, QString help, QStringList words)
{
    const QString first = words.first();
    return {std::move(name), std::move(help), Type::Choice, first, 0, 0, std::move(words)};
}

QString Setting::range() const
{
    switch (type) {
    case Type::Count:
        return tr("a whole number from %1 to %2").arg(least).arg(most);
    case Type::Duration:
        return tr("a time such as 250us, 100ms or 60s, from %1 to %2").arg(showDuration(least), showDuration(most));
    case Type::Rate:
        return tr("a rate such as 10/s or 0.5/60s, above 0 and at most %1/s").arg(fastest);
    case Type::Choice:
        break;
    }
    return listedOr(words);
}

Settings::Settings(QList<Setting> declared)
    : m_declared(std::move(declared))
{
    for (const Setting &setting : std::as_const(m_declared)) {
        if (!setting.standard.isEmpty())
            m_values[setting.name] = read(setting, setting.standard).value();
    }
}

Result<Settings::Value> Settings::read(const Setting &setting, const QString &text)
{
    const auto refused = [&](const char *sentence) {
        return Error {Error::Kind::Invalid, tr(sentence).arg(text, setting.name, setting.range())};
    };
    Value value;
    value.text = text.trimmed();
    std::optional<qint64> number;
    switch (setting.type) {
    case Setting::Type::Count: {
        bool ok = false;
        const qint64 read = value.text.toLongLong(&ok);
        if (ok)
            number = read;
        break;
    }
    case Setting::Type::Duration:
        number = readDuration(value.text);
        break;
    case Setting::Type::Rate: {
        const std::optional<Rate> rate = readRate(value.text);
        if (!rate)
            return refused(QT_TRANSLATE_NOOP("Limiter", "“%1” is no value for %2: it takes %3."));
        if (rate->amount < 1)
            return refused(QT_TRANSLATE_NOOP("Limiter", "%1 is out of range for %2: it takes %3."));
        value.rate = *rate;
        return value;
    }
    case Setting::Type::Choice:
        number = setting.words.indexOf(value.text);
        if (*number < 0)
            number.reset();
        break;
    }
    if (!number)
        return refused(QT_TRANSLATE_NOOP("Limiter", "“%1” is no value for %2: it takes %3."));
    if (setting.type != Setting::Type::Choice && (*number < setting.least || *number > setting.most))
        return refused(QT_TRANSLATE_NOOP("Limiter", "%1 is out of range for %2: it takes %3."));
    value.number = *number;
    return value;
}

Result<void> Settings::set(const QString &name, const QString &text)
{
    QStringList names;
    for (const Setting &setting : std::as_const(m_declared)) {
        names.append(setting.name);
        if (setting.name != name)
            continue;
        const Result<Value> value = read(setting, text);
        if (!value)
            return value.error();
        m_values[name] = *value;
        return {};
    }
    return Error {Error::Kind::Invalid,
        tr("There is no value named “%1”.%2 This limiter has %3.").arg(name, didYouMean(name, names), listedAnd(names))};
}

qint64 Settings::number(const QString &name) const
{
    Q_ASSERT_X(has(name), "Settings::number", qPrintable(name));
    return m_values.at(name).number;
}

Rate Settings::rate(const QString &name) const
{
    Q_ASSERT_X(has(name), "Settings::rate", qPrintable(name));
    return m_values.at(name).rate;
}

QString Settings::word(const QString &name) const
{
    Q_ASSERT_X(has(name), "Settings::word", qPrintable(name));
    return m_values.at(name).text;
}

QList<std::pair<QString, QString>> Settings::written() const
{
    QList<std::pair<QString, QString>> pairs;
    for (const Setting &setting : m_declared) {
        if (has(setting.name))
            pairs.append({setting.name, m_values.at(setting.name).text});
    }
    return pairs;
}

}
