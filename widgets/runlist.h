// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/setfiles.h"
#include "widgets/theme.h"

#include <QDateTime>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QTreeWidget;
class QTreeWidgetItem;

namespace interlock {

/// A run of this sitting, or a file that was opened in it.
struct KeptRun
{
    std::shared_ptr<const Run> run; ///< of a set's run null: it is in the file only
    Verdict verdict;
    QString title; ///< "Release · GET, then DEL"
    QDateTime ended; ///< of a file: when it was opened
    QString file; ///< where it was read from or saved to; empty: nowhere
    QStringList problems; ///< what was wrong with the file
    std::vector<ChildRun> children; ///< the runs of a set
    bool isGoing = false; ///< a set that goes on: its record and its runs become more
};

/// About how much memory a record takes, in bytes.
size_t memoryOf(const Run &run);

/// The runs of this sitting, newest first, to go back to; those of a set below it. Bounded in memory: the oldest are dropped, with the
/// runs of their sets, the newest is always kept.
class RunList : public QWidget
{
    Q_OBJECT

public:
    static constexpr size_t defaultLimit = size_t(512) << 20; ///< bytes

    explicit RunList(QWidget *parent = nullptr, size_t limit = defaultLimit);

    void setTheme(const Theme &theme);
    /// Adds it in front and marks it as shown.
    void add(const KeptRun &run);
    /// A run of the set that goes on has ended: it stands below the set. Without such a set nothing happens.
    void grow(const ChildRun &child);
    /// Takes the set that goes on away. When it has ended, add() opens its row again if it was open.
    void dropGoing();
    int count() const { return static_cast<int>(m_runs.size()); }
    const KeptRun &at(int row) const { return m_runs[static_cast<size_t>(row)]; }
    /// The newest run of that experiment; null: none.
    const KeptRun *newestOf(const QString &experiment) const;
    /// The kept run that holds this record; null: none.
    const KeptRun *find(const std::shared_ptr<const Run> &record) const;
    /// The set to which this record belongs; null: to none that is kept.
    const KeptRun *setOf(const std::shared_ptr<const Run> &record) const;
    /// A run of the set that holds this record, by its name there; nothing: there is none.
    std::optional<KeptRun> child(const std::shared_ptr<const Run> &set, const QString &name) const;
    /// The record of a set's run was read from its file. Nothing: it belongs to no set that is kept.
    std::optional<KeptRun> fill(const QString &file, const std::shared_ptr<const Run> &record, const Verdict &verdict);
    /// Marks the row of this record as shown; none if it is not kept.
    void mark(const std::shared_ptr<const Run> &record);
    /// It was saved there, with the runs of its set.
    void setFile(const std::shared_ptr<const Run> &record, const QString &file);

Q_SIGNALS:
    void asked(const interlock::KeptRun &run);

private:
    void dress(QTreeWidgetItem &item, const KeptRun &run) const;
    void dropOldest();
    std::vector<KeptRun>::iterator going();
    KeptRun keptChild(const KeptRun &set, const ChildRun &child) const;

    size_t m_limit;
    std::vector<KeptRun> m_runs;
    bool m_wasOpen = false; ///< the row of the set that was dropped
    Theme m_theme;
    QTreeWidget *m_list; ///< in the order of the runs
};

}
