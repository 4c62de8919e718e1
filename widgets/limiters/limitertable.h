// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/limiterfigures.h"
#include "widgets/theme.h"

#include <QScrollArea>
#include <QTimer>

class QLabel;
class QTableView;

namespace interlock {

class LimiterTableModel;
class RunModel;

/// What was measured of each limiter, and below it the classic comparison filled from that. Ctrl+C copies what is selected.
class LimiterTable : public QScrollArea
{
    Q_OBJECT

public:
    explicit LimiterTable(const RunModel &run, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setHidden(const QStringList &limiters); ///< by name

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QTableView *addTable(const QString &title, LimiterTableModel *model);
    void startAgain();
    void countAgain();
    void countSome();
    void showRows();
    void fit();

    const RunModel &m_run;
    LimiterRecord m_record;
    std::shared_ptr<const Run> m_shown;
    std::vector<LimiterFigures> m_figures; // by series
    size_t m_next = 0; // the series to be measured next
    QStringList m_hidden;
    Theme m_theme = Theme::light();
    QList<QLabel *> m_titles;
    LimiterTableModel *m_measured;
    LimiterTableModel *m_compared;
    QList<QTableView *> m_tables;
    QTimer m_soon; ///< a live run is counted a few times a second, and only while it is looked at
};

}
