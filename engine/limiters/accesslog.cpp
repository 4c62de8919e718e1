// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/accesslog.h"

#include "engine/limiters/decision.h"
#include "engine/limiters/input.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <optional>

namespace interlock {

namespace {

constexpr qint64 aSecond = 1'000'000; // µs
constexpr qsizetype timeLength = 26; // 10/Oct/2000:13:55:36 -0700

QString tr(const char *text)
{
    return QCoreApplication::translate("AccessLog", text);
}

bool isDigit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/// A number of exactly these digits; -1: there are others among them.
int numberAt(QByteArrayView text, qsizetype at, qsizetype digits)
{
    int number = 0;
    for (const char byte : text.sliced(at, digits)) {
        if (!isDigit(byte))
            return -1;
        number = number * 10 + (byte - '0');
    }
    return number;
}

/// From 1; 0: no month.
unsigned monthOf(QByteArrayView name)
{
    static constexpr QByteArrayView names = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const qsizetype at = names.indexOf(name);
    return at >= 0 && at % 3 == 0 ? static_cast<unsigned>(at / 3 + 1) : 0;
}

/// Seconds since 1970, of a text of timeLength bytes. Nothing: it is no time, or one that limiters do not take.
std::optional<qint64> readTime(QByteArrayView text)
{
    static constexpr QByteArrayView form = "00/Mon/0000:00:00:00 +0000";
    static_assert(form.size() == timeLength);
    for (const qsizetype i : {2, 6, 11, 14, 17, 20}) {
        if (text[i] != form[i])
            return {};
    }
    const int day = numberAt(text, 0, 2);
    const int year = numberAt(text, 7, 4);
    const int hour = numberAt(text, 12, 2);
    const int minute = numberAt(text, 15, 2);
    const int second = numberAt(text, 18, 2);
    const int zoneHours = numberAt(text, 22, 2);
    const int zoneMinutes = numberAt(text, 24, 2);
    if (day < 0 || year < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 // a leap second
        || zoneHours < 0 || zoneHours > 14 || zoneMinutes < 0 || zoneMinutes > 59 || (text[21] != '+' && text[21] != '-'))
        return {};
    const std::chrono::year_month_day date {
        std::chrono::year(year), std::chrono::month(monthOf(text.sliced(3, 3))), std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok())
        return {};
    const qint64 days = std::chrono::sys_days(date).time_since_epoch().count();
    const qint64 east = (zoneHours * 60 + zoneMinutes) * (text[21] == '-' ? -60 : 60);
    const qint64 time = days * 86'400 + hour * 3'600 + minute * 60 + second - east;
    return time >= 0 && time < mostNumber / aSecond ? std::optional(time) : std::nullopt;
}

/// Takes lines apart. Mostly a line has the same time as the one before, which is then not read again.
class LineReader
{
public:
    struct Line
    {
        QByteArrayView address;
        qint64 second = 0;
    };

    /// Null: done. Otherwise what is wrong, to be translated.
    const char *read(QByteArrayView text, Line &line)
    {
        const qsizetype addressEnd = text.indexOf(' ');
        if (addressEnd < 1)
            return QT_TRANSLATE_NOOP("AccessLog", "it does not begin with an address");
        line.address = text.first(addressEnd);
        const qsizetype userAt = text.indexOf(' ', addressEnd + 1) + 1;
        if (userAt == 0)
            return QT_TRANSLATE_NOOP("AccessLog", "it has no time in brackets");
        qsizetype at = userAt;
        if (const char *wrong = readTimeFrom(text, at, line.second))
            return wrong;
        return checkRest(text, at);
    }

private:
    /// Names of users may hold brackets, so the first time in brackets counts. @p at becomes the place behind it.
    const char *readTimeFrom(QByteArrayView text, qsizetype &at, qint64 &second)
    {
        const char *wrong = QT_TRANSLATE_NOOP("AccessLog", "it has no time in brackets");
        for (qsizetype open = text.indexOf(" [", at); open >= 0; open = text.indexOf(" [", open + 1)) {
            const qsizetype begin = open + 2;
            if (begin + timeLength >= text.size() || text[begin + timeLength] != ']')
                continue;
            const QByteArrayView time = text.sliced(begin, timeLength);
            if (time != m_time) {
                const std::optional<qint64> read = readTime(time);
                wrong = QT_TRANSLATE_NOOP("AccessLog", "its time cannot be read");
                if (!read)
                    continue;
                m_time = time;
                m_second = *read;
            }
            second = m_second;
            at = begin + timeLength + 1;
            return nullptr;
        }
        return wrong;
    }

