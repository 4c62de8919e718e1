// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/actor.h"

#include <deque>

namespace interlock {

/// Coroutines of one actor that run beside each other, so that it need not wait for one before it begins the next: requests that
/// are sent when their time has come, however many are still unanswered. They end with the group, wherever they stand.
class TaskGroup
{
public:
    explicit TaskGroup(Actor &actor)
        : m_actor(actor)
    {
    }
    TaskGroup(const TaskGroup &) = delete;
    TaskGroup &operator=(const TaskGroup &) = delete;

    /// Runs it to its first wait.
    void add(Task<> task);
    /// How many have not ended.
    size_t running() const { return m_running; }

    /// co_await group.fewerThan(100): goes on when fewer are running, at once if that is so now. One waiter at a time.
    class FewerStep : public Step
    {
    public:
        FewerStep(TaskGroup &group, size_t count);
        ~FewerStep() override;
        bool await_ready() const noexcept { return m_group.m_running < m_count; }
        void begin() override;
        QString describe() const override;
        void await_resume() const noexcept { }

    private:
        friend class TaskGroup;
        void look();

        TaskGroup &m_group;
        size_t m_count;
        Clock::TimerId m_timer = 0;
    };
    FewerStep fewerThan(size_t count) { return FewerStep(*this, count); }
    FewerStep allEnded() { return fewerThan(1); }

private:
    Task<> counted(Task<> task);
    void dropEnded();

    Actor &m_actor;
    std::deque<Task<>> m_tasks; ///< in the order of their beginning; ended ones go when all before them have ended
    size_t m_running = 0;
    FewerStep *m_waiting = nullptr;
};

}
