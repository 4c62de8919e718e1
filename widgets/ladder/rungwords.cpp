// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/ladder/rungwords.h"

#include "engine/run/verdict.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace interlock {

namespace {

using Kind = Rung::Kind;

QString tr(const char *text)
{
    return QCoreApplication::translate("Ladder", text);
}

/// "+sdown" as it is published; in a record without it, what it means.
QString published(const Rung &rung, const QString &otherwise)
{
    return rung.word.isEmpty() ? otherwise : QString::fromUtf8(rung.word);
}

QString stepLabel(const Rung &rung)
{
    const QByteArray &word = rung.word;
    QString label = QString::fromUtf8(word);
    if (word == "snapshot")
        label = tr("snapshot");
    else if (word == "buffer")
        label = tr("buffer");
    else if (word == "transfer")
        label = tr("transfer");
    else if (word == "load")
        label = tr("load");
    else if (word == "catch-up")
        label = tr("catch up");
    else if (word == "increment")
        label = tr("increment");
    QStringList parts {label};
    if (rung.number > 0)
        parts.append(bytesText(rung.number));
    if (rung.until != never && rung.until > rung.at())
        parts.append(text(For {rung.until - rung.at()}));
    return parts.join(QStringLiteral(" · "));
}

}

QString nodeName(const Run &run, int node)
{
    return node < 0 || node >= run.header.nodes.size() ? QString() : run.header.nodes[node].name;
}

QString ladderTitle(const Run &run, const Ladder &ladder)
{
    const QString about = nodeName(run, ladder.about);
    return ladder.kind == Ladder::Kind::Failover ? tr("Failover of %1").arg(about) : tr("Copy to %1").arg(about);
}

QString rungLabel(const Run &run, const Rung &rung)
{
    const QString about = nodeName(run, rung.about);
    const auto with = [](const QString &what, const QString &rest) { return rest.isEmpty() ? what : what + QLatin1Char(' ') + rest; };
    switch (rung.kind) {
    case Kind::Fault:
        return faultText(rung.word, rung.number);
    case Kind::Killed:
        return tr("killed");
    case Kind::Ended:
        return tr("ended by itself");
    case Kind::Paused:
        return tr("paused");
    case Kind::Resumed:
        return tr("resumed");
    case Kind::Started:
        return tr("started again");
    case Kind::Ready:
        return tr("answers again");
    case Kind::CallsDown:
        return published(rung, tr("called down"));
    case Kind::CallsUp:
        return published(rung, tr("called up again"));
    case Kind::AgreedDown:
        return with(published(rung, tr("agreed that it is down")), QString::fromUtf8(rung.quorum));
    case Kind::AgreedUp:
        return published(rung, tr("no longer agreed that it is down"));
    case Kind::NewEpoch:
        return with(published(rung, tr("new epoch")), rung.number > 0 ? QString::number(rung.number) : QString());
    case Kind::Tries:
        return published(rung, tr("stands for election"));
    case Kind::Votes:
        return about.isEmpty() ? tr("+vote ×%1").arg(rung.told.size()) : tr("+vote ×%1 → %2").arg(rung.told.size()).arg(about);
    case Kind::Elected:
        return published(rung, tr("elected"));
    case Kind::Selected:
        return tr("+selected %1").arg(about);
    case Kind::PromotionSent:
        return tr("promotion of %1 sent").arg(about);
    case Kind::Promoted:
        return tr("promoted");
    case Kind::PromotionSeen:
        return tr("promotion seen");
    case Kind::OrdersSent:
        return tr("%1 told to follow").arg(about);
    case Kind::OrdersFollowed:
        return tr("%1 seen to follow").arg(about);
    case Kind::Switched:
        return tr("+switch → %1").arg(about);
    case Kind::Converted:
        return tr("%1 told to be a replica").arg(about);
    case Kind::FailoverEnded:
        return published(rung, tr("failover over"));
    case Kind::Aborted:
    case Kind::Tilted:
    case Kind::TiltEnded:
        return QString::fromUtf8(rung.word);
    case Kind::Demoted:
        return about.isEmpty() ? tr("replica now") : tr("replica of %1 now").arg(about);
    case Kind::LinkDown:
        return tr("link down");
    case Kind::Connecting:
        return tr("connecting");
    case Kind::Syncing:
        return tr("being brought up");
    case Kind::LinkUp:
        return about.isEmpty() ? tr("link up") : tr("link to %1 up").arg(about);
    case Kind::Partial:
        return rung.number > 0 ? tr("partial: %1").arg(bytesText(rung.number)) : tr("partial");
    case Kind::Full:
        return rung.number > 0 ? tr("full copy: %1").arg(bytesText(rung.number)) : tr("full copy");
    case Kind::Step:
        return stepLabel(rung);
    }
    return {};
}

QString rungTellers(const Run &run, const Rung &rung)
{
    QStringList names;
    for (const Rung::Telling &each : rung.told) {
        if (const QString name = nodeName(run, each.who); !names.contains(name))
            names.append(name);
    }
    names.removeAll(QString());
    return names.join(QLatin1Char(' '));
}

bool isLandmark(const Rung &rung)
{
    switch (rung.kind) {
    case Kind::Killed:
    case Kind::Ended:
    case Kind::Paused:
    case Kind::Promoted:
    case Kind::Aborted:
    case Kind::Partial:
    case Kind::Full:
        return true;
    case Kind::Fault:
        return rung.word == "isolate";
    default:
        return false;
    }
}

QString rungTimes(const Run &run, const Rung &rung)
{
    QStringList parts;
    for (const Rung::Telling &each : rung.told) {
        const QString name = nodeName(run, each.who);
        parts.append(name.isEmpty() ? tr("at %1").arg(text(At {each.at})) : tr("%1 at %2").arg(name, text(At {each.at})));
    }
    return parts.join(QStringLiteral(", "));
}

QString faultText(const QByteArray &word, qint64 amount)
{
    if (word == "cut-replication")
        return tr("replication cut");
    if (word == "lag-replication")
        return tr("replication %1 late").arg(text(For {amount}));
    if (word == "hold-replication")
        return tr("replication held");
    if (word == "cut-clients")
        return tr("clients cut off");
    if (word == "delay-clients")
        return tr("clients %1 late").arg(text(For {amount}));
    if (word == "isolate")
        return tr("isolated");
    return word == "heal" ? tr("links healed") : QString::fromUtf8(word);
}

QString bytesText(qint64 bytes)
{
    const double amount = static_cast<double>(bytes);
    if (bytes < 10'000)
        return tr("%1 B").arg(bytes);
    if (bytes < 1'000'000)
        return tr("%1 kB").arg(amount / 1e3, 0, 'f', bytes < 100'000 ? 1 : 0);
    return tr("%1 MB").arg(amount / 1e6, 0, 'f', bytes < 100'000'000 ? 1 : 0);
}

QString sinceText(qint64 ns)
{
    const QString seconds = QString::number(static_cast<double>(std::abs(ns)) / 1e9, 'f', 3);
    return ns < 0 ? tr("−%1 s").arg(seconds) : tr("%1 s").arg(seconds);
}

}
