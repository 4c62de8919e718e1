// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/keyspage.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace interlock {

namespace {

QString row(const QString &keys, const QString &what)
{
    return QStringLiteral("<tr><td style='padding: 2px 24px 2px 0'><b>%1</b></td><td style='padding: 2px 0'>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
}

/// Rows of the one table that the page is, so that all groups share its columns.
QString group(const QString &title, const QString &rows)
{
    return rows.isEmpty() ? QString() : QStringLiteral("<tr><td colspan='2' style='padding: 10px 0 4px 0'><h3>%1</h3></td></tr>%2").arg(title.toHtmlEscaped(), rows);
}

/// The title without the mark of its access key and without dots.
QString plainTitle(const QAction &action)
{
    QString title = action.text();
    return title.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString mouse()
{
    return group(KeysPage::tr("Mouse on the timeline"),
        row(KeysPage::tr("Wheel"), KeysPage::tr("Zooms at the pointer"))
            + row(KeysPage::tr("Drag"), KeysPage::tr("Measures, and snaps to edges"))
            + row(KeysPage::tr("Middle or Shift and drag"), KeysPage::tr("Moves the picture"))
            + row(KeysPage::tr("Click"), KeysPage::tr("Selects the event, in the table too")));
}

}

KeysPage::KeysPage(const QList<KeyGroup> &groups, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keys"));
    auto *page = new QTextBrowser(this);
    page->setAccessibleName(tr("Keys"));
    page->setFrameShape(QFrame::NoFrame);
    page->setHtml(html(groups));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(page, 1);
    layout->addWidget(buttons);
    const int line = fontMetrics().height();
    resize(line * 36, line * 40);
}

QString KeysPage::html(const QList<KeyGroup> &groups)
{
    QString page;
    for (const KeyGroup &each : groups) {
        QString rows;
        for (const QAction *action : each.actions) {
            QStringList keys;
            for (const QKeySequence &key : action->shortcuts())
                keys.append(key.toString(QKeySequence::NativeText));
            if (!keys.isEmpty())
                rows += row(keys.join(tr(" or ")), plainTitle(*action));
        }
        page += group(each.title, rows);
    }
    return QStringLiteral("<table>%1%2</table>").arg(page, mouse());
}

}
