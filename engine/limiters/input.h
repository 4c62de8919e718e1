// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QList>

#include <memory>

class QFile;

namespace interlock {

/// The bytes of a file of requests, for as long as this lives. Mapped where that is possible, so that a long file is not in
/// memory twice.
class InputFile
{
public:
    /// Missing, with a sentence: it cannot be read.
    static Result<InputFile> open(const QString &path);
    InputFile(InputFile &&) noexcept;
    ~InputFile();

    QByteArrayView bytes() const;

private:
    InputFile();

    std::unique_ptr<QFile> m_file;
    const uchar *m_mapped = nullptr; ///< null: m_read counts
    QByteArray m_read;
};

/// Numbers keys in the order of their first appearance.
class KeyTable
{
public:
    quint32 indexOf(QByteArrayView key);
    /// Without repetition, by their numbers. The table is empty afterwards.
    QList<QByteArray> take();

private:
    QHash<QByteArray, quint32> m_indices;
    QList<QByteArray> m_keys;
};

/// Behind a BOM, if there is one.
QByteArrayView withoutBom(QByteArrayView text);

}
