// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

class QAction;

namespace interlock {

/// Actions under a heading of the page of keys.
struct KeyGroup
{
    QString title;
    QList<QAction *> actions;
};

/// Every key and every habit of the mouse on one page, made from the actions themselves.
class KeysPage : public QDialog
{
    Q_OBJECT

public:
    explicit KeysPage(const QList<KeyGroup> &groups, QWidget *parent = nullptr);

    /// The page's text as HTML: a table for each group; actions without a key are left out.
    static QString html(const QList<KeyGroup> &groups);
};

}
