// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QList>
#include <QStringList>
#include <QWidget>

class QAction;

namespace interlock {

class RunModel;

/// The limiters of a run side by side: a row for each on one time axis, which of them are compared, and why a request was let
/// pass or not. Reads the RunModel only.
class LimiterView : public QWidget
{
    Q_OBJECT

public:
    explicit LimiterView(RunModel &model, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);

    /// The limiters that are not compared, by name; those that the run does not have are kept for another that does.
    QStringList hidden() const;
    void setHidden(const QStringList &limiters);

    /// Zoom, pan, fit, follow, step through requests, …, for the page of keys. Owned by this widget.
    QList<QAction *> viewActions() const;

Q_SIGNALS:
    /// For the status bar: the time under the pointer, a measured length; empty when there is none.
    void pointed(const QString &what);
    void hiddenChanged(const QStringList &limiters); ///< by a person

protected:
    void showEvent(QShowEvent *event) override;

private:
    class Impl;
    Impl *m_impl; // a child object
};

}
