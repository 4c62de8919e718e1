// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/history.h"

#include "engine/limiters/limiter.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace interlock::test {

namespace {

std::optional<qint64> nanoseconds(const QString &seconds)
{
    bool isNumber = false;
    const double value = seconds.toDouble(&isNumber);
    return isNumber ? std::optional(qint64(std::llround(value * 1e9))) : std::nullopt;
}

class Parser
{
public:
    History parse(const QByteArray &text)
    {
        m_history.run.isComplete = true;
        int number = 0;
        for (const QByteArray &raw : text.split('\n')) {
            ++number;
            const qsizetype remark = raw.startsWith('#') ? 0 : raw.indexOf(" #"); // sentinels write #quorum
            const QString line = QString::fromUtf8(remark < 0 ? raw : raw.left(remark)).simplified();
            if (!line.isEmpty() && !readHead(line) && !readEvent(line.split(QLatin1Char(' ')))) {
                m_history.mistake = QStringLiteral("line %1: %2").arg(number).arg(line);
                break;
            }
        }
        for (const Event &event : m_history.run.events)
            m_history.run.duration = std::max(m_history.run.duration, event.at);
        return std::move(m_history);
    }

private:
    bool readHead(const QString &line)
    {
        const qsizetype colon = line.indexOf(QLatin1String(": "));
        if (colon < 0)
            return false;
        const QString name = line.left(colon);
        const QString value = line.mid(colon + 2);
        if (name == QLatin1String("check"))
            m_history.use.check = value;
        else if (name == QLatin1String("expect"))
            return readJudgement(value);
        else if (name == QLatin1String("says"))
            m_history.says.append(value);
        else if (name == QLatin1String("never-says"))
            m_history.neverSays.append(value);
        else if (name == QLatin1String("argument"))
            return readArgument(value);
        else if (name == QLatin1String("count"))
            m_history.use.arguments.append({value.section(QLatin1Char(' '), 0, 0), value.section(QLatin1Char(' '), 1)});
        else if (name == QLatin1String("node"))
            m_history.run.header.nodes.append({value.section(QLatin1Char(' '), 0, 0), value.section(QLatin1Char(' '), 1), {}, true, {}});
        else if (name == QLatin1String("limiter"))
            return readLimiter(value.split(QLatin1Char(' ')));
        else if (name == QLatin1String("ends"))
            m_history.run.duration = nanoseconds(value).value_or(0);
        else if (name == QLatin1String("incomplete"))
            setIncomplete(value);
        else
            return false;
        return true;
    }

    bool readLimiter(const QStringList &words)
    {
        LimiterInfo info;
        info.name = info.title = info.algorithm = words[0];
        for (const QString &word : words.mid(1)) {
            const QString name = word.section(QLatin1Char('='), 0, 0);
            const QString value = word.section(QLatin1Char('='), 1);
            if (name == QLatin1String("algorithm"))
                info.algorithm = value;
            else if (name == QLatin1String("defect"))
                info.defect = value;
            else if (name == QLatin1String("twin"))
                info.twin = value;
            else
                info.values.append({name, value});
        }
        if (const Result<Limiter> limiter = Limiter::make(info.algorithm, info.values)) {
            info.limit = limiter->limit();
            info.levelUnit = limiter->levelUnit();
        }
        m_history.run.header.limiters.append(info); // one that cannot be made is a history too
        return true;
    }

    bool readDecision(const QStringList &words, Event event)
    {
        event.kind = Event::Kind::Decision;
        event.answered = event.at;
        event.key = intern(words.value(3));
        event.text = intern(words.value(4));
        if (!setWhat(event, words.value(5), {"admitted", "rejected", "failed"}))
            return false;
        const bool isAdmitted = static_cast<LimiterAnswer>(event.what) == LimiterAnswer::Admitted;
        const LimiterInfo *info = m_history.run.limiter(words.value(4));
        DecisionFigures figures;
        figures.limit = info ? info->limit : 0;
        figures.retryAfter = isAdmitted ? 0 : never;
        figures.now = never;
        figures.serverTime = event.at / 1'000;
        event.flags = isAdmitted ? Event::Accepted : 0;
        int times = 1;
        for (const QString &word : words.mid(6)) {
            if (!readFigure(word, event, figures, times))
                return false;
        }
        if (figures.now == never)
            figures.now = figures.asked == never ? figures.serverTime : figures.asked;
        for (; times > 0; --times) {
            event.number = qint64(m_history.run.decisions.size());
            m_history.run.events.push_back(event);
            m_history.run.decisions.push_back(figures);
        }
        return true;
    }

