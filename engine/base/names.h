// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <deque>
#include <vector>

namespace interlock {

/// A text in a table of names, by its number there. 0 is the empty text.
using Name = quint32;

/// Interned texts (UTF-8): each is kept once, events hold its number. Numbers are given in order of first use.
class Names
{
public:
    Names();

    /// The number of @p text, which is added if it is new.
    Name intern(QByteArrayView text);
    Name intern(const QByteArray &text) { return intern(QByteArrayView(text)); }
    Name intern(const QString &text) { return intern(QByteArrayView(text.toUtf8())); }
    Name intern(const char *text) { return intern(QByteArrayView(text)); }

    /// The number of @p text, or 0 if it is not in the table.
    Name find(QByteArrayView text) const;

    const QByteArray &bytes(Name name) const { return m_texts[name < m_texts.size() ? name : 0]; }
    QString text(Name name) const { return QString::fromUtf8(bytes(name)); }

    /// How many texts there are, the empty one included.
    size_t size() const { return m_texts.size(); }

private:
    /// Of a table with open addressing: looking for a text touches one place in memory, not a list of them. A run has a new text for
    /// each answer that tells the time.
    struct Slot
    {
        quint32 hash = 0;
        Name name = 0; ///< 0: free
    };
    size_t slotOf(QByteArrayView text, quint32 hash) const;
    void grow();

    std::deque<QByteArray> m_texts; // a deque, so that references stay valid
    std::vector<Slot> m_slots; // a power of two of them, at most half of them taken
};

}
