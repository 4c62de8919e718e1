// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/eventreader.h"
#include "engine/run/runfile.h"
#include "engine/run/runheader.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QIODevice>

#include <algorithm>
#include <map>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("RunFile", text);
}

constexpr qint64 longestLine = 16 << 20; // bytes; the longest of ours is a header with its scripts
constexpr int mostLineProblems = 20; // told one by one

using Member = JsonObject::Member;

class Reader
{
public:
    explicit Reader(QIODevice &device)
        : m_device(device)
    {
    }

    Result<ReadRun> read(const QString &name);

private:
    enum class Line { Read, Cut, TooLong, AtEnd };

    Line nextLine();
    void readLine(Line state);
    void readEventOrEnd();
    void readEvent();
    void take(const Event &event);
    void countUnknown(const QString &kind);
    void readEnd(const Member &member);
    void finish();
    void finishDecisions();
    void finishDuration();

    void lineProblem(const QString &what);
    qint64 endInteger(const char *name);

    QIODevice &m_device;
    QByteArray m_piece = QByteArray(64 << 10, '\0');
    QByteArray m_line;
    qint64 m_number = 0; ///< of the line, from 1
    JsonObject m_object;
    ReadRun m_result;
    EventReader m_eventReader {m_result.run.names};
    bool m_isDamaged = false;
    qint64 m_lineProblems = 0;
    std::vector<DecisionFigures> m_figures; ///< of the decisions, in the order of their lines
    qint64 m_events = 0; ///< lines that are events, understood or not
    std::map<QString, qint64> m_unknown; ///< kinds of event that this program does not know
    bool m_isInOrder = true;
    qint64 m_firstOutOfOrder = 0;
    bool m_hasEnd = false;
    qint64 m_count = 0; ///< of events, as the last line says
};

/// The next line into m_line, without its end. In pieces, since QIODevice would set aside room for the longest line each time.
Reader::Line Reader::nextLine()
{
    m_line.resize(0);
    Line state = Line::AtEnd;
    for (;;) {
        const qint64 size = m_device.readLine(m_piece.data(), m_piece.size());
        if (size <= 0)
            break;
        const QByteArrayView piece(m_piece.constData(), size);
        if (m_line.size() + size > longestLine)
            state = Line::TooLong;
        else
            m_line += piece;
        if (piece.back() == '\n') {
            state = state == Line::TooLong ? state : Line::Read;
            break;
        }
        state = state == Line::TooLong ? state : Line::Cut;
    }
    if (state != Line::AtEnd)
        ++m_number;
    while (m_line.endsWith('\n') || m_line.endsWith('\r'))
        m_line.chop(1);
    return state;
}

Result<ReadRun> Reader::read(const QString &name)
{
    const Line first = nextLine();
    if (m_line.startsWith("\xEF\xBB\xBF")) // a byte order mark, which editors on Windows add
        m_line.remove(0, 3);
    const auto refused = [&](const QString &why) {
        return Error {Error::Kind::Invalid, tr("%1 is not a recorded run: %2").arg(name, why)};
    };
    if (first == Line::AtEnd || (m_line.trimmed().isEmpty() && m_device.atEnd()))
        return refused(tr("it is empty."));
    if (m_line.contains('\0'))
        return refused(tr("line 1 holds binary data."));
    if (first == Line::TooLong)
        return refused(tr("line 1 is longer than 16 MiB."));
    Result<Header> header = readHeader(m_line, m_result.problems);
    if (!header)
        return refused(header.error().text);
    m_result.run.header = std::move(*header);
    m_isDamaged = !m_result.problems.isEmpty();

    for (Line state = nextLine(); state != Line::AtEnd; state = nextLine())
        readLine(state);
    finish();
    return std::move(m_result);
}

void Reader::readLine(Line state)
{
    if (state == Line::TooLong)
        lineProblem(tr("it is longer than 16 MiB"));
    else if (m_line.isEmpty())
        return;
    else if (m_hasEnd)
        lineProblem(tr("it comes after the last line of the run"));
    else if (m_object.read(m_line))
        readEventOrEnd();
    else if (state == Line::Cut)
        lineProblem(tr("the file was cut short in it (%1)").arg(m_object.error()));
    else
        lineProblem(tr("it is not JSON (%1)").arg(m_object.error()));
}

void Reader::readEventOrEnd()
{
    if (const Member *end = m_object.find("end"))
        readEnd(*end);
    else if (m_object.find("event"))
        readEvent();
    else
        lineProblem(tr("it is neither an event nor the last line"));
}

void Reader::readEvent()
{
    switch (m_eventReader.read(m_object)) {
    case EventReader::Outcome::Read:
        take(m_eventReader.event());
        break;
    case EventReader::Outcome::Unknown:
        countUnknown(m_eventReader.what());
        break;
    case EventReader::Outcome::Wrong:
        lineProblem(m_eventReader.what());
        break;
    }
}

void Reader::take(const Event &event)
{
    if (event.kind == Event::Kind::Decision)
        m_figures.push_back(m_eventReader.figures());
    std::vector<Event> &events = m_result.run.events;
    if (m_isInOrder && !events.empty() && event.at < events.back().at) {
        m_isInOrder = false;
        m_firstOutOfOrder = m_number;
    }
    ++m_events;
    events.push_back(event);
}

