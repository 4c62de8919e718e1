// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/infofields.h"

#include <QList>

namespace interlock {

InfoFields::InfoFields(const QByteArray &info)
{
    for (const QByteArray &line : info.split('\n')) {
        if (const qsizetype colon = line.indexOf(':'); colon > 0)
            m_fields[line.first(colon)] = line.sliced(colon + 1).trimmed();
    }
}

QByteArray InfoFields::text(const char *name) const
{
    const auto found = m_fields.find(name);
    return found == m_fields.end() ? QByteArray() : found->second;
}

}
