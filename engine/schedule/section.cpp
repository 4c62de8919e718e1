// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/section.h"

namespace interlock {

namespace {
void record(Actor &actor, Resource what, const QByteArray &key, const QByteArray &token, const char *why)
{
    Recorder *recorder = actor.world().recorder;
    if (!recorder)
        return;
    Event event;
    event.kind = Event::Kind::Resource;
    event.what = static_cast<quint8>(what);
    event.at = recorder->now();
    event.key = recorder->intern(key);
    event.text = recorder->intern(token);
    event.detail = recorder->intern(QByteArrayView(why));
    actor.record(event);
}
}

Section::Section(Actor &actor, const QByteArray &key, const QByteArray &token)
    : m_actor(actor)
    , m_key(key)
    , m_token(token)
{
    record(m_actor, Resource::Entered, m_key, m_token, "");
}

void Section::leave()
{
    if (!m_isInside)
        return;
    m_isInside = false;
    const bool died = m_actor.whyEnding() && QByteArrayView(m_actor.whyEnding()) == "died";
    record(m_actor, Resource::Left, m_key, m_token, died ? "died" : "");
}

void recordWrite(Actor &actor, const QByteArray &resource, qint64 fencingToken, const QByteArray &what, bool accepted)
{
    Recorder *recorder = actor.world().recorder;
    if (!recorder)
        return;
    Event event;
    event.kind = Event::Kind::Resource;
    event.what = static_cast<quint8>(Resource::Wrote);
    event.at = recorder->now();
    event.key = recorder->intern(resource);
    event.text = recorder->intern(what);
    event.number = fencingToken;
    event.flags = accepted ? Event::Accepted : 0;
    actor.record(event);
}

}
