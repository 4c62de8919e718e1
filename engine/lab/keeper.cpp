// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/keeper.h"

#include "engine/lab/keeperlink.h"

namespace interlock {

Keeper::Keeper(std::function<void(Result<void>)> ready)
    : m_link(std::make_shared<KeeperLink>())
{
    m_link->open(std::move(ready));
}

Keeper::~Keeper()
{
    m_link->close();
}

QString Keeper::directory() const
{
    return m_link->directory();
}

qint64 Keeper::processId() const
{
    return m_link->process();
}

}