    /// Behind the time: the request in quotes, a status of three digits, a number of bytes. What a format adds to that may be anything.
    const char *checkRest(QByteArrayView text, qsizetype at)
    {
        if (!text.sliced(at).startsWith(" \""))
            return QT_TRANSLATE_NOOP("AccessLog", "it has no request in quotation marks");
        for (at += 2; at < text.size() && text[at] != '"'; ++at) {
            if (text[at] == '\\') // what follows is part of the request, also a quotation mark
                ++at;
        }
        if (at >= text.size())
            return QT_TRANSLATE_NOOP("AccessLog", "the quotation marks around its request are not closed");
        const QByteArrayView rest = text.sliced(at + 1);
        if (rest.size() < 6 || rest[0] != ' ' || numberAt(rest, 1, 3) < 0 || rest[4] != ' ')
            return QT_TRANSLATE_NOOP("AccessLog", "it has no status behind its request");
        QByteArrayView bytes = rest.sliced(5);
        if (const qsizetype end = bytes.indexOf(' '); end >= 0)
            bytes = bytes.first(end);
        if (bytes != "-" && (bytes.isEmpty() || !std::all_of(bytes.begin(), bytes.end(), isDigit)))
            return QT_TRANSLATE_NOOP("AccessLog", "it has no number of bytes behind its status");
        return nullptr;
    }

    QByteArrayView m_time; ///< as the text has it
    qint64 m_second = 0;
};

struct Hit
{
    qint64 second;
    quint32 key;
};

/// The hits of each second evenly over that second. @p hits in order of time.
std::vector<Trace::Row> spread(const std::vector<Hit> &hits)
{
    std::vector<Trace::Row> rows;
    rows.reserve(hits.size());
    for (size_t begin = 0, end = 0; begin < hits.size(); begin = end) {
        while (end < hits.size() && hits[end].second == hits[begin].second)
            ++end;
        const auto count = static_cast<qint64>(end - begin);
        for (qint64 i = 0; i < count; ++i)
            rows.push_back({hits[begin].second * aSecond + i * aSecond / count, 1, hits[begin + static_cast<size_t>(i)].key});
    }
    return rows;
}

}

Result<AccessLog> parseAccessLog(QByteArrayView text, const QString &name)
{
    AccessLog log;
    KeyTable keys;
    std::vector<Hit> hits;
    LineReader reader;
    text = withoutBom(text);
    for (qint64 number = 1; !text.isEmpty(); ++number) {
        const qsizetype end = text.indexOf('\n');
        QByteArrayView one = end < 0 ? text : text.first(end);
        text = end < 0 ? QByteArrayView() : text.sliced(end + 1);
        if (one.endsWith('\r'))
            one.chop(1);
        if (one.trimmed().isEmpty())
            continue;
        LineReader::Line line;
        if (const char *wrong = reader.read(one, line)) {
            if (log.skipped++ == 0) {
                log.firstSkipped = number;
                log.why = tr(wrong);
            }
            continue;
        }
        if (!hits.empty() && line.second < hits.back().second)
            ++log.outOfOrder;
        hits.push_back({line.second, keys.indexOf(line.address)});
    }
    if (hits.empty()) {
        const QString form = tr("A line of an access log is such as: %1")
                                 .arg(QStringLiteral("203.0.113.7 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 2326"));
        if (log.skipped == 0)
            return Error {Error::Kind::Invalid, tr("There are no requests in %1. %2").arg(name, form)};
        return Error {Error::Kind::Invalid,
            tr("No line of %1 can be read. Line %2: %3. %4").arg(name).arg(log.firstSkipped).arg(log.why, form)};
    }
    if (log.outOfOrder > 0)
        std::stable_sort(hits.begin(), hits.end(), [](const Hit &one, const Hit &other) { return one.second < other.second; });
    log.trace.rows = spread(hits);
    log.trace.keys = keys.take();
    return log;
}

Result<AccessLog> readAccessLog(const QString &path)
{
    const Result<InputFile> file = InputFile::open(path);
    if (!file)
        return file.error();
    return parseAccessLog(file->bytes(), path);
}

QString AccessLog::remarks() const
{
    QStringList sentences;
    if (skipped == 1)
        sentences.append(tr("Line %1 cannot be read and was skipped: %2.").arg(firstSkipped).arg(why));
    if (skipped > 1)
        sentences.append(tr("%1 lines cannot be read and were skipped, the first of them line %2: %3.").arg(skipped).arg(firstSkipped).arg(why));
    if (outOfOrder == 1)
        sentences.append(tr("One line is earlier than the line before; the requests were put in order."));
    if (outOfOrder > 1)
        sentences.append(tr("%1 lines are earlier than the line before; the requests were put in order.").arg(outOfOrder));
    return sentences.join(u' ');
}

}
