// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QList>
#include <QWidget>

class QLabel;
class QSplitter;
class QTabWidget;

namespace interlock {

class Banner;
class EventTable;
class LimiterTable;
class LimiterView;
class RunModel;
class StatusBadge;
class TimelineView;
class VerdictBar;
class WaitsView;

/// The middle of the window: title and promise, the verdict, the picture, the events, and what was real.
class RunPage : public QWidget
{
    Q_OBJECT

public:
    explicit RunPage(RunModel &run, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setTitle(const QString &title, const QString &promise);
    /// Which views the experiment has, by name ("waits"), in its order; the timeline is always there, and a view that the window does
    /// not know is passed over. Another set of views shows its first.
    void setViews(const QStringList &views);
    /// Limiters that are not compared, by name; see LimiterView::hiddenChanged for a person's choice.
    void setHiddenLimiters(const QStringList &limiters);

    VerdictBar &verdict() const { return *m_verdict; }
    Banner &banner() const { return *m_banner; }
    StatusBadge &badge() const { return *m_badge; }
    TimelineView &timeline() const { return *m_timeline; }
    LimiterView &limiters() const { return *m_limiters; }
    EventTable &table() const { return *m_table; }
    QSplitter &splitter() const { return *m_splitter; }

private:
    struct View
    {
        QString id;
        QString title;
        QWidget *widget;
    };
    QList<View> allViews() const;

    QLabel *m_title;
    QLabel *m_promise;
    VerdictBar *m_verdict;
    Banner *m_banner;
    QTabWidget *m_views;
    TimelineView *m_timeline;
    WaitsView *m_waits;
    LimiterView *m_limiters;
    LimiterTable *m_limiterTable;
    EventTable *m_table;
    QSplitter *m_splitter;
    QWidget *m_statusLine;
    StatusBadge *m_badge;
    QLabel *m_pointed;
};

}
