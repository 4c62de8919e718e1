// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/wire.h"

#include "engine/redis/command.h"
#include "engine/redis/encoding.h"
#include "engine/redis/placetext.h"

#include <QCoreApplication>
#include <QFile>
#include <QHostAddress>
#include <QHostInfo>
#include <QSocketNotifier>
#include <QTimerEvent>

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <algorithm>
#include <csignal>
#include <mutex>

namespace interlock {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(interlock::Connection)
};

/// hiredis writes with write(): to a server that is gone this raises SIGPIPE, which would end the program.
void ignoreBrokenPipes()
{
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action = {};
        if (sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_DFL)
            std::signal(SIGPIPE, SIG_IGN);
    });
}

}

/// Takes the event itself: a signal and its connection would cost more than the system call that follows.
class Wire::Notifier : public QSocketNotifier
{
public:
    Notifier(int socket, Type type, Wire &wire, void (Wire::*ready)())
        : QSocketNotifier(socket, type)
        , m_wire(wire)
        , m_ready(ready)
    {
        setEnabled(false);
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::SockAct)
            return QSocketNotifier::event(event);
        (m_wire.*m_ready)(); // may destroy the wire
        return true;
    }

private:
    Wire &m_wire;
    void (Wire::*m_ready)();
};

struct Wire::Calls
{
    static void connected(const redisAsyncContext *context, int status)
    {
        static_cast<Wire *>(context->data)->m_isConnected = status == REDIS_OK;
    }
    static void replied(redisAsyncContext *, void *reply, void *wire)
    {
        if (reply) // null: the context is being freed
            static_cast<Wire *>(wire)->replied();
    }
    static void addWrite(void *wire) { static_cast<Wire *>(wire)->m_wantsToWrite = true; }
    static void delWrite(void *wire) { static_cast<Wire *>(wire)->m_wantsToWrite = false; }
    static void cleanup(void *wire) { static_cast<Wire *>(wire)->detached(); }
};

Wire::Wire(Endpoint endpoint, QByteArray name, Nanoseconds deadline, Mode mode, Listener &listener)
    : m_endpoint(std::move(endpoint))
    , m_name(std::move(name))
    , m_deadline(deadline)
    , m_mode(mode)
    , m_listener(listener)
{
    ignoreBrokenPipes();
    m_timer.start(static_cast<int>(std::chrono::ceil<Milliseconds>(deadline).count()), Qt::PreciseTimer, this);
    // From the loop, so that nobody is called from inside the constructor.
    QMetaObject::invokeMethod(
        this, [this] { find(); }, Qt::QueuedConnection);
}

Wire::~Wire()
{
    close();
}

void Wire::find()
{
    if (m_hasEnded)
        return;
    if (m_endpoint.host.isEmpty() || !QHostAddress(m_endpoint.host).isNull()) {
        m_addresses = {m_endpoint.host};
        connectToNext();
        return;
    }
    // hiredis would look the name up itself and stop this thread for as long as that takes.
    QHostInfo::lookupHost(m_endpoint.host, this, [this](const QHostInfo &info) {
        if (m_hasEnded)
            return;
        for (const QHostAddress &address : info.addresses())
            m_addresses.append(address.toString());
        m_contextError = info.errorString();
        connectToNext();
    });
}

void Wire::connectToNext()
{
    if (m_addresses.isEmpty()) {
        end({Error::Kind::Failed,
            Text::tr("Could not connect to Redis at %1: %2. Is it running?")
                .arg(placeText(m_endpoint), m_contextError)});
        m_listener.settled();
        return;
    }
    const QString address = m_addresses.takeFirst();
    redisAsyncContext *context = m_endpoint.host.isEmpty()
        ? redisAsyncConnectUnix(QFile::encodeName(m_endpoint.path).constData())
        : redisAsyncConnect(address.toLatin1().constData(), m_endpoint.port);
    if (!context || context->err) {
        m_contextError = context ? QString::fromLocal8Bit(context->errstr) : Text::tr("out of memory");
        if (context)
            redisAsyncFree(context);
        connectToNext();
        return;
    }
    adopt(context);
}

void Wire::adopt(redisAsyncContext *context)
{
    m_context = context;
    context->data = this;
    context->ev.data = this;
    context->ev.addWrite = Calls::addWrite;
    context->ev.delWrite = Calls::delWrite;
    context->ev.cleanup = Calls::cleanup;
    m_replies.attach(*context->c.reader);
    m_reader = std::make_unique<Notifier>(context->c.fd, QSocketNotifier::Read, *this, &Wire::readyToRead);
    m_writer = std::make_unique<Notifier>(context->c.fd, QSocketNotifier::Write, *this, &Wire::readyToWrite);
    redisAsyncSetConnectCallback(context, Calls::connected); // wants to write: that is how it learns the outcome
    updateWriteNotifier();
}

void Wire::readyToRead()
{
    redisAsyncHandleRead(m_context);
    afterHandling();
}

void Wire::readyToWrite()
{
    const bool wasConnected = m_isConnected;
    redisAsyncHandleWrite(m_context);
    if (m_context && m_isConnected && !wasConnected)
        logIn();
    afterHandling();
}

/// hiredis has returned, and its context may be gone.
void Wire::afterHandling()
{
    if (m_refusal) {
        close();
        end(*std::exchange(m_refusal, {}));
    } else if (!m_context && !m_isConnected && !m_hasEnded) {
        connectToNext();
        return;
    } else if (!m_context && !m_hasEnded) {
        end(closedError());
    } else {
        updateWriteNotifier();
    }
    m_listener.settled();
}

