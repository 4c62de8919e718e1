// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limiterview.h"

#include "widgets/limiters/choicemenu.h"
#include "widgets/limiters/limiterimpl.h"
#include "widgets/limiters/why.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace interlock {

namespace {

constexpr int liveMeasuring = 40; ///< ms between two limiters while a run is live

}

LimiterView::Impl *LimiterView::Impl::make(RunModel &model, LimiterView &view)
{
    auto *plot = new LimiterPlot(&view);
    return new Impl(model, view, plot, new LimiterPointer(plot), new QScrollBar(Qt::Vertical, &view));
}

LimiterView::Impl::Impl(RunModel &model, LimiterView &view, LimiterPlot *plot, LimiterPointer *pointer, QScrollBar *scrollBar)
    : TimeControl(view, *plot, *pointer, *scrollBar)
    , m_model(model)
    , m_view(view)
    , m_plot(plot)
    , m_pointer(pointer)
    , m_scrollBar(scrollBar)
    , m_compare(new QToolButton(&view))
    , m_menu(new ChoiceMenu(&view))
    , m_question(new QLabel(&view))
    , m_answer(new QLabel(&view))
{
    arrange();
    addActions();
    connect(&model, &RunModel::reset, this, &Impl::reset);
    connect(&model, &RunModel::grown, this, &Impl::grow);
    connect(&model, &RunModel::selectionChanged, this, &Impl::showSelection);
    m_building.setSingleShot(true);
    m_building.setInterval(0);
    connect(&m_building, &QTimer::timeout, this, &Impl::takeSome);
    m_measuring.setSingleShot(true);
    connect(&m_measuring, &QTimer::timeout, this, &Impl::measureNext);
    reset();
}

void LimiterView::Impl::arrange()
{
    m_view.setAccessibleName(LimiterView::tr("Limiters"));
    m_plot->setMinimumSize(240, 100);
    m_scrollBar->setAccessibleName(LimiterView::tr("Rows"));
    m_compare->setPopupMode(QToolButton::InstantPopup);
    m_compare->setMenu(m_menu);
    m_compare->setAccessibleName(LimiterView::tr("Limiters to compare"));
    m_compare->setFocusPolicy(Qt::TabFocus);
    m_compare->setAutoRaise(true);
    m_compare->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }")); // its text has one of the right size
    m_question->setAccessibleName(LimiterView::tr("Question"));
    m_answer->setAccessibleName(LimiterView::tr("Why"));
    m_answer->setWordWrap(true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->setAlignment(Qt::AlignLeft | Qt::AlignTop);

    auto *rows = new QHBoxLayout;
    rows->setSpacing(0);
    rows->addWidget(m_plot, 1);
    rows->addWidget(m_scrollBar);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(14, 0, 14, 0);
    head->addWidget(m_question, 1);
    head->addWidget(m_compare);
    auto *layout = new QVBoxLayout(&m_view);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(2);
    layout->addLayout(rows, 1);
    layout->addLayout(head);
    auto *below = new QHBoxLayout;
    below->setContentsMargins(14, 0, 14, 0);
    below->addWidget(m_answer, 1);
    layout->addLayout(below);
}

void LimiterView::Impl::setTheme(const Theme &theme)
{
    m_plot->setTheme(theme);
    m_question->setFont(theme.sized(1, true));
    m_answer->setFont(theme.font);
    m_compare->setFont(theme.sized(0.95));
    m_menu->setFont(theme.font);
    // So that the picture does not jump when a request is selected.
    m_answer->setMinimumHeight(static_cast<int>(std::ceil(2 * lineHeight(theme.font))));
    placeScrollBar();
    redraw();
}

void LimiterView::Impl::setHidden(const QStringList &limiters)
{
    m_hidden = limiters;
    checkMenu();
    showRows();
    showSelection();
}

void LimiterView::Impl::reset()
{
    if (!m_model.isContinued()) {
        m_pointer->marks.clear();
        m_pointer->measured.reset();
        m_navigator.reset(0);
        m_plot->setFigures({});
    }
    m_pointer->selected.reset();
    m_selectedTime.reset();
    selectionMoved();
    m_navigator.setFollowing(m_model.isLive());
    followAction()->setEnabled(m_model.isLive());
    m_next = LimiterRecord();
    takeSome();
}

/// A long run is taken in steps, between which the window answers; until it is complete, the picture before it stays.
void LimiterView::Impl::takeSome()
{
    constexpr size_t step = 20'000; // some milliseconds
    if (m_next.extend(m_model.run(), step))
        return m_building.start();
    m_building.stop();
    m_record = std::exchange(m_next, LimiterRecord());
    m_plot->setRun(&m_model.run(), &m_record);
    m_plot->setRows({}); // those before it name limiters that this one may not have
    m_shown = m_model.sharedRun(); // only now may the one before it go
    m_known = 0;
    m_measured = 0;
    m_measuring.start(0);
    showExtent();
    showSelection();
}

