// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/bands.h"
#include "widgets/timeline/lanepainter.h"
#include "widgets/timeline/timeplot.h"

#include <set>

namespace interlock {

class LaneNames;
class OpaquePaintBuffer;
class PhaseTicks;
class TimelinePlottable;

/// The timeline as a picture: lanes, their names and the time axis. The window and the exported scenes draw this one.
class TimelinePlot final : public TimePlot
{
    Q_OBJECT

public:
    explicit TimelinePlot(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// @p run and @p spans must outlive their being shown; call again when another run is shown.
    void setRun(const Run *run, const Spans *spans);
    void setNow(qint64 now) { m_picture.now = now; } ///< ns
    void setGuilty(std::set<size_t> events) { m_picture.guilty = std::move(events); }
    void setBroken(bool broken) { m_picture.overlapsBreak = broken; } ///< see overlapsBreakThePromise()
    void setLit(std::set<int> rows);

    /// Lanes are never lower than this while the view can scroll; a picture on paper cannot: 0.
    void setLeastLane(double pixels) { m_leastLane = pixels; }
    double rowsHeight() const override;
    double rowStep() const override;
    void setScrolled(double pixels) override;
    const std::vector<Band> &bands() const { return m_bands; }
    int rowAt(double y) const; ///< -1 if there is none
    void layOut(const QSize &size) override;

    const TimelinePicture &picture() const { return m_picture; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    TimelinePicture m_picture;
    OpaquePaintBuffer *m_buffer; // owned by the plot; of all layers below the first that has one of its own
    TimelinePlottable *m_lanes; // owned by the plot
    LaneNames *m_names; // owned by the plot
    PhaseTicks *m_phases; // owned by the plot
    std::vector<Band> m_bands;
    double m_leastLane = 26;
};

}
