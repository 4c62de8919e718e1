// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/limiters/defects/defect.h"

#include <QCoreApplication>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Defect", text);
}

Defect scripted(const char *id, const QString &title, const QString &taught, const QString &harm, const char *algorithm)
{
    Defect defect;
    defect.id = QString::fromLatin1(id);
    defect.title = title;
    defect.taught = taught;
    defect.harm = harm;
    defect.algorithm = QString::fromLatin1(algorithm);
    return defect;
}

QList<Defect> counters()
{
    QList<Defect> defects {
        scripted("expire-on-every-hit", tr("EXPIRE on every hit"), tr("INCR the counter, and EXPIRE it each time."),
            tr("Each hit puts the end of the window off, so under steady traffic the counter is never set back: once the limit is "
               "reached everything is rejected, for as long as somebody asks."),
            "fixed-window"),
        scripted("expire-on-admitted-only", tr("EXPIRE on admitted hits only"),
            tr("INCR the counter, and EXPIRE it if the request is admitted."),
            tr("Each admitted hit puts the end of the window off, so a caller far below the limit is rejected for a whole window "
               "after as many hits as the limit."),
            "fixed-window"),
    };
    for (Defect &defect : defects)
        defect.fixed = {{QStringLiteral("start"), QStringLiteral("first-hit")}};
    return defects;
}

QList<Defect> logs()
{
    return {
        scripted("record-before-count", tr("Recorded before counted"), tr("ZADD the request, then ZCARD, and compare with the limit."),
            tr("Rejected requests stay in the log and count as well, so whoever goes on asking is never admitted again."),
            "sliding-log"),
        scripted("equal-members", tr("Members of equal time"), tr("ZADD key now now: the time in milliseconds is score and member."),
            tr("A set holds a member once, so all requests of one millisecond count as one, and more than the limit pass."),
            "sliding-log"),
    };
}

QList<Defect> buckets()
{
    QList<Defect> defects {
        scripted("refill-floored", tr("Refill rounded down"),
            tr("Add the floor of elapsed time × rate to the tokens, and store the time with every request."),
            tr("The fraction of a token is lost with each request, so whoever asks more often than tokens come gets none."),
            "token-bucket"),
        scripted("refill-floored-on-success", tr("Refill rounded down, time stored on success"),
            tr("Add the floor of elapsed time × rate to the tokens, and store tokens and time if the request is admitted."),
            tr("Each admitted request loses the fraction of a token before it, so less is admitted than the rate."), "token-bucket"),
        scripted("undeclared-key", tr("A second, undeclared key"),
            tr("Pass one key, and make up the name of another inside the script."),
            tr("On a cluster the script fails for those users whose two keys belong to different nodes."), "token-bucket"),
        scripted("ttl-shorter-than-refill", tr("TTL shorter than the refill"), tr("EXPIRE the bucket after the time of one token."),
            tr("After a short pause the bucket is forgotten and therefore full, so more is admitted than capacity + rate × T."),
            "token-bucket"),
        scripted("keys-without-ttl", tr("Keys without TTL"), tr("HSET the bucket, and no EXPIRE."),
            tr("It decides rightly, but the key of everyone who ever asked stays in memory for ever."), "token-bucket"),
        scripted("caller-clock", tr("The caller’s clock"), tr("Pass the caller’s time as now, and store it as it comes."),
            tr("A caller whose clock is behind sets the bucket back in time, and the tokens of that time are given out twice."),
            "token-bucket"),
    };
    defects[2].undeclared = ":time";
    defects[5].time = Defect::Time::Caller;
    return defects;
}

}

QList<Defect> describeDefectiveScripts()
{
    return counters() + logs() + buckets();
}

}
