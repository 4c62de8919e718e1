// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/runmodel.h"
#include "widgets/timeline/navigator.h"
#include "widgets/timeline/overlay.h"
#include "widgets/timeline/plot.h"
#include "widgets/timeline/spans.h"
#include "widgets/timeline/timelineview.h"

#include <QTimer>

class QMouseEvent;
class QScrollBar;
class QWheelEvent;

namespace interlock {

/// The view's inside, for its three .cpp files: what is shown (timelineview), the actions (timelineactions) and the
/// pointer (timelinepointer).
class TimelineView::Impl : public QObject
{
public:
    Impl(RunModel &model, TimelineView &view);

    void setTheme(const Theme &theme);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    static constexpr double zoomStep = 1.25;
    static constexpr double panShare = 0.15; ///< of what is shown, for a key

    enum class Drag { None, Measure, Pan };

    void addActions();
    QAction *addAction(const char *name, const QString &text, const QList<QKeySequence> &keys, void (Impl::*what)());

    void reset();
    void takeSome();
    void grow();
    void showExtent();
    void showSelection();
    void redraw(); ///< lanes and all
    void placeScrollBar();

    void zoomIn() { zoomAtFocus(zoomStep); }
    void zoomOut() { zoomAtFocus(1 / zoomStep); }
    void panLeft() { move([this] { m_navigator.pan(-panShare * m_navigator.scale().width); }); }
    void panRight() { move([this] { m_navigator.pan(panShare * m_navigator.scale().width); }); }
    void lanesUp() { m_scrollBar->setValue(m_scrollBar->value() - m_scrollBar->singleStep()); }
    void lanesDown() { m_scrollBar->setValue(m_scrollBar->value() + m_scrollBar->singleStep()); }
    void goToStart() { move([this] { m_navigator.goToStart(); }); }
    void goToEnd() { move([this] { m_navigator.goToEnd(); }); }
    void fit() { move([this] { m_navigator.fit(); }); }
    void goBack() { move([this] { m_navigator.back(); }); }
    void focusSelection();
    void previousEvent() { step(-1); }
    void nextEvent() { step(1); }
    void setMark();
    void clear();
    void firstViolation();
    void toggleFollow();

    template<typename Change>
    void move(Change change)
    {
        change();
        m_isFocused = false;
        redraw();
    }
    void zoomAtFocus(double factor);
    void step(int direction);

    bool press(const QMouseEvent &event);
    bool drag(const QMouseEvent &event);
    bool release(const QMouseEvent &event);
    void wheel(const QWheelEvent &event);
    void hover(const QPointF &at);
    void leave();
    void click(const QPointF &at);
    double pixelAt(const QPointF &at) const { return at.x() - m_plot->lanesArea().left(); }
    qint64 timeAt(const QPointF &at) const;
    qint64 snapped(const QPointF &at) const;
    qint64 tolerance() const;
    QString describe(size_t event) const;

    RunModel &m_model;
    TimelineView &m_view;
    TimelinePlot *m_plot;
    Overlay *m_overlay; // owned by the plot
    QScrollBar *m_scrollBar;
    QAction *m_follow = nullptr;
    QAction *m_violation = nullptr;
    std::shared_ptr<const Run> m_shown; // of m_spans; while a long run is being taken still the one before it
    Spans m_spans;
    Spans m_next; // being built
    QTimer m_building;
    Navigator m_navigator;
    QString m_liveSince; // of the live run that was shown last: when it began
    size_t m_rows = 0;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    bool m_isFocused = false; // the view shows the selection: F again shows all
};

}
