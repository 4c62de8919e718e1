// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/failoverladder.h"
#include "engine/run/run.h"
#include "widgets/theme.h"

#include <QRectF>
#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace interlock {

/// Ladders as a list of steps: who told of each, how long after the loss it came and how long after the step before it. Drawn so in the
/// window and on paper.
class LadderPicture
{
public:
    /// A line of the list: a ladder's title, or one of its rungs.
    struct Row
    {
        size_t ladder = 0;
        int rung = -1; ///< -1: the title
        QRectF place; ///< pixels, from the list's top left
        QStringList meaning; ///< of the selected rung: lines below it

        bool isTitle() const { return rung < 0; }
    };

    void setTheme(const Theme &theme) { m_theme = theme; }
    const Theme &theme() const { return m_theme; }
    /// Both must outlive their being shown. Call layOut() afterwards.
    void setLadders(const Run *run, const std::vector<Ladder> *ladders);
    /// The rung of this event is explained.
    void setSelected(std::optional<size_t> event) { m_selected = event; }
    void setMoment(qint64 time) { m_moment = time; } ///< ns: what comes later is quiet
    void setPointed(int row) { m_pointed = row; } ///< -1: none

    /// One under the other at this width.
    void layOut(double width);
    /// Into this size, in columns where that helps; steps of less weight are left out before others are.
    void fit(const QSizeF &size);
    double height() const { return m_height; } ///< of all rows
    const std::vector<Row> &rows() const { return m_rows; }
    int rowAt(const QPointF &at) const; ///< -1: none
    int rowOf(size_t event) const; ///< -1: none
    int momentRow() const; ///< the last rung that has been reached; -1: none
    const Rung *rung(int row) const; ///< null for titles and for -1

    /// What of it lies in @p visible (in the list's pixels), with the list's top left at @p origin.
    void draw(QPainter &painter, const QPointF &origin, const QRectF &visible) const;

private:
    void place(double width, double height, int columns, bool withMinor);
    void drawTitle(QPainter &painter, const Row &row, const QRectF &at) const;
    void drawRung(QPainter &painter, const Row &row, const QRectF &at, bool isMoment) const;
    void drawDot(QPainter &painter, const Rung &rung, const QPointF &at, bool isReached) const;
    double rungHeight() const;

    const Run *m_run = nullptr;
    const std::vector<Ladder> *m_ladders = nullptr;
    Theme m_theme = Theme::light();
    std::optional<size_t> m_selected;
    qint64 m_moment = never;
    int m_pointed = -1;
    std::vector<Row> m_rows;
    double m_height = 0;
    int m_missing = 0; // rungs that have no room
    QRectF m_last; // where that is said
};

/// Steps that a small picture can do without.
bool isMinor(const Rung &rung);

}
