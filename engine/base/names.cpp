// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/names.h"

namespace interlock {

namespace {
std::string_view view(QByteArrayView text)
{
    return {text.data(), static_cast<size_t>(text.size())};
}
}

Names::Names()
{
    intern(QByteArrayView(""));
}

Names::Names(const Names &other)
{
    for (const QByteArray &text : other.m_texts)
        intern(text);
}

Names &Names::operator=(const Names &other)
{
    if (this != &other)
        *this = Names(other);
    return *this;
}

Name Names::intern(QByteArrayView text)
{
    if (const auto known = m_numbers.find(view(text)); known != m_numbers.end())
        return known->second;
    const auto number = static_cast<Name>(m_texts.size());
    m_texts.push_back(text.toByteArray());
    m_numbers.emplace(view(m_texts.back()), number);
    return number;
}

Name Names::find(QByteArrayView text) const
{
    const auto known = m_numbers.find(view(text));
    return known == m_numbers.end() ? 0 : known->second;
}

}
