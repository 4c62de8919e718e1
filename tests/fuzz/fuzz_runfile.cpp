// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/random.h"
#include "engine/checks/checks.h"
#include "engine/run/runfile.h"
#include "tests/support/randomrun.h"

#include <QBuffer>
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>

#include <cstdio>

// Damages a valid run file in many ways and reads it: whatever comes, the reader must give a run or a sentence, an
// incomplete run must never be held, and nothing may crash (run it in the asan preset).

using namespace interlock;

namespace {

size_t below(Random &random, qsizetype bound)
{
    return static_cast<size_t>(random.below(static_cast<quint64>(std::max<qsizetype>(bound, 1))));
}

qsizetype place(Random &random, const QByteArray &bytes)
{
    return static_cast<qsizetype>(below(random, bytes.size()));
}

/// One change, of the kinds that happen to files and of the kinds that people think up.
void damage(QByteArray &bytes, Random &random)
{
    static const QByteArray pieces[] {"{", "}", "[", "]", "\"", "\\", "\\u", "\n", "\r\n", ",", ":", "-", "null", "true", "1e999",
        "9223372036854775807", "-9223372036854775808", "99999999999999999999", "\xEF\xBB\xBF", "\xFF", QByteArray("\0", 1),
        "\"at\":", "\"event\":\"belief\"", "{\"end\":\"complete\",\"events\":0,\"dropped\":0,\"duration\":0}\n", "\"what\":255",
        "\"event\":\"decision\",\"what\":\"admitted\"", "\"number\":1,", "\"asked\":4503599627370496,", "\"cost\":-1,"};
    const qsizetype at = place(random, bytes);
    switch (random.below(7)) {
    case 0:
        bytes.truncate(at);
        return;
    case 1:
        if (!bytes.isEmpty())
            bytes[at] = static_cast<char>(random.below(256));
        return;
    case 2:
        bytes.insert(at, pieces[random.below(std::size(pieces))]);
        return;
    case 3:
        bytes.remove(at, static_cast<qsizetype>(1 + random.below(200)));
        return;
    case 4:
        bytes.insert(at, bytes.mid(place(random, bytes), static_cast<qsizetype>(random.below(2000))));
        return;
    case 5: { // a line goes elsewhere
        QByteArrayList lines = bytes.split('\n');
        lines.move(static_cast<qsizetype>(below(random, lines.size())), static_cast<qsizetype>(below(random, lines.size())));
        bytes = lines.join('\n');
        return;
    }
    default: { // a digit changes: still JSON, another time or number
        for (qsizetype i = at; i < bytes.size(); ++i) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                bytes[i] = static_cast<char>('0' + random.below(10));
                return;
            }
        }
    }
    }
}

/// What is wrong with how the reader took it; empty: nothing.
const char *objection(QByteArray bytes)
{
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    const Result<ReadRun> read = readRun(buffer, QStringLiteral("fuzz"));
    if (!read)
        return read.error().text.isEmpty() ? "refused without a sentence" : "";
    const Run &run = read->run;
    if (!run.isComplete && run.incompleteBecause.isEmpty())
        return "incomplete without a sentence";
    if (!run.isComplete && judge(run).judgement == Judgement::Held)
        return "incomplete and held";
    for (size_t i = 1; i < run.events.size(); ++i) {
        if (run.events[i].at < run.events[i - 1].at)
            return "out of order";
    }
    return "";
}

QByteArray validFile(quint64 seed)
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("run.interlock.jsonl"));
    Run run = randomRun(30, seed);
    run.header.checks = {{QStringLiteral("mutual-exclusion-work"), {{QStringLiteral("key"), QStringLiteral("lock")}}, true},
        {QStringLiteral("limiter-bound"), {{QStringLiteral("bound"), QStringLiteral("trailing")}, {QStringLiteral("limit"), QStringLiteral("5")},
                                              {QStringLiteral("window"), QStringLiteral("1000")}}, true}};
    for (const char *check : {"limiter-bound", "exactly-the-limit", "twin-equality", "key-without-ttl", "retry-honesty"})
        run.header.checks.append({QString::fromLatin1(check), {}, true});
    if (!writeRunFile(path, run, judge(run)))
        return {};
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addOption({"times", "How many damaged files to read.", "N", "100000"});
    parser.addOption({"seed", "Repeats a run.", "N", "1"});
    parser.process(application);
    const quint64 seed = parser.value("seed").toULongLong();
    const int times = parser.value("times").toInt();

    Random random(seed);
    const QByteArray valid = validFile(seed);
    if (valid.isEmpty() || *objection(valid)) {
        std::fprintf(stderr, "the undamaged file is not read\n");
        return 1;
    }
    for (int i = 0; i < times; ++i) {
        QByteArray bytes = valid;
        for (quint64 changes = 1 + random.below(4); changes > 0; --changes)
            damage(bytes, random);
        if (const char *why = objection(bytes); *why) {
            QFile kept(QStringLiteral("fuzz-runfile-%1.jsonl").arg(i));
            if (kept.open(QIODevice::WriteOnly))
                kept.write(bytes);
            std::fprintf(stderr, "file %d: %s; kept as %s\n", i, why, qPrintable(kept.fileName()));
            return 1;
        }
    }
    std::printf("%d damaged files read\n", times);
    return 0;
}
