// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/measures/matrixview.h"

#include "widgets/measures/childmenu.h"
#include "widgets/measures/matrixmodel.h"
#include "widgets/measures/matrixpicture.h"
#include "widgets/measures/measuretexts.h"
#include "widgets/runmodel.h"
#include "widgets/timeline/wrapping.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace interlock {

/// Paints a cell as exported pictures do, with a frame around the one that has the focus.
class MatrixView::Delegate : public QStyledItemDelegate
{
public:
    explicit Delegate(MatrixView &view)
        : QStyledItemDelegate(&view)
        , m_view(view)
    {
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const Theme &theme = m_view.m_theme;
        drawMatrixCell(*painter, option.rect, m_view.m_model->cell(index), m_view.m_model->unit(index), theme);
        if (option.state & (QStyle::State_HasFocus | QStyle::State_Selected)) {
            const double width = 2 * theme.scale;
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(theme.accent, width, option.state & QStyle::State_HasFocus ? Qt::SolidLine : Qt::DotLine));
            painter->drawRect(QRectF(option.rect).adjusted(width / 2, width / 2, -width / 2, -width / 2));
        }
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        return matrixCellSize(m_view.m_model->cell(index), m_view.m_model->unit(index), m_view.m_theme).toSize();
    }

private:
    MatrixView &m_view;
};

MatrixView::MatrixView(const RunModel &run, QWidget *parent)
    : QWidget(parent)
    , m_run(run)
    , m_model(new MatrixModel(this))
    , m_table(new QTableView(this))
    , m_nothing(new QLabel(tr("Nothing has been measured yet."), this))
{
    m_table->setAccessibleName(tr("Outcomes"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new Delegate(*this));
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionMode(QAbstractItemView::ContiguousSelection);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setMouseTracking(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter | static_cast<Qt::Alignment>(Qt::TextWordWrap));
    m_table->verticalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter | static_cast<Qt::Alignment>(Qt::TextWordWrap));
    m_table->setCornerButtonEnabled(false);
    m_nothing->setIndent(14);
    m_nothing->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->addWidget(m_nothing);
    layout->addWidget(m_table, 1);
    setFocusProxy(m_table);

    const auto add = [this](const QString &text, const QList<QKeySequence> &keys, auto slot) {
        auto *action = new QAction(text, m_table);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, slot);
        m_table->addAction(action);
    };
    add(tr("&Open the Run"), {Qt::Key_Return, Qt::Key_Enter}, [this] { ask(m_table->currentIndex()); });
    add(tr("&Copy"), {QKeySequence::Copy}, [this] { copy(); });
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_table, &QTableView::clicked, this, &MatrixView::ask);

    m_soon.setSingleShot(true);
    m_soon.setInterval(250);
    connect(&m_soon, &QTimer::timeout, this, &MatrixView::countAgain);
    connect(&run, &RunModel::reset, this, &MatrixView::countAgain);
    connect(&run, &RunModel::grown, this, [this] {
        if (!m_soon.isActive())
            m_soon.start();
    });
}

void MatrixView::setTheme(const Theme &theme)
{
    m_theme = theme;
    QPalette own = theme.palette();
    own.setColor(QPalette::Window, theme.background);
    setPalette(own);
    m_table->setPalette(own);
    m_nothing->setFont(theme.font);
    m_table->horizontalHeader()->setFont(theme.sized(0.9, true));
    m_table->verticalHeader()->setFont(theme.sized(0.9, true));
    fit();
}

void MatrixView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    countAgain();
}

void MatrixView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

void MatrixView::countAgain()
{
    if (!isVisible())
        return;
    m_model->setRun(m_run.run());
    m_table->setAccessibleDescription(measuresSummary(m_run.run()));
    fit();
}

/// Columns share the width if there is enough; rows share the height, as long as they stay rows.
void MatrixView::fit()
{
    const int rows = m_model->rowCount(), columns = m_model->columnCount();
    m_nothing->setVisible(columns == 0);
    m_table->setVisible(columns > 0);
    if (columns == 0)
        return;
    const QFontMetrics metrics(m_table->verticalHeader()->font());
    int names = 0;
    for (int row = 0; row < rows; ++row)
        names = std::max(names, metrics.horizontalAdvance(m_model->headerData(row, Qt::Vertical).toString()));
    m_table->verticalHeader()->setFixedWidth(std::min(names + metrics.height(), width() / 3));

    double widest = 0, highest = 0;
    for (const MeasuredCell &cell : m_model->table().cells) {
        const QSizeF size = matrixCellSize(cell, m_model->table().rows.front().yUnit, m_theme);
        widest = std::max(widest, size.width());
        highest = std::max(highest, size.height());
    }
    const int room = (width() - m_table->verticalHeader()->width() - 4) / columns;
    const int column = std::max(static_cast<int>(widest), room);
    qsizetype lines = 1; // of the titles: a header does not find out by itself
    for (int i = 0; i < columns; ++i) {
        m_table->setColumnWidth(i, column);
        lines = std::max(lines, inLines(m_table->horizontalHeader()->font(), m_model->headerData(i, Qt::Horizontal).toString(), column - metrics.height()).size());
    }
    m_table->horizontalHeader()->setFixedHeight(static_cast<int>(lines) * metrics.height() + metrics.height() / 2);
    const int spare = rows > 0 ? (height() - m_table->horizontalHeader()->height() - 10) / rows : 0;
    for (int row = 0; row < rows; ++row)
        m_table->setRowHeight(row, std::clamp(spare, static_cast<int>(highest), static_cast<int>(highest * 1.6)));
}

void MatrixView::ask(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    askForChild(this, m_model->runsOf(index), m_table->viewport()->mapToGlobal(m_table->visualRect(index).center()), [this](const QString &name) { Q_EMIT childAsked(name); });
}

/// What is selected, under the columns' titles and beside the rows'; for a spreadsheet.
void MatrixView::copy()
{
    QModelIndexList indexes = m_table->selectionModel()->selectedIndexes();
    std::sort(indexes.begin(), indexes.end());
    if (indexes.isEmpty())
        return;
    QString titles, text;
    int row = -1;
    for (const QModelIndex &index : std::as_const(indexes)) {
        if (index.row() == indexes.first().row())
            titles += QLatin1Char('\t') + m_model->headerData(index.column(), Qt::Horizontal).toString();
        if (index.row() != row)
            text += QLatin1Char('\n') + m_model->headerData(index.row(), Qt::Vertical).toString();
        row = index.row();
        text += QLatin1Char('\t') + index.data().toString();
    }
    QGuiApplication::clipboard()->setText(titles + text + QLatin1Char('\n'));
}

}
