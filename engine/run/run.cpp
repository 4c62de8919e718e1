// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run.h"

namespace interlock {

QString word(Judgement judgement)
{
    switch (judgement) {
    case Judgement::Held:
        return QStringLiteral("held");
    case Judgement::Broken:
        return QStringLiteral("broken");
    case Judgement::Unknown:
        return QStringLiteral("unknown");
    case Judgement::None:
        break;
    }
    return QStringLiteral("none");
}

}
