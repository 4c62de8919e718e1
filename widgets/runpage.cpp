// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runpage.h"

#include "engine/run/setfiles.h"
#include "widgets/banner.h"
#include "widgets/eventtable.h"
#include "widgets/limiters/limitertable.h"
#include "widgets/limiters/limiterview.h"
#include "widgets/measures/matrixview.h"
#include "widgets/measures/measuresview.h"
#include "widgets/runmodel.h"
#include "widgets/statusbadge.h"
#include "widgets/timeline/timelineview.h"
#include "widgets/topology/failoverview.h"
#include "widgets/topology/groupmodel.h"
#include "widgets/verdictbar.h"
#include "widgets/waitsview.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace interlock {

RunPage::RunPage(RunModel &run, QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_promise(new QLabel(this))
    , m_verdict(new VerdictBar(this))
    , m_banner(new Banner(this))
    , m_group(new GroupModel(run, this))
    , m_views(new QTabWidget(this))
    , m_timeline(new TimelineView(run, this))
    , m_waits(new WaitsView(run, this))
    , m_limiters(new LimiterView(run, this))
    , m_limiterTable(new LimiterTable(run, this))
    , m_measures(new MeasuresView(run, this))
    , m_matrix(new MatrixView(run, this))
    , m_failover(new FailoverView(*m_group, this))
    , m_table(new EventTable(run, this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_pictures(new QSplitter(Qt::Vertical, this))
    , m_below(new QWidget(this))
    , m_events(new QWidget(this))
    , m_statusLine(new QWidget(this))
    , m_badge(new StatusBadge(run, m_statusLine))
    , m_pointed(new QLabel(m_statusLine))
{
    m_title->setAccessibleName(tr("Experiment"));
    m_promise->setAccessibleName(tr("Promise"));
    m_promise->setWordWrap(true);
    m_pointed->setAccessibleName(tr("Time under the pointer"));
    m_views->setDocumentMode(true);
    m_views->setAccessibleName(tr("Views"));
    m_views->addTab(m_timeline, tr("Timeline"));
    m_views->tabBar()->setAutoHide(true);
    for (const View &view : allViews()) {
        if (m_views->indexOf(view.widget) < 0)
            view.widget->hide();
    }
    for (QWidget *place : {m_below, m_events}) {
        auto *inside = new QVBoxLayout(place);
        inside->setContentsMargins(0, 0, 0, 0);
    }
    m_events->layout()->addWidget(m_table);
    m_below->hide();
    m_views->setMinimumHeight(120);
    m_pictures->setObjectName(QStringLiteral("picturesSplitter"));
    m_pictures->setChildrenCollapsible(false);
    m_pictures->addWidget(m_views);
    m_pictures->addWidget(m_below);
    m_pictures->setSizes({540, 460}); // shares
    m_splitter->setObjectName(QStringLiteral("pageSplitter"));
    m_splitter->installEventFilter(this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_pictures);
    m_splitter->addWidget(m_events);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({680, 320}); // shares

    auto *head = new QHBoxLayout;
    head->addWidget(m_title, 0, Qt::AlignBottom);
    head->addWidget(m_promise, 1, Qt::AlignBottom);
    head->setSpacing(12);
    auto *status = new QHBoxLayout(m_statusLine);
    status->setContentsMargins(4, 2, 4, 2);
    status->addWidget(m_badge, 1);
    status->addWidget(m_pointed);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 4);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_verdict);
    layout->addWidget(m_banner);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_statusLine);
    connect(m_views, &QTabWidget::currentChanged, this, &RunPage::showBelow);
    connect(m_timeline, &TimelineView::pointed, m_pointed, &QLabel::setText);
    connect(m_timeline, &TimelineView::timePointed, m_group, &GroupModel::point);
    connect(m_limiters, &LimiterView::pointed, m_pointed, &QLabel::setText);
    connect(m_measures, &MeasuresView::pointed, m_pointed, &QLabel::setText);
    connect(m_group, &GroupModel::reset, this, &RunPage::arrangeLater); // another group wants other room
    connect(m_group, &GroupModel::moved, this, &RunPage::showMoment);
    connect(m_failover, &FailoverView::strikeAsked, this, &RunPage::strikeAsked);
    connect(m_limiters, &LimiterView::hiddenChanged, m_limiterTable, &LimiterTable::setHidden);
}

