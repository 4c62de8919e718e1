// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/parameter.h"

#include <QAbstractSpinBox>

namespace interlock {

/// A field for a duration or a whole number, as text with its unit: "1500 ms", "5 clients". It keeps what was typed even if it is
/// not usable, so that the form can say why.
class ValueField : public QAbstractSpinBox
{
    Q_OBJECT

public:
    explicit ValueField(const Parameter &parameter, QWidget *parent = nullptr);

    /// The typed value, or Invalid with a sentence.
    Result<qint64> value() const;
    void setValue(qint64 value);
    /// As it is shown in a field.
    static QString shown(const Parameter &parameter, qint64 value);
    /// What the field holds, in the command line's notation: "1500ms", "5".
    QString written() const;
    void setWritten(const QString &text);

    /// So wide that the largest whole number and its unit are seen whole.
    QSize minimumSizeHint() const override;
    void stepBy(int steps) override;
    QValidator::State validate(QString &input, int &position) const override;

Q_SIGNALS:
    void edited();

protected:
    StepEnabled stepEnabled() const override;

private:
    qint64 step(qint64 value, bool up) const;

    Parameter m_parameter;
};

}
