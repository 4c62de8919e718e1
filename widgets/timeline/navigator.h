// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/scale.h"

#include <vector>

namespace interlock {

/// Where in a run a person looks, where they looked before, and whether the view follows the end of a live run.
/// No window in sight: the view tells it the width and asks for the scale.
class Navigator
{
public:
    const Scale &scale() const { return m_scale; }
    bool isFollowing() const { return m_isFollowing; }
    bool isWhole() const { return m_isWhole; } ///< shows the whole run, also when that grows or the window does

    void setWidth(double pixels);
    /// The run reaches up to here (ns). A view that follows moves with it.
    void setEnd(double now);
    /// Turning it on moves to the end, with as much shown as now.
    void setFollowing(bool follow);

    /// All of these are a person's doing: they stop following and can be taken back.
    void zoom(double pixel, double factor);
    void pan(double pixels);
    void show(double from, double to, double margin = 0.25); ///< ns
    void fit();
    void goToStart();
    void goToEnd();
    bool back(); ///< to where the person looked before; false if there is nothing

    /// Brings a time into view if it is not, as far from the edges as possible, with as much shown as now.
    void reveal(double time);
    /// Another run: all of it is shown, nothing is remembered.
    void reset(double now);

private:
    enum class Move { None, Zoom, Pan, Jump };
    double from() const { return -m_end * margin(); }
    double to() const { return m_end * (1 + margin()); }
    static double margin() { return 0.02; }
    void move(Move kind, const Scale &scale);
    void showWhole();

    Scale m_scale;
    double m_end = 1e9;
    bool m_isFollowing = false;
    bool m_isWhole = true;
    Move m_last = Move::None; // moves of one kind in a row are taken back together
    std::vector<Scale> m_before;
};

}
