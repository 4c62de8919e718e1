// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/measuring.h"

#include "engine/run/recorder.h"

namespace interlock {

void recordMeasure(Recorder &recorder, const Measure &measure, const QString &child)
{
    Event event;
    event.kind = Event::Kind::Measure;
    event.what = static_cast<quint8>(measure.kind);
    event.at = recorder.now();
    event.lane = recorder.intern(child);
    event.text = recorder.intern(measure.series);
    event.number = measure.y;
    if (measure.kind == MeasureKind::Cell) {
        event.key = recorder.intern(measure.column);
        event.detail = recorder.intern(measure.outcome);
    } else {
        event.sent = measure.x;
        event.until = measure.low;
        event.answered = measure.kind == MeasureKind::Value ? measure.high : never;
    }
    recorder.record(event);
}

}
