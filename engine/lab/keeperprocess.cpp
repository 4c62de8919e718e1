// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The keeper's process: plain POSIX and one thread. One thread also because a parent-death signal fires when the thread
// that forked ends, whatever becomes of its process.
#include "engine/lab/keeper.h"
#include "engine/lab/labdirectory.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace interlock {

namespace {

constexpr int programSocket = STDIN_FILENO;
constexpr size_t largestPacket = 128 * 1024;

bool isAskedFor = false; // main() called runAsKeeper(): written before any thread is

void send(const std::string &packet, int flags = 0)
{
    while (::send(programSocket, packet.data(), packet.size(), MSG_NOSIGNAL | flags) < 0 && errno == EINTR) { }
}

struct Server
{
    pid_t process = 0;
    int output = -1;
    std::string directory;
    bool isSentinel = false;
    bool isReported = false; // its end, that is
};

// With the processes that it forked itself: to save, or because it is a script that calls the server.
void end(const Server &server)
{
    kill(-server.process, SIGKILL);
    kill(server.process, SIGKILL);
}

class KeeperProcess
{
public:
    explicit KeeperProcess(std::string directory)
        : m_directory(std::move(directory))
    {
    }

    int run();

private:
    bool prepare();
    void serve();
    bool receive();
    void start(const std::string &packet);
    void stop(int id);
    int fork(Server &server, const std::string &program, const std::string &configuration);
    [[noreturn]] void become(const Server &server, const std::string &program, int input, int output);
    void forward(int id, Server &server);
    void reportEnded();
    void endAll();

    std::string m_directory;
    int m_lock = -1;
    int m_childSignals = -1;
    pid_t m_self = getpid();
    std::map<int, Server> m_servers;
};

int KeeperProcess::run()
{
    if (!prepare()) {
        send("failed " + std::to_string(errno));
        return 1;
    }
    send("ready");
    sweepLabDirectories(m_directory.substr(0, m_directory.rfind('/')));
    serve();
    endAll();
    return removeDirectory(m_directory) ? 0 : 1;
}

bool KeeperProcess::prepare()
{
    // Descriptors that the program did not close on exec: nothing of them is ours to keep open.
    if (syscall(SYS_close_range, 3U, ~0U, 0U) != 0) {
        for (int descriptor = 3; descriptor < 1024; ++descriptor)
            close(descriptor);
    }
    prctl(PR_SET_NAME, "interlock-keep");
    // The program's end is what ends us. Whoever ends a whole session at once gets the program, and thereby us.
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
        signal(number, SIG_IGN);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, nullptr);
    m_childSignals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (m_childSignals < 0)
        return false;
    umask(0077);
    m_lock = makeLabDirectory(m_directory);
    return m_lock >= 0;
}

void KeeperProcess::serve()
{
    for (;;) {
        std::vector<pollfd> watched {{programSocket, POLLIN, 0}, {m_childSignals, POLLIN, 0}};
        std::vector<int> ids;
        for (const auto &[id, server] : m_servers) {
            if (server.output >= 0) {
                watched.push_back({server.output, POLLIN, 0});
                ids.push_back(id);
            }
        }
        if (poll(watched.data(), watched.size(), -1) < 0) {
            if (errno == EINTR)
                continue;
            return;
        }
        for (size_t i = 0; i < ids.size(); ++i) {
            if (watched[i + 2].revents)
                forward(ids[i], m_servers[ids[i]]);
        }
        if (watched[1].revents) {
            signalfd_siginfo info;
            while (read(m_childSignals, &info, sizeof info) > 0) { }
            reportEnded();
        }
        if (watched[0].revents && !receive())
            return;
    }
}

// False when the program is gone.
bool KeeperProcess::receive()
{
    static std::vector<char> buffer(largestPacket);
    const ssize_t size = recv(programSocket, buffer.data(), buffer.size(), 0);
    if (size < 0)
        return errno == EINTR || errno == EAGAIN;
    if (size == 0)
        return false;
    const std::string packet(buffer.data(), static_cast<size_t>(size));
    if (packet.rfind("start ", 0) == 0)
        start(packet);
    else if (packet.rfind("stop ", 0) == 0)
        stop(atoi(packet.c_str() + strlen("stop ")));
    return true;
}

