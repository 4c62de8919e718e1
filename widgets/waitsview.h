// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/waits.h"
#include "widgets/theme.h"

#include <QScrollArea>
#include <QTimer>

namespace interlock {

class RunModel;

/// "Median wait 84 ms, 95 % within 320 ms. 4.2 commands for each acquisition. Fairness of acquisitions 0.98." or that nobody was granted a lock.
QString waitsSummary(const std::vector<LaneWaits> &lanes);

/// How long each client waited for the lock: a row for each, a dot for each wait, all on one scale, so that unfairness shows.
class WaitsView : public QScrollArea
{
    Q_OBJECT

public:
    explicit WaitsView(const RunModel &run, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);

protected:
    void showEvent(QShowEvent *event) override;

private:
    class Chart;
    void countAgain();

    const RunModel &m_run;
    Chart *m_chart;
    QTimer m_soon; ///< a live run is counted a few times a second, and only while it is looked at
};

}
