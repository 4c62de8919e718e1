// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/measures/measureplot.h"

#include <QScrollArea>
#include <QTimer>

namespace interlock {

class RunModel;

/// The shown run's measures in the window: charts that grow while the run is live, and read a point under the pointer. Arrow keys
/// go from point to point, Enter or a click opens the run of the set that a point was taken from.
class MeasuresView : public QScrollArea
{
    Q_OBJECT

public:
    explicit MeasuresView(const RunModel &run, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    const MeasurePlot &plot() const { return *m_plot; }

Q_SIGNALS:
    /// For the status bar: what the point under the pointer says; empty when there is none.
    void pointed(const QString &what);
    /// A person wants to see this run of the set.
    void childAsked(const QString &name);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void countAgain();
    void redraw();
    void mark(std::optional<PointPlace> place);
    void step(int along, int across);
    void ask(const PointPlace &place);

    const RunModel &m_run;
    MeasurePlot *m_plot;
    QTimer m_soon; ///< a live run is counted a few times a second, and only while it is looked at
};

}
