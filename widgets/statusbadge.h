// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <QLabel>

namespace interlock {

class RunModel;

/// What was real in a run: "Redis 7.0.15 · own server · real time, pace 1 · 3 clients · 24 commands".
/// @param commands how many its record holds. @param isRecorded it was read from a file.
QString badgeText(const Header &header, size_t commands, bool isRecorded);

/// The badge of the shown run; counts along while it is live.
class StatusBadge : public QLabel
{
    Q_OBJECT

public:
    explicit StatusBadge(const RunModel &run, QWidget *parent = nullptr);

    void setRecorded(bool isRecorded);
    /// The user's server that the next run will use, without its password; empty: private servers.
    void setNext(const QString &target);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void countFrom(size_t event);
    void showText();

    const RunModel &m_run;
    size_t m_commands = 0;
    bool m_isRecorded = false;
    QString m_next;
};

}
