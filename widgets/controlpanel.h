// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parameterform.h"

#include <QWidget>

class QPushButton;
class QSplitter;

namespace interlock {

struct Experiment;
struct Preset;
class ChoiceBox;
class LessonView;

/// A preset's values in full: the defaults with what it changes.
ParameterForm::Written fullValues(const Experiment &experiment, const QList<std::pair<QString, QString>> &changes);
/// The experiment's first preset that breaks the promise ("break", "break-…"), or keeps it ("safe", "safe-…"); null: none.
const Preset *firstPreset(const Experiment &experiment, const QString &kind);

/// What a person does with an experiment: run, stop, break, safe; its preset, its parameters, its lesson.
class ControlPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ControlPanel(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// @param experiment must outlive its being shown. Its first preset is chosen.
    void setExperiment(const Experiment &experiment);
    void setRunning(bool isRunning);
    /// Whether the run that goes on waits for requests of the person: then there is a button for them.
    void setAsking(bool isAsking);

    /// Chooses a preset and its values; an unknown name does nothing.
    void choosePreset(const QString &name);
    /// Sets values; the preset that has just these becomes the chosen one, if there is one.
    void setValues(const ParameterForm::Written &values);
    QString preset() const; ///< the chosen one's name; empty: values of the user's own
    const ParameterForm &form() const { return *m_form; }
    QString complaint() const { return m_form->complaint(); }

Q_SIGNALS:
    void runAsked();
    void stopAsked();
    void requestAsked();
    void presetAsked(const QString &kind); ///< the Break or the Safe button: "break", "safe"
    void edited(); ///< preset or values changed by the user
    void experimentAsked(const QString &id); ///< a link in the lesson

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fitForm();
    QPushButton *addButton(const QString &text, const QString &role, const QString &help);
    void fillPresets();
    void matchPreset();

    const Experiment *m_experiment = nullptr;
    QPushButton *m_run;
    QPushButton *m_stop;
    QPushButton *m_break;
    QPushButton *m_safe;
    QPushButton *m_request;
    ChoiceBox *m_presets;
    ParameterForm *m_form;
    LessonView *m_lesson;
    QSplitter *m_splitter;
    bool m_isRunning = false;
    bool m_isSplitByHand = false;
};

}
