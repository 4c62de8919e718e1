// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/targetdialog.h"

#include "engine/redis/infofields.h"
#include "engine/schedule/targetclient.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QVBoxLayout>

#include <algorithm>

namespace interlock {

namespace {

QString versionFrom(const QByteArray &info)
{
    const QString version = QString::fromUtf8(InfoFields(info).text("redis_version"));
    return version.isEmpty() ? TargetDialog::tr("a version it does not tell") : version;
}

void setLogin(Target &target, const QString &user, const QByteArray &password)
{
    std::visit(
        [&](auto &one) {
            one.user = user;
            one.password = password;
        },
        target);
}

}

/// A client of nobody's run.
struct TargetDialog::Asker
{
    RealClock clock;
    RealTimeScheduler scheduler;
    Actor actor {QStringLiteral("interlock"), World {clock, scheduler}, QRandomGenerator::global()->generate(), false};
};

TargetDialog::TargetDialog(const QString &address, const QString &user, const QString &sentinelUser, QWidget *parent)
    : QDialog(parent)
    , m_address(new QLineEdit(address, this))
    , m_user(new QLineEdit(user, this))
    , m_password(new QLineEdit(this))
    , m_sentinelUser(new QLineEdit(sentinelUser, this))
    , m_sentinelPassword(new QLineEdit(this))
    , m_form(new QFormLayout)
    , m_said(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Run on a Server"));
    auto *promise = new QLabel(tr("Interlock touches only keys that begin with interlock: there, gives each a TTL, deletes them at the end, and stages no "
                                  "faults. Experiments that need servers of their own say so.\n\nSentinels are asked for the server when a run begins. "
                                  "Write:\nsentinel://host:port,host:port/name"),
        this);
    promise->setWordWrap(true);
    m_address->setPlaceholderText(QStringLiteral("redis://127.0.0.1:6379"));
    m_address->setAccessibleName(tr("Address of the server"));
    for (QLineEdit *name : {m_user, m_sentinelUser})
        name->setPlaceholderText(tr("the default user"));
    m_user->setAccessibleName(tr("User"));
    m_sentinelUser->setAccessibleName(tr("User of the sentinels"));
    m_password->setAccessibleName(tr("Password"));
    m_sentinelPassword->setAccessibleName(tr("Password of the sentinels"));
    for (QLineEdit *password : {m_password, m_sentinelPassword}) {
        password->setEchoMode(QLineEdit::Password);
        password->setPlaceholderText(tr("if it asks for one; it is not stored"));
    }
    m_said->setWordWrap(true);
    m_said->setTextFormat(Qt::PlainText);
    m_said->setMinimumHeight(2 * fontMetrics().height());
    m_said->setAlignment(Qt::AlignTop);
    QPushButton *test = m_buttons->addButton(tr("&Test"), QDialogButtonBox::ActionRole);

    m_form->addRow(tr("&Server"), m_address);
    m_form->addRow(tr("&User"), m_user);
    m_form->addRow(tr("&Password"), m_password);
    m_form->addRow(tr("S&entinels’ user"), m_sentinelUser);
    m_form->addRow(tr("Se&ntinels’ password"), m_sentinelPassword);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(promise);
    layout->addLayout(m_form);
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

TargetDialog::~TargetDialog()
{
    m_address->disconnect(this); // an edit ends with the focus, which goes after this
}

std::optional<Target> TargetDialog::target() const
{
    Result<Target> target = targetFrom(m_address->text().trimmed());
    if (!target)
        return {};
    if (!m_password->text().isEmpty())
        setLogin(*target, m_user->text().trimmed(), m_password->text().toUtf8());
    if (auto *sentinels = std::get_if<SentinelEndpoint>(&*target); sentinels && !m_sentinelPassword->text().isEmpty())
        sentinels->setSentinelLogin(m_sentinelUser->text().trimmed(), m_sentinelPassword->text().toUtf8());
    return *target;
}

QString TargetDialog::said() const
{
    return m_said->text();
}

void TargetDialog::say(const QString &sentence)
{
    m_said->setText(sentence);
    m_said->setAccessibleName(sentence);
    // What several sentinels say is long.
    if (isVisible())
        resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

void TargetDialog::check()
{
    m_asker.reset();
    const QString address = m_address->text().trimmed();
    const Result<Target> target = targetFrom(address);
    say(target || address.isEmpty() ? QString() : target.error().text);
    for (QLineEdit *field : {m_sentinelUser, m_sentinelPassword})
        m_form->setRowVisible(field, SentinelEndpoint::isMeant(address));
    for (QAbstractButton *button : m_buttons->buttons()) {
        if (m_buttons->buttonRole(button) != QDialogButtonBox::RejectRole)
            button->setEnabled(target.ok());
    }
}

void TargetDialog::takeLoginOut()
{
    const Result<Target> target = targetFrom(m_address->text().trimmed());
    if (!target)
        return;
    const auto take = [](const auto &login, QLineEdit *user, QLineEdit *password) {
        if (login.password.isEmpty())
            return false;
        user->setText(login.user);
        password->setText(QString::fromUtf8(login.password));
        return true;
    };
    bool isTaken = std::visit([&](const auto &one) { return take(one, m_user, m_password); }, *target);
    if (const auto *sentinels = std::get_if<SentinelEndpoint>(&*target))
        isTaken |= take(sentinels->sentinels.first(), m_sentinelUser, m_sentinelPassword);
    if (isTaken)
        m_address->setText(shown(*target));
}

void TargetDialog::test()
{
    takeLoginOut();
    const std::optional<Target> asked = target();
    if (!asked)
        return;
    say(tr("Asking %1…").arg(shown(*asked)));
    m_asker = std::make_unique<Asker>();
    m_asker->actor.run(ask(*asked));
}

Task<> TargetDialog::ask(Target target)
{
    const Result<std::unique_ptr<Client>> client = co_await clientOf(m_asker->actor, target);
    if (!client) {
        say(client.error().text);
        co_return;
    }
    const Result<Reply> info = co_await (*client)->command("INFO", "server");
    if (!info)
        say(info.error().text);
    else if (info->isError())
        say(tr("The server refused: %1").arg(QString::fromUtf8(info->text)));
    else if (std::holds_alternative<Endpoint>(target))
        say(tr("The server answers: Redis %1.").arg(versionFrom(info->text)));
    else
        say(tr("The sentinels name %1, which answers: Redis %2.").arg((*client)->node().name, versionFrom(info->text)));
}

}
