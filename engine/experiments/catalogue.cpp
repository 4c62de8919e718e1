// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/catalogue.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace interlock {

namespace {

struct Family
{
    const char *id;
    const char *title;
};

/// In the order of the window.
constexpr std::array families {
    Family {"locks", QT_TRANSLATE_NOOP("Family", "Locks on one server")},
    Family {"failover", QT_TRANSLATE_NOOP("Family", "Failover")},
    Family {"redlock", QT_TRANSLATE_NOOP("Family", "Redlock")},
    Family {"limiters", QT_TRANSLATE_NOOP("Family", "Limiters")},
    Family {"transactions", QT_TRANSLATE_NOOP("Family", "Transactions and scripts")},
    Family {"queues", QT_TRANSLATE_NOOP("Family", "Queues")},
    Family {"sale", QT_TRANSLATE_NOOP("Family", "Flash sale")},
};

auto place(const QString &family)
{
    return std::find_if(families.begin(), families.end(), [&](const Family &one) { return family == QLatin1String(one.id); });
}

/// Families that the table does not know come last, in the order of their names.
bool isBefore(const Experiment &left, const Experiment &right)
{
    const auto leftPlace = place(left.family);
    const auto rightPlace = place(right.family);
    if (leftPlace != rightPlace)
        return leftPlace < rightPlace;
    return std::tie(left.family, left.place, left.id) < std::tie(right.family, right.place, right.id);
}

}

QString familyTitle(const QString &family)
{
    const auto known = place(family);
    if (known != families.end())
        return QCoreApplication::translate("Family", known->title);
    return family.left(1).toUpper() + family.mid(1);
}

namespace experiments {

const std::vector<Experiment> &all()
{
    static const std::vector<Experiment> sorted = [] {
        std::vector<Experiment> described = describeAll();
        std::stable_sort(described.begin(), described.end(), isBefore);
        return described;
    }();
    return sorted;
}

const Experiment *find(const QString &id)
{
    const std::vector<Experiment> &known = all();
    const auto found = std::find_if(known.begin(), known.end(), [&](const Experiment &one) { return one.id == id; });
    return found == known.end() ? nullptr : &*found;
}

bool onlyMeasures(const Experiment &experiment)
{
    return std::all_of(experiment.presets.begin(), experiment.presets.end(), [](const Preset &preset) { return preset.expected == Judgement::None; });
}

bool asksPerson(const Header &header)
{
    const Experiment *experiment = find(header.experiment);
    if (!experiment || !experiment->asksPerson)
        return false;
    Values values(experiment->parameters);
    for (const auto &[name, text] : header.values) {
        if (!values.set(name, text))
            return false;
    }
    return experiment->asksPerson(values);
}

}

}
