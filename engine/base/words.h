// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace interlock {

/// Words for sentences that must list what there is.

/// "a", "a and b", "a, b and c"; the same with "or".
QString listedAnd(const QStringList &words);
QString listedOr(const QStringList &words);

/// The one of @p known that @p word was most likely meant to be; empty if none is close.
QString closest(const QString &word, const QStringList &known);
/// " Did you mean “release”?", with its leading space, or nothing.
QString didYouMean(const QString &word, const QStringList &known);

}
