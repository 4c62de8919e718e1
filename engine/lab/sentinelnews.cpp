// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/sentinelnews.h"

#include <QList>

namespace interlock {

SentinelNews SentinelNews::from(const QByteArray &channel, const QByteArray &message)
{
    SentinelNews news;
    const QList<QByteArray> words = message.split(' ');
    if (channel == PrimarySwitch::channel) {
        if (const std::optional<PrimarySwitch> change = switchFrom(message))
            news.about = change->to;
    } else if (channel == "+new-epoch") {
        news.epoch = words[0].toLongLong();
    } else if (channel == "+vote-for-leader" && words.size() == 2) {
        news.sentinelId = words[0];
        news.epoch = words[1].toLongLong();
    } else if (words.size() >= 4 && (words[0] == "master" || words[0] == "slave" || words[0] == "sentinel")) {
        news.about = ServerAddress {QString::fromUtf8(words[2]), words[3].toUShort()};
    }
    return news;
}

}
