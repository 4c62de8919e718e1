// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QFrame>
#include <QStringList>

class QLabel;
class QPushButton;

namespace interlock {

/// A line over the picture for what has to be known and needs no answer: the problems of a file, a failure to save. One button takes it away.
class Banner : public QFrame
{
    Q_OBJECT

public:
    explicit Banner(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// @param details are listed below the sentence, the first few of them; the rest is counted.
    void say(const QString &sentence, const QStringList &details = {});
    void clear();
    QString text() const;

private:
    QLabel *m_text;
    QPushButton *m_close;
};

}
