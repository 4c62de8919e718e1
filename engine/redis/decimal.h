// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <charconv>
#include <iterator>
#include <string_view>

namespace interlock {

/// A whole number in decimal, in place: QByteArray::number() would allocate memory for each.
class Decimal
{
public:
    explicit Decimal(qint64 number)
        : m_size(static_cast<size_t>(std::to_chars(std::begin(m_digits), std::end(m_digits), number).ptr - m_digits))
    {
    }
    size_t size() const { return m_size; }
    std::string_view text() const { return {m_digits, m_size}; }

private:
    char m_digits[20];
    size_t m_size;
};

}
