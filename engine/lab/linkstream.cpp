// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/linkstream.h"

#include <QTcpSocket>

#include <algorithm>
#include <utility>

namespace interlock {

namespace {

constexpr qint64 largestChunk = 256 * 1024;
constexpr qint64 mostUnwritten = 1024 * 1024; // then the sink must take some first
constexpr qint64 mostWaiting = 64 * 1024 * 1024; // of delayed bytes; then the source stands still as if it were held

}

LinkStream::LinkStream(QTcpSocket &source, QTcpSocket &sink, Clock &clock, std::function<void()> ended)
    : m_source(source)
    , m_sink(sink)
    , m_clock(clock)
    , m_ended(std::move(ended))
{
    m_source.setReadBufferSize(largestChunk); // or Qt would read on while we do not
}

LinkStream::~LinkStream()
{
    m_clock.cancel(m_timer);
}

void LinkStream::countIn(Counts &counts)
{
    counts.handedOn += m_counts->handedOn;
    counts.touch += m_counts->touch;
    m_counts = &counts;
}

void LinkStream::setPolicy(LinkPolicy policy)
{
    if (m_policy == policy)
        return;
    m_policy = policy;
    pump();
}

void LinkStream::pump()
{
    if (m_isClosed || std::exchange(m_isPumping, true)) // writing may report at once that something was written
        return;
    if (m_policy.kind == LinkPolicy::Kind::Hold) {
        countHeld();
    } else if (m_sink.state() == QAbstractSocket::ConnectedState) {
        deliver();
        take();
    }
    m_isPumping = false;
    const bool isEmpty = m_waiting.empty() && m_source.bytesAvailable() == 0;
    if (m_hasEnded && isEmpty && m_policy.kind != LinkPolicy::Kind::Hold && !std::exchange(m_isClosed, true))
        m_ended();
}

/// What passes is handed on from here, unless others wait that came before.
void LinkStream::take()
{
    while (!m_isClosed && m_source.bytesAvailable() > 0 && hasRoom()) {
        const QByteArray bytes = m_source.read(largestChunk);
        const qint64 counted = std::min(m_heldInSocket, qint64(bytes.size()));
        m_heldInSocket -= counted;
        if (m_policy.kind == LinkPolicy::Kind::Pass && m_waiting.empty()) {
            handOn(bytes);
            continue;
        }
        m_counts->touch.bytes += bytes.size() - counted;
        m_waiting.push_back({m_clock.now(), bytes});
        m_waitingBytes += bytes.size();
        deliver();
    }
}

void LinkStream::deliver()
{
    while (!m_waiting.empty() && m_sink.bytesToWrite() < mostUnwritten) {
        const Nanoseconds due = m_waiting.front().arrived + m_policy.delay;
        if (due > m_clock.now())
            return wakeAt(due);
        const QByteArray bytes = std::exchange(m_waiting.front().bytes, {});
        m_waiting.pop_front();
        m_waitingBytes -= bytes.size();
        handOn(bytes);
    }
}

/// May close this stream, if the sink turns out to be gone.
void LinkStream::handOn(const QByteArray &bytes)
{
    m_counts->handedOn += bytes.size();
    m_sink.write(bytes);
    m_sink.flush(); // now, not at the next turn of the loop
}

void LinkStream::countHeld()
{
    const qint64 held = m_source.bytesAvailable();
    m_counts->touch.bytes += std::max(qint64(0), held - m_heldInSocket);
    m_heldInSocket = std::max(held, m_heldInSocket);
}

bool LinkStream::hasRoom() const
{
    return m_sink.bytesToWrite() < mostUnwritten && m_waitingBytes < mostWaiting;
}

void LinkStream::wakeAt(Nanoseconds due)
{
    m_clock.cancel(m_timer);
    m_timer = m_clock.after(due - m_clock.now(), [this] { pump(); });
}

void LinkStream::endSource()
{
    m_hasEnded = true;
    pump();
}

void LinkStream::close()
{
    if (std::exchange(m_isClosed, true))
        return;
    m_clock.cancel(m_timer);
    m_counts->touch.lost += m_waitingBytes + std::min(m_heldInSocket, m_source.bytesAvailable());
    m_waiting.clear();
    m_waitingBytes = 0;
}

}
