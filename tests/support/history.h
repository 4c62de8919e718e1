// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

#include <QByteArray>
#include <QStringList>

namespace interlock::test {

/// A history written by hand, and what a check must say of it. One thing a line; times in seconds; # begins a remark.
///
///     check: release-by-owner              which check
///     expect: broken                       its judgement
///     says: deleted the lock that B        a part of its sentences (as often as needed)
///     never-says: …                        and one that must not be in them
///     argument: maximum-lifetime 3.0       a time, given to the check in nanoseconds
///     ends: 6.2                            the run's duration; default: the last event's time
///     count: limit 100                     a number, given to the check as it is
///     incomplete: the server was killed    the record is not whole
///     node: N1 primary                     a server of the header: primary, replica, sentinel
///     limiter: gcra limit=5 interval=1s [algorithm=…] [defect=…] [twin=…]     by default the algorithm of its name; values as `interlock limit` takes them
///
///     0.090 A wants lock t=a1
///     0.095 A refused lock t=a1 sent=0.093 [answered=…]
///     0.102 A granted lock t=a1 sent=0.100 [answered=…] [ttl=1] [nx] [fence=33]     no ttl: none
///     0.400 A renewed lock t=a1 sent=0.399 ttl=1
///     0.500 A ended lock t=a1 released
///     0.502 A released lock t=a1 sent=0.500 deleted=1 [unanswered]
///     0.103 A entered work t=a1
///     0.499 A left work
///     0.600 A wrote store fence=33 [refused] [text=order]
///     0.310 A fault crash [until=…] [untouched] [begins] [by=0.2] [node=N2]
///     0.101 redis owner lock set t=a1 [until=1.100]       set, renewed, deleted, expired, restarted, promoted, read
///     0.102 N3 owner orders read [t=7]                    what it has of a resource; without t nothing
///     2.190 N3 node role-changed text=replica [node=N1]   and the other words of nodes
///     2.300 N2 node synced text=partial bytes=41 node=N1
///     2.310 N1 node offset offset=410
///     0.400 N2 note replica-priority [value=100]           or a word instead: run-id 3f…
///     2.700 S1 sentinel +switch-master [node=N3] [epoch=1] [rest=lab_127.0.0.1_6401_127.0.0.1_6403]
///     2.800 N2 phase N2_loads [until=2.9]                  _ stands for a blank in a phase and the rest of a sentinel's message
///     0.050 A command [text=PTTL_api] [value=-1]          _ stands for a blank; value: an integer was the answer
///     0.200 A decision api gcra admitted [cost=2] [times=50] [answered=…] [remaining=3] [level=…] [limit=…]
///           [due=0.2] [asked=0.2] [now=0.2] [server=0.2] [retry=1.5] [reset=2] [delay=0.1]      admitted, rejected, failed
///     0.200 A decision api gcra admitted probe=17-at asked=3
///
/// A decision's clocks: without `asked` the server's, which shows the event's time unless `server` says another; `now` is the one that
/// was used. Without `retry` a refusal promises nothing. They are numbered from 0.
///
/// Where `answered` is not given it is the event's own time. A file with a mistake gives a history whose `mistake` says where.
struct History
{
    Run run;
    CheckUse use;
    Judgement expected = Judgement::None;
    QStringList says;
    QStringList neverSays;
    QString mistake;
};

History parseHistory(const QByteArray &text);

}
