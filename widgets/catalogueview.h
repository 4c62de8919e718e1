// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace interlock {

struct Experiment;

/// Whether every word of @p search stands somewhere in the experiment's texts, its family or its id; case does not matter.
bool matches(const Experiment &experiment, const QString &search);

/// The experiments by family, with a search field above them.
class CatalogueView : public QWidget
{
    Q_OBJECT

public:
    /// @param experiments must outlive the view.
    explicit CatalogueView(const std::vector<Experiment> &experiments, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Marks the experiment as chosen; does nothing if there is none of that id.
    void choose(const QString &id);
    QString chosen() const; ///< its id; empty: none
    QStringList shown() const; ///< the ids that the search lets through, in order
    void focusSearch();

Q_SIGNALS:
    void chosenChanged(const QString &id);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();
    void search(const QString &text);
    void chooseFirstShown();

    const std::vector<Experiment> &m_experiments;
    QLineEdit *m_search;
    QTreeWidget *m_tree;
    QLabel *m_nothing;
};

}