void LimiterView::Impl::grow()
{
    if (m_building.isActive())
        return; // its next step takes this as well
    m_record.extend(*m_shown);
    if (!m_measuring.isActive())
        m_measuring.start(liveMeasuring);
    showExtent();
}

void LimiterView::Impl::showExtent()
{
    // On a trace's clock the picture reaches as far as the trace does, whatever time that took.
    const bool isTrace = !m_shown->decisions.empty() && isOnTraceClock(m_shown->decisions.front());
    const qint64 now = std::max(isTrace ? 0 : m_model.now(), m_record.last());
    m_plot->setNow(now);
    m_navigator.setEnd(static_cast<double>(now));
    if (m_known != m_record.series().size()) {
        m_known = m_record.series().size();
        fillMenu();
        showRows();
    }
    redraw();
}

void LimiterView::Impl::showRows()
{
    m_plot->setRows(m_record.rows(m_hidden));
    m_plot->layOut(m_plot->size());
    placeScrollBar();
    redraw();
}

void LimiterView::Impl::redraw()
{
    if (!m_view.isVisible())
        return; // it is done when it is shown
    m_plot->layOut(m_plot->size()); // names and figures grow with a live run
    TimeControl::redraw();
}

void LimiterView::Impl::fillMenu()
{
    m_menu->clear();
    for (const DecisionSeries &series : m_record.series()) {
        const QString name = series.info().name;
        QAction *action = m_menu->addAction(series.info().title);
        action->setCheckable(true);
        action->setData(name);
        connect(action, &QAction::triggered, this, [this, name](bool isOn) { toggle(name, isOn); });
    }
    m_menu->addSeparator();
    connect(m_menu->addAction(LimiterView::tr("Show All")), &QAction::triggered, this, &Impl::showAll);
    checkMenu();
}

void LimiterView::Impl::checkMenu()
{
    int shown = 0, all = 0;
    for (QAction *action : m_menu->actions()) {
        if (!action->isCheckable())
            continue;
        action->setChecked(!m_hidden.contains(action->data().toString()));
        shown += action->isChecked();
        ++all;
    }
    m_compare->setText(LimiterView::tr("Compare: %1 of %2 ▾").arg(shown).arg(all));
    m_compare->setVisible(all > 1);
}

void LimiterView::Impl::measureNext()
{
    if (m_building.isActive() || m_record.series().empty())
        return;
    m_measured %= m_record.series().size();
    m_plot->setFigures(m_measured, measure(*m_shown, m_record, m_measured));
    ++m_measured;
    if (m_measured < m_record.series().size())
        m_measuring.start(m_model.isLive() ? liveMeasuring : 0);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LimiterView::Impl::showSelection()
{
    m_pointer->selected.reset();
    m_selectedTime.reset();
    selectionMoved();
    if (const std::optional<LimiterRecord::Place> place = selectedPlace()) {
        const DecisionSeries &series = m_record.series()[place->series];
        const DecisionPoint &point = series.points()[place->point];
        m_pointer->selected = {place->series, point.time, point.answer};
        m_selectedTime = {point.time, point.time};
        m_navigator.reveal(static_cast<double>(point.time));
        m_question->setText(whyQuestion(series, place->point));
        const QStringList sentences {why(*place), whatOthersSaid(*m_shown, m_record, *place, m_hidden)};
        m_answer->setText(sentences.join(QLatin1Char(' ')).trimmed());
        m_view.setAccessibleDescription(m_question->text() + QLatin1Char(' ') + m_answer->text());
    } else {
        m_question->setText({});
        m_answer->setText(m_record.last() > 0 ? LimiterView::tr("Click a request to read why it passed or not; comma and full stop step through them.") : QString());
    }
    redraw();
}

QString LimiterView::Impl::why(LimiterRecord::Place place) const
{
    const DecisionSeries &series = m_record.series()[place.series];
    const Event &event = m_shown->events[series.points()[place.point].event];
    return whyDecision(series.info(), event, *m_shown->figures(event), *m_shown);
}

LimiterView::LimiterView(RunModel &model, QWidget *parent)
    : QWidget(parent)
    , m_impl(Impl::make(model, *this))
{
}

void LimiterView::setTheme(const Theme &theme)
{
    m_impl->setTheme(theme);
}

void LimiterView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_impl->redraw();
}

QStringList LimiterView::hidden() const
{
    return m_impl->hidden();
}

void LimiterView::setHidden(const QStringList &limiters)
{
    m_impl->setHidden(limiters);
}

QList<QAction *> LimiterView::viewActions() const
{
    return actions();
}

}