void Wire::logIn()
{
    m_reader->setEnabled(true);
    if (!m_endpoint.password.isEmpty()) {
        if (m_endpoint.user.isEmpty())
            append(Command("AUTH", m_endpoint.password));
        else
            append(Command("AUTH", m_endpoint.user, m_endpoint.password));
        m_login.push_back(Login::Password);
    }
    if (m_endpoint.database != 0) {
        append(Command("SELECT", m_endpoint.database));
        m_login.push_back(Login::Database);
    }
    if (!m_name.isEmpty()) {
        append(Command("CLIENT", "SETNAME", m_name));
        m_login.push_back(Login::ClientName);
    }
    // Always asked, so that a listener that never answers and a server that wants a password are found out here.
    append(Command("PING"));
    m_login.push_back(Login::Ping);
    redisAsyncHandleWrite(m_context);
}

void Wire::checkLogin(Login step, const Reply &reply)
{
    if (m_refusal || !reply.isError())
        return;
    const QString answer = QString::fromUtf8(reply.text);
    const QString place = placeText(m_endpoint);
    switch (step) {
    case Login::Password:
        m_refusal = Error {Error::Kind::Failed, Text::tr("Redis at %1 refused the password: %2").arg(place, answer)};
        return;
    case Login::Database:
        m_refusal = Error {Error::Kind::Failed,
            Text::tr("Redis at %1 refused database %2: %3").arg(place).arg(m_endpoint.database).arg(answer)};
        return;
    case Login::ClientName:
        return; // a name is a courtesy
    case Login::Ping:
        break;
    }
    for (const char *alive : {"LOADING", "BUSY", "MASTERDOWN", "NOPERM"}) { // the commands will be told the same
        if (reply.isError(alive))
            return;
    }
    m_refusal = Error {Error::Kind::Failed,
        reply.isError("NOAUTH")
            ? Text::tr("Redis at %1 needs a password: write redis://:password@host:port, or for sentinels ?sentinel-password=PASSWORD (and sentinel-user=USER).").arg(place)
            : Text::tr("Redis at %1 turned the connection down: %2").arg(place, answer)};
}

/// A reply is complete. Inside hiredis.
void Wire::replied()
{
    Reply reply = m_replies.take();
    if (!m_login.empty()) {
        checkLogin(m_login.front(), reply);
        m_login.erase(m_login.begin());
        if (!m_login.empty() || m_refusal)
            return;
        m_isOpen = true;
        m_timer.stop();
        m_listener.opened();
    } else {
        m_listener.received(std::move(reply), monotonicNow());
    }
    if (m_mode == Mode::Messages && m_context) {
        // hiredis's own subscriber mode loses error replies and asserts on replies of an unexpected shape. A command
        // of no bytes, which makes it wait for one more reply, is all that is needed.
        static constexpr char shape[] = "$4\r\nPING\r\n";
        redisAsyncFormattedCommand(m_context, Calls::replied, this, shape, 0);
        m_replies.expectOne();
    }
}

void Wire::append(const Command &command)
{
    encode(command, m_bytes);
    if (m_mode == Mode::Messages && m_isOpen) {
        redisAppendFormattedCommand(&m_context->c, m_bytes.data(), m_bytes.size());
        m_wantsToWrite = true;
    } else if (redisAsyncFormattedCommand(m_context, Calls::replied, this, m_bytes.data(), m_bytes.size())
        == REDIS_OK) {
        m_replies.expectOne();
    }
}

void Wire::write(const Command &command, bool now)
{
    append(command);
    if (now)
        redisAsyncHandleWrite(m_context);
    if (m_context)
        updateWriteNotifier();
    else if (!m_hasEnded)
        end(closedError());
}

void Wire::updateWriteNotifier()
{
    if (m_writer && m_writer->isEnabled() != m_wantsToWrite)
        m_writer->setEnabled(m_wantsToWrite);
}

/// hiredis is about to free the context. Inside hiredis.
void Wire::detached()
{
    if (m_context->c.err)
        m_contextError = QString::fromLocal8Bit(m_context->c.errstr);
    m_context = nullptr;
    m_replies.expectNone();
    m_wantsToWrite = false;
    for (std::unique_ptr<Notifier> *notifier : {&m_reader, &m_writer}) {
        (*notifier)->setEnabled(false); // at once: the socket's number may soon be another's
        notifier->release()->deleteLater(); // later: this may be its event
    }
}

void Wire::close()
{
    if (m_context)
        redisAsyncFree(m_context);
}

void Wire::end(Error error)
{
    m_hasEnded = true;
    m_timer.stop();
    m_listener.ended(std::move(error));
}

Error Wire::closedError() const
{
    const QString reason = m_replies.unasked().isEmpty() ? m_contextError : QString::fromUtf8(m_replies.unasked());
    if (!m_isOpen)
        return {Error::Kind::Failed,
            Text::tr("Redis at %1 closed the connection before it was ready: %2").arg(placeText(m_endpoint), reason)};
    return {
        Error::Kind::Closed, Text::tr("The connection to Redis at %1 broke: %2").arg(placeText(m_endpoint), reason)};
}

void Wire::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_timer.timerId())
        return;
    m_timer.stop();
    close();
    end({Error::Kind::Failed,
        Text::tr("Redis at %1 did not answer within %2. Is it running?")
            .arg(placeText(m_endpoint), deadlineText(m_deadline))});
    m_listener.settled();
}

}
