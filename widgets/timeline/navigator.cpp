// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/navigator.h"

namespace interlock {

namespace {

constexpr double shortestLiveView = 1e9; ///< ns: a live run's first events are not blown up
constexpr size_t remembered = 200;

}

void Navigator::setWidth(double pixels)
{
    m_scale.width = std::max(1.0, pixels);
}

void Navigator::setEnd(double now)
{
    m_end = std::max(1.0, now);
    if (m_isWhole)
        showWhole();
    else if (m_isFollowing)
        m_scale.begin = to() - m_scale.length;
}

void Navigator::setFollowing(bool follow)
{
    m_isFollowing = follow;
    if (follow && !m_isWhole)
        m_scale.begin = std::max(from(), to() - m_scale.length);
}

void Navigator::move(Move kind, const Scale &scale)
{
    const Scale clamped = scale.clamped(from(), to());
    m_isFollowing = false;
    if (clamped == m_scale)
        return;
    if (kind == Move::Jump || kind != m_last) {
        m_before.push_back(m_scale);
        if (m_before.size() > remembered)
            m_before.erase(m_before.begin());
    }
    m_last = kind;
    m_isWhole = false;
    m_scale = clamped;
}

void Navigator::zoom(double pixel, double factor)
{
    move(Move::Zoom, m_scale.zoomed(pixel, factor));
}

void Navigator::pan(double pixels)
{
    move(Move::Pan, m_scale.panned(pixels));
}

void Navigator::show(double begin, double end, double share)
{
    move(Move::Jump, m_scale.showing(begin, end, share));
}

void Navigator::fit()
{
    move(Move::Jump, m_scale.showing(from(), to()));
    showWhole();
    m_isWhole = true;
}

void Navigator::goToStart()
{
    Scale scale = m_scale;
    scale.begin = from();
    move(Move::Jump, scale);
}

void Navigator::goToEnd()
{
    Scale scale = m_scale;
    scale.begin = to() - scale.length;
    move(Move::Jump, scale);
}

bool Navigator::back()
{
    if (m_before.empty())
        return false;
    const double width = m_scale.width;
    m_scale = m_before.back();
    m_scale.width = width;
    m_before.pop_back();
    m_last = Move::None;
    m_isWhole = m_scale.length >= to() - from();
    m_isFollowing = false;
    return true;
}

void Navigator::reveal(double time)
{
    const double air = 0.05 * m_scale.length;
    if (time >= m_scale.begin + air && time <= m_scale.end() - air)
        return;
    if (m_isWhole && time >= m_scale.begin && time <= m_scale.end())
        return;
    Scale scale = m_scale;
    scale.begin = time - scale.length / 2;
    move(Move::Jump, scale);
}

void Navigator::reset(double now)
{
    m_before.clear();
    m_last = Move::None;
    m_isWhole = true;
    m_isFollowing = false;
    setEnd(now);
}

void Navigator::showWhole()
{
    m_scale = m_scale.showing(from(), m_isFollowing ? std::max(to(), shortestLiveView) : to());
}

}
