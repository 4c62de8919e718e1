// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QSocketNotifier;

namespace interlock {

/// Turns the first Ctrl-C or SIGTERM into a call from the event loop; the second ends the program as usual. One at a time.
class Interrupt : public QObject
{
public:
    explicit Interrupt(std::function<void()> call, QObject *parent = nullptr);
    ~Interrupt() override;

    bool hasCome() const { return m_hasCome; }

private:
    std::function<void()> m_call;
    QSocketNotifier *m_notifier = nullptr;
    bool m_hasCome = false;
};

}
