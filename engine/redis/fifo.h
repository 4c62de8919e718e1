// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <vector>

namespace interlock {

/// First in, first out, in one piece of memory that is kept: a connection that sends one command at a time allocates
/// nothing. Iterating gives the oldest first.
template<typename T>
class Fifo
{
public:
    bool isEmpty() const { return m_first == m_items.size(); }
    void push(T item) { m_items.push_back(std::move(item)); }
    T take()
    {
        T item = std::move(m_items[m_first++]);
        if (isEmpty())
            clear();
        else if (m_first >= 1024 && m_first * 2 >= m_items.size())
            compact();
        return item;
    }
    void clear()
    {
        m_items.clear();
        m_first = 0;
    }
    auto begin() { return m_items.begin() + static_cast<std::ptrdiff_t>(m_first); }
    auto end() { return m_items.end(); }

private:
    void compact()
    {
        m_items.erase(m_items.begin(), begin());
        m_first = 0;
    }

    std::vector<T> m_items;
    size_t m_first = 0;
};

}
