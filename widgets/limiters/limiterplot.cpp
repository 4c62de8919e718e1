// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limiterplot.h"

#include "widgets/timeline/pictureplottable.h"
#include "widgets/timeline/timeaxis.h"

#include <algorithm>

namespace interlock {

namespace {

/// Pixels at scale 1: more would not be read better.
double comfortableRow(size_t rows)
{
    return rows <= 2 ? 360 : 210;
}

}

/// Everything but the axis and its grid.
class LimiterPlot::Rows : public PicturePlottable
{
public:
    explicit Rows(LimiterPlot &plot)
        : PicturePlottable(plot)
        , m_plot(plot)
    {
    }

protected:
    void draw(QCPPainter *painter) override;

private:
    const LimiterPlot &m_plot;
};

void LimiterPlot::Rows::draw(QCPPainter *painter)
{
    // QCPPainter moves everything by half a pixel for antialiased lines; boxes would get blurred edges from that.
    painter->setAntialiasing(false);
    painter->setRenderHint(QPainter::Antialiasing);
    const LimiterPicture &picture = m_plot.m_picture;
    if (!picture.record || picture.rows.empty())
        return;
    const QRectF area = m_plot.rowsArea();
    const LimiterHeights heights = m_plot.heights();
    const Scale scale = m_plot.scale();
    painter->save();
    // On a screen a row that is half scrolled out is clipped; exported pictures never scroll.
    if (m_plot.rowsHeight() > area.height() + 1)
        painter->setClipRect(QRectF(0, area.top(), m_plot.viewport().width(), area.height()));
    for (size_t i = 0; i < picture.rows.size(); ++i) {
        const QRectF place = m_plot.placeOf(i);
        if (place.bottom() <= area.top() || place.top() >= area.bottom())
            continue;
        LimiterRowPainter(*painter, picture, heights, scale, place, QRectF(area.left(), place.top(), area.width(), place.height()), picture.rows[i]).draw();
    }
    painter->restore();
    const double below = area.bottom() + lineHeight(picture.theme.sized(0.85)) + 12 * picture.theme.scale;
    drawLegendFlow(painter, QRectF(0, below, m_plot.viewport().width(), m_plot.m_legendHeight), limiterLegend(picture, heights), picture.theme);
}

LimiterPlot::LimiterPlot(QWidget *parent)
    : TimePlot(parent)
    , m_rows(new Rows(*this))
{
    setUpTimeAxis(*this, m_picture.theme, m_picture.now);
    setTheme(Theme::light());
}

void LimiterPlot::setTheme(const Theme &theme)
{
    m_picture.theme = theme;
    styleTimeAxis(*this, theme);
    layOut(size());
}

void LimiterPlot::setRun(const Run *run, const LimiterRecord *record)
{
    m_picture.run = run;
    m_picture.record = record;
}

void LimiterPlot::setFigures(size_t series, const LimiterFigures &figures)
{
    if (m_picture.figures.size() <= series)
        m_picture.figures.resize(series + 1);
    m_picture.figures[series] = figures;
}

void LimiterPlot::layOut(const QSize &size)
{
    const Theme &theme = m_picture.theme;
    const double s = theme.scale;
    const double names = m_picture.record ? LimiterRowPainter::namesWidth(m_picture, size.width()) : 80 * s;
    const double figures = LimiterRowPainter::figuresWidth(m_picture, size.width());
    setViewport(QRect(QPoint(), size));
    m_legendHeight = m_picture.record ? drawLegendFlow(nullptr, QRectF(QPointF(), size), limiterLegend(m_picture, heights()), theme) + 2 * s : 0;
    const double bottom = lineHeight(theme.sized(0.85)) + 14 * s + m_legendHeight;
    const double top = 4 * s;
    // The layout system would do this only while drawing, but whoever asks for positions before that needs it now.
    axisRect()->setMargins(QMargins(static_cast<int>(names), static_cast<int>(top), static_cast<int>(figures), static_cast<int>(bottom)));
    axisRect()->setOuterRect(QRect(QPoint(), size));
    axisRect()->update(QCPLayoutElement::upLayout);
    const double each = rowsArea().height() / static_cast<double>(std::max<size_t>(1, m_picture.rows.size()));
    const double most = comfortableRow(m_picture.rows.size()) * s;
    m_rowHeight = m_leastRow > 0 ? std::floor(std::clamp(each, m_leastRow * s, most)) : each; // paper is as large as its author wants it
    // A few rows are not spread over a large place: the axis stands right below them.
    const double spare = std::max(0.0, rowsArea().height() - rowsHeight());
    axisRect()->setMargins(QMargins(static_cast<int>(names), static_cast<int>(top), static_cast<int>(figures), static_cast<int>(bottom + spare)));
    axisRect()->update(QCPLayoutElement::upLayout);
    setScrolled(scrolled());
}

QRectF LimiterPlot::placeOf(size_t row) const
{
    return QRectF(0, rowsArea().top() + static_cast<double>(row) * m_rowHeight - scrolled(), viewport().width(), m_rowHeight);
}

std::optional<size_t> LimiterPlot::rowAt(double y) const
{
    for (size_t i = 0; i < m_picture.rows.size(); ++i) {
        if (y >= placeOf(i).top() && y < placeOf(i).bottom())
            return i;
    }
    return {};
}

LimiterPointer::LimiterPointer(LimiterPlot *plot)
    : PointerLayer(plot)
    , m_limiters(*plot)
{
}

/// A line through all rows, and a ring in the one that is meant: above the base line if it was admitted, below if not.
void LimiterPointer::drawSelected(QPainter &painter) const
{
    if (!selected)
        return;
    const QRectF place = area();
    const double s = theme().scale;
    const double x = scale().toPixel(static_cast<double>(selected->time));
    if (x < 0 || x > place.width())
        return;
    painter.fillRect(QRectF(place.left() + std::round(x), place.top(), s, place.height()), theme().accent);
    const LimiterPicture &picture = m_limiters.picture();
    const LimiterHeights heights = m_limiters.heights();
    for (size_t i = 0; i < picture.rows.size(); ++i) {
        if (picture.rows[i].series != selected->series && picture.rows[i].twin != selected->series)
            continue;
        const double base = LimiterRowPainter::baseOf(m_limiters.placeOf(i), heights);
        const double radius = 5 * s;
        const double y = selected->answer == LimiterAnswer::Admitted ? base - radius : selected->answer == LimiterAnswer::Rejected ? base + 2 + radius : base + 1;
        if (y < place.top() || y > place.bottom())
            continue;
        painter.setPen(QPen(theme().accent, 2.4 * s));
        painter.setBrush(theme().background);
        painter.drawEllipse(QPointF(place.left() + std::round(x) + s / 2, y), radius, radius);
    }
}

}
