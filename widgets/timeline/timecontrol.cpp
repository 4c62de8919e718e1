// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timecontrol.h"

#include "engine/run/verdict.h"

#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace interlock {

namespace {

constexpr double nearPixels = 6; ///< what a click or an edge's snapping still catches
constexpr double dragPixels = 4; ///< less is a click

}

TimeControl::TimeControl(QWidget &view, TimePlot &plot, PointerLayer &pointer, QScrollBar &scrollBar)
    : QObject(&view)
    , m_view(view)
    , m_plot(plot)
    , m_pointer(pointer)
    , m_scrollBar(scrollBar)
{
    m_plot.setMouseTracking(true);
    m_plot.setFocusPolicy(Qt::NoFocus);
    m_plot.installEventFilter(this);
    m_view.installEventFilter(this);
    m_view.setFocusPolicy(Qt::StrongFocus);
    m_scrollBar.hide();
    connect(&m_scrollBar, &QScrollBar::valueChanged, this, [this](int value) {
        m_plot.setScrolled(value);
        m_plot.replot(QCustomPlot::rpQueuedReplot);
    });
}

void TimeControl::redraw()
{
    m_navigator.setWidth(m_plot.rowsArea().width());
    m_plot.setScale(m_navigator.scale());
    m_follow->setChecked(m_navigator.isFollowing());
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void TimeControl::resized()
{
    placeScrollBar();
    redraw();
}

void TimeControl::placeScrollBar()
{
    const int page = static_cast<int>(m_plot.rowsArea().height());
    const int rest = static_cast<int>(std::ceil(m_plot.rowsHeight())) - page;
    m_scrollBar.setPageStep(page);
    m_scrollBar.setSingleStep(static_cast<int>(m_plot.rowStep()));
    m_scrollBar.setRange(0, std::max(0, rest));
    m_scrollBar.setVisible(rest > 0);
}

QAction *TimeControl::newAction(const char *name, const QString &text, const QList<QKeySequence> &keys)
{
    auto *action = new QAction(text, &m_view);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcuts(keys);
    // Letters and arrows mean other things in tables and fields.
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_view.addAction(action);
    return action;
}

void TimeControl::addMoves()
{
    addAction("zoomIn", tr("Zoom In"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}, &TimeControl::zoomIn);
    addAction("zoomOut", tr("Zoom Out"), {Qt::Key_S, Qt::Key_Minus}, &TimeControl::zoomOut);
    addAction("earlier", tr("Earlier"), {Qt::Key_A, Qt::Key_Left}, &TimeControl::panLeft);
    addAction("later", tr("Later"), {Qt::Key_D, Qt::Key_Right}, &TimeControl::panRight);
    addAction("start", tr("Go to Start"), {Qt::Key_Home}, &TimeControl::goToStart);
    addAction("end", tr("Go to End"), {Qt::Key_End}, &TimeControl::goToEnd);
    addAction("focus", tr("Focus Selection"), {Qt::Key_F}, &TimeControl::focusSelection);
    addAction("fit", tr("Show Whole Run"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, &TimeControl::fit);
    addAction("back", tr("Back to Last View"), {Qt::Key_Backspace}, &TimeControl::goBack);
}

void TimeControl::addMarks()
{
    addAction("mark", tr("Set Mark"), {Qt::Key_M}, &TimeControl::setMark);
    addAction("clear", tr("Clear Marks and Selection"), {Qt::Key_Escape}, &TimeControl::clearAll);
    m_follow = addAction("follow", tr("Follow"), {Qt::Key_L}, &TimeControl::toggleFollow);
    m_follow->setCheckable(true);
}

void TimeControl::zoomAtFocus(double factor)
{
    // At the pointer if it is here, else at the selection, else in the middle.
    double pixel = m_navigator.scale().width / 2;
    if (m_pointer.hairline)
        pixel = m_navigator.scale().toPixel(static_cast<double>(*m_pointer.hairline));
    else if (m_selectedTime)
        pixel = m_navigator.scale().toPixel(static_cast<double>(m_selectedTime->first));
    if (pixel < 0 || pixel > m_navigator.scale().width)
        pixel = m_navigator.scale().width / 2;
    move([&] { m_navigator.zoom(pixel, factor); });
}

void TimeControl::focusSelection()
{
    if (m_isFocused || !m_selectedTime)
        return fit();
    auto begin = static_cast<double>(m_selectedTime->first);
    auto end = static_cast<double>(m_selectedTime->second);
    if (end <= begin) { // a moment has no length: come closer
        const double length = m_navigator.scale().length / 10;
        begin -= length / 2;
        end = begin + length;
    }
    move([&] { m_navigator.show(begin, end); });
    m_isFocused = true;
}

void TimeControl::setMark()
{
    if (m_pointer.hairline)
        m_pointer.marks.push_back(*m_pointer.hairline);
    else if (m_selectedTime)
        m_pointer.marks.push_back(m_selectedTime->first);
    m_pointer.redraw();
}

void TimeControl::clear()
{
    m_pointer.marks.clear();
    m_pointer.measured.reset();
    say(QString());
    redraw();
}

void TimeControl::toggleFollow()
{
    m_navigator.setFollowing(m_follow->isChecked());
    redraw();
}

bool TimeControl::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == &m_view) {
        if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
            m_pointer.hasFocus = event->type() == QEvent::FocusIn;
            m_pointer.redraw();
        }
        return false;
    }
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return press(*static_cast<QMouseEvent *>(event));
    case QEvent::MouseMove:
        return drag(*static_cast<QMouseEvent *>(event));
    case QEvent::MouseButtonRelease:
        return release(*static_cast<QMouseEvent *>(event));
    case QEvent::Wheel:
        wheel(*static_cast<QWheelEvent *>(event));
        return true;
    case QEvent::Leave:
        leave();
        return false;
    case QEvent::Resize:
        // After the plot has taken its new size: its layout is then known.
        QMetaObject::invokeMethod(this, [this] { resized(); }, Qt::QueuedConnection);
        return false;
    default:
        return false;
    }
}

