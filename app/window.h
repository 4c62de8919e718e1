// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace interlock {

/// Shows the window, with the first of these run files opened in it, until it is closed; the program's exit status. A QApplication must exist.
///
/// With INTERLOCK_STARTUP_PROBE set in the environment it prints "painted NS", the monotonic clock after the first paint, and ends.
int runWindow(QStringList files);

}
