// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/strike.h"
#include "widgets/theme.h"
#include "widgets/topology/topologylayout.h"

#include <QWidget>

class QAction;
class QLabel;
class QSlider;

namespace interlock {

class GroupModel;
class NodePanel;

/// The group of the shown run at the model's moment, and a slider for it. A click on a node, or Enter, tells what is known of it, and lets a person
/// strike it while a run goes on that allows that.
class TopologyView : public QWidget
{
    Q_OBJECT

public:
    explicit TopologyView(GroupModel &group, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Whether the run that goes on lets a person strike its nodes.
    void setStriking(bool isAllowed);

    /// Steps through moments and nodes, for the page of keys. Owned by this widget.
    QList<QAction *> viewActions() const { return actions(); }
    const TopologyLayout &layoutOfNodes() const { return m_layout; }
    /// Of the picture, in this widget's pixels.
    QRect pictureArea() const;
    /// So that the whole group can be read.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void strikeAsked(const interlock::Strike &strike);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    bool event(QEvent *event) override;

private:
    void addActions();
    QAction *addAction(const char *name, const QString &text, const QList<QKeySequence> &keys, void (TopologyView::*what)());
    void previousMoment();
    void nextMoment();
    void goToStart();
    void goToEnd();
    void previousNode() { stepNode(-1); }
    void nextNode() { stepNode(1); }
    void stepNode(int direction);
    void openNode();
    void clear();

    void takeRun();
    void showMoment();
    void slide(int value);
    void layOut();
    void openPanel(int node);
    void closePanel();
    void placePanel();

    GroupModel &m_group;
    Theme m_theme = Theme::light();
    Theme m_drawn = Theme::light(); // in the type that has room
    TopologyLayout m_layout;
    QLabel *m_title;
    QSlider *m_slider;
    NodePanel *m_panel;
    int m_chosen = -1; ///< node under the keyboard or in the panel
    int m_hovered = -1;
    qsizetype m_laidOut = -1; // with so many lanes
    bool m_canStrike = false;
};

}
