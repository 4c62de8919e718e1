// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/startupcheck.h"

#include "engine/lab/doctor.h"

#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace interlock {

namespace {

QString html(const QList<Finding> &findings)
{
    QString page = QStringLiteral("<h3>%1</h3><table>")
                       .arg(isHealthy(findings) ? StartUpCheck::tr("Everything that experiments need is here.")
                                                : StartUpCheck::tr("Something that experiments need is missing.").toHtmlEscaped());
    for (const Finding &finding : findings) {
        const QString sign = finding.ok ? StartUpCheck::tr("✓ here") : finding.needed ? StartUpCheck::tr("✕ missing") : StartUpCheck::tr("– not here");
        page += QStringLiteral("<tr><td style='padding: 3px 16px 3px 0'><b>%1</b></td><td style='padding: 3px 16px 3px 0'>%2</td>"
                               "<td style='padding: 3px 0'>%3</td></tr>")
                    .arg(sign, finding.what.toHtmlEscaped(), advice(finding).toHtmlEscaped());
    }
    return page + QStringLiteral("</table>");
}

}

StartUpCheck::StartUpCheck(QWidget *parent)
    : QDialog(parent)
    , m_page(new QTextBrowser(this))
{
    setWindowTitle(tr("Start-Up Check"));
    m_page->setAccessibleName(tr("What was found"));
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setText(tr("Looking…"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_page, 1);
    layout->addWidget(buttons);
    const int line = fontMetrics().height();
    resize(line * 46, line * 28);
    m_doctor = std::make_unique<Doctor>([this](const QList<Finding> &findings) { m_page->setHtml(html(findings)); });
}

StartUpCheck::~StartUpCheck() = default;

}
