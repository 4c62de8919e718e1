// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/input.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

namespace interlock {

Result<InputFile> InputFile::open(const QString &path)
{
    const auto unreadable = [&](const QString &why) {
        return Error {Error::Kind::Missing, QCoreApplication::translate("Trace", "%1 cannot be read: %2.").arg(path, why)};
    };
    if (QFileInfo(path).isDir())
        return unreadable(QCoreApplication::translate("Trace", "it is a directory"));
    InputFile input;
    input.m_file = std::make_unique<QFile>(path);
    QFile &file = *input.m_file;
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(file.errorString());
    // What cannot be mapped (a pipe, an empty file) is read.
    if (file.size() > 0)
        input.m_mapped = file.map(0, file.size());
    if (!input.m_mapped)
        input.m_read = file.readAll();
    return input;
}

InputFile::InputFile() = default;
InputFile::InputFile(InputFile &&) noexcept = default;
InputFile::~InputFile() = default;

QByteArrayView InputFile::bytes() const
{
    return m_mapped ? QByteArrayView(m_mapped, m_file->size()) : QByteArrayView(m_read);
}

quint32 KeyTable::indexOf(QByteArrayView key)
{
    // Looked up without a copy; only a new one is copied, since the reader's memory is used again.
    const auto known = m_indices.constFind(QByteArray::fromRawData(key.data(), key.size()));
    if (known != m_indices.constEnd())
        return *known;
    const QByteArray copy(key.data(), key.size());
    const auto index = static_cast<quint32>(m_keys.size());
    m_indices.insert(copy, index);
    m_keys.append(copy);
    return index;
}

QList<QByteArray> KeyTable::take()
{
    m_indices.clear();
    return std::exchange(m_keys, {});
}

QByteArrayView withoutBom(QByteArrayView text)
{
    return text.startsWith("\xEF\xBB\xBF") ? text.sliced(3) : text;
}

}