void RunPage::setTheme(const Theme &theme)
{
    m_theme = theme;
    QPalette own = theme.palette();
    own.setColor(QPalette::Window, theme.background);
    setPalette(own);
    setAutoFillBackground(true);
    QPalette quiet = own;
    quiet.setColor(QPalette::WindowText, theme.quiet);
    m_promise->setPalette(quiet);
    m_badge->setPalette(quiet);
    m_pointed->setPalette(quiet);
    m_title->setFont(theme.sized(1.45, true));
    m_promise->setFont(theme.sized(1.05));
    m_badge->setFont(theme.sized(0.9));
    m_pointed->setFont(theme.sized(0.9));
    m_verdict->setTheme(theme);
    m_banner->setTheme(theme);
    dressViews();
    arrangeLater();
}

void RunPage::dressViews()
{
    m_timeline->setTheme(m_theme);
    m_waits->setTheme(m_theme);
    m_limiters->setTheme(m_theme);
    m_limiterTable->setTheme(m_theme);
    m_measures->setTheme(m_theme);
    m_matrix->setTheme(m_theme);
    m_failover->setTheme(m_theme);
    m_table->setTheme(m_theme);
}

void RunPage::setTitle(const QString &title, const QString &promise)
{
    m_title->setText(title);
    m_promise->setText(promise);
}

QList<RunPage::View> RunPage::allViews() const
{
    return {{QStringLiteral("timeline"), tr("Timeline"), m_timeline}, {QStringLiteral("waits"), tr("Waits"), m_waits},
        {QStringLiteral("limiters"), tr("Limiters"), m_limiters}, {QStringLiteral("limiter-table"), tr("Figures"), m_limiterTable},
        {QStringLiteral("measures"), tr("Measures"), m_measures}, {QStringLiteral("matrix"), tr("Outcomes"), m_matrix},
        {QStringLiteral("failover"), tr("Failover"), m_failover}};
}

/// In the experiment's order, without those that are unknown; the timeline comes last unless it has a place of its own.
QList<RunPage::View> RunPage::wantedViews() const
{
    const QList<View> all = allViews();
    QList<View> wanted;
    for (QString id : m_viewNames + QStringList {QStringLiteral("timeline")}) {
        if (FailoverView::isPart(id))
            id = QStringLiteral("failover");
        const auto view = std::find_if(all.begin(), all.end(), [&id](const View &each) { return each.id == id; });
        const bool isThere = std::any_of(wanted.begin(), wanted.end(), [&id](const View &each) { return each.id == id; });
        if (view != all.end() && !isThere)
            wanted.append(*view);
    }
    if (m_isTimelineBelow)
        wanted.removeIf([this](const View &view) { return view.widget == m_timeline; });
    return wanted;
}

void RunPage::setViews(const QStringList &views)
{
    m_viewNames = views;
    m_hasFailover = std::any_of(views.begin(), views.end(), &FailoverView::isPart);
    if (m_hasFailover)
        m_failover->setParts(views);
    if (arrangeViews())
        m_views->setCurrentIndex(0);
}

/// The least height of the tabs with the pictures of a group in them.
int RunPage::failoverHeight() const
{
    return m_views->tabBar()->sizeHint().height() + m_failover->minimumSizeHint().height();
}

/// Whether the timeline can be read below the pictures of a group, and they as well.
bool RunPage::hasRoomBelow() const
{
    const int least = std::max(static_cast<int>(150 * m_theme.scale), m_timeline->minimumSizeHint().height());
    return m_splitter->height() >= failoverHeight() + m_pictures->handleWidth() + least;
}

