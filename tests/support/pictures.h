// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/scenes.h"

#include <QTemporaryDir>

namespace interlock {

/// Exports views into a folder of its own.
class Pictures
{
public:
    /// The bytes of the file; none, and a warning: it could not be drawn.
    QByteArray exported(const Run &run, const QString &view, const QString &suffix, const ExportOptions &options = {});
    QString path(const QString &name) const { return m_folder.filePath(name); }

private:
    QTemporaryDir m_folder;
};

/// All words of an SVG, in the order in which they are drawn; or what is wrong with it.
QString wordsOf(const QByteArray &svg);
/// Fails the test unless all texts of an SVG of that size are inside it, can be seen and have 11 pixels at least, and there are more than ten.
void verifyTextsAreInside(const QByteArray &svg, const QSizeF &millimetres);
/// Fails the test if one text of an SVG runs into another. Precondition: nothing in it is moved, as a timeline among other pictures is.
void verifyTextsAreApart(const QByteArray &svg);

}
