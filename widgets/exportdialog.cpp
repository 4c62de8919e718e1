// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exportdialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace interlock {

ExportDialog::ExportDialog(const QStringList &views, QWidget *parent)
    : QDialog(parent)
    , m_view(new QComboBox(this))
    , m_format(new QComboBox(this))
    , m_size(new QLineEdit(QStringLiteral("160x90mm"), this))
    , m_dpi(new QSpinBox(this))
    , m_theme(new QComboBox(this))
    , m_complaint(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Export"));
    for (const QString &view : views)
        m_view->addItem(titleOfView(view), view);
    m_dpi->setRange(30, 1200);
    m_dpi->setValue(ExportOptions().dpi);
    m_dpi->setButtonSymbols(QAbstractSpinBox::NoButtons); // as in the parameters' form: the arrow keys and the wheel step
    m_theme->addItem(tr("Print"), QStringLiteral("print"));
    m_theme->addItem(tr("Light"), QStringLiteral("light"));
    m_theme->addItem(tr("Dark"), QStringLiteral("dark"));
    m_view->setAccessibleName(tr("View"));
    m_format->setAccessibleName(tr("Format"));
    m_size->setAccessibleName(tr("Size"));
    m_dpi->setAccessibleName(tr("Dots per inch"));
    m_theme->setAccessibleName(tr("Theme"));
    m_complaint->setWordWrap(true);

    auto *form = new QFormLayout;
    form->addRow(tr("&View"), m_view);
    form->addRow(tr("&Format"), m_format);
    form->addRow(tr("&Size"), m_size);
    form->addRow(tr("&Dots per inch"), m_dpi);
    form->addRow(tr("&Theme"), m_theme);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_complaint);
    layout->addWidget(m_buttons);

    connect(m_view, &QComboBox::currentIndexChanged, this, &ExportDialog::fillFormats);
    connect(m_format, &QComboBox::currentTextChanged, this, &ExportDialog::check);
    connect(m_size, &QLineEdit::textChanged, this, &ExportDialog::check);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    fillFormats();
}

void ExportDialog::fillFormats()
{
    const QString before = format();
    m_format->clear();
    for (const QString &format : formatsOf(view()))
        m_format->addItem(format.toUpper(), format);
    if (const int same = m_format->findData(before); same >= 0)
        m_format->setCurrentIndex(same);
    check();
}

void ExportDialog::check()
{
    const bool isData = format() == QLatin1String("csv") || format() == QLatin1String("json");
    m_size->setEnabled(!isData);
    m_theme->setEnabled(!isData);
    m_dpi->setEnabled(format() == QLatin1String("png"));
    const Result<QSizeF> size = parseSize(m_size->text());
    const bool isUsable = isData || size.ok();
    m_complaint->setText(isUsable ? QString() : size.error().text);
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(isUsable && !format().isEmpty());
}

QString ExportDialog::view() const
{
    return m_view->currentData().toString();
}

QString ExportDialog::format() const
{
    return m_format->currentData().toString();
}

ExportOptions ExportDialog::options() const
{
    ExportOptions options;
    if (const Result<QSizeF> size = parseSize(m_size->text()))
        options.millimetres = *size;
    options.dpi = m_dpi->value();
    options.theme = m_theme->currentData().toString();
    return options;
}

}
