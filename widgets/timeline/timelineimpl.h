// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/runmodel.h"
#include "widgets/timeline/overlay.h"
#include "widgets/timeline/plot.h"
#include "widgets/timeline/spans.h"
#include "widgets/timeline/timecontrol.h"
#include "widgets/timeline/timelineview.h"

#include <QTimer>

namespace interlock {

/// The view's inside, for its two .cpp files: what is shown (timelineview), and what keys and pointer do with it beyond what
/// they do with every picture of time (timelineactions).
class TimelineView::Impl : public TimeControl
{
public:
    /// The parts come in this order: each needs those before it.
    static Impl *make(RunModel &model, TimelineView &view);

    void setTheme(const Theme &theme);
    void setHairline(std::optional<qint64> time);

private:
    Impl(RunModel &model, TimelineView &view, TimelinePlot *plot, Overlay *overlay, QScrollBar *scrollBar);

    void say(const QString &what) override { Q_EMIT m_view.pointed(what); }
    void pointed(std::optional<qint64> time) override { Q_EMIT m_view.timePointed(time); }
    void click(const QPointF &at) override;
    QString describeAt(const QPointF &at) const override;
    qint64 snapped(qint64 time) const override;
    void clear() override;

    void addActions();

    void reset();
    void takeSome();
    void grow();
    void showExtent();
    void showSelection();

    void lanesUp();
    void lanesDown();
    void previousEvent() { step(-1); }
    void nextEvent() { step(1); }
    void step(int direction);
    void firstViolation();
    QString describe(size_t event) const;

    RunModel &m_model;
    TimelineView &m_view;
    TimelinePlot *m_plot;
    Overlay *m_overlay; // owned by the plot
    QScrollBar *m_scrollBar;
    QAction *m_violation = nullptr;
    std::shared_ptr<const Run> m_shown; // of m_spans; while a long run is being taken still the one before it
    Spans m_spans;
    Spans m_next; // being built
    QTimer m_building;
    size_t m_rows = 0;
};

}
