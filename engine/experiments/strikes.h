// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/lab/link.h"
#include "engine/run/event.h"
#include "engine/run/strike.h"

#include <functional>
#include <map>
#include <set>

namespace interlock {

class NodeGroup;
class Recorder;

/// How strikes reach private servers. Each of the signals answers false if the server did not run; a paused one runs.
struct ServerControls
{
    std::function<bool(const QString &server)> isRunning;
    std::function<bool(const QString &server)> kill; ///< SIGKILL
    std::function<bool(const QString &server)> pause; ///< SIGSTOP
    std::function<bool(const QString &server)> resume; ///< SIGCONT
    std::function<void(const QString &server, std::function<void(Result<void>)> ready)> restart; ///< of one that does not run
    NodeGroup *group = nullptr; ///< whose links can be struck; null: the servers have none
};

/// Strikes servers and their links, and records it: as a fault, and what becomes of the server by it.
///
/// A fault that lasts is recorded when it begins, and as a whole when it is over: healed, replaced by another of its kind, ended by the
/// server's death (which makes its links whole again) or by that of the run. Only then is it known what it touched.
class Strikes
{
public:
    enum class By { Play, Person };

    /// @param recorder must outlive it. @param controls must call nothing back once it is gone.
    Strikes(Recorder &recorder, ServerControls controls);

    /// One that finds nothing to do (to kill a dead server, to cut what is cut) touches nothing. The server must be there.
    void strike(const Strike &strike, By by);
    /// Of Strike::Kind::Restart. @p ready is called once, perhaps at once; Failed: it runs, or did not start.
    void restart(const Strike &strike, By by, std::function<void(Result<void>)> ready);
    /// The run is over, and with it all that lasts. Nothing is recorded afterwards.
    void end();

private:
    /// What of a server a strike that lasts takes hold of. Another one there takes its place.
    enum class Hold { Process, Replication, Clients, All };
    struct Lasting
    {
        Strike strike;
        By by = By::Play;
        qint64 since = 0; ///< ns of the run
        LinkTouch before; ///< what policies had touched there when it began
    };

    static Hold holdOf(Strike::Kind kind);
    static LinkClass linkClassOf(Hold hold);

    void kill(const Strike &strike, By by);
    void pause(const Strike &strike, By by);
    void resume(const Strike &strike, By by);
    void strikeLinks(const Strike &strike, By by);
    bool heal(const QString &server);

    void begin(Hold hold, const Strike &strike, By by);
    bool finish(const QString &server, Hold hold);
    LinkTouch touchedSoFar(const QString &server, Hold hold) const;

    Event fault(const Strike &strike, By by) const;
    void recordAtOnce(const Strike &strike, By by, bool isTouched);
    void recordNode(const QString &server, NodeChange change);
    void recordNote(const QString &server, const QString &text);

    Recorder &m_recorder;
    ServerControls m_controls;
    std::map<std::pair<QString, Hold>, Lasting> m_lasting;
    std::set<QString> m_starting; ///< being started again: neither dead nor running
    bool m_isOver = false;
};

}
