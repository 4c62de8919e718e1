// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/limiters/limiterpicture.h"
#include "widgets/timeline/pointerlayer.h"

#include <qcustomplot.h>

namespace interlock {

/// Limiters as a picture: a row for each over one time axis, and a legend. The window and the exported scenes draw this one.
class LimiterPlot : public QCustomPlot
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

    /// What is shown; its width is that of the rows. Does not redraw.
    Scale scale() const;
    void setScale(const Scale &scale);

    /// Rows are never lower than this while the view can scroll; a picture on paper cannot: 0.
    void setLeastRow(double pixels) { m_leastRow = pixels; }
    double scrolled() const { return m_scrolled; } ///< pixels
    void setScrolled(double pixels);
    double rowHeight() const { return m_rowHeight; }
    double rowsHeight() const { return m_rowHeight * static_cast<double>(m_picture.rows.size()); }
    QRectF rowsArea() const { return axisRect()->rect(); }
    std::optional<size_t> rowAt(double y) const; ///< index into the picture's rows
    QRectF placeOf(size_t row) const; ///< of the whole row, its names too; may be scrolled out
    LimiterHeights heights() const { return heightsFor(m_picture, scale(), m_rowHeight); }
    /// Fits rows and margins to the size; to be called before a redraw when rows, theme or size have changed.
    void layOut(const QSize &size);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    class Rows;

    LimiterPicture m_picture;
    Rows *m_rows; // owned by the plot
    double m_leastRow = 60;
    double m_rowHeight = 100;
    double m_scrolled = 0;
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

    QRectF area() const override { return m_limiters.rowsArea(); }
    Scale scale() const override { return m_limiters.scale(); }
    const Theme &theme() const override { return m_limiters.picture().theme; }

protected:
    void drawSelected(QPainter &painter) const override;

private:
    LimiterPlot &m_limiters;
};

}
