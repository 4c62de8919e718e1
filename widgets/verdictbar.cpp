// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/verdictbar.h"

#include "widgets/measures/measuretexts.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace interlock {

namespace {

QLabel *label(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::NoFocus);
    return label;
}

/// Everything that the other checks have to say, one sentence after the other; held ones only where they judge beside others.
QString remarks(const Verdict &verdict)
{
    QStringList parts;
    for (size_t i = 0; i < verdict.checks.size(); ++i) {
        const CheckResult &check = verdict.checks[i];
        std::vector<Sentence> sentences = check.sentences;
        if (i == 0 && !sentences.empty())
            sentences.erase(sentences.begin());
        else if (i > 0 && check.judgement == Judgement::Held && verdict.judgement != Judgement::Held)
            continue;
        if (const QString said = text(sentences); !said.isEmpty())
            parts.append(said);
    }
    return parts.join(QLatin1Char(' '));
}

}

QString judgementWord(Judgement judgement)
{
    switch (judgement) {
    case Judgement::Held:
        return VerdictBar::tr("Held");
    case Judgement::Broken:
        return VerdictBar::tr("Broken");
    case Judgement::Unknown:
        return VerdictBar::tr("Unknown");
    case Judgement::None:
        break;
    }
    return VerdictBar::tr("No verdict");
}

QColor judgementColor(Judgement judgement, const Theme &theme)
{
    switch (judgement) {
    case Judgement::Held:
        return theme.held;
    case Judgement::Broken:
        return theme.broken;
    case Judgement::Unknown:
        return theme.unknown;
    case Judgement::None:
        break;
    }
    return theme.quiet;
}

VerdictTexts verdictTexts(const Run &run, const Verdict &verdict)
{
    VerdictTexts texts;
    texts.word = judgementWord(verdict.judgement);
    if (!verdict.checks.empty() && !verdict.checks.front().sentences.empty())
        texts.sentence = text(verdict.checks.front().sentences.front());
    else if (verdict.judgement == Judgement::None)
        texts.sentence = VerdictBar::tr("This preset measures; it promises nothing.");
    texts.cause = remarks(verdict);
    const QString measured = verdict.judgement == Judgement::None ? measuresSummary(run) : QString();
    if (!measured.isEmpty()) {
        texts.cause = verdict.checks.empty() ? QString() : QStringLiteral("%1 %2").arg(texts.sentence, texts.cause).trimmed();
        texts.sentence = measured;
        texts.cause = (texts.cause + QLatin1Char(' ') + silentSummary(run)).trimmed();
    }
    if (!run.isComplete && !run.incompleteBecause.isEmpty()) {
        if (texts.sentence.isEmpty())
            texts.sentence = run.incompleteBecause;
        else if (!texts.sentence.contains(run.incompleteBecause) && !texts.cause.contains(run.incompleteBecause))
            texts.cause = (texts.cause + QLatin1Char(' ') + VerdictBar::tr("Incomplete: %1").arg(run.incompleteBecause)).trimmed();
    }
    return texts;
}

VerdictBar::VerdictBar(QWidget *parent)
    : QFrame(parent)
    , m_theme(Theme::light())
    , m_word(label(this))
    , m_sentence(label(this))
    , m_cause(label(this))
{
    m_word->setWordWrap(false);
    m_word->setObjectName(QStringLiteral("verdictWord"));
    m_sentence->setObjectName(QStringLiteral("verdictSentence"));
    m_cause->setObjectName(QStringLiteral("verdictCause"));
    auto *layout = new QGridLayout(this);
    layout->addWidget(m_word, 0, 1, Qt::AlignLeft | Qt::AlignTop);
    layout->addWidget(m_sentence, 0, 2, Qt::AlignTop);
    layout->addWidget(m_cause, 1, 1, 1, 2);
    layout->setColumnStretch(2, 1);
    applyFonts();
}

void VerdictBar::setTheme(const Theme &theme)
{
    m_theme = theme;
    applyFonts();
    show(m_look, m_texts);
}

void VerdictBar::applyFonts()
{
    const QFont large = m_theme.sized(1.2, true);
    m_word->setFont(large);
    m_sentence->setFont(large);
    m_cause->setFont(m_theme.sized(1.0));
    const int line = QFontMetrics(large).height();
    auto *grid = static_cast<QGridLayout *>(layout());
    grid->setContentsMargins(line / 2, line / 2, line / 2, line / 2);
    grid->setHorizontalSpacing(line * 2 / 3);
    grid->setVerticalSpacing(line / 5);
    grid->setColumnMinimumWidth(0, line * 3 / 2);
}

void VerdictBar::showNothing(const QString &sentence)
{
    show(Look::Quiet, {tr("Not run yet"), sentence, {}});
}

void VerdictBar::showProgress(const QString &what)
{
    m_total = 0;
    show(Look::Busy, {tr("Starting…"), what, {}});
}

void VerdictBar::showRunning(qint64 now)
{
    const QString time = text(At {now / 100'000'000 * 100'000'000});
    show(Look::Busy, {tr("Running…"), m_total > 0 ? tr("%1, %2").arg(time, progressText()) : time, {}});
}

void VerdictBar::setProgress(int ended, int total, qint64 left)
{
    m_ended = ended;
    m_total = total;
    m_left = left;
    update();
}

