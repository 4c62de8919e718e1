// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace interlock {

class Command;

/// The command as Redis's protocol writes one: an array of strings. @param bytes is overwritten; its memory is kept.
void encode(const Command &command, std::string &bytes);

}
