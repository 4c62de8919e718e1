// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/statusbadge.h"

#include "widgets/runmodel.h"

#include <QDateTime>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace interlock {

namespace {

QString servers(const Header &header)
{
    QStringList versions;
    int own = 0;
    for (const NodeInfo &node : header.nodes) {
        if (!node.version.isEmpty() && !versions.contains(node.version))
            versions.append(node.version);
        own += node.isPrivate;
    }
    const QString redis = versions.isEmpty() ? StatusBadge::tr("Redis") : StatusBadge::tr("Redis %1").arg(versions.join(QStringLiteral(", ")));
    if (!header.target.isEmpty())
        return StatusBadge::tr("%1 · your server %2").arg(redis, header.target);
    return own <= 1 ? StatusBadge::tr("%1 · own server").arg(redis) : StatusBadge::tr("%1 · %2 own servers").arg(redis).arg(own);
}

QString counted(qint64 count, const QString &one, const QString &many)
{
    return count == 1 ? one : many.arg(QLocale(QLocale::English).toString(count));
}

}

QString badgeText(const Header &header, size_t commands, bool isRecorded)
{
    QStringList parts;
    if (isRecorded) {
        const QDateTime started = QDateTime::fromString(header.started, Qt::ISODateWithMs);
        parts.append(started.isValid() ? StatusBadge::tr("Recorded %1").arg(QLocale().toString(started.toLocalTime(), QLocale::ShortFormat))
                                       : StatusBadge::tr("Recorded"));
    }
    parts.append(servers(header));
    if (header.relay)
        parts.append(StatusBadge::tr("through a relay"));
    if (header.clockShim)
        parts.append(StatusBadge::tr("shifted clocks"));
    parts.append(StatusBadge::tr("%1, pace %2").arg(header.schedule).arg(header.pace));
    const auto clients = std::count_if(header.lanes.begin(), header.lanes.end(), [](const Lane &lane) { return lane.type == Lane::Type::Actor; });
    parts.append(counted(clients, StatusBadge::tr("1 client"), StatusBadge::tr("%1 clients")));
    parts.append(counted(static_cast<qint64>(commands), StatusBadge::tr("1 command"), StatusBadge::tr("%1 commands")));
    return parts.join(QStringLiteral(" · "));
}

StatusBadge::StatusBadge(const RunModel &run, QWidget *parent)
    : QLabel(parent)
    , m_run(run)
{
    setAccessibleName(tr("What was real"));
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // long versions must not widen the window
    connect(&run, &RunModel::reset, this, [this] {
        m_commands = 0;
        countFrom(0);
    });
    connect(&run, &RunModel::grown, this, &StatusBadge::countFrom);
    showText();
}

/// What has no room is left out visibly.
void StatusBadge::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

void StatusBadge::setRecorded(bool isRecorded)
{
    m_isRecorded = isRecorded;
    showText();
}

void StatusBadge::setNext(const QString &target)
{
    m_next = target;
    showText();
}

void StatusBadge::countFrom(size_t event)
{
    const std::vector<Event> &events = m_run.run().events;
    for (size_t i = event; i < events.size(); ++i)
        m_commands += events[i].kind == Event::Kind::Command;
    showText();
}

void StatusBadge::showText()
{
    const Header &header = m_run.run().header;
    QString badge = header.experiment.isEmpty() ? tr("No run is shown.") : badgeText(header, m_commands, m_isRecorded);
    const bool isOnNext = header.target == m_next || header.target.startsWith(m_next + QStringLiteral(" → ")); // sentinels, and what they named
    if (!m_next.isEmpty() && (!isOnNext || m_isRecorded))
        badge = tr("Next run: your server %1 · %2").arg(m_next, badge);
    setText(badge);
    setToolTip(badge);
    setAccessibleDescription(badge);
}

}
