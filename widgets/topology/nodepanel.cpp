// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/topology/nodepanel.h"

#include "widgets/ladder/rungwords.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace interlock {

namespace {

using Kind = Strike::Kind;

constexpr int columns = 3; ///< of buttons: a topology is low rather than narrow

bool isOfLinks(Kind kind)
{
    return kind == Kind::CutReplication || kind == Kind::LagReplication || kind == Kind::HoldReplication || kind == Kind::CutClients || kind == Kind::DelayClients;
}

bool hasAmount(Kind kind)
{
    return kind == Kind::LagReplication || kind == Kind::DelayClients;
}

}

NodePanel::NodePanel(QWidget *parent)
    : QFrame(parent)
    , m_title(new QLabel(this))
    , m_facts(new QLabel(this))
    , m_strikes(new QWidget(this))
    , m_grid(new QGridLayout(m_strikes))
    , m_amount(new QSpinBox(m_strikes))
{
    setObjectName(QStringLiteral("nodePanel"));
    setAutoFillBackground(true);
    setFocusPolicy(Qt::StrongFocus);
    m_facts->setTextFormat(Qt::RichText);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setAccessibleName(tr("Facts"));
    m_grid->setContentsMargins(0, 4, 0, 0);
    m_grid->setSpacing(4);
    addButton(Kind::Kill, tr("Kill"), tr("SIGKILL: its memory is gone."));
    addButton(Kind::Restart, tr("Restart"), tr("Starts it again, with nothing in memory."));
    addButton(Kind::Pause, tr("Pause"), tr("SIGSTOP: it stands still and forgets nothing."));
    addButton(Kind::Resume, tr("Resume"), tr("SIGCONT: it goes on where it stood."));
    addButton(Kind::Isolate, tr("Isolate"), tr("Nobody reaches it, and it reaches nobody."));
    addButton(Kind::Heal, tr("Heal"), tr("All its links are whole again."));
    addButton(Kind::CutReplication, tr("Cut Replication"), tr("Its replicas are cut off from it."));
    addButton(Kind::HoldReplication, tr("Hold Replication"), tr("What it sends to its replicas stays under way."));
    addButton(Kind::LagReplication, tr("Lag Replication"), tr("What it sends to its replicas arrives later."));
    addButton(Kind::CutClients, tr("Cut Clients"), tr("Clients are cut off from it."));
    addButton(Kind::DelayClients, tr("Delay Clients"), tr("What clients send to it arrives later, and so do its answers."));
    m_amount->setRange(1, 60'000);
    m_amount->setValue(200);
    m_amount->setPrefix(tr("by "));
    m_amount->setSuffix(tr(" ms"));
    m_amount->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_amount->setAccessibleName(tr("Lag and delay"));
    const int count = static_cast<int>(m_buttons.size());
    m_grid->addWidget(m_amount, count / columns, count % columns);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(m_facts);
    layout->addWidget(m_strikes);
    hide();
}

void NodePanel::addButton(Kind kind, const QString &text, const QString &help)
{
    auto *button = new QPushButton(text, m_strikes);
    button->setObjectName(QLatin1String(strikeWord(kind)));
    button->setToolTip(help);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, kind] { ask(kind); });
    const int place = static_cast<int>(m_buttons.size());
    m_grid->addWidget(button, place / columns, place % columns);
    m_buttons.append({kind, button});
}

void NodePanel::setTheme(const Theme &theme)
{
    setStyleSheet(QStringLiteral("#nodePanel { background: %1; border: 1px solid %2; border-radius: 4px; }").arg(theme.background.name(), theme.quiet.name()));
    m_title->setFont(theme.sized(1.1, true));
    m_facts->setFont(theme.sized(0.9));
    for (const Button &each : m_buttons)
        each.button->setFont(theme.sized(0.9));
    m_amount->setFont(theme.sized(0.9));
}

void NodePanel::showNode(const GroupMoment &moment, int node, bool canStrike)
{
    m_node = node;
    m_name = nodeName(*moment.run, node);
    m_title->setText(m_name);
    setAccessibleName(tr("Node %1").arg(m_name));
    QString rows, plain;
    for (const auto &[name, value] : nodeFacts(moment, node)) {
        rows += QStringLiteral("<tr><td style='padding-right: 10px'>%1</td><td>%2</td></tr>").arg(name.toHtmlEscaped(), value.toHtmlEscaped());
        plain += QStringLiteral("%1: %2. ").arg(name, value);
    }
    const QString html = QStringLiteral("<table>%1</table>").arg(rows);
    if (m_facts->text() != html)
        m_facts->setText(html);
    setAccessibleDescription(plain.trimmed());
    enable(moment, node, canStrike);
}

void NodePanel::enable(const GroupMoment &moment, int node, bool canStrike)
{
    m_strikes->setVisible(canStrike);
    const NodeState *state = moment.group.node(node);
    if (!canStrike || !state)
        return;
    const bool isServer = moment.group.server(node) != nullptr;
    const bool isDead = state->life == NodeState::Life::Dead;
    const bool isPaused = state->life == NodeState::Life::Paused;
    const bool isStarting = state->life == NodeState::Life::Starting;
    for (const Button &each : m_buttons) {
        bool fits = !isDead && !isStarting;
        if (each.kind == Kind::Restart)
            fits = isDead;
        else if (each.kind == Kind::Pause)
            fits = fits && !isPaused;
        else if (each.kind == Kind::Resume)
            fits = isPaused;
        each.button->setEnabled(fits);
        each.button->setVisible(isServer || !isOfLinks(each.kind));
    }
    m_amount->setVisible(isServer);
}

void NodePanel::ask(Kind kind)
{
    Strike strike {m_name, kind, {}};
    if (hasAmount(kind))
        strike.amount = Milliseconds(m_amount->value());
    Q_EMIT strikeAsked(strike);
}

void NodePanel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closed();
    else
        QFrame::keyPressEvent(event);
}

}