    bool readFigure(const QString &word, Event &event, DecisionFigures &figures, int &times)
    {
        const QString name = word.section(QLatin1Char('='), 0, 0);
        const QString value = word.section(QLatin1Char('='), 1);
        const std::optional<qint64> time = nanoseconds(value);
        const auto microseconds = [&](qint64 &figure) {
            figure = time.value_or(0) / 1'000;
            return time.has_value();
        };
        if (name == QLatin1String("times"))
            times = value.toInt();
        else if (name == QLatin1String("unanswered"))
            event.answered = never;
        else if (name == QLatin1String("answered"))
            event.answered = time.value_or(never);
        else if (name == QLatin1String("due"))
            event.sent = time.value_or(never);
        else if (name == QLatin1String("probe")) {
            event.flags |= Event::Touched;
            event.detail = intern(value);
        } else if (name == QLatin1String("cost"))
            figures.cost = value.toLongLong();
        else if (name == QLatin1String("limit"))
            figures.limit = value.toLongLong();
        else if (name == QLatin1String("remaining"))
            figures.remaining = value.toLongLong();
        else if (name == QLatin1String("level"))
            figures.level = value.toLongLong();
        else if (name == QLatin1String("asked"))
            return microseconds(figures.asked);
        else if (name == QLatin1String("now"))
            return microseconds(figures.now);
        else if (name == QLatin1String("server"))
            return microseconds(figures.serverTime);
        else if (name == QLatin1String("retry"))
            return microseconds(figures.retryAfter);
        else if (name == QLatin1String("reset"))
            return microseconds(figures.resetAfter);
        else if (name == QLatin1String("delay"))
            return microseconds(figures.delay);
        else
            return false;
        return true;
    }

    bool readJudgement(const QString &value)
    {
        for (const Judgement judgement : {Judgement::Held, Judgement::Broken, Judgement::Unknown}) {
            if (value == word(judgement)) {
                m_history.expected = judgement;
                return true;
            }
        }
        return false;
    }

    bool readArgument(const QString &value)
    {
        const QStringList parts = value.split(QLatin1Char(' '));
        const std::optional<qint64> time = nanoseconds(parts.value(1));
        if (parts.size() == 2)
            m_history.use.arguments.append({parts[0], time ? QString::number(*time) : parts[1]});
        return parts.size() == 2;
    }

    void setIncomplete(const QString &because)
    {
        m_history.run.isComplete = false;
        m_history.run.incompleteBecause = because;
    }

