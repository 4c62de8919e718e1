// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <QByteArray>

namespace interlock::samples {

/// Writes runs by hand, in milliseconds, so that a test can say what it expects by arithmetic.
class RunBuilder
{
public:
    RunBuilder(const QString &experiment, const QString &preset);

    RunBuilder &actor(const QString &name);
    RunBuilder &node(const QString &name, const QString &key);
    RunBuilder &resource(const QString &name);

    size_t command(double at, const char *who, const QByteArray &text, const QByteArray &reply, ReplyType type, double latency = 1);
    size_t belief(Belief what, double at, const char *who, const char *token, double until = -1, const char *why = "");
    size_t released(double sent, double answered, const char *who, const char *token, int deleted);
    size_t owner(OwnerChange what, double at, const char *token, double until = -1, bool inferred = false);
    size_t entered(double at, const char *who, const char *token);
    size_t left(double at, const char *who);
    size_t wrote(double at, const char *who, int fencing, bool accepted);
    size_t fault(const char *what, double from, double until, const char *who);
    size_t phase(double at, const char *text);
    RunBuilder &limiter(const LimiterInfo &info);
    /// Of "api"; sent at @p at.
    size_t decision(double at, const char *who, const char *limiter, LimiterAnswer what, const DecisionFigures &figures = {}, double latency = 1);

    /// In order of time, complete, lasting so many milliseconds.
    Run finish(double duration);
    /// As recorded so far, for live batches.
    Run &run() { return m_run; }

private:
    size_t add(const Event &event);

    Run m_run;
    QByteArray m_key = "lock";
    QByteArray m_node = "redis";
};

constexpr qint64 ms(double milliseconds) { return static_cast<qint64>(milliseconds * 1e6); }

/// A's lock runs out, B is let in, A's DEL removes B's lock, C is let in beside B.
Run releaseBreak();
/// The same with a release that compares: A's answers 0, and C waits for B.
Run releaseSafe();
/// One actor is paused beyond its lease; its late write is refused, another's accepted. One died.
Run fencing();
/// So many actors take turns at one lock, fairly.
Run contention(int actors, int rounds);
/// So many events on 20 actors' lanes and one node's.
Run synthetic(size_t events);

}
