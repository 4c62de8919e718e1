// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/strike.h"
#include "widgets/theme.h"
#include "widgets/topology/nodewords.h"

#include <QFrame>

class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace interlock {

/// What is known of one node at the shown moment, and, where a run allows it, what a person can do to it.
class NodePanel : public QFrame
{
    Q_OBJECT

public:
    explicit NodePanel(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// @param canStrike the run is live and lets persons strike: with buttons.
    void showNode(const GroupMoment &moment, int node, bool canStrike);
    int node() const { return m_node; } ///< -1: none is shown

Q_SIGNALS:
    void strikeAsked(const interlock::Strike &strike);
    void closed(); ///< by a key; the one who shows it hides it

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Button
    {
        Strike::Kind kind;
        QPushButton *button;
    };

    void addButton(Strike::Kind kind, const QString &text, const QString &help);
    void enable(const GroupMoment &moment, int node, bool canStrike);
    void ask(Strike::Kind kind);

    int m_node = -1;
    QString m_name;
    QLabel *m_title;
    QLabel *m_facts;
    QWidget *m_strikes;
    QGridLayout *m_grid;
    QSpinBox *m_amount;
    QList<Button> m_buttons;
};

}
