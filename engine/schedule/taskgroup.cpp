// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/taskgroup.h"

#include <QCoreApplication>

namespace interlock {

void TaskGroup::add(Task<> task)
{
    dropEnded();
    m_tasks.push_back(counted(std::move(task)));
    m_tasks.back().start();
}

Task<> TaskGroup::counted(Task<> task)
{
    ++m_running;
    co_await task;
    --m_running;
    if (m_waiting)
        m_waiting->look();
}

/// Not when a task ends: it is still on the stack then.
void TaskGroup::dropEnded()
{
    while (!m_tasks.empty() && m_tasks.front().isFinished())
        m_tasks.pop_front();
}

TaskGroup::FewerStep::FewerStep(TaskGroup &group, size_t count)
    : Step(group.m_actor)
    , m_group(group)
    , m_count(count)
{
}

TaskGroup::FewerStep::~FewerStep()
{
    actor().world().clock.cancel(m_timer);
    if (m_group.m_waiting == this)
        m_group.m_waiting = nullptr;
}

void TaskGroup::FewerStep::begin()
{
    m_group.m_waiting = this;
}

/// A task has ended, and is still on the stack: go on at the next turn of the loop.
void TaskGroup::FewerStep::look()
{
    if (m_group.m_running >= m_count)
        return;
    m_group.m_waiting = nullptr;
    m_timer = actor().world().clock.after(0ns, [this] { finish(); });
}

QString TaskGroup::FewerStep::describe() const
{
    return QCoreApplication::translate("steps", "wait for answers");
}

}
