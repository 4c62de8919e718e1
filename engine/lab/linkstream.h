// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/link.h"
#include "engine/schedule/clock.h"

#include <QByteArray>

#include <deque>
#include <functional>

class QTcpSocket;

namespace interlock {

/// One direction of a connection through a relay: takes from one socket and hands on to the other, as its policy says.
class LinkStream
{
public:
    struct Counts
    {
        qint64 handedOn = 0; ///< bytes
        LinkTouch touch;
    };

    /// @param ended called when the source has ended and all it sent was handed on, perhaps from inside pump() or setPolicy().
    LinkStream(QTcpSocket &source, QTcpSocket &sink, Clock &clock, std::function<void()> ended);
    ~LinkStream();
    LinkStream(const LinkStream &) = delete;
    LinkStream &operator=(const LinkStream &) = delete;

    /// Where it counts from now on; what it counted before is added there.
    void countIn(Counts &counts);
    /// What waits is handed on when it would have been under the new policy, never in another order.
    void setPolicy(LinkPolicy policy);
    /// The sink is open, has room again, or the source has something.
    void pump();
    /// The source will send no more than what it has sent.
    void endSource();
    /// Nothing is handed on any more; what waited is lost.
    void close();
    /// Bytes wait that a policy has held or delayed, or the next would.
    bool isTouched() const { return m_policy != LinkPolicy::pass() || !m_waiting.empty(); }

private:
    struct Chunk
    {
        Nanoseconds arrived;
        QByteArray bytes;
    };

    void take();
    void deliver();
    void handOn(const QByteArray &bytes);
    void countHeld();
    bool hasRoom() const;
    void wakeAt(Nanoseconds due);

    QTcpSocket &m_source;
    QTcpSocket &m_sink;
    Clock &m_clock;
    std::function<void()> m_ended;
    LinkPolicy m_policy;
    std::deque<Chunk> m_waiting;
    qint64 m_waitingBytes = 0;
    qint64 m_heldInSocket = 0; ///< bytes that are counted as held and were not taken from the source
    Counts m_early;
    Counts *m_counts = &m_early;
    Clock::TimerId m_timer = 0;
    bool m_isPumping = false;
    bool m_hasEnded = false; ///< the source
    bool m_isClosed = false;
};

}
