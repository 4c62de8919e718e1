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
#include "widgets/verdictbar.h"
#include "widgets/waitsview.h"

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
    , m_views(new QTabWidget(this))
    , m_timeline(new TimelineView(run, this))
    , m_waits(new WaitsView(run, this))
    , m_limiters(new LimiterView(run, this))
    , m_limiterTable(new LimiterTable(run, this))
    , m_measures(new MeasuresView(run, this))
    , m_matrix(new MatrixView(run, this))
    , m_table(new EventTable(run, this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
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
    m_views->setMinimumHeight(120);
    m_splitter->setObjectName(QStringLiteral("pageSplitter"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_views);
    m_splitter->addWidget(m_table);
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
    connect(m_timeline, &TimelineView::pointed, m_pointed, &QLabel::setText);
    connect(m_limiters, &LimiterView::pointed, m_pointed, &QLabel::setText);
    connect(m_measures, &MeasuresView::pointed, m_pointed, &QLabel::setText);
    connect(m_limiters, &LimiterView::hiddenChanged, m_limiterTable, &LimiterTable::setHidden);
}

void RunPage::setTheme(const Theme &theme)
{
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
    m_timeline->setTheme(theme);
    m_waits->setTheme(theme);
    m_limiters->setTheme(theme);
    m_limiterTable->setTheme(theme);
    m_measures->setTheme(theme);
    m_matrix->setTheme(theme);
    m_table->setTheme(theme);
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
        {QStringLiteral("measures"), tr("Measures"), m_measures}, {QStringLiteral("matrix"), tr("Outcomes"), m_matrix}};
}

void RunPage::setViews(const QStringList &views)
{
    const QList<View> all = allViews();
    QList<View> wanted;
    for (const QString &id : views + QStringList {QStringLiteral("timeline")}) {
        const auto view = std::find_if(all.begin(), all.end(), [&id](const View &each) { return each.id == id; });
        const bool isThere = std::any_of(wanted.begin(), wanted.end(), [&id](const View &each) { return each.id == id; });
        if (view != all.end() && !isThere)
            wanted.append(*view);
    }
    const auto isShown = [this](qsizetype place, const View &view) { return m_views->widget(static_cast<int>(place)) == view.widget; };
    bool isSame = m_views->count() == wanted.size();
    for (qsizetype i = 0; isSame && i < wanted.size(); ++i)
        isSame = isShown(i, wanted[i]);
    if (isSame)
        return;
    const bool hadFocus = m_views->currentWidget() && m_views->currentWidget()->hasFocus();
    for (const View &view : all) {
        if (m_views->indexOf(view.widget) < 0)
            continue;
        m_views->removeTab(m_views->indexOf(view.widget));
        view.widget->setParent(this); // kept for the next experiment that has it
        view.widget->hide();
    }
    for (const View &view : wanted)
        m_views->addTab(view.widget, view.title);
    m_views->setCurrentIndex(0);
    if (hadFocus)
        m_views->currentWidget()->setFocus(); // its keys work at once
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

void RunPage::setHiddenLimiters(const QStringList &limiters)
{
    m_limiters->setHidden(limiters);
    m_limiterTable->setHidden(limiters);
}

}
