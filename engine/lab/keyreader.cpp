// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/keyreader.h"

namespace interlock {

namespace {

constexpr Nanoseconds deadline = 2s;

}

/// GET and PTTL, sent one behind the other.
class KeyReader::Question : public ReplyReceiver
{
public:
    Question(KeyReader &reader, Name key, quint64 change, bool isSecond)
        : m_reader(reader)
        , m_key(key)
        , m_change(change)
        , m_isSecond(isSecond)
        , m_asked(reader.m_recorder.now())
    {
    }
    void replied(Reply reply, Nanoseconds answered) override;
    void failed(Error error) override;
    Name key() const { return m_key; }
    quint64 change() const { return m_change; }
    bool isSecond() const { return m_isSecond; } ///< try, on another connection

private:
    KeyReader &m_reader;
    Name m_key;
    quint64 m_change;
    bool m_isSecond;
    qint64 m_asked; // ns of the run
    std::optional<Reply> m_value;
};

void KeyReader::Question::replied(Reply reply, Nanoseconds answered)
{
    if (!m_value) {
        m_value = std::move(reply);
        return;
    }
    std::optional<OwnerLane::Reading> reading;
    const qint64 at = m_reader.m_recorder.sinceBeginning(m_reader.m_clock.at(answered));
    if (m_value->isNil() || reply.isInteger(-2)) {
        reading = OwnerLane::Reading {0, never, at, at - m_asked};
    } else if (m_value->type == ReplyType::String && reply.type == ReplyType::Integer) {
        const qint64 left = Nanoseconds(Milliseconds(reply.integer)).count();
        reading = OwnerLane::Reading {m_reader.m_recorder.intern(m_value->text), reply.integer < 0 ? never : at + left, at, at - m_asked};
    }
    m_reader.conclude(*this, reading);
}

void KeyReader::Question::failed(Error error)
{
    if (error.kind == Error::Kind::Closed && !m_isSecond && !m_reader.m_isNodeDead)
        return m_reader.reconnect();
    m_reader.m_connection->forget(this); // the other command would say the same
    m_reader.conclude(*this, {});
}

KeyReader::KeyReader(Endpoint endpoint, Recorder &recorder, Clock &clock, Told told)
    : m_endpoint(std::move(endpoint))
    , m_recorder(recorder)
    , m_clock(clock)
    , m_told(std::move(told))
{
}

KeyReader::~KeyReader() = default;

void KeyReader::read(Name key, quint64 change)
{
    ask(key, change, false);
}

void KeyReader::ask(Name key, quint64 change, bool isSecond)
{
    Connection &asked = connection();
    Question &question = m_questions.emplace_back(*this, key, change, isSecond);
    const QByteArray name = m_recorder.names().bytes(key);
    asked.send(Command("GET", name), deadline, &question);
    asked.send(Command("PTTL", name), deadline, &question);
}

void KeyReader::reconnect()
{
    std::list<Question> unanswered;
    unanswered.swap(m_questions);
    Connection::Options options;
    options.name = "interlock-owner-watch";
    m_connection = std::make_unique<Connection>(m_endpoint, options);
    for (const Question &question : unanswered) {
        if (question.isSecond())
            m_told(question.key(), question.change(), {});
        else
            ask(question.key(), question.change(), true);
    }
}

Connection &KeyReader::connection()
{
    if (!m_connection || !m_connection->isUsable())
        reconnect();
    return *m_connection;
}

void KeyReader::conclude(const Question &question, std::optional<OwnerLane::Reading> reading)
{
    const Name key = question.key();
    const quint64 change = question.change();
    m_questions.remove_if([&](const Question &other) { return &other == &question; });
    m_told(key, change, reading);
}

}
