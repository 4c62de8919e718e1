// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checks/sentences.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace interlock {

namespace {

/// The source texts. Where a number is counted, the second form is for one of it: English needs two, and other languages
/// get theirs from their translation of the first.
struct Template
{
    const char *id;
    const char *form;
    const char *one = nullptr;
};

const Template templates[] = {
    // Two at once
    {"overlap.granted", QT_TRANSLATE_NOOP("checks", "%1 worked from %2 to %3; %4 was granted the lock at %5. Both worked for %6.")},
    {"overlap.entered", QT_TRANSLATE_NOOP("checks", "%1 worked from %2 to %3; %4 began to work at %5. Both worked for %6.")},
    {"overlap.open", QT_TRANSLATE_NOOP("checks", "%1 worked from %2 to %3; %4 began to work at %5, and when it stopped is not recorded.")},
    {"overlap.watched", QT_TRANSLATE_NOOP("checks", "%1 held %2 from %3 to %4; %5 was granted it at %6. Both held it for %7.")},
    {"overlap.watched.open", QT_TRANSLATE_NOOP("checks", "%1 held %2 from %3 to %4; %5 was granted it at %6, and its release is not recorded.")},
    {"overlap.first", QT_TRANSLATE_N_NOOP("checks", "It was the first of %n overlaps."), "It was the only overlap."},
    {"overlap.none", QT_TRANSLATE_N_NOOP("checks", "%n sections were worked in, never two at once."), "One section was worked in, so never two at once."},
    {"overlap.nobody", QT_TRANSLATE_NOOP("checks", "Nobody worked in a protected section.")},
    {"overlap.missing", QT_TRANSLATE_NOOP("checks", "%1 began to work at %2, and when it stopped is not recorded.")},
    {"overlap.missing.start", QT_TRANSLATE_N_NOOP("checks", "For %n sections it is recorded when their work stopped, but not when it began."),
        "For one section it is recorded when its work stopped, but not when it began."},
    {"watched.none", QT_TRANSLATE_N_NOOP("checks", "The lock was held %n times, never by two at once."), "The lock was held once, so never by two."},
    {"watched.nobody", QT_TRANSLATE_NOOP("checks", "Nobody was granted the lock.")},
    {"watched.missing", QT_TRANSLATE_NOOP("checks", "%1 was granted %2 at %3, and its release is not recorded.")},
    {"watched.missing.start", QT_TRANSLATE_N_NOOP("checks", "%n holds ended whose grant is not recorded."), "One hold ended whose grant is not recorded."},

    // Why the second could be granted
    {"cause.expired", QT_TRANSLATE_NOOP("checks", "First cause: %1’s lock expired at %2.")},
    {"cause.deleted", QT_TRANSLATE_NOOP("checks", "First cause: %1’s lock was deleted by %2 at %3.")},
    {"cause.deleted.unknown", QT_TRANSLATE_NOOP("checks", "First cause: %1’s lock was deleted at %2.")},
    {"cause.released", QT_TRANSLATE_NOOP("checks", "First cause: %1 released its lock at %2, while it was still working.")},
    {"cause.overwritten", QT_TRANSLATE_NOOP("checks", "First cause: at %3 %2 overwrote the lock that %1 held.")},
    {"cause.restarted", QT_TRANSLATE_NOOP("checks", "First cause: %2 restarted at %3 without %1’s lock.")},
    {"cause.promoted", QT_TRANSLATE_NOOP("checks", "First cause: %2 was promoted at %3 without %1’s lock.")},
    {"cause.no-lock", QT_TRANSLATE_NOOP("checks", "First cause: %1 worked without a lock.")},
    {"cause.unknown", QT_TRANSLATE_NOOP("checks", "Why %2 was granted the lock while %1 had it is not recorded.")},
    {"cause.paused", QT_TRANSLATE_NOOP("checks", "%1 was paused from %2 to %3.")},
    {"note.overrun", QT_TRANSLATE_NOOP("checks", "%1 worked %2 beyond its lock’s TTL.")},

    // Release by owner
    {"release.foreign", QT_TRANSLATE_NOOP("checks", "%1’s release, sent at %2, deleted the lock that %3 had been granted at %4.")},
    {"release.foreign.expired", QT_TRANSLATE_NOOP("checks", "%1’s own lock had expired at %2.")},
    {"release.foreign.stranger", QT_TRANSLATE_NOOP("checks", "%1 itself had not been granted the lock.")},
    {"release.foreign.first", QT_TRANSLATE_N_NOOP("checks", "It was the first of %n such releases."), "It was the only such release."},
    {"release.unordered", QT_TRANSLATE_NOOP("checks", "%1’s release, between %2 and %3, and %4’s grant, between %5 and %6, cannot be ordered.")},
    {"release.expiring", QT_TRANSLATE_NOOP("checks", "%1’s release, between %2 and %3, came when %4’s lock was about to expire: whose lock it deleted is not known.")},
    {"release.releasing", QT_TRANSLATE_NOOP("checks", "%1’s release, between %2 and %3, and that of %4, sent at %5, cannot be ordered.")},
    {"release.unanswered", QT_TRANSLATE_NOOP("checks", "%1’s release, sent at %2, was not answered: whether it deleted %3’s lock is not known.")},
    {"release.held", QT_TRANSLATE_N_NOOP("checks", "%n releases deleted a lock, each its owner’s."), "One release deleted a lock, its owner’s."},
    {"release.none", QT_TRANSLATE_NOOP("checks", "No release deleted a lock.")},
    {"release.refused", QT_TRANSLATE_NOOP("checks", "%1’s release at %2 deleted nothing.")},
    {"release.kept", QT_TRANSLATE_NOOP("checks", "%1’s release at %2 deleted nothing, and %3 kept its lock.")},

    // Stuck lock
    {"stuck.one", QT_TRANSLATE_N_NOOP("checks", "The key %1 has no TTL (TTL −1); its owner %2 died at %3; %4 was refused %n times until the run ended at %6."),
        "The key %1 has no TTL (TTL −1); its owner %2 died at %3; %4 was refused once until the run ended at %6."},
    {"stuck.many", QT_TRANSLATE_N_NOOP("checks", "The key %1 has no TTL (TTL −1); its owner %2 died at %3; %4 were refused %n times until the run ended at %6.")},
    {"stuck.ended-early", QT_TRANSLATE_NOOP("checks", "The key %1 has no TTL (TTL −1) and its owner %2 died at %3, but the record does not reach the end of the run.")},
    {"stuck.nobody-asked", QT_TRANSLATE_NOOP("checks", "%2, the owner of %1, died at %3, and nobody asked for the lock afterwards.")},
    {"stuck.freed", QT_TRANSLATE_NOOP("checks", "%2, the owner of %1, died at %3; %4 was granted the lock at %5, %6 later.")},
    {"stuck.expiring", QT_TRANSLATE_NOOP("checks", "%2, the owner of %1, died at %3; the key has a TTL and expires at %4 at the latest.")},
    {"stuck.free", QT_TRANSLATE_NOOP("checks", "%2, the owner of %1, died at %3; the key is gone.")},
    {"stuck.nobody-died", QT_TRANSLATE_NOOP("checks", "No client died as the owner of a lock.")},

    // Renewal
    {"renewal.died", QT_TRANSLATE_NOOP("checks", "%1’s lock was renewed at %2, after %1 had died at %3.")},
    {"renewal.released", QT_TRANSLATE_NOOP("checks", "%1’s lock was renewed at %2, after %1 had released it at %3.")},
    {"renewal.revived", QT_TRANSLATE_NOOP("checks", "%1’s renewal at %2 created the lock again, which was gone since %3.")},
    {"renewal.foreign", QT_TRANSLATE_NOOP("checks", "%1’s renewal at %2 was accepted, though %3 had been granted the lock at %4.")},
    {"renewal.expired", QT_TRANSLATE_NOOP("checks", "%1 renewed its lock at %2, %4 after its validity had ended at %3.")},
    {"renewal.lifetime", QT_TRANSLATE_NOOP("checks", "%1 renewed its lock at %2, %3 after it had acquired it; the maximum lifetime is %4.")},
    {"renewal.first", QT_TRANSLATE_N_NOOP("checks", "It was the first of %n such renewals."), "It was the only such renewal."},
    {"renewal.starved", QT_TRANSLATE_N_NOOP("checks", "Others were refused %n times meanwhile."), "Others were refused once meanwhile."},
    {"renewal.orphan", QT_TRANSLATE_NOOP("checks", "%1 renewed a lock at %2 whose grant is not recorded.")},
    {"renewal.argument", QT_TRANSLATE_NOOP("checks", "The maximum lifetime “%1” is not a number of nanoseconds.")},
    {"renewal.held", QT_TRANSLATE_N_NOOP("checks", "%n renewals, each by a live owner within its lock’s validity."), "One renewal, by a live owner within its lock’s validity."},
    {"renewal.none", QT_TRANSLATE_NOOP("checks", "No lock was renewed.")},
    {"renewal.failed", QT_TRANSLATE_NOOP("checks", "%1’s renewal failed at %2.")},

    // Late write
    {"write.late", QT_TRANSLATE_NOOP("checks", "%4 had written with token %5 at %6; %1’s write with token %2 at %3 was late and was accepted.")},
    {"write.lost", QT_TRANSLATE_NOOP("checks", "%1’s update “%2” is lost.")},
    {"write.lost.unnamed", QT_TRANSLATE_NOOP("checks", "%1’s update is lost.")},
    {"write.first", QT_TRANSLATE_N_NOOP("checks", "It was the first of %n late writes."), "It was the only late write."},
    {"write.held", QT_TRANSLATE_N_NOOP("checks", "%n writes were accepted, none with a token below an earlier one."), "One write was accepted."},
    {"write.none", QT_TRANSLATE_NOOP("checks", "No write was accepted.")},
    {"write.refused", QT_TRANSLATE_NOOP("checks", "%1’s late write with token %2 at %3 was refused.")},
    {"write.no-token", QT_TRANSLATE_N_NOOP("checks", "%n writes showed no token and cannot be ordered by it."), "One write showed no token and cannot be ordered by it."},

    // All
    {"incomplete", QT_TRANSLATE_NOOP("checks", "The record is incomplete, so more may have happened.")},
    {"incomplete.because", QT_TRANSLATE_NOOP("checks", "The record is incomplete, so more may have happened. %1")},
    {"incomplete.dropped", QT_TRANSLATE_N_NOOP("checks", "%n events beyond the limit were not recorded, so more may have happened."),
        "One event beyond the limit was not recorded, so more may have happened."},
    {"no-such-check", QT_TRANSLATE_NOOP("checks", "There is no check named “%1”.")},
    {"no-judging-check", QT_TRANSLATE_NOOP("checks", "No check judges the promise of this run.")},

    // Witnesses
    {"witness.fault", QT_TRANSLATE_NOOP("checks", "The fault did not touch anything: %1.")},
    {"witness.fault.any", QT_TRANSLATE_NOOP("checks", "No fault touched anything.")},
    {"witness.asked", QT_TRANSLATE_NOOP("checks", "%1 asked for the lock %2 of %3 times.")},
    {"witness.asked.any", QT_TRANSLATE_NOOP("checks", "Clients that asked for the lock: %1, needed: %2.")},
    {"witness.granted", QT_TRANSLATE_NOOP("checks", "%1 was granted the lock %2 of %3 times.")},
    {"witness.granted.any", QT_TRANSLATE_NOOP("checks", "Grants of the lock: %1, needed: %2.")},
    {"witness.refused", QT_TRANSLATE_NOOP("checks", "%1 was refused %2 of %3 times.")},
    {"witness.refused.any", QT_TRANSLATE_NOOP("checks", "Refused attempts: %1, needed: %2.")},
    {"witness.released", QT_TRANSLATE_NOOP("checks", "Releases by %1: %2, needed: %3.")},
    {"witness.released.any", QT_TRANSLATE_NOOP("checks", "Releases: %1, needed: %2.")},
    {"witness.renewed", QT_TRANSLATE_NOOP("checks", "Renewals by %1: %2, needed: %3.")},
    {"witness.renewed.any", QT_TRANSLATE_NOOP("checks", "Renewals: %1, needed: %2.")},
    {"witness.expired", QT_TRANSLATE_NOOP("checks", "Locks of %1 that expired: %2, needed: %3.")},
    {"witness.expired.any", QT_TRANSLATE_NOOP("checks", "Locks that expired: %1, needed: %2.")},
    {"witness.overrun", QT_TRANSLATE_NOOP("checks", "Sections in which %1 worked beyond its TTL: %2, needed: %3.")},
    {"witness.overrun.any", QT_TRANSLATE_NOOP("checks", "Sections worked in beyond the TTL: %1, needed: %2.")},
    {"witness.wrote", QT_TRANSLATE_NOOP("checks", "Writes by %1: %2, needed: %3.")},
    {"witness.wrote.any", QT_TRANSLATE_NOOP("checks", "Writes: %1, needed: %2.")},
    {"witness.no-such", QT_TRANSLATE_NOOP("checks", "There is no witness named “%1”.")},
};

const Template *find(const QString &id)
{
    static const QHash<QString, const Template *> byId = [] {
        QHash<QString, const Template *> table;
        for (const Template &entry : templates)
            table.insert(QString::fromLatin1(entry.id), &entry);
        return table;
    }();
    return byId.value(id);
}

QString text(const QStringList &names)
{
    constexpr qsizetype shown = 3;
    if (names.size() < 2)
        return names.value(0);
    if (names.size() <= shown)
        return QCoreApplication::translate("checks", "%1 and %2", "the last of several names")
            .arg(QStringList(names.mid(0, names.size() - 1)).join(QStringLiteral(", ")), names.last());
    return QCoreApplication::translate("checks", "%1 and %2 more", "names, and how many are left out")
        .arg(QStringList(names.mid(0, shown)).join(QStringLiteral(", ")), QString::number(names.size() - shown));
}

QString text(const Sentence::Argument &argument)
{
    if (const QString *string = std::get_if<QString>(&argument))
        return *string;
    if (const qint64 *number = std::get_if<qint64>(&argument))
        return QString::number(*number);
    if (const At *at = std::get_if<At>(&argument))
        return text(*at);
    if (const For *length = std::get_if<For>(&argument))
        return text(*length);
    return text(std::get<QStringList>(argument));
}

/// %n of a template: the first whole number among the arguments.
int count(const Sentence &sentence)
{
    for (const Sentence::Argument &argument : sentence.arguments) {
        if (const qint64 *number = std::get_if<qint64>(&argument))
            return int(std::clamp<qint64>(*number, 0, std::numeric_limits<int>::max()));
    }
    return 0;
}

QString chooseForm(const Template &entry, int n)
{
    const QString form = QCoreApplication::translate("checks", entry.form, nullptr, n);
    const bool isTranslated = form != QString::fromUtf8(entry.form).replace(QStringLiteral("%n"), QString::number(n));
    return entry.one && n == 1 && !isTranslated ? QString::fromUtf8(entry.one) : form;
}

/// Puts all arguments in at once: a client may be called "%2".
QString fill(const QString &form, const std::vector<Sentence::Argument> &arguments)
{
    QString filled;
    for (qsizetype i = 0; i < form.size(); ++i) {
        const int place = form[i] == QLatin1Char('%') && i + 1 < form.size() ? form[i + 1].digitValue() : -1;
        if (place < 1) {
            filled += form[i];
            continue;
        }
        if (size_t(place) <= arguments.size())
            filled += text(arguments[size_t(place) - 1]);
        ++i;
    }
    return filled;
}

}

bool isSentence(const QString &id)
{
    return find(id);
}

QString text(const Sentence &sentence)
{
    const Template *entry = find(sentence.id);
    return entry ? fill(chooseForm(*entry, count(sentence)), sentence.arguments) : sentence.id;
}

QString text(const std::vector<Sentence> &sentences)
{
    QStringList texts;
    for (const Sentence &sentence : sentences)
        texts.append(text(sentence));
    return texts.join(QLatin1Char(' '));
}

}
