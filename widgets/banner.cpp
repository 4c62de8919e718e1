// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace interlock {

Banner::Banner(QWidget *parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_close(new QPushButton(tr("Close"), this))
{
    setFrameShape(StyledPanel);
    setAccessibleName(tr("Message"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setAccessibleName(tr("Close the message"));
    auto *layout = new QHBoxLayout(this);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QPushButton::clicked, this, &Banner::clear);
    hide();
}

void Banner::setTheme(const Theme &theme)
{
    QPalette palette = theme.palette();
    palette.setColor(QPalette::Window, theme.panel);
    setPalette(palette);
    setAutoFillBackground(true);
}

void Banner::say(const QString &sentence, const QStringList &details)
{
    constexpr int most = 4;
    QStringList lines {sentence};
    lines += details.mid(0, most);
    if (details.size() > most)
        lines.append(tr("… and %1 more.").arg(details.size() - most));
    m_text->setText(lines.join(QLatin1Char('\n')));
    m_text->setToolTip(details.mid(0, 40).join(QLatin1Char('\n')));
    setAccessibleDescription(m_text->text());
    show();
}

void Banner::clear()
{
    m_text->clear();
    hide();
}

QString Banner::text() const
{
    return m_text->text();
}

}
