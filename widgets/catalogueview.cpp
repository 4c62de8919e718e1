// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/catalogueview.h"

#include "engine/experiments/experiment.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

namespace interlock {

namespace {

constexpr int idRole = Qt::UserRole;

/// A bar at the left marks the chosen row, so that colour does not speak alone.
class RowDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyleOptionViewItem row = option;
        if (index.data(idRole).isNull())
            row.palette.setColor(QPalette::Text, option.palette.color(QPalette::PlaceholderText));
        const bool isChosen = option.state & QStyle::State_Selected;
        if (isChosen) {
            QColor tint = option.palette.color(QPalette::Highlight);
            painter->fillRect(QRect(0, option.rect.top(), 3, option.rect.height()), tint);
            tint.setAlpha(40);
            painter->fillRect(QRect(0, option.rect.top(), option.rect.right() + 1, option.rect.height()), tint);
            row.state &= ~QStyle::State_Selected;
            row.font.setBold(true);
        }
        QStyledItemDelegate::paint(painter, row, index);
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(option.fontMetrics.height() + option.fontMetrics.height() / (index.data(idRole).isNull() ? 1 : 3));
        return size;
    }
};

/// The tree without branches: families are headings, which the arrow keys pass over.
class FlatTree : public QTreeWidget
{
public:
    using QTreeWidget::QTreeWidget;

protected:
    void drawBranches(QPainter *, const QRect &, const QModelIndex &) const override { }

    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override
    {
        const QModelIndex reached = QTreeWidget::moveCursor(action, modifiers);
        if (!reached.isValid() || !reached.data(idRole).isNull())
            return reached;
        const bool isUpward = action == MoveUp || action == MoveLeft || action == MovePrevious || action == MovePageUp;
        QModelIndex row = isUpward ? indexAbove(reached) : indexBelow(reached);
        if (!row.isValid())
            row = currentIndex(); // nothing above the first heading
        return row.data(idRole).isNull() ? QModelIndex() : row;
    }
};

}

bool matches(const Experiment &experiment, const QString &search)
{
    const QString text = QStringList {experiment.id, experiment.family, familyTitle(experiment.family), experiment.title,
        experiment.claim, experiment.promise}.join(QLatin1Char('\n'));
    const QStringList words = search.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
        [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

CatalogueView::CatalogueView(const std::vector<Experiment> &experiments, QWidget *parent)
    : QWidget(parent)
    , m_experiments(experiments)
    , m_search(new QLineEdit(this))
    , m_tree(new FlatTree(this))
    , m_nothing(new QLabel(tr("No experiment fits the search."), this))
{
    m_search->setPlaceholderText(tr("Find an experiment…"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Find an experiment"));
    m_search->installEventFilter(this);

    m_tree->setAccessibleName(tr("Experiments"));
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setItemsExpandable(false);
    m_tree->setIndentation(8);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setProperty("panel", true);
    m_tree->setItemDelegate(new RowDelegate(m_tree));
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_nothing->setWordWrap(true);
    m_nothing->hide();

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->addWidget(m_search);
    layout->addWidget(m_nothing);
    layout->addWidget(m_tree, 1);
    fill();

    connect(m_search, &QLineEdit::textChanged, this, &CatalogueView::search);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (item && !item->data(0, idRole).isNull())
            Q_EMIT chosenChanged(item->data(0, idRole).toString());
    });
}

void CatalogueView::fill()
{
    QTreeWidgetItem *heading = nullptr;
    QString family;
    for (const Experiment &experiment : m_experiments) {
        if (!heading || experiment.family != family) {
            family = experiment.family;
            heading = new QTreeWidgetItem(m_tree, {familyTitle(family).toUpper()});
            heading->setFlags(Qt::ItemIsEnabled); // not selectable; disabled ones would disable their children
            heading->setData(0, Qt::AccessibleTextRole, familyTitle(family));
        }
        auto *row = new QTreeWidgetItem(heading, {experiment.title});
        row->setData(0, idRole, experiment.id);
        row->setToolTip(0, experiment.promise);
        row->setData(0, Qt::AccessibleDescriptionRole, experiment.promise);
    }
    m_tree->expandAll();
}

void CatalogueView::setTheme(const Theme &theme)
{
    const QFont small = theme.sized(0.85, true);
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        m_tree->topLevelItem(i)->setFont(0, small);
}

void CatalogueView::choose(const QString &id)
{
    for (QTreeWidgetItemIterator it(m_tree); *it; ++it) {
        if ((*it)->data(0, idRole) == id && !(*it)->data(0, idRole).isNull()) {
            m_tree->setCurrentItem(*it);
            return;
        }
    }
}

QString CatalogueView::chosen() const
{
    const QTreeWidgetItem *item = m_tree->currentItem();
    return item ? item->data(0, idRole).toString() : QString();
}

QStringList CatalogueView::shown() const
{
    QStringList ids;
    for (QTreeWidgetItemIterator it(m_tree, QTreeWidgetItemIterator::NotHidden); *it; ++it) {
        if (const QVariant id = (*it)->data(0, idRole); !id.isNull())
            ids.append(id.toString());
    }
    return ids;
}

void CatalogueView::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void CatalogueView::search(const QString &text)
{
    size_t next = 0; // items stand in the order of the experiments
    bool any = false;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem *heading = m_tree->topLevelItem(i);
        bool anyHere = false;
        for (int row = 0; row < heading->childCount(); ++row) {
            const bool fits = matches(m_experiments[next++], text);
            heading->child(row)->setHidden(!fits);
            anyHere |= fits;
        }
        heading->setHidden(!anyHere);
        any |= anyHere;
    }
    m_nothing->setVisible(!any);
}

void CatalogueView::chooseFirstShown()
{
    const QStringList ids = shown();
    if (!ids.isEmpty() && !ids.contains(chosen()))
        choose(ids.first());
}

bool CatalogueView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent *>(event)->key()) {
        case Qt::Key_Down:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            chooseFirstShown();
            m_tree->setFocus(Qt::TabFocusReason);
            return true;
        case Qt::Key_Escape:
            m_search->clear();
            return true;
        default:
            break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}
