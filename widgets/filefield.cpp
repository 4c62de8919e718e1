// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/filefield.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

namespace interlock {

FileField::FileField(const Parameter &parameter, QWidget *parent)
    : QWidget(parent)
    , m_parameter(parameter)
    , m_path(new QLineEdit(this))
{
    auto *button = new QToolButton(this);
    button->setText(tr("Choose…"));
    button->setAccessibleName(tr("Choose a file: %1").arg(parameter.label));
    m_path->setAccessibleName(parameter.label);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_path, 1);
    layout->addWidget(button);
    setFocusProxy(m_path);
    connect(m_path, &QLineEdit::textEdited, this, &FileField::edited);
    connect(button, &QToolButton::clicked, this, &FileField::choose);
}

QString FileField::path() const
{
    return m_path->text();
}

void FileField::setPath(const QString &path)
{
    m_path->setText(path);
}

void FileField::choose()
{
    const QString folder = QFileInfo(path()).path();
    const QString chosen = QFileDialog::getOpenFileName(this, m_parameter.label, folder, m_parameter.filter);
    if (chosen.isEmpty())
        return;
    setPath(chosen);
    Q_EMIT edited();
}

}
