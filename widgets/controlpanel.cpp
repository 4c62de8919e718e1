// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controlpanel.h"

#include "engine/experiments/experiment.h"
#include "widgets/choicebox.h"
#include "widgets/lessonview.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace interlock {

ParameterForm::Written fullValues(const Experiment &experiment, const QList<std::pair<QString, QString>> &changes)
{
    Values values(experiment.parameters);
    for (const auto &[name, text] : changes) {
        if (const Result<void> set = values.set(name, text); !set)
            continue; // a value of another version of the experiment: its default stays
    }
    return values.written();
}

const Preset *firstPreset(const Experiment &experiment, const QString &kind)
{
    for (const Preset &preset : experiment.presets) {
        if (preset.name == kind || preset.name.startsWith(kind + QLatin1Char('-')))
            return &preset;
    }
    return nullptr;
}

ControlPanel::ControlPanel(QWidget *parent)
    : QWidget(parent)
    , m_run(addButton(tr("Run"), QStringLiteral("run"), tr("Runs the experiment with these values and a fresh seed (Ctrl+R).")))
    , m_stop(addButton(tr("Stop"), QStringLiteral("stop"), tr("Ends the run; what was recorded stays (Shift+F5).")))
    , m_break(addButton(tr("Break"), QStringLiteral("break"), tr("Runs the preset that breaks the promise (Ctrl+B).")))
    , m_safe(addButton(tr("Safe"), QStringLiteral("safe"), tr("Runs the preset that keeps the promise (Ctrl+K).")))
    , m_request(addButton(tr("Request"), QStringLiteral("request"), tr("Sends a request of your own (R).")))
    , m_presets(new ChoiceBox(this))
    , m_form(new ParameterForm(this))
    , m_lesson(new LessonView(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
{
    auto *buttons = new QGridLayout;
    buttons->setSpacing(6);
    buttons->addWidget(m_run, 0, 0);
    buttons->addWidget(m_stop, 0, 1);
    buttons->addWidget(m_break, 0, 2);
    buttons->addWidget(m_safe, 0, 3);
    buttons->addWidget(m_request, 1, 0, 1, 4);
    buttons->setColumnStretch(0, 4);
    for (const int column : {1, 2, 3})
        buttons->setColumnStretch(column, 3);

    m_presets->setAccessibleName(tr("Preset"));
    auto *presetLabel = new QLabel(tr("Preset"), this);
    presetLabel->setBuddy(m_presets);
    auto *presets = new QVBoxLayout; // its titles are long
    presets->setSpacing(4);
    presets->addWidget(presetLabel);
    presets->addWidget(m_presets);

    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto *inside = new QWidget;
    auto *insideLayout = new QVBoxLayout(inside);
    insideLayout->setContentsMargins(0, 0, 4, 8);
    insideLayout->addWidget(m_form);
    insideLayout->addStretch(1);
    scroll->setWidget(inside);

    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(scroll);
    m_splitter->addWidget(m_lesson);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 8);
    layout->setSpacing(10);
    layout->addLayout(buttons);
    layout->addLayout(presets);
    layout->addWidget(m_splitter, 1);

    connect(m_run, &QPushButton::clicked, this, &ControlPanel::runAsked);
    connect(m_stop, &QPushButton::clicked, this, &ControlPanel::stopAsked);
    connect(m_request, &QPushButton::clicked, this, &ControlPanel::requestAsked);
    connect(m_break, &QPushButton::clicked, this, [this] { Q_EMIT presetAsked(QStringLiteral("break")); });
    connect(m_safe, &QPushButton::clicked, this, [this] { Q_EMIT presetAsked(QStringLiteral("safe")); });
    connect(m_presets, &ChoiceBox::activated, this, [this](int row) {
        choosePreset(m_presets->itemData(row).toString());
        Q_EMIT edited();
    });
    connect(m_form, &ParameterForm::edited, this, [this] {
        matchPreset();
        Q_EMIT edited();
    });
    m_form->installEventFilter(this);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isSplitByHand = true; });
    connect(m_lesson, &LessonView::experimentAsked, this, &ControlPanel::experimentAsked);
    setRunning(false);
    setAsking(false);
}

