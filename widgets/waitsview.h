// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QScrollArea>
#include <QTimer>

namespace interlock {

class RunModel;
class WaitsPlot;

/// The shown run's waits in the window: the plot, which scrolls where clients are many, and counts along while the run is live.
class WaitsView : public QScrollArea
{
    Q_OBJECT

public:
    explicit WaitsView(const RunModel &run, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void countAgain();
    void redraw();

    const RunModel &m_run;
    WaitsPlot *m_plot;
    QTimer m_soon; ///< a live run is counted a few times a second, and only while it is looked at
};

}
