// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runlist.h"

#include "widgets/verdictbar.h"

#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace interlock {

namespace {

/// Shape and word as in the verdict bar.
QString sign(Judgement judgement)
{
    switch (judgement) {
    case Judgement::Held:
        return QStringLiteral("✓");
    case Judgement::Broken:
        return QStringLiteral("✕");
    case Judgement::Unknown:
        return QStringLiteral("?");
    case Judgement::None:
        break;
    }
    return QStringLiteral("·");
}

}

size_t memoryOf(const Run &run)
{
    size_t texts = 0;
    for (size_t i = 0; i < run.names.size(); ++i)
        texts += static_cast<size_t>(run.names.bytes(static_cast<Name>(i)).size()) + 96; // the table's own share, roughly
    return run.events.size() * sizeof(Event) + texts;
}

RunList::RunList(QWidget *parent, size_t limit)
    : QWidget(parent)
    , m_limit(limit)
    , m_theme(Theme::light())
    , m_list(new QTreeWidget(this))
{
    auto *title = new QLabel(tr("Runs of This Sitting"), this);
    title->setBuddy(m_list);
    m_list->setAccessibleName(tr("Runs of this sitting"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setProperty("panel", true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHeaderHidden(true);
    m_list->setIndentation(m_list->indentation() * 2 / 3);
    m_list->setRootIsDecorated(false); // as long as there is no set
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(title);
    layout->addWidget(m_list, 1);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (!item)
            return;
        QTreeWidgetItem *set = item->parent();
        const KeptRun &kept = at(m_list->indexOfTopLevelItem(set ? set : item));
        Q_EMIT asked(set ? keptChild(kept, kept.children[static_cast<size_t>(set->indexOfChild(item))]) : KeptRun(kept));
    });
}

void RunList::setTheme(const Theme &theme)
{
    m_theme = theme;
    for (int row = 0; row < count(); ++row) {
        QTreeWidgetItem *item = m_list->topLevelItem(row);
        dress(*item, at(row));
        for (int i = 0; i < item->childCount(); ++i)
            dress(*item->child(i), keptChild(at(row), at(row).children[static_cast<size_t>(i)]));
    }
}

void RunList::dress(QTreeWidgetItem &item, const KeptRun &run) const
{
    const bool isRead = run.run != nullptr;
    const QString word = run.isGoing ? tr("running") : isRead ? judgementWord(run.verdict.judgement) : tr("in its file");
    const QString time = QLocale().toString(run.ended.time(), QStringLiteral("HH:mm:ss"));
    item.setText(0, isRead ? QStringLiteral("%1 %2").arg(sign(run.verdict.judgement), run.title) : run.title);
    item.setToolTip(0, QStringList {run.title, word, time, run.file}.join(QLatin1Char('\n')).trimmed());
    item.setData(0, Qt::AccessibleTextRole, tr("%1, %2, %3").arg(run.title, word, time));
    item.setForeground(0, judgementColor(run.verdict.judgement, m_theme));
}

KeptRun RunList::keptChild(const KeptRun &set, const ChildRun &child) const
{
    return {child.run, child.verdict, child.title.isEmpty() ? child.name : child.title, set.ended, child.file, {}, {}, false};
}

void RunList::add(const KeptRun &run)
{
    const QSignalBlocker quietly(m_list);
    m_runs.insert(m_runs.begin(), run);
    auto *item = new QTreeWidgetItem;
    m_list->insertTopLevelItem(0, item);
    dress(*item, run);
    for (const ChildRun &child : run.children)
        dress(*new QTreeWidgetItem(item), keptChild(run, child));
    if (!run.children.empty())
        m_list->setRootIsDecorated(true);
    item->setExpanded(std::exchange(m_wasOpen, false));
    m_list->setCurrentItem(item);
    dropOldest();
}

std::vector<KeptRun>::iterator RunList::going()
{
    return std::find_if(m_runs.begin(), m_runs.end(), [](const KeptRun &run) { return run.isGoing; });
}

void RunList::grow(const ChildRun &child)
{
    const auto set = going();
    if (set == m_runs.end())
        return;
    set->children.push_back(child);
    auto *item = m_list->topLevelItem(static_cast<int>(set - m_runs.begin()));
    dress(*new QTreeWidgetItem(item), keptChild(*set, child));
    m_list->setRootIsDecorated(true);
    dropOldest();
}

void RunList::dropGoing()
{
    const auto set = going();
    if (set == m_runs.end())
        return;
    const QSignalBlocker quietly(m_list);
    const auto row = static_cast<int>(set - m_runs.begin());
    m_wasOpen = m_list->topLevelItem(row)->isExpanded();
    delete m_list->takeTopLevelItem(row);
    m_runs.erase(set);
}

void RunList::dropOldest()
{
    size_t bytes = 0;
    size_t kept = 0;
    while (kept < m_runs.size()) {
        bytes += memoryOf(*m_runs[kept].run);
        for (const ChildRun &child : m_runs[kept].children)
            bytes += child.run ? memoryOf(*child.run) : 0;
        if (kept > 0 && bytes > m_limit)
            break;
        ++kept;
    }
    while (m_runs.size() > kept) {
        m_runs.pop_back();
        delete m_list->takeTopLevelItem(m_list->topLevelItemCount() - 1);
    }
}

const KeptRun *RunList::newestOf(const QString &experiment) const
{
    for (const KeptRun &run : m_runs) {
        if (run.run->header.experiment == experiment)
            return &run;
    }
    return nullptr;
}

const KeptRun *RunList::find(const std::shared_ptr<const Run> &record) const
{
    for (const KeptRun &run : m_runs) {
        if (run.run == record)
            return &run;
    }
    return nullptr;
}

const KeptRun *RunList::setOf(const std::shared_ptr<const Run> &record) const
{
    const auto holds = [&](const KeptRun &run) {
        return std::any_of(run.children.begin(), run.children.end(), [&](const ChildRun &child) { return child.run == record; });
    };
    const auto set = record ? std::find_if(m_runs.begin(), m_runs.end(), holds) : m_runs.end();
    return set == m_runs.end() ? nullptr : &*set;
}

std::optional<KeptRun> RunList::child(const std::shared_ptr<const Run> &set, const QString &name) const
{
    const KeptRun *kept = find(set);
    if (!kept)
        return {};
    const auto found = std::find_if(kept->children.begin(), kept->children.end(), [&](const ChildRun &each) { return each.name == name; });
    return found == kept->children.end() ? std::nullopt : std::optional(keptChild(*kept, *found));
}

std::optional<KeptRun> RunList::fill(const QString &file, const std::shared_ptr<const Run> &record, const Verdict &verdict)
{
    for (int row = 0; row < count(); ++row) {
        KeptRun &set = m_runs[static_cast<size_t>(row)];
        for (size_t i = 0; i < set.children.size(); ++i) {
            ChildRun &child = set.children[i];
            if (child.file != file || child.run)
                continue;
            child.run = record;
            child.verdict = verdict;
            const KeptRun kept = keptChild(set, child);
            dress(*m_list->topLevelItem(row)->child(static_cast<int>(i)), kept);
            return kept;
        }
    }
    return {};
}

void RunList::mark(const std::shared_ptr<const Run> &record)
{
    const QSignalBlocker quietly(m_list);
    QTreeWidgetItem *marked = nullptr;
    for (int row = 0; record && row < count(); ++row) {
        QTreeWidgetItem *item = m_list->topLevelItem(row);
        if (at(row).run == record)
            marked = item;
        for (size_t i = 0; i < at(row).children.size(); ++i) {
            if (at(row).children[i].run == record)
                marked = item->child(static_cast<int>(i));
        }
    }
    m_list->setCurrentItem(marked);
}

void RunList::setFile(const std::shared_ptr<const Run> &record, const QString &file)
{
    for (KeptRun &run : m_runs) {
        if (run.run != record)
            continue;
        run.file = file;
        for (ChildRun &child : run.children)
            child.file = childFile(file, child.name);
    }
}

}
