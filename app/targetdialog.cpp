// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/targetdialog.h"

#include "engine/redis/connection.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace interlock {

/// Takes the server's answer to INFO.
class TargetDialog::Answer : public ReplyReceiver
{
public:
    explicit Answer(TargetDialog &dialog)
        : m_dialog(dialog)
    {
    }
    void replied(Reply reply, Nanoseconds) override
    {
        if (reply.isError()) {
            m_dialog.say(tr("The server refused: %1").arg(QString::fromUtf8(reply.text)));
            return;
        }
        QString version = tr("a version it does not tell");
        for (const QByteArray &line : reply.text.split('\n')) {
            if (line.startsWith("redis_version:"))
                version = QString::fromUtf8(line.mid(14).trimmed());
        }
        m_dialog.say(tr("The server answers: Redis %1.").arg(version));
    }
    void failed(Error error) override { m_dialog.say(error.text); }

private:
    TargetDialog &m_dialog;
};

TargetDialog::TargetDialog(const QString &address, const QString &user, QWidget *parent)
    : QDialog(parent)
    , m_address(new QLineEdit(address, this))
    , m_user(new QLineEdit(user, this))
    , m_password(new QLineEdit(this))
    , m_said(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Run on a Server"));
    auto *promise = new QLabel(tr("Interlock touches only keys that begin with interlock: there, gives each a TTL, deletes them at the end, and stages no "
                                  "faults. Experiments that need servers of their own say so."),
        this);
    promise->setWordWrap(true);
    m_address->setPlaceholderText(QStringLiteral("redis://127.0.0.1:6379"));
    m_address->setAccessibleName(tr("Address of the server"));
    m_user->setPlaceholderText(tr("the default user"));
    m_user->setAccessibleName(tr("User"));
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setPlaceholderText(tr("if it asks for one; it is not stored"));
    m_password->setAccessibleName(tr("Password"));
    m_said->setWordWrap(true);
    m_said->setTextFormat(Qt::PlainText);
    m_said->setMinimumHeight(2 * fontMetrics().height());
    m_said->setAlignment(Qt::AlignTop);
    QPushButton *test = m_buttons->addButton(tr("&Test"), QDialogButtonBox::ActionRole);

    auto *form = new QFormLayout;
    form->addRow(tr("&Server"), m_address);
    form->addRow(tr("&User"), m_user);
    form->addRow(tr("&Password"), m_password);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(promise);
    layout->addLayout(form);
    layout->addWidget(m_said);
    layout->addWidget(m_buttons);
    setMinimumWidth(fontMetrics().height() * 32);

    connect(m_address, &QLineEdit::textChanged, this, &TargetDialog::check);
    connect(m_address, &QLineEdit::editingFinished, this, &TargetDialog::takeLoginOut);
    connect(test, &QPushButton::clicked, this, &TargetDialog::test);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

TargetDialog::~TargetDialog() = default;

std::optional<Endpoint> TargetDialog::target() const
{
    Result<Endpoint> endpoint = Endpoint::parse(m_address->text().trimmed());
    if (!endpoint)
        return {};
    if (!m_password->text().isEmpty()) {
        endpoint->user = m_user->text().trimmed();
        endpoint->password = m_password->text().toUtf8();
    }
    return *endpoint;
}

QString TargetDialog::said() const
{
    return m_said->text();
}

void TargetDialog::say(const QString &sentence)
{
    m_said->setText(sentence);
    m_said->setAccessibleName(sentence);
}

void TargetDialog::check()
{
    m_connection.reset();
    const QString address = m_address->text().trimmed();
    const Result<Endpoint> endpoint = Endpoint::parse(address);
    say(endpoint || address.isEmpty() ? QString() : endpoint.error().text);
    for (QAbstractButton *button : m_buttons->buttons()) {
        if (m_buttons->buttonRole(button) != QDialogButtonBox::RejectRole)
            button->setEnabled(endpoint.ok());
    }
}

void TargetDialog::takeLoginOut()
{
    const Result<Endpoint> endpoint = Endpoint::parse(m_address->text().trimmed());
    if (!endpoint || endpoint->password.isEmpty())
        return;
    m_user->setText(endpoint->user);
    m_password->setText(QString::fromUtf8(endpoint->password));
    m_address->setText(endpoint->shown());
}

void TargetDialog::test()
{
    takeLoginOut();
    const std::optional<Endpoint> endpoint = target();
    if (!endpoint)
        return;
    say(tr("Asking %1…").arg(endpoint->shown()));
    m_connection.reset();
    m_answer = std::make_unique<Answer>(*this);
    m_connection = std::make_unique<Connection>(*endpoint);
    m_connection->send(Command("INFO", "server"), 2s, m_answer.get());
}

}
