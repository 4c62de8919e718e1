// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/limiters/limiter.h"

namespace interlock {

class Client;

/// A fault that tutorials teach, declared as data. It decides as they do, beside a correct limiter of the same values: its twin.
struct Defect
{
    /// Whose clock it can go by.
    enum class Time {
        Any,
        Server, ///< it relies on real expiry, or sends its commands one by one
        Caller, ///< that is its fault
    };
    /// Decides in commands of their own instead of in a script.
    using Program = Task<Result<Decision>> (*)(Client &client, const Limiter &twin, QByteArray key);

    QString id; ///< "expire-on-every-hit"; a defect without a program is the script of that name in limiters/defects
    QString title; ///< "EXPIRE on every hit"
    QString taught; ///< what is taught, one sentence
    QString harm; ///< what goes wrong, one sentence
    QString algorithm; ///< of the twin, see Limiter::algorithms()
    QList<std::pair<QString, QString>> fixed; ///< values that the twin must have to be one
    Time time = Time::Any;
    Program program = nullptr;
    QString point; ///< where an actor can be held or killed in the middle of a program
    QByteArray undeclared; ///< end of the name of a second key that the script does not declare; empty: there is none
};

/// A limiter with a defect. Not one of Limiter::algorithms(), so that nobody meets it who did not name the defect.
class DefectiveLimiter
{
public:
    static const QList<Defect> &defects();
    /// Nothing if there is none of that name.
    static const Defect *find(const QString &id);
    /// Values as the twin takes them. Invalid with a sentence for an unknown defect, for values that the twin cannot have and for
    /// another value than one of Defect::fixed.
    static Result<DefectiveLimiter> make(const QString &id, const QList<std::pair<QString, QString>> &values = {});

    const Defect &defect() const { return *m_defect; }
    const Limiter &twin() const { return m_twin; }
    /// Every key that it writes for what @p key names, also the undeclared one.
    QList<QByteArray> keys(const QByteArray &key) const;

private:
    DefectiveLimiter(const Defect &defect, Limiter twin);

    const Defect *m_defect;
    Limiter m_twin;
};

/// Asks it about one request, as interlock::decide() asks a correct limiter. A key that will never expire is told by a decision
/// without retryAfter, if it is rejected, and with mostNumber for resetAfter.
/// @param cost must be 1: tutorials count requests. @param now the caller's clock in µs; none: the server's.
/// Invalid, and nothing sent: another cost, a clock that the defect cannot go by, a number out of range. Failed, TimedOut, Closed
/// as there; a program may have done a part by then.
Task<Result<Decision>> decide(
    Client &client, const DefectiveLimiter &limiter, QByteArray key, qint64 cost = 1, std::optional<qint64> now = {});

/// Each in a file of its own kind.
QList<Defect> describeDefectiveCommands();
QList<Defect> describeDefectiveScripts();

}
