// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window's files and dialogs: opening, saving, exporting, dropping.
#include "app/mainwindow.h"

#include "app/menus.h"
#include "app/windowsettings.h"
#include "app/startupcheck.h"
#include "app/targetdialog.h"
#include "engine/run/runfile.h"
#include "widgets/banner.h"
#include "widgets/exportdialog.h"
#include "widgets/runpage.h"
#include "widgets/statusbadge.h"
#include "widgets/topology/groupmodel.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>

namespace interlock {

namespace {

QString firstFile(const QMimeData *data)
{
    for (const QUrl &url : data->urls()) {
        if (url.isLocalFile())
            return url.toLocalFile();
    }
    return {};
}

QString runFilter()
{
    return MainWindow::tr("Runs (*.%1)").arg(QLatin1String(runFileExtension)) + QStringLiteral(";;") + MainWindow::tr("All files (*)");
}

}

void MainWindow::openFile(const QString &path)
{
    m_files.open(path);
}

void MainWindow::saveTo(const QString &path)
{
    const std::shared_ptr<const Run> run = m_model.finishedRun();
    if (!run)
        return;
    const KeptRun *kept = m_runs->find(run);
    m_files.save(path, run, m_model.verdict(), kept ? kept->children : std::vector<ChildRun>());
}

void MainWindow::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a Run"), {}, runFilter());
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::askWhereToSave()
{
    const Header &header = m_model.run().header;
    const QString preset = header.preset.isEmpty() ? QString() : QLatin1Char('-') + header.preset;
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save the Run"), header.experiment + preset + QLatin1Char('.') + QLatin1String(runFileExtension), runFilter());
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QLatin1Char('.') + QLatin1String(runFileExtension);
    saveTo(path);
}

void MainWindow::askForExport()
{
    const std::shared_ptr<const Run> run = m_model.finishedRun();
    if (!run)
        return;
    const Verdict verdict = m_model.verdict();
    ExportDialog dialog(viewsOf(*run), this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const QString suffix = QLatin1Char('.') + dialog.format();
    QString path = QFileDialog::getSaveFileName(this, tr("Export"), run->header.experiment + QLatin1Char('-') + dialog.view() + suffix,
        tr("%1 files (*%2)").arg(dialog.format().toUpper(), suffix));
    if (path.isEmpty())
        return;
    if (!path.endsWith(suffix, Qt::CaseInsensitive))
        path += suffix;
    ExportOptions options = dialog.options();
    if (!m_page->group().isAtEnd()) // what is seen is what is exported
        options.at = m_page->group().time();
    m_files.exportTo(path, run, verdict, dialog.view(), options);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!firstFile(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    if (const QString path = firstFile(event->mimeData()); !path.isEmpty()) {
        event->acceptProposedAction();
        openFile(path);
    }
}

void MainWindow::askForServer()
{
    TargetDialog dialog(m_settings.target(), m_settings.targetUser(), m_settings.sentinelUser(), this);
    if (dialog.exec() == QDialog::Accepted) {
        if (const std::optional<Target> target = dialog.target()) {
            const auto *sentinels = std::get_if<SentinelEndpoint>(&*target);
            m_settings.setTarget(shown(*target), std::visit([](const auto &one) { return one.user; }, *target),
                sentinels ? sentinels->sentinels.first().user : QString());
            useServer(target);
            return;
        }
    }
    useServer(m_target); // the menu's mark goes back to where it was
}

void MainWindow::useServer(const std::optional<Target> &target)
{
    m_target = target;
    m_menus->setTarget(target.has_value());
    m_page->badge().setNext(target ? shown(*target) : QString());
}

void MainWindow::showStartUpCheck()
{
    auto *check = new StartUpCheck(this);
    check->setAttribute(Qt::WA_DeleteOnClose);
    check->open();
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Interlock"),
        tr("<h3>Interlock %1</h3><p>A laboratory for locks, failover and rate limits on Redis. Every picture is drawn from commands that a real "
           "Redis answered.</p><p>Free software under the GNU General Public License, version 3 or later. It comes without any warranty.</p>")
            .arg(QStringLiteral(INTERLOCK_VERSION)));
}

}
