// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timelineimpl.h"

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

bool TimelineView::Impl::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == &m_view) {
        if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
            m_overlay->hasFocus = event->type() == QEvent::FocusIn;
            m_overlay->redraw();
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
        QMetaObject::invokeMethod(this, [this] { placeScrollBar(); m_navigator.setWidth(m_plot->lanesArea().width()); redraw(); }, Qt::QueuedConnection);
        return false;
    default:
        return false;
    }
}

qint64 TimelineView::Impl::timeAt(const QPointF &at) const
{
    return std::llround(m_navigator.scale().toTime(std::clamp(pixelAt(at), 0.0, m_navigator.scale().width)));
}

qint64 TimelineView::Impl::tolerance() const
{
    return std::llround(m_navigator.scale().perPixel() * nearPixels * m_plot->picture().theme.scale);
}

qint64 TimelineView::Impl::snapped(const QPointF &at) const
{
    const qint64 time = timeAt(at);
    return m_spans.nearestEdge(time, tolerance()).value_or(time);
}

bool TimelineView::Impl::press(const QMouseEvent &event)
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

bool TimelineView::Impl::drag(const QMouseEvent &event)
{
    if (m_drag == Drag::Pan) {
        const QPointF moved = event.position() - m_pressed;
        m_pressed = event.position();
        m_scrollBar->setValue(m_scrollBar->value() - static_cast<int>(moved.y()));
        move([&] { m_navigator.pan(-moved.x()); });
        return true;
    }
    if (m_drag == Drag::Measure && std::abs(event.position().x() - m_pressed.x()) >= dragPixels) {
        m_overlay->measured = {snapped(m_pressed), snapped(event.position())};
        const auto [begin, end] = std::minmax(m_overlay->measured->first, m_overlay->measured->second);
        m_overlay->hairline.reset();
        m_overlay->redraw();
        Q_EMIT m_view.pointed(TimelineView::tr("%1 from %2 to %3").arg(text(For {end - begin}), text(At {begin}), text(At {end})));
        return true;
    }
    hover(event.position());
    return true;
}

bool TimelineView::Impl::release(const QMouseEvent &event)
{
    const Drag ended = std::exchange(m_drag, Drag::None);
    if (ended == Drag::Measure && std::abs(event.position().x() - m_pressed.x()) < dragPixels)
        click(event.position());
    return ended != Drag::None;
}

void TimelineView::Impl::click(const QPointF &at)
{
    m_overlay->measured.reset();
    if (m_building.isActive())
        return; // what is seen is no longer what the model shows
    m_model.select(m_spans.eventAt(m_plot->rowAt(at.y()), timeAt(at), tolerance()));
    m_overlay->redraw();
}

void TimelineView::Impl::wheel(const QWheelEvent &event)
{
    constexpr double notch = 120;
    const QPoint turned = event.angleDelta();
    if (event.modifiers().testFlag(Qt::ShiftModifier) || std::abs(turned.x()) > std::abs(turned.y())) {
        const int along = turned.x() != 0 ? turned.x() : turned.y();
        return move([&] { m_navigator.pan(-along / notch * panShare / 2 * m_navigator.scale().width); });
    }
    if (event.modifiers().testFlag(Qt::ControlModifier) && m_scrollBar->isVisible())
        return m_scrollBar->setValue(m_scrollBar->value() - static_cast<int>(turned.y() / notch * m_scrollBar->singleStep()));
    const double pixel = std::clamp(pixelAt(event.position()), 0.0, m_navigator.scale().width);
    move([&] { m_navigator.zoom(pixel, std::pow(zoomStep, turned.y() / notch)); });
}

void TimelineView::Impl::hover(const QPointF &at)
{
    const QRectF area = m_plot->lanesArea();
    if (at.x() < area.left() || at.x() > area.right())
        return leave();
    m_overlay->hairline = timeAt(at);
    m_overlay->redraw();
    std::optional<size_t> event;
    if (!m_building.isActive())
        event = m_spans.eventAt(m_plot->rowAt(at.y()), *m_overlay->hairline, tolerance());
    const QString time = text(At {*m_overlay->hairline});
    Q_EMIT m_view.pointed(event ? TimelineView::tr("%1 · %2").arg(time, describe(*event)) : time);
}

void TimelineView::Impl::leave()
{
    if (!m_overlay->hairline)
        return;
    m_overlay->hairline.reset();
    m_overlay->redraw();
    Q_EMIT m_view.pointed(QString());
}

}