    bool readEvent(const QStringList &words)
    {
        const std::optional<qint64> at = nanoseconds(words.value(0));
        if (!at || words.size() < 3)
            return false;
        Event event;
        event.at = *at;
        event.lane = intern(words[1]);
        const QString what = words[2];
        qsizetype next = 3;
        if (what == QLatin1String("command")) {
            event.kind = Event::Kind::Command;
            event.answered = event.at;
        } else if (what == QLatin1String("decision")) {
            return readDecision(words, event);
        } else if (what == QLatin1String("fault")) {
            event.kind = Event::Kind::Fault;
            event.text = intern(words.value(next++));
            event.flags = Event::Touched;
        } else if (what == QLatin1String("node")) {
            event.kind = Event::Kind::Node;
            if (!setWhat(event, words.value(next++), {"started", "ready", "role-changed", "paused", "resumed", "killed", "ended", "clock-moved", "offset", "linked", "synced"}))
                return false;
        } else if (what == QLatin1String("note")) {
            event.kind = Event::Kind::Note;
            event.text = intern(words.value(next++));
        } else if (what == QLatin1String("sentinel")) {
            event.kind = Event::Kind::Sentinel;
            event.text = intern(words.value(next++));
        } else if (what == QLatin1String("phase")) {
            event.kind = Event::Kind::Phase;
            event.text = intern(QString(words.value(next++)).replace(QLatin1Char('_'), QLatin1Char(' ')));
        } else if (what == QLatin1String("owner")) {
            event.kind = Event::Kind::Owner;
            event.key = intern(words.value(next++));
            if (!setWhat(event, words.value(next++), {"set", "renewed", "deleted", "expired", "promoted", "restarted", "read"}))
                return false;
        } else {
            event.key = intern(words.value(next++));
            if (setWhat(event, what, {"entered", "left", "wrote"}))
                event.kind = Event::Kind::Resource;
            else if (setWhat(event, what, {"wants", "refused", "granted", "renewed", "renewal-failed", "ended", "released", "gave-up"}))
                event.kind = Event::Kind::Belief;
            else
                return false;
            if (event.kind == Event::Kind::Belief)
                event.answered = event.at;
            else
                event.flags = Event::Accepted;
        }
        std::optional<qint64> ttl;
        for (; next < words.size(); ++next) {
            if (!readWord(words[next], event, ttl))
                return false;
        }
        if (ttl)
            event.until = (event.sent == never ? event.at : event.sent) + *ttl;
        m_history.run.events.push_back(event);
        return true;
    }

    static bool setWhat(Event &event, const QString &word, std::initializer_list<const char *> words)
    {
        const auto found = std::find_if(words.begin(), words.end(), [&](const char *each) { return word == QLatin1String(each); });
        event.what = quint8(found - words.begin());
        return found != words.end();
    }

    bool readWord(const QString &word, Event &event, std::optional<qint64> &ttl)
    {
        const qsizetype equals = word.indexOf(QLatin1Char('='));
        const QString name = word.left(equals);
        const QString value = equals < 0 ? QString() : word.mid(equals + 1);
        if (name == QLatin1String("t") || name == QLatin1String("text"))
            event.text = intern(event.kind == Event::Kind::Command ? QString(value).replace(QLatin1Char('_'), QLatin1Char(' ')) : value);
        else if (event.kind == Event::Kind::Command && name == QLatin1String("value")) {
            event.what = quint8(ReplyType::Integer);
            event.number = value.toLongLong();
        } else if (name == QLatin1String("node"))
            event.node = intern(value);
        else if (name == QLatin1String("bytes") || name == QLatin1String("offset") || name == QLatin1String("epoch")
            || (event.kind == Event::Kind::Note && name == QLatin1String("value")))
            event.number = value.toLongLong();
        else if (name == QLatin1String("rest"))
            event.detail = intern(QString(value).replace(QLatin1Char('_'), QLatin1Char(' ')));
        else if (name == QLatin1String("begins"))
            event.flags = Event::Begins;
        else if (name == QLatin1String("deleted") || name == QLatin1String("fence"))
            event.number = value.toLongLong();
        else if (name == QLatin1String("nx"))
            event.flags |= Event::Conditional;
        else if (name == QLatin1String("untouched"))
            event.flags = 0;
        else if (name == QLatin1String("refused"))
            event.flags = 0;
        else if (name == QLatin1String("unanswered"))
            event.answered = never;
        else if (equals < 0)
            event.detail = intern(word);
        else
            return readTime(name, value, event, ttl);
        return true;
    }

    static bool readTime(const QString &name, const QString &value, Event &event, std::optional<qint64> &ttl)
    {
        const std::optional<qint64> time = nanoseconds(value);
        if (!time)
            return false;
        if (name == QLatin1String("sent"))
            event.sent = *time;
        else if (name == QLatin1String("answered"))
            event.answered = *time;
        else if (name == QLatin1String("until"))
            event.until = *time;
        else if (name == QLatin1String("ttl"))
            ttl = *time;
        else if (name == QLatin1String("by"))
            event.number = *time;
        else
            return false;
        return true;
    }

    Name intern(const QString &text) { return m_history.run.names.intern(text); }

    History m_history;
};

}

History parseHistory(const QByteArray &text)
{
    return Parser().parse(text);
}

}
