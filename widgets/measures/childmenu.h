// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QStringList>

#include <functional>

namespace interlock {

/// Hands over the one run that is behind a point or a cell, or, of several, the one that the person chooses from a menu at @p place.
inline void askForChild(QWidget *owner, const QStringList &runs, const QPoint &place, const std::function<void(const QString &)> &chosen)
{
    if (runs.size() == 1)
        return chosen(runs.first());
    if (runs.isEmpty())
        return;
    auto *menu = new QMenu(owner);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString &name : runs)
        QObject::connect(menu->addAction(QString(name).replace(QLatin1Char('&'), QStringLiteral("&&"))), &QAction::triggered, owner, [chosen, name] { chosen(name); });
    menu->popup(place);
}

}
