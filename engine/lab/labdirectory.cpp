// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/labdirectory.h"

#include <filesystem>
#include <system_error>

#include <cerrno>
#include <cstring>
#include <ctime>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace interlock {

namespace {

constexpr time_t secondsToBecomeLocked = 60;

// True if the directory was left behind. Its lock appears locked (see makeLabDirectory), so one without a lock is
// either being made or removed at this moment, or was left in the midst of that: its age tells.
bool isAbandoned(int directory, const struct stat &about)
{
    const int lock = openat(directory, "lock", O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0)
        return errno == ENOENT && time(nullptr) - about.st_mtime > secondsToBecomeLocked;
    const bool isFree = flock(lock, LOCK_EX | LOCK_NB) == 0;
    close(lock);
    return isFree;
}

}

int makeLabDirectory(const std::string &path)
{
    if (mkdir(path.c_str(), 0700) != 0)
        return -1;
    const std::string fresh = path + "/lock.new";
    const std::string ready = path + "/lock";
    const int lock = open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    // Locked first and named afterwards, so that a sweeper never meets a lock that is not yet held.
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && rename(fresh.c_str(), ready.c_str()) == 0)
        return lock;
    const int error = errno;
    if (lock >= 0)
        close(lock);
    removeDirectory(path);
    errno = error;
    return -1;
}

bool removeDirectory(const std::string &path)
{
    std::error_code error;
    std::filesystem::remove_all(path, error); // the standard: symlinks are not followed
    struct stat about;
    return lstat(path.c_str(), &about) != 0 && errno == ENOENT;
}

void sweepLabDirectories(const std::string &parent)
{
    DIR *list = opendir(parent.c_str());
    if (!list)
        return;
    while (const dirent *entry = readdir(list)) {
        if (strncmp(entry->d_name, labDirectoryPrefix, strlen(labDirectoryPrefix)) != 0)
            continue;
        const int directory = openat(dirfd(list), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (directory < 0)
            continue;
        struct stat about;
        const bool isOurs = fstat(directory, &about) == 0 && about.st_uid == geteuid();
        const bool abandoned = isOurs && isAbandoned(directory, about);
        close(directory);
        if (abandoned)
            removeDirectory(parent + '/' + entry->d_name);
    }
    closedir(list);
}

}
