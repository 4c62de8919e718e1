// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/verdict.h"

#include <utility>

namespace interlock {

/// Is there a template of this id?
bool isSentence(const QString &id);

/// A sentence of the table in sentences.cpp. In its templates %1 to %9 are the arguments by position and %n is the first
/// whole number among them, which also chooses between singular and plural.
template<typename... Arguments>
Sentence say(const char *id, Arguments &&...arguments)
{
    Sentence sentence {QString::fromLatin1(id), {Sentence::Argument(std::forward<Arguments>(arguments))...}};
    Q_ASSERT_X(isSentence(sentence.id), "say", id);
    return sentence;
}

}
