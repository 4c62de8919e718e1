// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/ladder/ladderpicture.h"

#include <QAbstractScrollArea>

class QAction;

namespace interlock {

class GroupModel;

/// The failovers and copies of the shown run as a list of steps. The one at the model's moment is marked; pointing at a step shows its
/// moment, a click selects its event and explains it.
class LadderView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit LadderView(GroupModel &group, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    const LadderPicture &picture() const { return m_picture; }
    /// Steps up and down, for the page of keys. Owned by this widget.
    QList<QAction *> viewActions() const { return actions(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    QSize viewportSizeHint() const override;

private:
    QAction *addAction(const char *name, const QString &text, const QList<QKeySequence> &keys, void (LadderView::*what)());
    void previousStep() { step(-1); }
    void nextStep() { step(1); }
    void step(int direction);
    void firstStep();
    void lastStep();
    void clear();

    void takeLadders();
    void showMoment();
    void layOut();
    void reveal(int row);
    void select(int row);
    void point(int row);
    QString describe(int row) const;

    GroupModel &m_group;
    LadderPicture m_picture;
    int m_pointed = -1;
    int m_shown = -1; // the row of the moment that was scrolled to
};

}
