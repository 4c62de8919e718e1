// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/limiterplot.h"
#include "widgets/limiters/limiterview.h"
#include "widgets/runmodel.h"
#include "widgets/timeline/timecontrol.h"

#include <QTimer>

class QLabel;
class QMenu;
class QScrollBar;
class QToolButton;

namespace interlock {

/// The view's inside, for its two .cpp files: what is shown (limiterview), and what keys and pointer do with it beyond what they
/// do with every picture of time (limiteractions).
class LimiterView::Impl : public TimeControl
{
public:
    /// The parts come in this order: each needs those before it.
    static Impl *make(RunModel &model, LimiterView &view);

    void setTheme(const Theme &theme);
    const QStringList &hidden() const { return m_hidden; }
    void setHidden(const QStringList &limiters);
    void redraw() override;

private:
    Impl(RunModel &model, LimiterView &view, LimiterPlot *plot, LimiterPointer *pointer, QScrollBar *scrollBar);

    void say(const QString &what) override { Q_EMIT m_view.pointed(what); }
    void click(const QPointF &at) override;
    QString describeAt(const QPointF &at) const override;
    void clear() override;

    void arrange();
    void addActions();

    void reset();
    void takeSome();
    void grow();
    void showExtent();
    void showRows();
    void showSelection();
    void fillMenu();
    void checkMenu();
    void measureNext();

    void chooseLimiters();
    void toggle(const QString &limiter, bool isShown);
    void showAll();
    void previousRequest() { step(-1); }
    void nextRequest() { step(1); }
    void rowUp() { stepRow(-1); }
    void rowDown() { stepRow(1); }
    void firstExcess();
    void step(int direction);
    void stepRow(int direction);
    void select(LimiterRecord::Place place);
    std::optional<LimiterRecord::Place> selectedPlace() const;
    std::optional<LimiterRecord::Place> placeAt(const QPointF &at) const;
    QString why(LimiterRecord::Place place) const;

    RunModel &m_model;
    LimiterView &m_view;
    LimiterPlot *m_plot;
    LimiterPointer *m_pointer; // owned by the plot
    QScrollBar *m_scrollBar;
    QToolButton *m_compare;
    QMenu *m_menu;
    QLabel *m_question;
    QLabel *m_answer;
    QAction *m_excess = nullptr;
    std::shared_ptr<const Run> m_shown; // of m_record; while a long run is being taken still the one before it
    LimiterRecord m_record;
    LimiterRecord m_next; // being built
    QTimer m_building;
    QTimer m_measuring; // one limiter in each turn, so that none is long
    size_t m_measured = 0;
    QStringList m_hidden;
    size_t m_known = 0; // limiters that the menu and the rows know of
};

}
