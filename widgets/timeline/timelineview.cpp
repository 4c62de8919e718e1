// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timelineview.h"

#include "widgets/eventrows.h"
#include "widgets/runmodel.h"
#include "widgets/timeline/guilt.h"
#include "widgets/timeline/navigator.h"
#include "widgets/timeline/overlay.h"
#include "widgets/timeline/plot.h"
#include "widgets/timeline/spans.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <cmath>

namespace interlock {

namespace {

constexpr double zoomStep = 1.25;
constexpr double panShare = 0.15; ///< of what is shown, for a key
constexpr double nearPixels = 6; ///< what a click or an edge's snapping still catches
constexpr double dragPixels = 4; ///< less is a click

}

class TimelineView::Impl : public QObject
{
public:
    Impl(RunModel &model, TimelineView &view);

    void setTheme(const Theme &theme);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum class Drag { None, Measure, Pan };

    void addActions();
    QAction *addAction(const char *name, const QString &text, const QList<QKeySequence> &keys, void (Impl::*what)());

    void reset();
    void grow();
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
    Spans m_spans;
    Navigator m_navigator;
    QString m_liveSince; // of the live run that was shown last: when it began
    size_t m_rows = 0;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    bool m_isFocused = false; // the view shows the selection: F again shows all
};

TimelineView::Impl::Impl(RunModel &model, TimelineView &view)
    : QObject(&view)
    , m_model(model)
    , m_view(view)
    , m_plot(new TimelinePlot(&view))
    , m_overlay(new Overlay(m_plot))
    , m_scrollBar(new QScrollBar(Qt::Vertical, &view))
{
    auto *layout = new QHBoxLayout(&view);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_scrollBar);
    m_scrollBar->setAccessibleName(tr("Lanes"));
    m_scrollBar->hide();
    m_plot->setMouseTracking(true);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMinimumSize(160, 80);
    m_plot->installEventFilter(this);
    view.installEventFilter(this);
    view.setFocusPolicy(Qt::StrongFocus);
    view.setAccessibleName(TimelineView::tr("Ownership timeline"));
    addActions();
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this](int value) {
        m_plot->setScrolled(value);
        m_plot->replot(QCustomPlot::rpQueuedReplot);
    });
    connect(&model, &RunModel::reset, this, &Impl::reset);
    connect(&model, &RunModel::grown, this, &Impl::grow);
    connect(&model, &RunModel::selectionChanged, this, &Impl::showSelection);
    reset();
}

QAction *TimelineView::Impl::addAction(const char *name, const QString &text, const QList<QKeySequence> &keys, void (Impl::*what)())
{
    auto *action = new QAction(text, &m_view);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcuts(keys);
    // Letters and arrows mean other things in tables and fields.
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, what);
    m_view.addAction(action);
    return action;
}

