// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <deque>
#include <functional>
#include <mutex>
#include <utility>

namespace interlock {

/// Takes calls from any thread and makes them on its own, in the order of posting. Qt's queued calls would do the same, but
/// the distribution's Qt hides its locks from the thread sanitizer, which then takes every handing over for a race, and has
/// to be told to look away from all that runs below an event loop. Here a lock of ours passes between the threads.
class Mailbox : public QObject
{
public:
    using QObject::QObject;
    ~Mailbox() override
    {
        const std::lock_guard lock(m_mutex); // whoever posted last has left it
        m_calls.clear();
    }

    /// What has not been called when the mailbox dies never is. A call may delete the mailbox, and may run an event loop
    /// in which those after it are made.
    void post(std::function<void()> call)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_calls.push_back(std::move(call));
        }
        QMetaObject::invokeMethod(this, &Mailbox::makeNext, Qt::QueuedConnection);
    }

private:
    void makeNext()
    {
        std::function<void()> call;
        {
            const std::lock_guard lock(m_mutex);
            call = std::move(m_calls.front());
            m_calls.pop_front();
        }
        call();
    }

    std::mutex m_mutex;
    std::deque<std::function<void()>> m_calls;
};

}
