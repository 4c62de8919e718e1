// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

namespace interlock {

/// A complete run of @p count events in order of time: every kind, every enumerator, every slot filled or empty, texts of
/// every sort. The same for the same seed.
Run randomRun(size_t count, quint64 seed);

}
