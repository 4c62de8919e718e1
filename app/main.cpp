// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "engine/lab/server.h"

int main(int argc, char **argv)
{
    if (const auto status = interlock::runAsKeeper(argc, argv))
        return *status;
    return interlock::runCommandLine(argc, argv);
}
