// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme.h"

#include <QTextBrowser>

namespace interlock {

struct Experiment;

/// An experiment's lesson, from the resource :/lessons/<id>/en.md. A link experiment:<id> asks for that experiment; links
/// to the web open in the browser.
class LessonView : public QTextBrowser
{
    Q_OBJECT

public:
    explicit LessonView(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Without a lesson, claim and promise are shown.
    void setExperiment(const Experiment &experiment);

Q_SIGNALS:
    void experimentAsked(const QString &id);

private:
    void follow(const QUrl &link);
    void render();

    QString m_markdown;
};

}
