// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/experiments/parameter.h"

#include <QWidget>

class QLineEdit;

namespace interlock {

/// A field for the path of a file: typed, or chosen in a dialog.
class FileField : public QWidget
{
    Q_OBJECT

public:
    explicit FileField(const Parameter &parameter, QWidget *parent = nullptr);

    QString path() const;
    void setPath(const QString &path);

Q_SIGNALS:
    void edited();

private:
    void choose();

    Parameter m_parameter;
    QLineEdit *m_path;
};

}
