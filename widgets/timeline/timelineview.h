// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QList>
#include <QWidget>

#include <optional>

class QAction;

namespace interlock {

class RunModel;

/// The ownership timeline: a lane per actor (what it believes) over a lane per node and key (what the server says), on one
/// time axis. Reads the RunModel only.
class TimelineView : public QWidget
{
    Q_OBJECT

public:
    explicit TimelineView(RunModel &model, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// A line at this time (ns), as the pointer draws one, for what others show of a moment; none: no line.
    void setHairline(std::optional<qint64> time);

    /// Zoom, pan, fit, follow, step, mark, first violation…, for the View menu and the page of keys. Owned by this widget.
    QList<QAction *> viewActions() const;

Q_SIGNALS:
    /// For the status bar: the time under the pointer, a measured length; empty when there is none.
    void pointed(const QString &what);
    /// The pointer is at this time (ns), or no longer at any.
    void timePointed(std::optional<qint64> time);

private:
    class Impl;
    Impl *m_impl; // a child object
};

}
