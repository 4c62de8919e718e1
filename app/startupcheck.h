// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <memory>

class QTextBrowser;

namespace interlock {

class Doctor;

/// Says whether everything is here that experiments need, as `interlock doctor` does.
class StartUpCheck : public QDialog
{
    Q_OBJECT

public:
    explicit StartUpCheck(QWidget *parent = nullptr);
    ~StartUpCheck() override;

private:
    QTextBrowser *m_page;
    std::unique_ptr<Doctor> m_doctor;
};

}
