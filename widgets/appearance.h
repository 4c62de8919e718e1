// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace interlock {

struct Theme;

/// Gives the whole application a theme: palette, font and a small style sheet. The one place where that happens.
///
/// Buttons say what they are by the dynamic property "role": "run", "break", "safe"; what lies on a side panel has the property "panel".
void applyTheme(QApplication &application, const Theme &theme);

}
