// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/strike.h"
#include "widgets/theme.h"

#include <QList>
#include <QWidget>

class QLabel;
class QSplitter;
class QTabWidget;

namespace interlock {

class Banner;
class EventTable;
class FailoverView;
class GroupModel;
class LimiterTable;
class LimiterView;
class MatrixView;
class MeasuresView;
class RunModel;
class StatusBadge;
class TimelineView;
class VerdictBar;
class WaitsView;
struct Run;

/// The middle of the window: title and promise, the verdict, the picture, the events, and what was real.
///
/// An experiment on failover has its topology and its ladder above the timeline where there is room for that, so that one moment is seen in
/// three pictures; the events are then a tab beside them.
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
    /// Brings the view to the front, if the experiment has it.
    void showView(const QString &view);
    /// The view of what a set measures, if the experiment has one.
    void showMeasured();
    /// The view that tells most of this run: of a set what it measured, of another run not an empty one of a set's.
    void showFitting(const Run &run);
    /// The table of events, wherever it stands.
    void showEvents(bool isOn);
    /// Limiters that are not compared, by name; see LimiterView::hiddenChanged for a person's choice.
    void setHiddenLimiters(const QStringList &limiters);

    VerdictBar &verdict() const { return *m_verdict; }
    Banner &banner() const { return *m_banner; }
    StatusBadge &badge() const { return *m_badge; }
    TimelineView &timeline() const { return *m_timeline; }
    LimiterView &limiters() const { return *m_limiters; }
    MeasuresView &measures() const { return *m_measures; }
    MatrixView &matrix() const { return *m_matrix; }
    FailoverView &failover() const { return *m_failover; }
    GroupModel &group() const { return *m_group; }
    EventTable &table() const { return *m_table; }
    QSplitter &splitter() const { return *m_splitter; }

Q_SIGNALS:
    /// A person wants to strike a node of the live run.
    void strikeAsked(const interlock::Strike &strike);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct View
    {
        QString id;
        QString title;
        QWidget *widget;
    };
    QList<View> allViews() const;
    QList<View> wantedViews() const;
    int failoverHeight() const;
    bool hasRoomBelow() const;
    bool arrangeViews();
    void arrangeLater();
    void placeEvents();
    void showBelow();
    void dressViews();
    void showMoment();

    QLabel *m_title;
    QLabel *m_promise;
    VerdictBar *m_verdict;
    Banner *m_banner;
    GroupModel *m_group;
    QTabWidget *m_views;
    TimelineView *m_timeline;
    WaitsView *m_waits;
    LimiterView *m_limiters;
    LimiterTable *m_limiterTable;
    MeasuresView *m_measures;
    MatrixView *m_matrix;
    FailoverView *m_failover;
    EventTable *m_table;
    QSplitter *m_splitter; // the pictures over the events
    QSplitter *m_pictures; // the views over the timeline, where that is no view among them
    QWidget *m_below; // place of the timeline there
    QWidget *m_events; // place of the table
    Theme m_theme = Theme::light();
    QStringList m_viewNames;
    bool m_hasFailover = false;
    bool m_isTimelineBelow = false;
    bool m_showsEvents = true;
    QWidget *m_statusLine;
    StatusBadge *m_badge;
    QLabel *m_pointed;
};

}
