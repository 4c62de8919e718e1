// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Key without TTL: no key of a limiter or a lock is left without one. Told by the servers alone: by the integer that a recorded
// TTL or PTTL answered (−1: no TTL; −2: no key), and by owner events that were not inferred. The last word about a key counts.
// Argument `key`: only this one, as the commands write it; otherwise every key that was asked about.
//
//     PTTL api answers −1, and nothing is done to the key until the run ends        broken
//     PTTL api answers 59999, or −2                                                 held
//     PTTL api answers −1, then somebody writes to api and nobody asks again        unknown
//     PTTL api answers −1, and the record is cut                                    unknown: a TTL may have been set
//     nobody asked                                                                  unknown
//
// Meant for runs on the server's clock: with the caller's, keys live for an hour at least whatever the limiter needs.
#include "engine/checks/history.h"
#include "engine/checks/properties.h"
#include "engine/checks/result.h"
#include "engine/checks/sentences.h"

#include <algorithm>
#include <map>

namespace interlock::checks {

namespace {

constexpr qint64 noTtl = -1;

/// The last word about a key.
struct Word
{
    size_t event = 0;
    qint64 ttl = 0; ///< noTtl; anything else is well
    std::optional<size_t> touched; ///< the first command that may have changed the key since
};

QByteArray upperFirstWord(const QByteArray &command)
{
    return command.left(command.indexOf(' ')).toUpper();
}

bool onlyReads(const QByteArray &name)
{
    static const QList<QByteArray> readers {"TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME", "GET", "STRLEN", "EXISTS", "TYPE", "OBJECT", "HGET",
        "HGETALL", "HMGET", "HLEN", "ZCARD", "ZRANGE", "ZCOUNT", "LLEN", "LRANGE", "SCAN"};
    return readers.contains(name);
}

class Reading
{
public:
    Reading(const History &history, const QString &only)
        : m_run(history.run())
        , m_only(only.toUtf8())
    {
        for (const size_t index : history.order()) {
            const Event &event = m_run.events[index];
            if (event.kind == Event::Kind::Command)
                readCommand(index, event);
            else if (event.kind == Event::Kind::Owner && !event.has(Event::Inferred))
                note(m_run.names.bytes(event.key), index, event.text && event.until == never ? noTtl : 0);
        }
    }

    const std::map<QByteArray, Word> &words() const { return m_words; }

private:
    void readCommand(size_t index, const Event &event)
    {
        const QByteArray &command = m_run.names.bytes(event.text);
        const QByteArray name = upperFirstWord(command);
        if (name == "TTL" || name == "PTTL") {
            if (static_cast<ReplyType>(event.what) == ReplyType::Integer && event.answered != never)
                note(command.mid(name.size() + 1), index, event.number);
        } else if (!m_words.empty() && !onlyReads(name)) {
            touch(command, index);
        }
    }

    void note(const QByteArray &key, size_t index, qint64 ttl)
    {
        if (m_only.isEmpty() || key == m_only)
            m_words[key] = {index, ttl, {}};
    }

    void touch(const QByteArray &command, size_t index)
    {
        for (qsizetype from = command.indexOf(' ') + 1; from > 0;) {
            const qsizetype end = command.indexOf(' ', from);
            const auto word = m_words.find(command.mid(from, end < 0 ? -1 : end - from));
            if (word != m_words.end() && !word->second.touched)
                word->second.touched = index;
            from = end + 1;
        }
    }

    const Run &m_run;
    QByteArray m_only;
    std::map<QByteArray, Word> m_words; ///< by key
};

}

CheckResult keyWithoutTtl(const History &history, const CheckUse &use)
{
    const Run &run = history.run();
    CheckResult result = resultOf(use);
    const Reading reading(history, argument(use, QStringLiteral("key")));
    std::optional<std::pair<QString, Word>> left, open;
    qint64 without = 0;
    for (const auto &[key, word] : reading.words()) {
        if (word.ttl != noTtl)
            continue;
        const bool isOpen = word.touched || !isWhole(run);
        without += !isOpen;
        std::optional<std::pair<QString, Word>> &place = isOpen ? open : left;
        if (!place)
            place = {QString::fromUtf8(key), word};
    }
    if (left) {
        result.judgement = Judgement::Broken;
        result.sentences.push_back(say("ttl.left", left->first, At {run.events[left->second.event].at}));
        if (without > 1)
            result.sentences.push_back(say("ttl.first", without));
        result.events = {left->second.event};
        result.facts = {{QStringLiteral("ttl"), noTtl}, {QStringLiteral("keys"), without}};
        return result;
    }
    if (open) {
        const std::optional<size_t> touched = open->second.touched;
        result.judgement = Judgement::Unknown;
        result.sentences.push_back(touched ? say("ttl.touched", open->first, At {run.events[open->second.event].at}, At {run.events[*touched].at})
                                           : say("ttl.cut", open->first, At {run.events[open->second.event].at}));
        result.events = {open->second.event};
    } else if (reading.words().empty()) {
        result.judgement = Judgement::Unknown;
        result.sentences.push_back(say("ttl.none"));
    } else {
        result.sentences.push_back(say("ttl.held", qint64(reading.words().size())));
    }
    return concluded(run, std::move(result));
}

}
