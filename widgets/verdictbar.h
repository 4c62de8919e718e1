// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/run/verdict.h"
#include "widgets/theme.h"

#include <QFrame>

class QLabel;

namespace interlock {

/// What the verdict bar says: one word, one sentence, one line of cause.
struct VerdictTexts
{
    QString word;
    QString sentence;
    QString cause;

    bool operator==(const VerdictTexts &) const = default;
};

/// In the language of the application, from a run's verdict; an incomplete run says why it is.
VerdictTexts verdictTexts(const Run &run, const Verdict &verdict);
/// "Held", "Broken", "Unknown", "No verdict".
QString judgementWord(Judgement judgement);
QColor judgementColor(Judgement judgement, const Theme &theme);

/// What the run says about its promise: the largest thing in the window after the picture. Colour, word and shape say the same.
class VerdictBar : public QFrame
{
    Q_OBJECT

public:
    explicit VerdictBar(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);

    /// Nothing was run yet.
    void showNothing(const QString &sentence);
    /// Servers are starting.
    void showProgress(const QString &what);
    /// @param now ns since the run began.
    void showRunning(qint64 now);
    /// Of a set: so many of its runs have ended, and so long (ns; never: not known) it will go on. Said and drawn as long as it runs.
    void setProgress(int ended, int total, qint64 left);
    void showVerdict(const Run &run, const Verdict &verdict);
    /// The run could not be started.
    void showFailure(const Error &error);

    VerdictTexts texts() const { return m_texts; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    enum class Look { Quiet, Busy, Held, Broken, Unknown, Failed };
    void show(Look look, const VerdictTexts &texts);
    QString progressText() const;
    QColor colour() const;
    void paintShape(QPainter &painter, const QRectF &box) const;
    void applyFonts();

    Theme m_theme;
    Look m_look = Look::Quiet;
    VerdictTexts m_texts;
    int m_ended = 0;
    int m_total = 0; ///< 0: it is no set
    qint64 m_left = never;
    QLabel *m_word;
    QLabel *m_sentence;
    QLabel *m_cause;
};

}
