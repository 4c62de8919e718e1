// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/navigator.h"
#include "widgets/timeline/pointerlayer.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QObject>
#include <QPointF>

class QMouseEvent;
class QScrollBar;
class QWheelEvent;

namespace interlock {

/// What wheel, drag and keys do over any picture of time: zoom at the pointer, pan, measure, fit, go back, follow, set marks.
/// And that a picture higher than its place is scrolled. What the picture shows is the heir's business.
class TimeControl : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(TimeControl)

public:
    /// @param view has the keyboard; @param plot has the pointer. All must live as long as this.
    TimeControl(QWidget &view, TimePlot &plot, PointerLayer &pointer, QScrollBar &scrollBar);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

    virtual void redraw(); ///< the whole picture, of the time that the navigator says
    virtual void say(const QString &what) = 0; ///< in the status bar
    virtual void click(const QPointF &at) = 0;
    virtual QString describeAt(const QPointF &at) const = 0; ///< what is under the pointer; empty: nothing
    virtual void pointed(std::optional<qint64>) { } ///< the pointer is at this time (ns), or it is elsewhere
    virtual qint64 snapped(qint64 time) const { return time; } ///< the edge that is meant by a time near it
    virtual void clear();

    /// Of what is selected, ns: where keys zoom, and what F focuses.
    std::optional<std::pair<qint64, qint64>> m_selectedTime;
    void selectionMoved() { m_isFocused = false; }

    template<typename Who>
    QAction *addAction(const char *name, const QString &text, const QList<QKeySequence> &keys, void (Who::*what)())
    {
        QAction *action = newAction(name, text, keys);
        connect(action, &QAction::triggered, static_cast<Who *>(this), what);
        return action;
    }
    void placeScrollBar(); ///< to be called when the rows have another height
    void addMoves(); ///< zoom, pan, go to, focus, fit, back
    void addMarks(); ///< marks, clear, follow
    QAction *followAction() const { return m_follow; }

    template<typename Change>
    void move(Change change)
    {
        change();
        m_isFocused = false;
        redraw();
    }
    qint64 timeAt(const QPointF &at) const; ///< ns, within what is shown
    qint64 tolerance() const; ///< ns: what a click or an edge's snapping still catches

    Navigator m_navigator;

private:
    static constexpr double zoomStep = 1.25;
    static constexpr double panShare = 0.15; ///< of what is shown, for a key

    enum class Drag { None, Measure, Pan };

    QAction *newAction(const char *name, const QString &text, const QList<QKeySequence> &keys);
    void zoomIn() { zoomAtFocus(zoomStep); }
    void zoomOut() { zoomAtFocus(1 / zoomStep); }
    void panLeft() { move([this] { m_navigator.pan(-panShare * m_navigator.scale().width); }); }
    void panRight() { move([this] { m_navigator.pan(panShare * m_navigator.scale().width); }); }
    void goToStart() { move([this] { m_navigator.goToStart(); }); }
    void goToEnd() { move([this] { m_navigator.goToEnd(); }); }
    void fit() { move([this] { m_navigator.fit(); }); }
    void goBack() { move([this] { m_navigator.back(); }); }
    void zoomAtFocus(double factor);
    void focusSelection();
    void setMark();
    void clearAll() { clear(); }
    void toggleFollow();

    bool press(const QMouseEvent &event);
    bool drag(const QMouseEvent &event);
    bool release(const QMouseEvent &event);
    void wheel(const QWheelEvent &event);
    void resized(); ///< the plot has another size and its layout is known
    void hover(const QPointF &at);
    void leave();
    double pixelAt(const QPointF &at) const { return at.x() - m_pointer.area().left(); }

    QWidget &m_view;
    TimePlot &m_plot;
    PointerLayer &m_pointer;
    QScrollBar &m_scrollBar;
    QAction *m_follow = nullptr;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    bool m_isFocused = false; // the view shows the selection: F again shows all
};

}
