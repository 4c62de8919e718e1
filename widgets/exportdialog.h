// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/scenes.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace interlock {

/// Asks which view of a run to export, as what, and how large.
class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param views by their ids, see viewsOf().
    explicit ExportDialog(const QStringList &views, QWidget *parent = nullptr);

    QString view() const; ///< its id
    QString format() const;
    /// Usable when the dialog was accepted.
    ExportOptions options() const;

private:
    void fillFormats();
    void check();

    QComboBox *m_view;
    QComboBox *m_format;
    QLineEdit *m_size;
    QSpinBox *m_dpi;
    QComboBox *m_theme;
    QLabel *m_complaint;
    QDialogButtonBox *m_buttons;
};

}
