// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/time.h"
#include "engine/run/runfile.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QTemporaryDir>

#include <cstdio>

// How long a run of a million events takes to be written and read, and how large its file is.

using namespace interlock;

namespace {

constexpr size_t count = 1'000'000;

/// What a client with a lock leaves, over and over: three commands, a grant, an end.
Run typicalRun()
{
    Run run;
    run.isComplete = true;
    run.events.reserve(count);
    const Name key = run.names.intern("lock");
    const Name node = run.names.intern("redis");
    const Name reply = run.names.intern("OK");
    for (size_t i = 0; i < count; ++i) {
        Event event;
        event.at = static_cast<qint64>(i) * 20'000;
        event.lane = run.names.intern(QByteArray("A" + QByteArray::number(i % 20)));
        if (i % 5 < 3) {
            event.kind = Event::Kind::Command;
            event.what = static_cast<quint8>(ReplyType::Status);
            event.node = node;
            event.text = run.names.intern(QByteArray("SET lock token-" + QByteArray::number(i / 5) + " NX PX 1000"));
            event.detail = reply;
            event.answered = event.at + 80'000;
            event.until = event.at + 95'000;
            event.flags = Event::Accepted;
        } else {
            event.kind = Event::Kind::Belief;
            event.what = static_cast<quint8>(i % 5 == 3 ? Belief::Granted : Belief::Ended);
            event.key = key;
            event.text = run.names.intern(QByteArray("token-" + QByteArray::number(i / 5)));
            event.sent = event.at - 95'000;
            event.answered = event.at - 15'000;
            if (i % 5 == 3)
                event.until = event.at + 1'000'000'000;
        }
        run.events.push_back(event);
    }
    return run;
}

double secondsSince(Nanoseconds begin)
{
    return static_cast<double>((monotonicNow() - begin).count()) / 1e9;
}

}

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("run.interlock.jsonl"));
    const Run run = typicalRun();

    Nanoseconds begin = monotonicNow();
    const Result<void> written = writeRunFile(path, run, {});
    const double writing = secondsSince(begin);
    begin = monotonicNow();
    const Result<ReadRun> read = readRunFile(path);
    const double reading = secondsSince(begin);
    if (!written || !read || !read->problems.isEmpty() || read->run.events.size() != count)
        return 1;
    std::printf(R"({"bench":"runfile","events":%zu,"write_s":%.3f,"read_s":%.3f,"file_bytes_per_event":%.1f,)"
                R"("memory_bytes_per_event":%zu})"
                "\n",
        count, writing, reading, static_cast<double>(QFileInfo(path).size()) / count, sizeof(Event));
    return 0;
}
