// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <QString>
#include <QStringList>

#include <cstddef>

namespace interlock {

/// One event as the tables show it, in the window and in exported files.
struct EventRow
{
    QString time; ///< seconds since the run began, with three decimals: "1.604"
    QString who; ///< the lane
    QString command; ///< what was asked or what happened: "DEL lock", "expired", "enters orders"
    QString answer; ///< as redis-cli would show it; of other events whether it was accepted
    QString note; ///< what it means: "granted", "removes nothing", "no TTL"

    bool operator==(const EventRow &) const = default;
};

/// The titles of the columns, in the order of EventRow.
QStringList eventColumns();

/// The row of run.events[index]. Cheap enough to be made when it is painted.
EventRow eventRow(const Run &run, size_t index);

/// One cell of it; column from 0 to 4.
QString eventCell(const EventRow &row, int column);

/// What an exported table of a run with decisions has besides: limiter, key and the figures by their names in run files. The cells of
/// run.events[index] in that order; empty where there is no such figure, and of every other event.
QStringList decisionColumns();
QStringList decisionCells(const Run &run, size_t index);

}
