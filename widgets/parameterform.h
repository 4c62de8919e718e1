// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/parameter.h"
#include "widgets/theme.h"

#include <QList>
#include <QWidget>

class QFormLayout;
class QLabel;
class QPushButton;

namespace interlock {

/// A form for an experiment's parameters, built from their declaration: a label, an editor by type, and a sentence beside it
/// when the value cannot be used.
class ParameterForm : public QWidget
{
    Q_OBJECT

public:
    /// Names and values as the command line takes them.
    using Written = QList<std::pair<QString, QString>>;

    explicit ParameterForm(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Other parameters, at their defaults.
    void setParameters(const QList<Parameter> &parameters);
    /// These values over the defaults; names that are not declared are passed over.
    void setWritten(const Written &values);
    /// Back to the defaults.
    void reset();

    /// All values, in declared order; unusable ones as they were typed.
    Written written() const;
    bool isUsable() const;
    /// The first sentence about an unusable value, or empty.
    QString complaint() const;

    /// The editor of a parameter; null if it is not declared.
    QWidget *editor(const QString &name) const;

Q_SIGNALS:
    /// The user changed a value.
    void edited();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Row
    {
        Parameter parameter;
        QWidget *editor = nullptr;
        QLabel *complaint = nullptr;
    };
    QWidget *makeEditor(const Parameter &parameter);
    QString writtenOf(const Row &row) const;
    void setWrittenOf(const Row &row, const QString &text);
    void check();
    void noteEdited();

    Theme m_theme;
    QList<Row> m_rows;
    QWidget *m_fields = nullptr;
    QPushButton *m_reset;
};

}
