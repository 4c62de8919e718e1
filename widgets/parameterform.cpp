// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parameterform.h"

#include "widgets/choicebox.h"
#include "widgets/filefield.h"
#include "widgets/valuefield.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace interlock {

ParameterForm::ParameterForm(QWidget *parent)
    : QWidget(parent)
    , m_theme(Theme::light())
    , m_reset(new QPushButton(tr("Reset"), this))
{
    m_reset->setAccessibleName(tr("Reset parameters"));
    m_reset->setToolTip(tr("Sets every parameter back to its default."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_reset, 0, Qt::AlignRight);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        reset();
        noteEdited();
    });
}

void ParameterForm::setTheme(const Theme &theme)
{
    m_theme = theme;
    for (const Row &row : std::as_const(m_rows)) {
        QPalette palette = theme.palette();
        palette.setColor(QPalette::WindowText, theme.broken);
        row.complaint->setPalette(palette);
    }
}

void ParameterForm::setParameters(const QList<Parameter> &parameters)
{
    delete m_fields;
    m_rows.clear();
    m_fields = new QWidget(this);
    auto *grid = new QGridLayout(m_fields);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(0, 3); // names are longer than values
    grid->setColumnStretch(1, 2);
    for (const Parameter &parameter : parameters) {
        Row row {parameter, makeEditor(parameter), new QLabel(m_fields)};
        auto *name = new QLabel(parameter.label, m_fields);
        name->setWordWrap(true);
        name->setBuddy(row.editor);
        const QString help = tr("%1\nRange: %2").arg(parameter.help, parameter.range());
        name->setToolTip(help);
        row.editor->setToolTip(help);
        row.editor->setAccessibleName(parameter.label);
        row.editor->setAccessibleDescription(help);
        row.editor->setObjectName(parameter.name);
        row.editor->installEventFilter(this);
        row.complaint->setWordWrap(true);
        row.complaint->setAlignment(Qt::AlignRight);
        row.complaint->hide();
        const int line = grid->rowCount();
        if (parameter.type == Parameter::Type::Choice || parameter.type == Parameter::Type::File) { // their words are long
            grid->addWidget(name, line, 0, 1, 2);
            grid->addWidget(row.editor, line + 1, 0, 1, 2);
        } else {
            grid->addWidget(name, line, 0);
            grid->addWidget(row.editor, line, 1);
        }
        grid->addWidget(row.complaint, line + 2, 0, 1, 2);
        m_rows.append(row);
    }
    static_cast<QVBoxLayout *>(layout())->insertWidget(0, m_fields);
    QWidget::setTabOrder(m_fields, m_reset);
    m_reset->setVisible(!parameters.isEmpty());
    setTheme(m_theme);
}

QWidget *ParameterForm::makeEditor(const Parameter &parameter)
{
    switch (parameter.type) {
    case Parameter::Type::Duration:
    case Parameter::Type::Integer: {
        auto *field = new ValueField(parameter, m_fields);
        field->setFocusPolicy(Qt::StrongFocus);
        connect(field, &ValueField::edited, this, &ParameterForm::noteEdited);
        return field;
    }
    case Parameter::Type::Choice: {
        auto *choice = new ChoiceBox(m_fields);
        for (const Option &option : parameter.options)
            choice->addItem(option.label, option.word);
        choice->setCurrentIndex(static_cast<int>(parameter.value));
        choice->setFocusPolicy(Qt::StrongFocus);
        connect(choice, &ChoiceBox::activated, this, &ParameterForm::noteEdited);
        return choice;
    }
    case Parameter::Type::File: {
        auto *field = new FileField(parameter, m_fields);
        connect(field, &FileField::edited, this, &ParameterForm::noteEdited);
        return field;
    }
    case Parameter::Type::Toggle:
        break;
    }
    auto *toggle = new QCheckBox(m_fields);
    toggle->setChecked(parameter.value != 0);
    connect(toggle, &QCheckBox::clicked, this, &ParameterForm::noteEdited);
    return toggle;
}

QWidget *ParameterForm::editor(const QString &name) const
{
    for (const Row &row : m_rows) {
        if (row.parameter.name == name)
            return row.editor;
    }
    return nullptr;
}

QString ParameterForm::writtenOf(const Row &row) const
{
    if (const auto *field = qobject_cast<const ValueField *>(row.editor))
        return field->written();
    if (const auto *choice = qobject_cast<const QComboBox *>(row.editor))
        return choice->currentData().toString();
    if (const auto *file = qobject_cast<const FileField *>(row.editor))
        return file->path();
    const auto *toggle = qobject_cast<const QCheckBox *>(row.editor);
    return row.parameter.write(toggle && toggle->isChecked() ? 1 : 0);
}

void ParameterForm::setWrittenOf(const Row &row, const QString &text)
{
    const Result<qint64> value = row.parameter.parse(text);
    if (auto *field = qobject_cast<ValueField *>(row.editor))
        field->setWritten(text);
    else if (auto *choice = qobject_cast<QComboBox *>(row.editor); choice && value)
        choice->setCurrentIndex(static_cast<int>(*value));
    else if (auto *file = qobject_cast<FileField *>(row.editor))
        file->setPath(text);
    else if (auto *toggle = qobject_cast<QCheckBox *>(row.editor); toggle && value)
        toggle->setChecked(*value != 0);
}

void ParameterForm::setWritten(const Written &values)
{
    for (const Row &row : std::as_const(m_rows)) {
        QString text = row.parameter.write(row.parameter.value);
        for (const auto &[name, value] : values) {
            if (name == row.parameter.name)
                text = value;
        }
        setWrittenOf(row, text);
    }
    check();
}

void ParameterForm::reset()
{
    setWritten({});
}

ParameterForm::Written ParameterForm::written() const
{
    Written values;
    for (const Row &row : m_rows)
        values.append({row.parameter.name, writtenOf(row)});
    return values;
}

bool ParameterForm::isUsable() const
{
    return complaint().isEmpty();
}

QString ParameterForm::complaint() const
{
    for (const Row &row : m_rows) {
        if (const Result<qint64> value = row.parameter.parse(writtenOf(row)); !value)
            return value.error().text;
    }
    return {};
}

void ParameterForm::check()
{
    for (const Row &row : std::as_const(m_rows)) {
        const Result<qint64> value = row.parameter.parse(writtenOf(row));
        row.complaint->setText(value ? QString() : value.error().text);
        row.complaint->setVisible(!value);
    }
}

void ParameterForm::noteEdited()
{
    check();
    Q_EMIT edited();
}

/// The wheel scrolls the panel; it changes a value only in the field that has the focus.
bool ParameterForm::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Wheel && !static_cast<QWidget *>(watched)->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}
