// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

namespace interlock {

/// A menu of switches that stays open while they are turned, since one seldom turns only one.
class ChoiceMenu : public QMenu
{
    Q_OBJECT

public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent *event) override
    {
        QAction *action = actionAt(event->position().toPoint());
        if (action && action->isCheckable())
            action->trigger();
        else
            QMenu::mouseReleaseEvent(event);
    }

    void keyPressEvent(QKeyEvent *event) override
    {
        const bool turns = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        if (turns && activeAction() && activeAction()->isCheckable())
            activeAction()->trigger();
        else
            QMenu::keyPressEvent(event);
    }
};

}