qint64 TimeControl::timeAt(const QPointF &at) const
{
    return std::llround(m_navigator.scale().toTime(std::clamp(pixelAt(at), 0.0, m_navigator.scale().width)));
}

qint64 TimeControl::tolerance() const
{
    return std::llround(m_navigator.scale().perPixel() * nearPixels * m_pointer.theme().scale);
}

bool TimeControl::press(const QMouseEvent &event)
{
    m_view.setFocus(Qt::MouseFocusReason);
    m_pressed = event.position();
    const bool pans = event.button() == Qt::MiddleButton || (event.button() == Qt::LeftButton && event.modifiers().testFlag(Qt::ShiftModifier));
    if (pans)
        m_drag = Drag::Pan;
    else if (event.button() == Qt::LeftButton)
        m_drag = Drag::Measure;
    return m_drag != Drag::None;
}

bool TimeControl::drag(const QMouseEvent &event)
{
    if (m_drag == Drag::Pan) {
        const QPointF moved = event.position() - m_pressed;
        m_pressed = event.position();
        m_scrollBar.setValue(m_scrollBar.value() - static_cast<int>(moved.y()));
        move([&] { m_navigator.pan(-moved.x()); });
        return true;
    }
    if (m_drag == Drag::Measure && std::abs(event.position().x() - m_pressed.x()) >= dragPixels) {
        m_pointer.measured = {snapped(timeAt(m_pressed)), snapped(timeAt(event.position()))};
        const auto [begin, end] = std::minmax(m_pointer.measured->first, m_pointer.measured->second);
        m_pointer.hairline.reset();
        m_pointer.redraw();
        pointed({});
        say(tr("%1 from %2 to %3").arg(text(For {end - begin}), text(At {begin}), text(At {end})));
        return true;
    }
    hover(event.position());
    return true;
}

bool TimeControl::release(const QMouseEvent &event)
{
    const Drag ended = std::exchange(m_drag, Drag::None);
    if (ended == Drag::Measure && std::abs(event.position().x() - m_pressed.x()) < dragPixels) {
        m_pointer.measured.reset();
        click(event.position());
        m_pointer.redraw();
    }
    return ended != Drag::None;
}

void TimeControl::wheel(const QWheelEvent &event)
{
    constexpr double notch = 120;
    const QPoint turned = event.angleDelta();
    if (event.modifiers().testFlag(Qt::ShiftModifier) || std::abs(turned.x()) > std::abs(turned.y())) {
        const int along = turned.x() != 0 ? turned.x() : turned.y();
        return move([&] { m_navigator.pan(-along / notch * panShare / 2 * m_navigator.scale().width); });
    }
    if (event.modifiers().testFlag(Qt::ControlModifier) && m_scrollBar.isVisible())
        return m_scrollBar.setValue(m_scrollBar.value() - static_cast<int>(turned.y() / notch * m_scrollBar.singleStep()));
    const double pixel = std::clamp(pixelAt(event.position()), 0.0, m_navigator.scale().width);
    move([&] { m_navigator.zoom(pixel, std::pow(zoomStep, turned.y() / notch)); });
}

void TimeControl::hover(const QPointF &at)
{
    const QRectF area = m_pointer.area();
    if (at.x() < area.left() || at.x() > area.right())
        return leave();
    m_pointer.hairline = timeAt(at);
    m_pointer.redraw();
    pointed(m_pointer.hairline);
    const QString time = text(At {*m_pointer.hairline});
    const QString what = describeAt(at);
    say(what.isEmpty() ? time : tr("%1 · %2").arg(time, what));
}

void TimeControl::leave()
{
    if (!m_pointer.hairline)
        return;
    m_pointer.hairline.reset();
    m_pointer.redraw();
    pointed({});
    say(QString());
}

}
