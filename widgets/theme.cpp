// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

constexpr double textPixels = 13; ///< ordinary text on a desk
constexpr double leastPixels = 11; ///< nothing is ever smaller than this times the scale

/// The Okabe–Ito colours without vermilion, which is kept for what broke the promise, and with a grey for black.
QList<QColor> okabeIto()
{
    return {QColor(0x00, 0x72, 0xb2), QColor(0xe6, 0x9f, 0x00), QColor(0x00, 0x9e, 0x73), QColor(0xcc, 0x79, 0xa7),
        QColor(0x56, 0xb4, 0xe9), QColor(0xf0, 0xe4, 0x42), QColor(0x80, 0x88, 0x92)};
}

QFont textFont(double scale)
{
    QFont font = QGuiApplication::font();
    // In pixels, so that text has the same size on every paint device whatever its resolution.
    font.setPixelSize(static_cast<int>(std::lround(textPixels * scale)));
    return font;
}

Theme base(const QString &name, double scale)
{
    Theme theme;
    theme.name = name;
    theme.owners = okabeIto();
    // By round of the colours: the eighth owner has the first one's colour and another hatch.
    theme.ownerHatches = {Theme::Hatch::None, Theme::Hatch::Falling, Theme::Hatch::Dots, Theme::Hatch::Horizontal,
        Theme::Hatch::Cross, Theme::Hatch::Rising};
    theme.scale = scale;
    theme.font = textFont(scale);
    return theme;
}

/// Relative luminance as WCAG 2 defines it.
double luminance(const QColor &color)
{
    const auto linear = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}

Theme Theme::light(double scale)
{
    Theme theme = base(QStringLiteral("light"), scale);
    theme.background = Qt::white;
    theme.panel = QColor(0xf5, 0xf7, 0xfa);
    theme.text = QColor(0x1a, 0x1f, 0x26);
    theme.quiet = QColor(0x5a, 0x64, 0x70);
    theme.line = QColor(0xdb, 0xe1, 0xe8);
    theme.grid = QColor(0xee, 0xf1, 0xf4);
    theme.accent = QColor(0x00, 0x72, 0xb2);
    theme.broken = QColor(0xd5, 0x5e, 0x00);
    theme.held = QColor(0x00, 0x7d, 0x5b);
    theme.unknown = QColor(0x6b, 0x5b, 0x95);
    return theme;
}

Theme Theme::dark(double scale)
{
    Theme theme = base(QStringLiteral("dark"), scale);
    theme.background = QColor(0x14, 0x18, 0x1d);
    theme.panel = QColor(0x1c, 0x22, 0x29);
    theme.text = QColor(0xec, 0xef, 0xf3);
    theme.quiet = QColor(0x9d, 0xa8, 0xb4);
    theme.line = QColor(0x36, 0x3f, 0x49);
    theme.grid = QColor(0x24, 0x2b, 0x33);
    theme.accent = QColor(0x56, 0xb4, 0xe9);
    theme.broken = QColor(0xf0, 0x7a, 0x2c);
    theme.held = QColor(0x2f, 0xc0, 0x95);
    theme.unknown = QColor(0xb3, 0xa3, 0xdd);
    return theme;
}

Theme Theme::print()
{
    Theme theme = light(1);
    theme.name = QStringLiteral("print");
    theme.panel = Qt::white;
    theme.text = Qt::black;
    theme.quiet = QColor(0x45, 0x4c, 0x55);
    theme.line = QColor(0xb8, 0xc0, 0xc8);
    theme.grid = QColor(0xe4, 0xe8, 0xec);
    // Hinted glyphs have other widths at other sizes: a document's layout must not depend on its resolution.
    theme.font.setHintingPreference(QFont::PreferNoHinting);
    return theme;
}

Theme Theme::named(const QString &name, double scale)
{
    if (name == QLatin1String("dark"))
        return dark(scale);
    if (name == QLatin1String("print"))
        return print();
    return light(scale);
}

QColor Theme::owner(int laneIndex) const
{
    if (laneIndex < 0 || owners.isEmpty())
        return quiet;
    return owners.at(laneIndex % owners.size());
}

Theme::Hatch Theme::ownerHatch(int laneIndex) const
{
    if (laneIndex < 0 || owners.isEmpty() || ownerHatches.isEmpty())
        return Hatch::None;
    return ownerHatches.at(laneIndex / owners.size() % ownerHatches.size());
}

bool Theme::isDark(const QPalette &palette)
{
    return luminance(palette.color(QPalette::Window)) < luminance(palette.color(QPalette::WindowText));
}

QColor Theme::textOn(const QColor &fill)
{
    const double behind = luminance(fill) + 0.05;
    return 1.05 / behind >= behind / 0.05 ? QColor(Qt::white) : QColor(Qt::black);
}

QFont Theme::sized(double factor, bool bold) const
{
    QFont result = font;
    const double pixels = std::max(leastPixels * scale, font.pixelSize() * factor);
    result.setPixelSize(static_cast<int>(std::lround(pixels)));
    result.setBold(bold);
    return result;
}

QPalette Theme::palette() const
{
    QPalette palette;
    palette.setColor(QPalette::Window, panel);
    palette.setColor(QPalette::Base, background);
    palette.setColor(QPalette::AlternateBase, panel);
    palette.setColor(QPalette::Button, panel);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, text);
    palette.setColor(QPalette::BrightText, broken);
    palette.setColor(QPalette::PlaceholderText, quiet);
    palette.setColor(QPalette::ToolTipBase, background);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, textOn(accent));
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::LinkVisited, accent);
    palette.setColor(QPalette::Light, background);
    palette.setColor(QPalette::Midlight, grid);
    palette.setColor(QPalette::Mid, line);
    palette.setColor(QPalette::Dark, line.darker(130));
    palette.setColor(QPalette::Shadow, text);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, quiet);
    return palette;
}

}