void KeeperProcess::start(const std::string &packet)
{
    const size_t first = packet.find('\n');
    const size_t second = packet.find('\n', first + 1);
    const size_t space = packet.find(' ', strlen("start "));
    if (second == std::string::npos || space > first)
        return;
    const int id = atoi(packet.c_str() + strlen("start "));
    const size_t nameEnd = std::min(packet.find(' ', space + 1), first);
    Server server;
    server.directory = m_directory + '/' + packet.substr(space + 1, nameEnd - space - 1);
    server.isSentinel = packet.substr(nameEnd, first - nameEnd) == " sentinel";
    const int error = fork(server, packet.substr(first + 1, second - first - 1), packet.substr(second + 1));
    if (error) {
        send("refused " + std::to_string(id) + ' ' + std::to_string(error));
        removeDirectory(server.directory);
        return;
    }
    send("started " + std::to_string(id) + ' ' + std::to_string(server.process));
    m_servers[id] = server;
}

// 0, or why there is no such process.
int KeeperProcess::fork(Server &server, const std::string &program, const std::string &configuration)
{
    if (mkdir(server.directory.c_str(), 0700) != 0)
        return errno;
    // The configuration holds the password: it goes through memory, not through a file, except where the server wants to write it.
    const int input = server.isSentinel ? open((server.directory + '/' + sentinelFile).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                                        : memfd_create("configuration", MFD_CLOEXEC);
    int output[2] = {-1, -1};
    bool good = input >= 0 && pipe2(output, O_CLOEXEC) == 0;
    good = good
        && write(input, configuration.data(), configuration.size()) == static_cast<ssize_t>(configuration.size())
        && lseek(input, 0, SEEK_SET) == 0;
    const pid_t process = good ? ::fork() : -1;
    const int error = process < 0 ? errno : 0;
    if (process > 0)
        setpgid(process, process); // here and there, so that it is done whoever comes first
    if (process == 0)
        become(server, program, input, output[1]);
    close(input);
    close(output[1]);
    if (process < 0) {
        close(output[0]);
        return error ? error : EIO;
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    server.process = process;
    server.output = output[0];
    return 0;
}

void KeeperProcess::become(const Server &server, const std::string &program, int input, int output)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != m_self)
        _exit(127); // the keeper ended before that line, so no signal will come
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
        signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (chdir(server.directory.c_str()) == 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0
        && dup2(output, STDERR_FILENO) >= 0) {
        char name[] = "redis-server";
        char fromInput[] = "-";
        std::string file = sentinelFile;
        char option[] = "--sentinel";
        char *arguments[] = {name, server.isSentinel ? file.data() : fromInput, server.isSentinel ? option : nullptr, nullptr};
        execv(program.c_str(), arguments);
    }
    dprintf(output, "%s: %s\n", program.c_str(), strerror(errno));
    _exit(127);
}

void KeeperProcess::forward(int id, Server &server)
{
    char text[4096];
    ssize_t size = 0;
    while ((size = read(server.output, text, sizeof text)) > 0) {
        // Lost if the program does not read: a log is not worth making the keeper wait.
        send("output " + std::to_string(id) + '\n' + std::string(text, static_cast<size_t>(size)), MSG_DONTWAIT);
    }
    if (size == 0) {
        close(server.output);
        server.output = -1;
    }
}

void KeeperProcess::reportEnded()
{
    for (auto &[id, server] : m_servers) {
        siginfo_t how {};
        if (server.isReported
            || waitid(P_PID, static_cast<id_t>(server.process), &how, WEXITED | WNOHANG | WNOWAIT) != 0
            || how.si_pid == 0)
            continue;
        if (server.output >= 0)
            forward(id, server); // its last words come before its end
        send("exited " + std::to_string(id) + (how.si_code == CLD_EXITED ? " exit " : " signal ")
            + std::to_string(how.si_status));
        server.isReported = true;
    }
}

void KeeperProcess::stop(int id)
{
    const auto found = m_servers.find(id);
    if (found == m_servers.end())
        return;
    const Server &server = found->second;
    end(server);
    while (waitpid(server.process, nullptr, 0) < 0 && errno == EINTR) { }
    if (server.output >= 0)
        close(server.output);
    removeDirectory(server.directory);
    m_servers.erase(found);
}

void KeeperProcess::endAll()
{
    for (const auto &[id, server] : m_servers)
        end(server);
    while (!m_servers.empty())
        stop(m_servers.begin()->first);
}

}

bool canRunAsKeeper()
{
    return isAskedFor;
}

std::optional<int> runAsKeeper(int argc, char **argv)
{
    isAskedFor = true;
    if (argc != 3 || strcmp(argv[1], "--keep-servers") != 0)
        return std::nullopt;
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(programSocket, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET) {
        fputs("interlock: --keep-servers is for the program's own use.\n", stderr);
        return 64;
    }
    return KeeperProcess(argv[2]).run();
}

}
