// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/valuefield.h"

#include <QLineEdit>
#include <QStyleOptionSpinBox>

#include <algorithm>

namespace interlock {

ValueField::ValueField(const Parameter &parameter, QWidget *parent)
    : QAbstractSpinBox(parent)
    , m_parameter(parameter)
{
    setAlignment(Qt::AlignLeft);
    setButtonSymbols(NoButtons); // the arrow keys and the wheel step
    setValue(parameter.value);
    connect(lineEdit(), &QLineEdit::textEdited, this, &ValueField::edited);
    connect(this, &QAbstractSpinBox::editingFinished, this, [this] {
        if (const Result<qint64> typed = value())
            setValue(*typed);
    });
}

QString ValueField::shown(const Parameter &parameter, qint64 value)
{
    if (parameter.type == Parameter::Type::Integer)
        return parameter.show(value);
    const QString written = parameter.write(value);
    for (qsizetype i = 0; i < written.size(); ++i) {
        if (written[i].isLetter()) // "1500ms" is shown as "1500 ms"
            return written.left(i) + QLatin1Char(' ') + written.mid(i);
    }
    return written;
}

QSize ValueField::minimumSizeHint() const
{
    const QString longest = shown(m_parameter, m_parameter.type == Parameter::Type::Integer ? m_parameter.most : m_parameter.value);
    constexpr int aroundTheText = 10; // the cursor, and what the line edit keeps free on both sides
    const QSize hint = QAbstractSpinBox::minimumSizeHint();
    QStyleOptionSpinBox option;
    initStyleOption(&option);
    const QSize contents(fontMetrics().horizontalAdvance(longest) + aroundTheText, hint.height());
    return {std::max(hint.width(), style()->sizeFromContents(QStyle::CT_SpinBox, &option, contents, this).width()), hint.height()};
}

QString ValueField::written() const
{
    QString typed = text().trimmed();
    if (m_parameter.type == Parameter::Type::Integer) {
        for (const QString &unit : m_parameter.unit.split(QLatin1Char('|'))) {
            if (typed.endsWith(unit)) {
                typed.chop(unit.size());
                break;
            }
        }
    }
    return typed.remove(QLatin1Char(' '));
}

void ValueField::setWritten(const QString &text)
{
    if (const Result<qint64> number = m_parameter.parse(text))
        setValue(*number);
    else
        lineEdit()->setText(text);
}

Result<qint64> ValueField::value() const
{
    return m_parameter.parse(written());
}

void ValueField::setValue(qint64 value)
{
    lineEdit()->setText(shown(m_parameter, value));
}

/// A tenth of the value's magnitude for durations: 1500 ms steps by 100 ms, 50 ms by 1 ms; whole numbers step by one.
qint64 ValueField::step(qint64 value, bool up) const
{
    if (m_parameter.type == Parameter::Type::Integer)
        return 1;
    qint64 magnitude = 1;
    while (magnitude * 10 <= value - (up ? 0 : 1))
        magnitude *= 10;
    return std::max<qint64>(magnitude / 10, 1000);
}

void ValueField::stepBy(int steps)
{
    qint64 number = value() ? *value() : m_parameter.value;
    for (int i = 0; i < std::abs(steps); ++i)
        number += steps > 0 ? step(number, true) : -step(number, false);
    setValue(std::clamp(number, m_parameter.least, m_parameter.most));
    selectAll();
    Q_EMIT edited();
}

QValidator::State ValueField::validate(QString &, int &) const
{
    return QValidator::Acceptable;
}

QAbstractSpinBox::StepEnabled ValueField::stepEnabled() const
{
    const Result<qint64> number = value();
    StepEnabled enabled = StepNone;
    if (!number || *number < m_parameter.most)
        enabled |= StepUpEnabled;
    if (!number || *number > m_parameter.least)
        enabled |= StepDownEnabled;
    return enabled;
}

}
