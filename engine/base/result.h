// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <utility>
#include <variant>

namespace interlock {

/// Why something could not be done: a kind for programs, a whole sentence for people.
struct Error
{
    enum class Kind {
        Failed, ///< it was tried and did not work
        TimedOut, ///< no answer within the deadline: whether it happened is unknown
        Closed, ///< the connection is gone: whether it happened is unknown
        Cancelled, ///< the run was stopped
        Invalid, ///< the caller's value or file is not usable
        Missing, ///< something that is needed is not here
    };

    Kind kind = Kind::Failed;
    QString text;

    bool operator==(const Error &) const = default;
};

/// A value, or the error that explains why there is none.
template<typename T>
class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// The value. Precondition: ok().
    T &value() { return *std::get_if<0>(&m_state); }
    const T &value() const { return *std::get_if<0>(&m_state); }
    T &operator*() { return value(); }
    const T &operator*() const { return value(); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }

    /// The error. Precondition: !ok().
    const Error &error() const { return *std::get_if<1>(&m_state); }

private:
    std::variant<T, Error> m_state;
};

template<>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
        , m_ok(false)
    {
    }

    bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    const Error &error() const { return m_error; }

private:
    Error m_error;
    bool m_ok = true;
};

}