void Reader::countUnknown(const QString &kind)
{
    ++m_events;
    const QString shown = kind.left(40);
    // A damaged file may hold any number of them.
    ++m_unknown[m_unknown.size() < mostLineProblems || m_unknown.contains(shown) ? shown : QStringLiteral("…")];
}

void Reader::readEnd(const Member &member)
{
    m_hasEnd = true;
    Run &run = m_result.run;
    m_count = endInteger("events");
    run.dropped = static_cast<quint64>(endInteger("dropped"));
    run.duration = std::min(endInteger("duration"), latestTime);
    run.isComplete = member.type == Member::Type::Text && member.text == "complete";
    if (const Member *because = m_object.find("because"); because && because->type == Member::Type::Text)
        run.incompleteBecause = QString::fromUtf8(because->text);
    if (!run.isComplete && run.incompleteBecause.isEmpty())
        run.incompleteBecause = tr("The run ended early; its file does not say why.");
}

/// A count in the last line; 0 and a problem if there is none.
qint64 Reader::endInteger(const char *name)
{
    const Member *member = m_object.find(name);
    if (member && member->type == Member::Type::Integer && member->integer >= 0)
        return member->integer;
    lineProblem(tr("“%1” is missing or no count").arg(QLatin1String(name)));
    return 0;
}

void Reader::finish()
{
    Run &run = m_result.run;
    finishDecisions();
    if (m_lineProblems > mostLineProblems)
        m_result.problems.append(tr("Further lines that could not be read: %1.").arg(m_lineProblems - mostLineProblems));
    for (const auto &[kind, count] : m_unknown) {
        m_isDamaged = true;
        m_result.problems.append(tr("%1 × an event of a kind that this program does not know: “%2”.")
                                     .arg(count)
                                     .arg(kind));
    }
    if (!m_hasEnd) {
        m_isDamaged = true;
        m_result.problems.append(tr("The file ends after line %1, without the last line of a run: it was cut short, or the "
                                    "run is still being written.")
                                     .arg(m_number));
    } else if (m_count != m_events) {
        m_isDamaged = true;
        m_result.problems.append(tr("The last line counts %1 events, but %2 were found.").arg(m_count).arg(m_events));
    }
    if (m_isDamaged) {
        run.isComplete = false;
        run.incompleteBecause = m_result.problems.first();
    }
    if (!m_isInOrder) {
        std::stable_sort(run.events.begin(), run.events.end(),
            [](const Event &left, const Event &right) { return left.at < right.at; });
        m_result.problems.append(
            tr("Line %1: its time is before that of the line above. The events have been sorted.").arg(m_firstOutOfOrder));
    }
    finishDuration();
}

/// Puts the figures where the decisions' numbers say. A decision without a number of its own is left out: probes name others
/// by their numbers. Lines may be missing, which leaves gaps; but a number beyond all reason shall not cost memory.
void Reader::finishDecisions()
{
    constexpr size_t mostMissing = 1024;
    std::vector<DecisionFigures> &decisions = m_result.run.decisions;
    std::vector<bool> isTaken(m_figures.size() * 2 + mostMissing);
    size_t next = 0;
    qint64 wrong = 0;
    std::erase_if(m_result.run.events, [&](const Event &event) {
        if (event.kind != Event::Kind::Decision)
            return false;
        const DecisionFigures &figures = m_figures[next++];
        const auto number = static_cast<quint64>(event.number); // a negative one is beyond all
        if (number >= isTaken.size() || isTaken[number]) {
            ++wrong;
            return true;
        }
        isTaken[number] = true;
        decisions.resize(std::max(decisions.size(), size_t(number) + 1));
        decisions[number] = figures;
        return false;
    });
    if (wrong == 0)
        return;
    m_isDamaged = true;
    m_result.problems.append(tr("%1 × a decision whose number is another's or far too high. It is left out.").arg(wrong));
}

/// The record reaches at least as far as its events do.
void Reader::finishDuration()
{
    Run &run = m_result.run;
    const auto reach = [&](qint64 time) {
        if (time != never)
            run.duration = std::max(run.duration, time);
    };
    for (const Event &event : run.events) {
        reach(event.at);
        if (event.kind == Event::Kind::Command || event.kind == Event::Kind::Decision) {
            reach(event.answered);
            reach(event.until);
        }
    }
}

void Reader::lineProblem(const QString &what)
{
    m_isDamaged = true;
    if (++m_lineProblems <= mostLineProblems)
        m_result.problems.append(tr("Line %1: %2.").arg(m_number).arg(what));
}

}

Result<ReadRun> readRun(QIODevice &device, const QString &name)
{
    return Reader(device).read(name);
}

Result<ReadRun> readRunFile(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return Error {Error::Kind::Missing, tr("%1: there is no such file.").arg(path)};
    if (info.isDir())
        return Error {Error::Kind::Missing, tr("%1 is a directory, not a recorded run.").arg(path)};
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error {Error::Kind::Missing, tr("%1 could not be read: %2.").arg(path, file.errorString())};
    return readRun(file, path);
}

}
