// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/choicebox.h"

#include <QHelpEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>

namespace interlock {

ChoiceBox::ChoiceBox(QWidget *parent)
    : QComboBox(parent)
{
    constexpr int least = 8; // characters
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(least);
}

QString ChoiceBox::shown() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    constexpr int inset = 2; // of the text in its field, on both sides
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    return fontMetrics().elidedText(currentText(), Qt::ElideRight, field.width() - 2 * inset);
}

bool ChoiceBox::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || shown() == currentText())
        return QComboBox::event(event);
    const QString help = toolTip();
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), help.isEmpty() ? currentText() : currentText() + QStringLiteral("\n\n") + help, this);
    return true;
}

void ChoiceBox::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = shown();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}
