// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/redis/endpoint.h"

#include <QByteArrayList>
#include <QStringList>

namespace interlock {

struct Script;

/// redis-benchmark, beside which our own speed is measured. All of these end the program with a message if something fails.
class RedisBenchmark
{
public:
    /// Lets it in at a private server: it takes a password only on its command line, where none belongs.
    explicit RedisBenchmark(const Endpoint &endpoint);

    /// Loads what its EVALSHA will name.
    void load(const Script &script) const;
    /// @param options its own: {"-c", "50", "-n", "100000"}. @return requests a second.
    double perSecond(const QStringList &options, const QByteArrayList &command) const;

private:
    Endpoint m_endpoint;
};

}