void TimelineView::Impl::addActions()
{
    addAction("zoomIn", TimelineView::tr("Zoom In"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}, &Impl::zoomIn);
    addAction("zoomOut", TimelineView::tr("Zoom Out"), {Qt::Key_S, Qt::Key_Minus}, &Impl::zoomOut);
    addAction("earlier", TimelineView::tr("Earlier"), {Qt::Key_A, Qt::Key_Left}, &Impl::panLeft);
    addAction("later", TimelineView::tr("Later"), {Qt::Key_D, Qt::Key_Right}, &Impl::panRight);
    addAction("lanesUp", TimelineView::tr("Lanes Up"), {Qt::Key_Up}, &Impl::lanesUp);
    addAction("lanesDown", TimelineView::tr("Lanes Down"), {Qt::Key_Down}, &Impl::lanesDown);
    addAction("start", TimelineView::tr("Go to Start"), {Qt::Key_Home}, &Impl::goToStart);
    addAction("end", TimelineView::tr("Go to End"), {Qt::Key_End}, &Impl::goToEnd);
    addAction("focus", TimelineView::tr("Focus Selection"), {Qt::Key_F}, &Impl::focusSelection);
    addAction("fit", TimelineView::tr("Show Whole Run"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, &Impl::fit);
    addAction("back", TimelineView::tr("Back to Last View"), {Qt::Key_Backspace}, &Impl::goBack);
    addAction("previous", TimelineView::tr("Previous Event"), {Qt::Key_Comma}, &Impl::previousEvent);
    addAction("next", TimelineView::tr("Next Event"), {Qt::Key_Period}, &Impl::nextEvent);
    m_violation = addAction("violation", TimelineView::tr("First Violation"), {Qt::Key_V}, &Impl::firstViolation);
    addAction("mark", TimelineView::tr("Set Mark"), {Qt::Key_M}, &Impl::setMark);
    addAction("clear", TimelineView::tr("Clear Marks and Selection"), {Qt::Key_Escape}, &Impl::clear);
    m_follow = addAction("follow", TimelineView::tr("Follow"), {Qt::Key_L}, &Impl::toggleFollow);
    m_follow->setCheckable(true);
}

void TimelineView::Impl::setTheme(const Theme &theme)
{
    m_plot->setTheme(theme);
    redraw();
}

void TimelineView::Impl::reset()
{
    // The finished record of the live run that is shown: the person stays where they are.
    const QString started = m_model.run().header.started;
    const bool isSame = !m_model.isLive() && !m_liveSince.isEmpty() && m_liveSince == started;
    m_liveSince = m_model.isLive() ? started : QString();
    m_spans.clear();
    m_rows = 0;
    m_overlay->selected.reset();
    m_plot->setLit({});
    m_plot->setRun(&m_model.run(), &m_spans);
    m_plot->setGuilty(guiltyEvents(m_model.verdict()));
    m_violation->setEnabled(!interlock::firstViolation(m_model.verdict()).empty());
    if (!isSame) {
        m_overlay->marks.clear();
        m_overlay->measured.reset();
        m_navigator.reset(static_cast<double>(m_model.now()));
    }
    m_navigator.setFollowing(m_model.isLive());
    m_follow->setEnabled(m_model.isLive());
    m_isFocused = false;
    grow();
}

void TimelineView::Impl::grow()
{
    m_spans.extend(m_model.run());
    const qint64 now = std::max(m_model.now(), m_spans.last());
    m_plot->setNow(now);
    m_navigator.setEnd(static_cast<double>(now));
    if (m_rows != m_spans.rows().size()) {
        m_rows = m_spans.rows().size();
        m_plot->layOut(m_plot->size());
        placeScrollBar();
    }
    redraw();
}

void TimelineView::Impl::redraw()
{
    m_navigator.setWidth(m_plot->lanesArea().width());
    m_plot->setScale(m_navigator.scale());
    m_follow->setChecked(m_navigator.isFollowing());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void TimelineView::Impl::placeScrollBar()
{
    const int page = static_cast<int>(m_plot->lanesArea().height());
    const int rest = static_cast<int>(std::ceil(m_plot->lanesHeight())) - page;
    m_scrollBar->setPageStep(page);
    m_scrollBar->setSingleStep(m_plot->bands().empty() ? 1 : static_cast<int>(m_plot->bands().front().height));
    m_scrollBar->setRange(0, std::max(0, rest));
    m_scrollBar->setVisible(rest > 0);
}

void TimelineView::Impl::showSelection()
{
    m_overlay->selected.reset();
    m_isFocused = false;
    if (const std::optional<size_t> event = m_model.selected()) {
        const int row = m_spans.rowOf(m_model.run().events[*event]);
        const auto [begin, end] = m_spans.extentOf(m_model.run(), *event);
        m_overlay->selected = {row, begin, end};
        m_navigator.reveal(static_cast<double>(begin));
        for (const Band &band : m_plot->bands()) {
            if (band.row != row)
                continue;
            const double page = m_plot->lanesArea().height();
            if (band.top < m_plot->scrolled() || band.top + band.height > m_plot->scrolled() + page)
                m_scrollBar->setValue(static_cast<int>(band.top + band.height / 2 - page / 2));
        }
        m_view.setAccessibleDescription(describe(*event));
        Q_EMIT m_view.pointed(describe(*event));
    }
    redraw();
}

void TimelineView::Impl::zoomAtFocus(double factor)
{
    // At the pointer if it is here, else at the selection, else in the middle.
    double pixel = m_navigator.scale().width / 2;
    if (m_overlay->hairline)
        pixel = m_navigator.scale().toPixel(static_cast<double>(*m_overlay->hairline));
    else if (m_overlay->selected)
        pixel = m_navigator.scale().toPixel(static_cast<double>(m_overlay->selected->begin));
    if (pixel < 0 || pixel > m_navigator.scale().width)
        pixel = m_navigator.scale().width / 2;
    move([&] { m_navigator.zoom(pixel, factor); });
}

void TimelineView::Impl::focusSelection()
{
    if (m_isFocused || !m_overlay->selected)
        return fit();
    double begin = static_cast<double>(m_overlay->selected->begin);
    double end = static_cast<double>(m_overlay->selected->end);
    if (end <= begin) { // a moment has no length: come closer
        const double length = m_navigator.scale().length / 10;
        begin -= length / 2;
        end = begin + length;
    }
    move([&] { m_navigator.show(begin, end); });
    m_isFocused = true;
}

void TimelineView::Impl::step(int direction)
{
    const std::vector<Event> &events = m_model.run().events;
    if (events.empty())
        return;
    const std::optional<size_t> selected = m_model.selected();
    if (selected) {
        const bool isAtEnd = direction < 0 ? *selected == 0 : *selected + 1 >= events.size();
        if (!isAtEnd)
            m_model.select(direction < 0 ? *selected - 1 : *selected + 1);
        return;
    }
    const double edge = direction > 0 ? m_navigator.scale().begin : m_navigator.scale().end();
    const auto after = std::partition_point(events.begin(), events.end(), [edge](const Event &event) { return static_cast<double>(event.at) < edge; });
    const auto index = static_cast<size_t>(after - events.begin());
    m_model.select(direction > 0 ? std::min(index, events.size() - 1) : (index > 0 ? index - 1 : 0));
}

void TimelineView::Impl::setMark()
{
    if (m_overlay->hairline)
        m_overlay->marks.push_back(*m_overlay->hairline);
    else if (m_overlay->selected)
        m_overlay->marks.push_back(m_overlay->selected->begin);
    m_overlay->redraw();
}

void TimelineView::Impl::clear()
{
    m_overlay->marks.clear();
    m_overlay->measured.reset();
    m_plot->setLit({});
    m_model.select({});
    Q_EMIT m_view.pointed(QString());
    redraw();
}

void TimelineView::Impl::firstViolation()
{
    const std::vector<size_t> proof = interlock::firstViolation(m_model.verdict());
    const std::vector<Event> &events = m_model.run().events;
    if (proof.empty() || proof.front() >= events.size())
        return;
    qint64 begin = events[proof.front()].at;
    qint64 end = begin;
    std::set<int> lit;
    for (const size_t index : proof) {
        if (index >= events.size())
            continue;
        begin = std::min(begin, events[index].at);
        end = std::max(end, events[index].at);
        lit.insert(m_spans.rowOf(events[index]));
    }
    // Those who worked together at that moment are lit as well.
    for (const Overlap &overlap : m_spans.overlaps()) {
        if (overlap.begin <= end && overlap.end >= begin)
            lit.insert(overlap.rows.begin(), overlap.rows.end());
    }
    lit.erase(-1);
    m_plot->setLit(std::move(lit));
    const double least = m_navigator.scale().perPixel() * 20;
    m_navigator.show(static_cast<double>(begin) - least, static_cast<double>(end) + least, 0.4);
    m_model.select(proof.front());
    redraw();
}

void TimelineView::Impl::toggleFollow()
{
    m_navigator.setFollowing(m_follow->isChecked());
    redraw();
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
    const std::optional<size_t> event = m_spans.eventAt(m_plot->rowAt(at.y()), *m_overlay->hairline, tolerance());
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

QString TimelineView::Impl::describe(size_t index) const
{
    const EventRow row = eventRow(m_model.run(), index);
    QStringList parts {row.answer, row.note};
    parts.removeAll(QString());
    const QString what = row.who.isEmpty() ? row.command : TimelineView::tr("%1: %2").arg(row.who, row.command);
    return parts.isEmpty() ? what : TimelineView::tr("%1 (%2)").arg(what, parts.join(QStringLiteral(", ")));
}

TimelineView::TimelineView(RunModel &model, QWidget *parent)
    : QWidget(parent)
    , m_impl(new Impl(model, *this))
{
}

void TimelineView::setTheme(const Theme &theme)
{
    m_impl->setTheme(theme);
}

QList<QAction *> TimelineView::viewActions() const
{
    return actions();
}

}
