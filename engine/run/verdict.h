// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run.h"

#include <QStringList>

#include <variant>
#include <vector>

namespace interlock {

/// A point in time or a length of time in a sentence; ns.
struct At
{
    qint64 ns = 0;
    bool operator==(const At &) const = default;
};
struct For
{
    qint64 ns = 0;
    bool operator==(const For &) const = default;
};

/// A template's id and its arguments, so that the window can say it in any language.
struct Sentence
{
    /// A list is of names, and is said as "B, C, D and 2 more".
    using Argument = std::variant<QString, qint64, At, For, QStringList>;

    QString id;
    std::vector<Argument> arguments;

    bool operator==(const Sentence &) const = default;
};

/// The sentences in the language of the application, one after the other: "A worked from 0.102 s to 1.604 s; …".
QString text(const Sentence &sentence);
QString text(const std::vector<Sentence> &sentences);
/// "1.108 s" for a point in time; "496 ms", "1.204 s", "2 s", "420 µs" for a length.
QString text(At at);
QString text(For length);

/// What one check says of a run.
struct CheckResult
{
    QString check;
    Judgement judgement = Judgement::Unknown;
    bool judges = true;
    std::vector<Sentence> sentences; ///< the first is the headline, the rest its cause and notes
    std::vector<size_t> events; ///< indices into Run::events that prove it, the decisive one first
    QList<std::pair<QString, qint64>> facts; ///< figures for programs, as the verdict line gives them: "ttl": -1

    bool operator==(const CheckResult &) const = default;
};

/// What a run says about its promise. Broken before unknown before held; checks that do not judge never count.
struct Verdict
{
    Judgement judgement = Judgement::Unknown;
    std::vector<CheckResult> checks; ///< the decisive one first

    bool operator==(const Verdict &) const = default;
};

}
