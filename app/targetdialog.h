// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/task.h"
#include "engine/redis/target.h"

#include <QDialog>

#include <memory>
#include <optional>

class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace interlock {

/// Asks for a Redis of the user's own that experiments shall run on, or for the sentinels that know it. A password is never shown: one that
/// is written into the address moves to the field that hides it.
class TargetDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param address, user, sentinelUser as they were used last, without a password; may be empty.
    TargetDialog(const QString &address, const QString &user, const QString &sentinelUser = {}, QWidget *parent = nullptr);
    ~TargetDialog() override;

    /// None while the address cannot be read.
    std::optional<Target> target() const;
    /// What is said below the fields: what is wrong with the address, or what the test found.
    QString said() const;
    /// Asks the server for its version, and sentinels first for the server; said() tells the answer within some 4 s.
    void test();

private:
    struct Asker;
    Task<> ask(Target target);
    void check();
    void takeLoginOut();
    void say(const QString &sentence);

    QLineEdit *m_address;
    QLineEdit *m_user;
    QLineEdit *m_password;
    QLineEdit *m_sentinelUser;
    QLineEdit *m_sentinelPassword;
    QFormLayout *m_form;
    QLabel *m_said;
    QDialogButtonBox *m_buttons;
    std::unique_ptr<Asker> m_asker; ///< null: nothing is being asked
};

}
