// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <functional>
#include <memory>

namespace interlock {

/// One thing that experiments need, or that is of use, and whether it is here.
struct Finding
{
    QString
        id; ///< for programs: "redis-server", "keeper", "directory", "server", "loopback", "notifications", "sqlite", "redis-cli"
    QString what; ///< for people: "Private server"
    bool ok = false;
    bool needed = true; ///< false: all experiments run without it
    QString sentence; ///< what was found, or what is wrong
    QString package; ///< to install, by Debian's name; empty if ok or if no package helps

    bool operator==(const Finding &) const = default;
};

/// The sentence, with the package to install where it does not name it itself.
QString advice(const Finding &finding);

/// Everything needed is here.
bool isHealthy(const QList<Finding> &findings);

/// Tries what experiments rely on: finds the server program, starts a private server under a keeper, and asks it. Works on a
/// thread of its own and answers on this one's event loop: in less than 0.5 s where all is well, at most about 15 s.
class Doctor
{
public:
    /// @param done called once, with the same ids in the same order whatever was found. May destroy the doctor.
    explicit Doctor(std::function<void(QList<Finding>)> done);
    ~Doctor(); ///< ends what runs and waits for that, at most about 2 s; done is not called any more
    Doctor(const Doctor &) = delete;
    Doctor &operator=(const Doctor &) = delete;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}
