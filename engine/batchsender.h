// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/recorder.h"
#include "engine/session.h"

#include <QTimer>

#include <functional>

namespace interlock {

/// Sends what was recorded, about thirty times a second once it was started.
class BatchSender
{
public:
    /// @param run its number. @param recorder must outlive it.
    BatchSender(quint64 run, const Recorder &recorder, std::function<void(const Batch &)> send);

    void start() { m_timer.start(); }
    /// With what is left; does nothing if it was not started.
    void stop();

private:
    void sendNext();

    quint64 m_run;
    const Recorder &m_recorder;
    std::function<void(const Batch &)> m_send;
    size_t m_events = 0; ///< sent so far
    size_t m_decisions = 0;
    size_t m_names = 1; ///< 0, the empty text, is known to everyone
    QTimer m_timer;
};

}
