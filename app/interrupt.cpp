// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/interrupt.h"

#include <QSocketNotifier>

#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace interlock {

namespace {

int ends[2] = {-1, -1}; // a pipe: a signal handler may do little more than write a byte

void handle(int)
{
    [[maybe_unused]] const auto written = ::write(ends[1], "!", 1);
}

constexpr int signalsHandled[] {SIGINT, SIGTERM};

}

Interrupt::Interrupt(std::function<void()> call, QObject *parent)
    : QObject(parent)
    , m_call(std::move(call))
{
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_notifier = new QSocketNotifier(ends[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        if (::read(ends[0], &byte, 1) < 1)
            return;
        m_hasCome = true;
        m_call();
    });
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (const int number : signalsHandled)
        ::sigaction(number, &action, nullptr);
}

Interrupt::~Interrupt()
{
    for (const int number : signalsHandled)
        std::signal(number, SIG_DFL);
    delete m_notifier;
    for (int &end : ends) {
        if (end >= 0)
            ::close(end);
        end = -1;
    }
}

}