/// "12 of 30, about 40 s left"
QString VerdictBar::progressText() const
{
    const QString done = tr("%1 of %2").arg(m_ended).arg(m_total);
    if (m_left == never)
        return done;
    constexpr qint64 second = 1'000'000'000;
    constexpr qint64 minutesFrom = 100; // seconds
    const qint64 seconds = std::max<qint64>(1, (m_left + second / 2) / second);
    const QString left = seconds < minutesFrom ? tr("%1 s").arg(seconds) : tr("%1 min").arg((seconds + 30) / 60);
    return tr("%1, about %2 left").arg(done, left);
}

void VerdictBar::showVerdict(const Run &run, const Verdict &verdict)
{
    Look look = Look::Quiet;
    if (verdict.judgement == Judgement::Held)
        look = Look::Held;
    else if (verdict.judgement == Judgement::Broken)
        look = Look::Broken;
    else if (verdict.judgement == Judgement::Unknown)
        look = Look::Unknown;
    show(look, verdictTexts(run, verdict));
}

void VerdictBar::showFailure(const Error &error)
{
    show(Look::Failed, {tr("Could not run"), error.text, {}});
}

void VerdictBar::show(Look look, const VerdictTexts &texts)
{
    m_look = look;
    m_texts = texts;
    m_word->setText(texts.word);
    m_sentence->setText(texts.sentence);
    m_cause->setText(texts.cause);
    m_cause->setVisible(!texts.cause.isEmpty());
    QPalette coloured = m_theme.palette();
    coloured.setColor(QPalette::WindowText, colour());
    m_word->setPalette(coloured);
    QPalette quiet = m_theme.palette();
    quiet.setColor(QPalette::WindowText, m_theme.quiet);
    m_cause->setPalette(quiet);
    m_sentence->setPalette(m_theme.palette());
    setAccessibleName(tr("Verdict: %1").arg(texts.word));
    setAccessibleDescription(QStringList {texts.sentence, texts.cause}.join(QLatin1Char(' ')).trimmed());
    update();
}

QColor VerdictBar::colour() const
{
    switch (m_look) {
    case Look::Held:
        return m_theme.held;
    case Look::Broken:
        return m_theme.broken;
    case Look::Unknown:
    case Look::Failed:
        return m_theme.unknown;
    case Look::Busy:
        return m_theme.accent;
    case Look::Quiet:
        break;
    }
    return m_theme.quiet;
}

void VerdictBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75);
    QPainterPath outline;
    outline.addRoundedRect(frame, 5, 5);
    painter.fillPath(outline, m_theme.background);
    painter.setClipPath(outline);
    painter.fillRect(QRectF(0, 0, 6 * std::max(1.0, m_theme.scale * 0.8), height()), colour());
    if (m_look == Look::Busy && m_total > 0) {
        const double height = 5 * std::max(1.0, m_theme.scale * 0.8);
        painter.fillRect(QRectF(0, this->height() - height, width(), height), m_theme.line);
        painter.fillRect(QRectF(0, this->height() - height, width() * std::min(1.0, double(m_ended) / m_total), height), m_theme.accent);
    }
    painter.setClipping(false);
    painter.strokePath(outline, QPen(m_look == Look::Quiet ? m_theme.line : colour(), 1.5));

    const double side = QFontMetricsF(m_word->font()).height() * 0.95;
    paintShape(painter, QRectF(QFontMetricsF(m_word->font()).height() * 0.85, m_word->y() + (m_word->height() - side) / 2, side, side));
}

/// A tick in a disc, a cross in a square, a question mark in a diamond, a hollow ring, three dots: told apart without colour.
void VerdictBar::paintShape(QPainter &painter, const QRectF &box) const
{
    const double side = box.width();
    const auto at = [&box, side](double x, double y) { return box.topLeft() + QPointF(x * side, y * side); };
    const QPen mark(Theme::textOn(colour()), side * 0.13, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour());
    switch (m_look) {
    case Look::Held:
        painter.drawEllipse(box);
        painter.setPen(mark);
        painter.drawPolyline(QPolygonF {at(0.27, 0.53), at(0.44, 0.70), at(0.74, 0.33)});
        break;
    case Look::Broken:
        painter.drawRoundedRect(box, side * 0.12, side * 0.12);
        painter.setPen(mark);
        painter.drawLine(at(0.29, 0.29), at(0.71, 0.71));
        painter.drawLine(at(0.71, 0.29), at(0.29, 0.71));
        break;
    case Look::Unknown:
    case Look::Failed:
        painter.drawPolygon(QPolygonF {at(0.5, -0.04), at(1.04, 0.5), at(0.5, 1.04), at(-0.04, 0.5)});
        painter.setPen(mark.color());
        painter.setFont(m_theme.sized(0.95, true));
        painter.drawText(box, Qt::AlignCenter, m_look == Look::Failed ? QStringLiteral("!") : QStringLiteral("?"));
        break;
    case Look::Busy:
        for (const double x : {0.15, 0.5, 0.85})
            painter.drawEllipse(at(x, 0.5), side * 0.11, side * 0.11);
        break;
    case Look::Quiet:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour(), side * 0.1));
        painter.drawEllipse(box.adjusted(side * 0.1, side * 0.1, -side * 0.1, -side * 0.1));
        break;
    }
}

}
