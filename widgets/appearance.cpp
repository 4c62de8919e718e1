// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/appearance.h"

#include "widgets/theme.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

namespace interlock {

namespace {

QString styleSheet(const Theme &theme)
{
    // %1 background, %2 panel, %3 text, %4 line, %5 accent, %6 text on accent, %7 broken, %8 held, %9 quiet; lengths follow in px.
    const QString sheet = QStringLiteral(
        "QPushButton { background: %1; color: %3; border: 1px solid %4; border-radius: 4px; padding: @3px @8px; }"
        "QPushButton:hover { border-color: %5; }"
        "QPushButton:pressed { background: %2; }"
        "QPushButton:focus { border: 2px solid %5; padding: @2px @7px; }"
        "QPushButton:disabled { color: %9; background: %2; }"
        "QPushButton[role=\"run\"] { background: %5; color: %6; border-color: %5; }"
        "QPushButton[role=\"run\"]:focus { border: 2px solid %3; }"
        "QPushButton[role=\"run\"]:disabled { background: %4; color: %9; border-color: %4; }"
        "QPushButton[role=\"break\"] { color: %7; border-color: %7; }"
        "QPushButton[role=\"break\"]:focus { border: 2px solid %7; }"
        "QPushButton[role=\"safe\"] { color: %8; border-color: %8; }"
        "QPushButton[role=\"safe\"]:focus { border: 2px solid %8; }"
        "QPushButton[role=\"break\"]:disabled, QPushButton[role=\"safe\"]:disabled { color: %9; border-color: %4; }"
        "QLineEdit, QAbstractSpinBox { background: %1; color: %3; border: 1px solid %4; border-radius: 4px; padding: @2px @5px; }"
        "QLineEdit:focus, QAbstractSpinBox:focus { border: 2px solid %5; padding: @1px @4px; }"
        "QAbstractScrollArea[panel=\"true\"] { background: %2; border: none; }"
        "QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }" // the style's are black, whatever the theme
        "QSplitter::handle { background: %4; }"
        "QToolTip { background: %1; color: %3; border: 1px solid %4; }");
    QString filled = sheet.arg(theme.background.name(), theme.panel.name(), theme.text.name(), theme.line.name(), theme.accent.name(),
        Theme::textOn(theme.accent).name(), theme.broken.name(), theme.held.name(), theme.quiet.name());
    for (const int length : {1, 2, 3, 4, 5, 7, 8})
        filled.replace(QStringLiteral("@%1px").arg(length), QStringLiteral("%1px").arg(qRound(length * theme.scale)));
    return filled;
}

}

void applyTheme(QApplication &application, const Theme &theme)
{
    if (application.style()->objectName() != QLatin1String("fusion") && application.styleSheet().isEmpty())
        application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(theme.palette());
    application.setFont(theme.font);
    application.setStyleSheet(styleSheet(theme));
    // Before its event loop runs the application does not tell the widgets that are there of another font.
    for (QWidget *window : QApplication::topLevelWidgets())
        window->setFont(theme.font);
}

}
