// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QList>
#include <QPalette>
#include <QString>

namespace interlock {

/// How things look, on the screen and in exported pictures. One colour per owner everywhere (Okabe–Ito), vermilion with a
/// hatch only for what broke the promise; no colour speaks alone.
struct Theme
{
    enum class Hatch { None, Rising, Falling, Cross, Dots, Horizontal };

    QString name; ///< "light", "dark", "print"
    QColor background;
    QColor panel; ///< behind side panels and table headers
    QColor text;
    QColor quiet; ///< secondary text
    QColor line; ///< borders and separators
    QColor grid; ///< fainter than line
    QColor accent; ///< the selected, the Run button
    QColor broken; ///< vermilion: only for what broke the promise
    QColor held;
    QColor unknown;
    QList<QColor> owners; ///< by order of the actors' lanes, repeated when there are more
    QList<Hatch> ownerHatches; ///< told apart without colour as well
    QFont font; ///< of ordinary text; its size already carries the scale
    double scale = 1; ///< 1 on a desk; about 2 when presenting

    static Theme light(double scale = 1);
    static Theme dark(double scale = 1);
    static Theme print(); ///< white background, for documents
    static Theme named(const QString &name, double scale = 1); ///< an unknown name gives light

    QColor owner(int laneIndex) const;
    Hatch ownerHatch(int laneIndex) const;
    static bool isDark(const QPalette &palette);
    /// Black or white, whichever reads better on @p fill.
    static QColor textOn(const QColor &fill);
    QFont sized(double factor, bool bold = false) const;
    QPalette palette() const;

    bool operator==(const Theme &) const = default;
};

}
