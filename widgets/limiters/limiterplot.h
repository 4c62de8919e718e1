// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/limiterpicture.h"
#include "widgets/timeline/pointerlayer.h"
#include "widgets/timeline/timeplot.h"

namespace interlock {

/// Limiters as a picture: a row for each over one time axis, and a legend. The window and the exported scenes draw this one.
class LimiterPlot final : public TimePlot
{
    Q_OBJECT

public:
    explicit LimiterPlot(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Both must outlive their being shown.
    void setRun(const Run *run, const LimiterRecord *record);
    void setRows(std::vector<LimiterRow> rows) { m_picture.rows = std::move(rows); }
    void setNow(qint64 now) { m_picture.now = now; } ///< ns
    void setFigures(std::vector<LimiterFigures> figures) { m_picture.figures = std::move(figures); }
    void setFigures(size_t series, const LimiterFigures &figures);
    const LimiterPicture &picture() const { return m_picture; }

    /// Rows are never lower than this while the view can scroll; a picture on paper cannot: 0.
    void setLeastRow(double pixels) { m_leastRow = pixels; }
    double rowHeight() const { return m_rowHeight; }
    double rowsHeight() const override { return m_rowHeight * static_cast<double>(m_picture.rows.size()); }
    double rowStep() const override { return m_rowHeight; }
    std::optional<size_t> rowAt(double y) const; ///< index into the picture's rows
    QRectF placeOf(size_t row) const; ///< of the whole row, its names too; may be scrolled out
    LimiterHeights heights() const { return heightsFor(m_picture, scale(), m_rowHeight); }
    void layOut(const QSize &size) override;

private:
    class Rows;

    LimiterPicture m_picture;
    Rows *m_rows; // owned by the plot
    double m_leastRow = 60;
    double m_rowHeight = 100;
    double m_legendHeight = 0;
};

/// What follows the pointer over the rows, and the selected request.
class LimiterPointer : public PointerLayer
{
    Q_OBJECT

public:
    explicit LimiterPointer(LimiterPlot *plot);

    struct Selected
    {
        size_t series = 0;
        qint64 time = 0; ///< ns
        LimiterAnswer answer = LimiterAnswer::Admitted;
    };
    std::optional<Selected> selected;

    const Theme &theme() const override { return m_limiters.picture().theme; }

protected:
    void drawSelected(QPainter &painter) const override;

private:
    LimiterPlot &m_limiters;
};

}
