// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace interlock {

/// A combo box that may be narrower than its words: the chosen one ends in an ellipsis where there is no room for it, and the
/// tool tip tells it whole.
class ChoiceBox : public QComboBox
{
    Q_OBJECT

public:
    explicit ChoiceBox(QWidget *parent = nullptr);

    QString shown() const; ///< the chosen text as far as there is room for it

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
};

}
