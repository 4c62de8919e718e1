// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/signal.h"

#include <QCoreApplication>

#include <utility>

namespace interlock {

Signal::~Signal()
{
    if (m_waiting)
        m_waiting->m_signal = nullptr;
}

void Signal::raise()
{
    ++m_kept;
    if (m_waiting)
        m_waiting->wake();
}

Signal::RaisedStep::RaisedStep(Actor &actor, Signal &signal, Nanoseconds limit)
    : Step(actor)
    , m_signal(&signal)
    , m_limit(limit)
{
}

Signal::RaisedStep::~RaisedStep()
{
    actor().world().clock.cancel(m_timer);
    if (m_signal && m_signal->m_waiting == this)
        m_signal->m_waiting = nullptr;
}

void Signal::RaisedStep::begin()
{
    if (m_signal->m_kept > 0) {
        wake();
        return;
    }
    m_signal->m_waiting = this;
    if (m_limit == Nanoseconds::max())
        return;
    m_timer = actor().world().clock.after(m_limit, [this] {
        if (m_signal)
            m_signal->m_waiting = nullptr;
        finish();
    });
}

void Signal::RaisedStep::wake()
{
    m_isRaised = true;
    --m_signal->m_kept;
    m_signal->m_waiting = nullptr;
    actor().world().clock.cancel(m_timer);
    m_timer = actor().world().clock.after(0ns, [this] { finish(); });
}

QString Signal::RaisedStep::describe() const
{
    return QCoreApplication::translate("steps", "wait for the person");
}

}
