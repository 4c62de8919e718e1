// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/limiters/limitertable.h"

#include "widgets/limiters/limitertablemodel.h"
#include "widgets/runmodel.h"
#include "widgets/timeline/wrapping.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace interlock {

LimiterTable::LimiterTable(const RunModel &run, QWidget *parent)
    : QScrollArea(parent)
    , m_run(run)
    , m_measured(new LimiterTableModel(measuredColumns(), this))
    , m_compared(new LimiterTableModel(comparedColumns(), this))
{
    setAccessibleName(tr("Figures of the limiters"));
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus); // the tables have it
    auto *page = new QWidget;
    page->setLayout(new QVBoxLayout);
    page->layout()->setContentsMargins(14, 6, 14, 6);
    page->setAutoFillBackground(true);
    setWidget(page);
    m_tables = {addTable(tr("Measured"), m_measured), addTable(tr("How they compare"), m_compared)};
    static_cast<QVBoxLayout *>(page->layout())->addStretch(1);
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &LimiterTable::countSome);
    connect(&run, &RunModel::reset, this, &LimiterTable::startAgain);
    connect(&run, &RunModel::grown, this, [this] {
        if (m_soon.isActive())
            return;
        m_next = 0;
        m_soon.start(500);
    });
}

QTableView *LimiterTable::addTable(const QString &title, LimiterTableModel *model)
{
    auto *label = new QLabel(title);
    auto *table = new QTableView;
    label->setBuddy(table);
    m_titles.append(label);
    table->setAccessibleName(title);
    table->setModel(model);
    table->setWordWrap(true);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the page scrolls
    table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter | static_cast<Qt::Alignment>(Qt::TextWordWrap));
    const auto add = [&](const QString &text, const QKeySequence &keys, bool isAll) {
        auto *action = new QAction(text, table);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, table, [table, model, isAll] {
            if (isAll)
                table->selectAll();
            QGuiApplication::clipboard()->setText(model->text(table->selectionModel()->selectedIndexes()));
        });
        table->addAction(action);
    };
    add(tr("&Copy"), QKeySequence::Copy, false);
    add(tr("Copy the Whole &Table"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), true);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    widget()->layout()->addWidget(label);
    widget()->layout()->addWidget(table);
    return table;
}

void LimiterTable::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_measured->setTheme(theme);
    m_compared->setTheme(theme);
    QPalette own = theme.palette();
    own.setColor(QPalette::Window, theme.background);
    setPalette(own);
    widget()->setPalette(own);
    for (QLabel *title : m_titles)
        title->setFont(theme.sized(1, true));
    for (const QTableView *table : m_tables) { // its cells' font is the model's
        table->horizontalHeader()->setFont(theme.sized(0.9));
    }
    fit();
}

void LimiterTable::setHidden(const QStringList &limiters)
{
    m_hidden = limiters;
    showRows();
}

void LimiterTable::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    countAgain();
}

void LimiterTable::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

void LimiterTable::startAgain()
{
    m_shown.reset();
    countAgain();
}

void LimiterTable::countAgain()
{
    m_next = 0;
    countSome();
}

/// In steps, between which the window answers: a long run's events, then one limiter in each.
void LimiterTable::countSome()
{
    constexpr size_t step = 20'000; // some milliseconds
    if (!isVisible())
        return;
    if (!m_shown) {
        m_record = LimiterRecord();
        m_shown = m_run.sharedRun();
    }
    if (m_record.extend(*m_shown, step))
        return m_soon.start(0);
    m_figures.resize(m_record.series().size());
    if (m_next < m_figures.size()) {
        m_figures[m_next] = measure(*m_shown, m_record, m_next);
        if (++m_next < m_figures.size())
            return m_soon.start(0);
    }
    showRows();
}

void LimiterTable::showRows()
{
    QList<LimiterTableModel::Row> measured, compared;
    for (size_t i = 0; i < m_figures.size(); ++i) {
        const LimiterInfo &info = m_record.series()[i].info();
        if (m_hidden.contains(info.name))
            continue;
        const LimiterFigures &figures = m_figures[i];
        const bool isOver = figures.basis.window > 0 && figures.mostInWindow > figures.basis.quota;
        measured.append({measuredCells(info, figures), isOver});
        compared.append({comparedCells(info, figures), false});
    }
    m_measured->setRows(measured);
    m_compared->setRows(compared);
    fit();
}

/// Columns of figures take what they need; words share the rest and wrap. Tables are as high as their rows: the page scrolls.
void LimiterTable::fit()
{
    const int width = viewport()->width() - 28;
    for (QTableView *table : m_tables) {
        QHeaderView *header = table->horizontalHeader();
        const int columns = table->model()->columnCount();
        const QFontMetrics metrics(m_theme.sized(0.95));
        const int air = metrics.horizontalAdvance(QStringLiteral("00"));
        std::vector<int> wanted(static_cast<size_t>(columns));
        int sum = 0;
        for (int column = 0; column < columns; ++column) {
            int widest = 0;
            for (const QString &word : table->model()->headerData(column, Qt::Horizontal).toString().split(QLatin1Char(' ')))
                widest = std::max(widest, QFontMetrics(header->font()).horizontalAdvance(word));
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QModelIndex index = table->model()->index(row, column);
                const int whole = QFontMetrics(index.data(Qt::FontRole).value<QFont>()).horizontalAdvance(index.data().toString());
                widest = std::max(widest, std::min(whole, metrics.horizontalAdvance(QLatin1Char('0')) * 30));
            }
            wanted[static_cast<size_t>(column)] = widest + air;
            sum += widest + air;
        }
        for (int column = 0; column < columns; ++column) {
            const int share = sum > 0 && columns > 0 ? (width - sum) * wanted[static_cast<size_t>(column)] / sum : 0;
            table->setColumnWidth(column, wanted[static_cast<size_t>(column)] + std::max(0, share));
        }
        qsizetype lines = 1; // of the titles: a header does not find out by itself
        for (int column = 0; column < columns; ++column) {
            const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
            lines = std::max(lines, inLines(header->font(), title, table->columnWidth(column) - air).size());
        }
        header->setFixedHeight(static_cast<int>(lines) * QFontMetrics(header->font()).height() + 8);
        table->resizeRowsToContents();
        int height = header->height() + 4;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            table->setRowHeight(row, table->rowHeight(row) + metrics.height() / 3);
            height += table->rowHeight(row);
        }
        table->setFixedHeight(height + (sum > width ? table->style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0));
    }
}

}
