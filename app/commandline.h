// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace interlock {

/// The whole program, once it is clear that it was not started as a keeper. Returns its exit status.
int runCommandLine(int argc, char **argv);

}
