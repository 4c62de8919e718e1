// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"
#include "widgets/timeline/spans.h"

#include <QRectF>
#include <QString>
#include <QStringList>

class QPainter;

namespace interlock {

/// The few things that charts draw themselves, so that they come out the same on screen, in SVG and in PDF: SVG knows no
/// clip rectangle and turns a brush's hatch into pixels, so geometry is cut here and hatches are lines.

/// @p share of @p over, the rest of @p under.
QColor mixed(const QColor &over, const QColor &under, double share);

/// Of work under a lock: the owner's colour, further from the background.
QColor workColor(const QColor &owner, const Theme &theme);

/// Whether what is painted is told shape by shape (SVG, PDF): few shapes of many lines are short there, many of a line each are long.
bool isToldInShapes(const QPainter &painter);
/// Lines with the painter's pen, in SVG and PDF as one shape.
void drawStrokes(QPainter &painter, const QList<QLineF> &lines);
/// Boxes of one colour without an outline.
void fillRects(QPainter &painter, const QList<QRectF> &rects, const QColor &color);

void drawHatch(QPainter &painter, const QRectF &rect, Theme::Hatch hatch, const QColor &color, double scale);
/// One hatch over many boxes, each by itself. Not for dots.
void drawHatch(QPainter &painter, const QList<QRectF> &rects, Theme::Hatch hatch, const QColor &color, double scale);

/// A filled box with an outline inside of it; corners are rounded where there is room.
void drawBox(QPainter &painter, const QRectF &rect, const QColor &fill, const QColor &outline = {}, double width = 1, bool dashed = false);

/// A horizontal line with short strokes up at its ends, from @p left to @p right at @p y: what lies above it belongs together.
void drawBracket(QPainter &painter, double left, double right, double y, const QColor &color, double scale);

double textWidth(const QFont &font, const QString &text);
/// The first of the texts that is not wider than @p width; empty if none fits.
QString fitting(const QFont &font, const QStringList &texts, double width);
/// The text, shortened with an ellipsis if need be; empty if hardly anything would be left.
QString elided(const QFont &font, const QString &text, double width);
/// The text, shortened after a whole word if need be, inside of a word only if that is the first.
QString shortened(const QFont &font, const QString &text, double width);
/// One line, its middle at @p middle vertically, from @p left on.
void drawLabel(QPainter &painter, const QFont &font, double left, double middle, const QString &text, const QColor &color);
/// How much room a line of this font needs vertically.
double lineHeight(const QFont &font);

/// The shape of a mark around a point; each kind has a shape of its own.
void drawMark(QPainter &painter, Mark::Kind kind, QPointF at, double size, const QColor &color, const QColor &background);

}
