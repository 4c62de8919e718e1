// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/names.h"

#include <string_view>
#include <utility>

namespace interlock {

namespace {

quint32 hashOf(QByteArrayView text)
{
    return static_cast<quint32>(std::hash<std::string_view>()({text.data(), static_cast<size_t>(text.size())}));
}

}

Names::Names()
    : m_texts(1)
    , m_slots(64)
{
}

/// Where the text is, or where it belongs.
size_t Names::slotOf(QByteArrayView text, quint32 hash) const
{
    const size_t mask = m_slots.size() - 1;
    size_t slot = hash & mask;
    while (m_slots[slot].name != 0 && (m_slots[slot].hash != hash || m_texts[m_slots[slot].name] != text))
        slot = (slot + 1) & mask;
    return slot;
}

Name Names::intern(QByteArrayView text)
{
    if (text.isEmpty())
        return 0;
    const quint32 hash = hashOf(text);
    Slot &slot = m_slots[slotOf(text, hash)];
    if (slot.name != 0)
        return slot.name;
    const auto number = static_cast<Name>(m_texts.size());
    m_texts.push_back(text.toByteArray());
    slot = {hash, number};
    if (2 * m_texts.size() > m_slots.size())
        grow();
    return number;
}

Name Names::find(QByteArrayView text) const
{
    return text.isEmpty() ? 0 : m_slots[slotOf(text, hashOf(text))].name;
}

void Names::grow()
{
    const std::vector<Slot> old = std::exchange(m_slots, std::vector<Slot>(4 * m_slots.size()));
    const size_t mask = m_slots.size() - 1;
    for (const Slot &taken : old) {
        if (taken.name == 0)
            continue;
        size_t slot = taken.hash & mask;
        while (m_slots[slot].name != 0)
            slot = (slot + 1) & mask;
        m_slots[slot] = taken;
    }
}

}
