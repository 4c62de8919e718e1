// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab/keeper.h"
#include "engine/lab/privateserver.h"
#include "engine/lab/serverprogram.h"