/// @return whether the views are others than before, or stand elsewhere.
bool RunPage::arrangeViews()
{
    m_isTimelineBelow = m_hasFailover && hasRoomBelow();
    const QList<View> wanted = wantedViews();
    const auto isShown = [this](qsizetype place, const View &view) { return m_views->widget(static_cast<int>(place)) == view.widget; };
    const bool hasEvents = m_hasFailover && m_showsEvents;
    bool isSame = m_isTimelineBelow == (m_timeline->parentWidget() == m_below) && m_views->count() == wanted.size() + (hasEvents ? 1 : 0);
    for (qsizetype i = 0; isSame && i < wanted.size(); ++i)
        isSame = isShown(i, wanted[i]);
    placeEvents();
    m_views->setMinimumHeight(m_isTimelineBelow ? failoverHeight() : 120);
    if (isSame)
        return false;
    QWidget *shown = m_views->currentWidget();
    const bool hadFocus = shown && (shown->hasFocus() || m_timeline->hasFocus());
    for (const View &view : allViews()) {
        if (m_views->indexOf(view.widget) < 0)
            continue;
        m_views->removeTab(m_views->indexOf(view.widget));
        view.widget->setParent(this); // kept for the next experiment that has it
        view.widget->hide();
    }
    for (qsizetype i = 0; i < wanted.size(); ++i)
        m_views->insertTab(static_cast<int>(i), wanted[i].widget, wanted[i].title);
    if (m_isTimelineBelow) {
        m_below->layout()->addWidget(m_timeline);
        m_timeline->show();
    }
    dressViews(); // a widget with a style sheet forgets its fonts in another place
    m_views->setCurrentIndex(std::max(0, m_views->indexOf(shown)));
    showBelow();
    if (hadFocus)
        m_views->currentWidget()->setFocus(); // its keys work at once
    return true;
}

/// What a set measures is no moment of a run: it has the place to itself.
void RunPage::showBelow()
{
    const QWidget *shown = m_views->currentWidget();
    m_below->setVisible(m_isTimelineBelow && shown != m_measures && shown != m_matrix);
}

/// Not while it is being laid out.
void RunPage::arrangeLater()
{
    if (m_hasFailover)
        QMetaObject::invokeMethod(this, [this] { arrangeViews(); }, Qt::QueuedConnection);
}

bool RunPage::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize)
        arrangeLater();
    return QWidget::eventFilter(watched, event);
}

void RunPage::showView(const QString &view)
{
    for (const View &each : allViews()) {
        if (each.id == view && m_views->indexOf(each.widget) >= 0)
            m_views->setCurrentWidget(each.widget);
    }
}

void RunPage::showMeasured()
{
    for (int i = 0; i < m_views->count(); ++i) {
        if (m_views->widget(i) == m_measures || m_views->widget(i) == m_matrix) {
            m_views->setCurrentIndex(i);
            return;
        }
    }
}

void RunPage::showFitting(const Run &run)
{
    const bool hasCells = std::any_of(run.events.begin(), run.events.end(), [](const Event &event) {
        return event.kind == Event::Kind::Measure && static_cast<MeasureKind>(event.what) == MeasureKind::Cell;
    });
    const bool isMeasured = hasCells || std::any_of(run.events.begin(), run.events.end(), [](const Event &event) { return event.kind == Event::Kind::Measure; });
    const QWidget *shown = m_views->currentWidget();
    if (!childrenNamedIn(run).isEmpty()) {
        showView(hasCells ? QStringLiteral("matrix") : QStringLiteral("measures"));
        return;
    }
    for (int i = 0; !isMeasured && (shown == m_measures || shown == m_matrix) && i < m_views->count(); ++i) {
        if (m_views->widget(i) != m_measures && m_views->widget(i) != m_matrix) {
            m_views->setCurrentIndex(i);
            return;
        }
    }
}

void RunPage::showEvents(bool isOn)
{
    m_showsEvents = isOn;
    placeEvents();
}

/// Below the views, or as the last of them.
void RunPage::placeEvents()
{
    const bool isTab = m_hasFailover && m_showsEvents;
    if (isTab && m_views->indexOf(m_table) < 0) {
        m_views->addTab(m_table, tr("Events"));
    } else if (!isTab && m_table->parentWidget() != m_events) {
        m_events->layout()->addWidget(m_table);
        m_table->show();
    }
    m_events->setVisible(m_showsEvents && !m_hasFailover);
}

/// The timeline has a line where the other pictures of a group are, unless that is the end, or the event that it marks itself.
void RunPage::showMoment()
{
    const RunModel &run = m_group->runModel();
    const bool isSelected = run.selected() && run.run().events[*run.selected()].at == m_group->time();
    const bool isApart = m_group->hasGroup() && !m_group->isAtEnd() && !isSelected;
    m_timeline->setHairline(isApart ? std::optional(m_group->time()) : std::nullopt);
}

void RunPage::setHiddenLimiters(const QStringList &limiters)
{
    m_limiters->setHidden(limiters);
    m_limiterTable->setHidden(limiters);
}

}
