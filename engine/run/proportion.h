// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace interlock {

/// Between these two the true share lies, with a confidence of 95 %.
struct ShareBounds
{
    double low = 0;
    double high = 1;

    bool operator==(const ShareBounds &) const = default;
};

/// Wilson's score interval for @p count of @p trials: it stays within 0 and 1, and says something of 0 of n and n of n too.
/// 9 of 30: 0.1666 to 0.4788. Of no trials nothing is known: 0 to 1. Counts outside of 0 to @p trials are taken for the nearest of these.
/// E. B. Wilson: Probable Inference, the Law of Succession, and Statistical Inference, Journal of the American Statistical
/// Association 22 (1927), 209–212; compared with others by R. G. Newcombe, Statistics in Medicine 17 (1998), 857–872, as method 3.
ShareBounds wilsonBounds(qint64 count, qint64 trials);

}