/// The form gets the height it needs, up to three fifths of what there is; the lesson has the rest. Until someone moves the handle.
void ControlPanel::fitForm()
{
    if (m_isSplitByHand || m_splitter->height() <= 0)
        return;
    constexpr int margins = 12; // around the form
    const QLayout &fields = *m_form->layout(); // labels need fewer lines at the form's width than at that of its hint
    const int needed = (fields.hasHeightForWidth() ? fields.totalHeightForWidth(m_form->width()) : m_form->sizeHint().height()) + margins;
    const int form = std::min(needed, m_splitter->height() * 3 / 5);
    m_splitter->setSizes({form, m_splitter->height() - form - m_splitter->handleWidth()});
}

/// New fields count towards the form's height only when they have been shown, which is when it asks for a new layout.
bool ControlPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_form && event->type() == QEvent::LayoutRequest)
        fitForm();
    return QWidget::eventFilter(watched, event);
}

void ControlPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitForm();
}

/// Reached with the Tab key but not focused by a click: the space bar must not press what was clicked last.
QPushButton *ControlPanel::addButton(const QString &text, const QString &role, const QString &help)
{
    auto *button = new QPushButton(text, this);
    button->setProperty("role", role);
    button->setObjectName(role + QStringLiteral("Button"));
    button->setAccessibleName(text);
    button->setAccessibleDescription(help);
    button->setToolTip(help);
    button->setFocusPolicy(Qt::TabFocus);
    button->setMinimumWidth(0);
    return button;
}

void ControlPanel::setTheme(const Theme &theme)
{
    for (QPushButton *button : {m_run, m_break, m_safe, m_request})
        button->setFont(theme.sized(1, true));
    m_form->setTheme(theme);
    m_lesson->setTheme(theme);
    fitForm();
}

void ControlPanel::setExperiment(const Experiment &experiment)
{
    m_experiment = &experiment;
    m_form->setParameters(experiment.parameters);
    m_lesson->setExperiment(experiment);
    fillPresets();
    if (!experiment.presets.isEmpty())
        choosePreset(experiment.presets.first().name);
    else
        matchPreset();
    setRunning(m_isRunning);
    fitForm();
}

void ControlPanel::fillPresets()
{
    m_presets->clear();
    for (const Preset &preset : m_experiment->presets) {
        m_presets->addItem(preset.title.isEmpty() ? preset.name : preset.title, preset.name);
        const QString expected = preset.expected == Judgement::Broken ? tr("expected to break the promise")
            : preset.expected == Judgement::Held                     ? tr("expected to keep the promise")
                                                                     : tr("measures, without a verdict expected");
        const int row = m_presets->count() - 1;
        m_presets->setItemData(row, QStringLiteral("%1\n%2: %3").arg(m_presets->itemText(row), preset.name, expected), Qt::ToolTipRole);
    }
    m_presets->addItem(tr("Own values"), QString());
}

void ControlPanel::choosePreset(const QString &name)
{
    const Preset *preset = m_experiment ? m_experiment->preset(name) : nullptr;
    if (!preset) {
        matchPreset();
        return;
    }
    m_form->setWritten(fullValues(*m_experiment, preset->values));
    m_presets->setCurrentIndex(m_presets->findData(name));
}

void ControlPanel::setValues(const ParameterForm::Written &values)
{
    m_form->setWritten(values);
    matchPreset();
}

/// Several presets may have the same values; the chosen one stays as long as its values do.
void ControlPanel::matchPreset()
{
    const ParameterForm::Written now = m_form->isUsable() ? fullValues(*m_experiment, m_form->written()) : ParameterForm::Written();
    const auto fits = [&](const Preset &preset) { return m_form->isUsable() && fullValues(*m_experiment, preset.values) == now; };
    if (const Preset *chosen = m_experiment->preset(preset()); chosen && fits(*chosen))
        return;
    int row = m_presets->count() - 1; // "Own values"
    for (qsizetype i = m_experiment->presets.size() - 1; i >= 0; --i) {
        if (fits(m_experiment->presets[i]))
            row = static_cast<int>(i);
    }
    m_presets->setCurrentIndex(row);
}

QString ControlPanel::preset() const
{
    return m_presets->currentData().toString();
}

void ControlPanel::setRunning(bool isRunning)
{
    m_isRunning = isRunning;
    m_stop->setEnabled(isRunning);
    m_break->setEnabled(m_experiment && firstPreset(*m_experiment, QStringLiteral("break")));
    m_safe->setEnabled(m_experiment && firstPreset(*m_experiment, QStringLiteral("safe")));
    m_run->setEnabled(m_experiment);
}

void ControlPanel::setAsking(bool isAsking)
{
    m_request->setVisible(isAsking);
    m_request->setEnabled(isAsking);
}

}
