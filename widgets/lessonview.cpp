// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lessonview.h"

#include "engine/experiments/experiment.h"

#include <QDesktopServices>
#include <QFile>
#include <QTextBlock>
#include <QTextCursor>

namespace interlock {

LessonView::LessonView(QWidget *parent)
    : QTextBrowser(parent)
{
    setAccessibleName(tr("Lesson"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setProperty("panel", true);
    connect(this, &QTextBrowser::anchorClicked, this, &LessonView::follow);
}

void LessonView::setTheme(const Theme &theme)
{
    document()->setDefaultFont(theme.font);
    document()->setDocumentMargin(4);
    render();
}

void LessonView::setExperiment(const Experiment &experiment)
{
    QFile file(QStringLiteral(":/lessons/%1/en.md").arg(experiment.id));
    if (file.open(QIODevice::ReadOnly))
        m_markdown = QString::fromUtf8(file.readAll());
    else
        m_markdown = QStringLiteral("## %1\n\n%2\n").arg(experiment.claim, experiment.promise);
    render();
}

/// Qt's headings are much larger than the text; in a narrow column a little larger is enough, and lines need air.
void LessonView::render()
{
    setMarkdown(m_markdown);
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        const int level = format.headingLevel();
        format.setLineHeight(120, QTextBlockFormat::ProportionalHeight);
        if (level > 0) {
            format.setTopMargin(block == document()->begin() ? 0 : document()->defaultFont().pixelSize());
            format.setBottomMargin(document()->defaultFont().pixelSize() * 0.4);
        }
        cursor.setBlockFormat(format);
        if (level > 0) {
            QTextCharFormat larger;
            larger.setProperty(QTextFormat::FontSizeAdjustment, level == 1 ? 1 : 0);
            // Not BlockUnderCursor: that begins in the block before, which would get this block's format.
            cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(larger);
        }
    }
    moveCursor(QTextCursor::Start);
}

void LessonView::follow(const QUrl &link)
{
    if (link.scheme() == QLatin1String("experiment"))
        Q_EMIT experimentAsked(link.path());
    else if (link.scheme() == QLatin1String("https") || link.scheme() == QLatin1String("http"))
        QDesktopServices::openUrl(link);
}

}
