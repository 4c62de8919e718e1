// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runlist.h"

#include "widgets/verdictbar.h"

#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

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
    return run.events.capacity() * sizeof(Event) + texts;
}

RunList::RunList(QWidget *parent, size_t limit)
    : QWidget(parent)
    , m_limit(limit)
    , m_theme(Theme::light())
    , m_list(new QListWidget(this))
{
    auto *title = new QLabel(tr("Runs of This Sitting"), this);
    title->setBuddy(m_list);
    m_list->setAccessibleName(tr("Runs of this sitting"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setProperty("panel", true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(title);
    layout->addWidget(m_list, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            Q_EMIT asked(KeptRun(m_runs[static_cast<size_t>(row)]));
    });
}

void RunList::setTheme(const Theme &theme)
{
    m_theme = theme;
    for (int row = 0; row < m_list->count(); ++row)
        m_list->item(row)->setForeground(judgementColor(at(row).verdict.judgement, theme));
}

void RunList::add(const KeptRun &run)
{
    const QSignalBlocker quietly(m_list);
    m_runs.insert(m_runs.begin(), run);
    const QString time = QLocale().toString(run.ended.time(), QStringLiteral("HH:mm:ss"));
    auto *item = new QListWidgetItem(QStringLiteral("%1 %2").arg(sign(run.verdict.judgement), run.title));
    item->setToolTip(QStringList {run.title, judgementWord(run.verdict.judgement), time, run.file}.join(QLatin1Char('\n')).trimmed());
    item->setData(Qt::AccessibleTextRole, tr("%1, %2, %3").arg(run.title, judgementWord(run.verdict.judgement), time));
    item->setForeground(judgementColor(run.verdict.judgement, m_theme));
    m_list->insertItem(0, item);
    m_list->setCurrentRow(0);
    dropOldest();
}

void RunList::dropOldest()
{
    size_t bytes = 0;
    size_t kept = 0;
    while (kept < m_runs.size()) {
        bytes += memoryOf(*m_runs[kept].run);
        if (kept > 0 && bytes > m_limit)
            break;
        ++kept;
    }
    while (m_runs.size() > kept) {
        m_runs.pop_back();
        delete m_list->takeItem(m_list->count() - 1);
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

void RunList::mark(const std::shared_ptr<const Run> &record)
{
    const QSignalBlocker quietly(m_list);
    int row = -1;
    for (int i = 0; i < count(); ++i) {
        if (at(i).run == record)
            row = i;
    }
    m_list->setCurrentRow(row);
}

void RunList::setFile(const std::shared_ptr<const Run> &record, const QString &file)
{
    for (KeptRun &run : m_runs) {
        if (run.run == record)
            run.file = file;
    }
}

}
