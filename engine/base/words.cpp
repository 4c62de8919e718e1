// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>
#include <vector>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Words", text);
}

QString listed(const QStringList &words, const QString &lastTwo)
{
    if (words.size() < 2)
        return words.join(QString());
    return lastTwo.arg(words.mid(0, words.size() - 1).join(QStringLiteral(", ")), words.last());
}

/// How many letters must be added, dropped or changed (Levenshtein 1966), row by row.
qsizetype distance(const QString &left, const QString &right)
{
    std::vector<qsizetype> row(static_cast<size_t>(right.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 0; i < left.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j < row.size(); ++j) {
            const qsizetype changed = diagonal + (left.at(i) == right.at(static_cast<qsizetype>(j) - 1) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

}

QString listedAnd(const QStringList &words)
{
    return listed(words, tr("%1 and %2"));
}

QString listedOr(const QStringList &words)
{
    return listed(words, tr("%1 or %2"));
}

QString closest(const QString &word, const QStringList &known)
{
    constexpr qsizetype longest = 64; // of a word that is worth comparing
    QString best;
    qsizetype bestDistance = std::min(word.size() / 3 + 1, qsizetype {4});
    for (const QString &candidate : known) {
        if (word.size() > longest)
            break;
        // "release" for "lock-release": the end of a name is what people remember.
        if (word.size() >= 3 && candidate.endsWith(u'-' + word))
            return candidate;
        if (const qsizetype steps = distance(word, candidate); steps < bestDistance || (steps == bestDistance && best.isEmpty())) {
            best = candidate;
            bestDistance = steps;
        }
    }
    return best;
}

QString didYouMean(const QString &word, const QStringList &known)
{
    const QString meant = closest(word, known);
    return meant.isEmpty() ? QString() : QString(u' ' + tr("Did you mean “%1”?").arg(meant));
}

}
