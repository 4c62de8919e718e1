// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/waits.h"
#include "widgets/theme.h"

#include <qcustomplot.h>

namespace interlock {

/// "Median wait 84 ms, 99 % within 320 ms. 4.2 commands for each acquisition. Fairness of acquisitions 0.98 (1 is even).", who was never
/// granted it, or that nobody was granted a lock.
QString waitsSummary(const std::vector<LaneWaits> &lanes);

/// How long each client waited for the lock, as a picture: a row for each, a dot for each wait, all on one scale, so that
/// unfairness shows; beside the row in words what the waits cost. The window and the exported scenes draw this one.
class WaitsPlot : public QCustomPlot
{
    Q_OBJECT

public:
    explicit WaitsPlot(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Counts anew; the run need not outlive the call.
    void setRun(const Run &run);
    /// Places rows and margins for this size, in pixels; to be called before the plot is drawn elsewhere than in its widget.
    void layOut(const QSize &size);

    const QString &summary() const { return m_summary; }
    /// So that every row can be read.
    int readableHeight() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    /// One client's waits for one lock.
    struct Row
    {
        QString name;
        int owner = -1; ///< its index among the actors, for the theme's colours
        LaneWaits waits;
    };
    class Rows;

    Theme m_theme = Theme::light();
    std::vector<Row> m_rows;
    QString m_summary;
    QStringList m_head; ///< the summary in lines
    size_t m_wordiness = 0; ///< which of the texts beside a row is shown: 0 is the longest
    double m_unit = 1e6; ///< of the axis, in ns
    Rows *m_picture; // owned by the plot
};

}
