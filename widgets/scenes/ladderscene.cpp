// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes/ladderscene.h"

#include "widgets/ladder/ladderpicture.h"
#include "widgets/ladder/rungwords.h"
#include "widgets/scenes/tablescene.h"
#include "widgets/timeline/strokes.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Scenes", text);
}

double seconds(qint64 ns)
{
    return static_cast<double>(ns) / 1e9;
}

QString secondsText(qint64 ns)
{
    return QString::number(seconds(ns), 'f', 6);
}

/// ns since the rung before it; 0 of the first.
qint64 sinceBefore(const Ladder &ladder, size_t rung)
{
    return rung == 0 ? 0 : ladder.rungs[rung].at() - ladder.rungs[rung - 1].at();
}

QString kindText(const Ladder &ladder)
{
    return ladder.kind == Ladder::Kind::Failover ? QStringLiteral("failover") : QStringLiteral("copy");
}

}

void drawLadderScene(QPainter &painter, const QRectF &place, const Run &run, const Theme &theme, qint64 at)
{
    FailoverLadders ladders;
    ladders.extend(run);
    const QRectF inner = place.adjusted(8, 2, -8, -2);
    if (ladders.ladders().empty()) {
        drawLabel(painter, theme.font, inner.left() + 6, inner.top() + lineHeight(theme.font) / 2, tr("Nothing failed over."), theme.quiet);
        return;
    }
    LadderPicture picture;
    picture.setTheme(theme);
    picture.setLadders(&run, &ladders.ladders());
    picture.setMoment(at);
    picture.fit(inner.size());
    picture.draw(painter, inner.topLeft(), QRectF(QPointF(), inner.size()));
}

QByteArray ladderCsv(const Run &run)
{
    FailoverLadders ladders;
    ladders.extend(run);
    QByteArray csv = csvLine({QStringLiteral("ladder"), QStringLiteral("kind"), QStringLiteral("of"), QStringLiteral("step"), QStringLiteral("what"),
        QStringLiteral("about"), QStringLiteral("who"), QStringLiteral("at s"), QStringLiteral("since loss s"), QStringLiteral("since step before s"), QStringLiteral("bytes")});
    for (size_t i = 0; i < ladders.ladders().size(); ++i) {
        const Ladder &ladder = ladders.ladders()[i];
        for (size_t r = 0; r < ladder.rungs.size(); ++r) {
            const Rung &rung = ladder.rungs[r];
            const bool hasBytes = rung.kind == Rung::Kind::Partial || rung.kind == Rung::Kind::Full || rung.kind == Rung::Kind::Step;
            for (const Rung::Telling &each : rung.told) {
                csv += csvLine({QString::number(i + 1), kindText(ladder), nodeName(run, ladder.about), QString::number(r + 1), rungLabel(run, rung), nodeName(run, rung.about),
                    nodeName(run, each.who), secondsText(each.at), secondsText(each.at - ladder.begin()), secondsText(sinceBefore(ladder, r)),
                    hasBytes ? QString::number(rung.number) : QString()});
            }
        }
    }
    return csv;
}

QByteArray ladderJson(const Run &run)
{
    FailoverLadders ladders;
    ladders.extend(run);
    QJsonArray all;
    for (const Ladder &ladder : ladders.ladders()) {
        QJsonArray steps;
        for (size_t r = 0; r < ladder.rungs.size(); ++r) {
            const Rung &rung = ladder.rungs[r];
            QJsonArray told;
            for (const Rung::Telling &each : rung.told)
                told.append(QJsonObject {{QStringLiteral("who"), nodeName(run, each.who)}, {QStringLiteral("at"), seconds(each.at)}});
            QJsonObject step {{QStringLiteral("what"), rungLabel(run, rung)}, {QStringLiteral("at"), seconds(rung.at())},
                {QStringLiteral("sinceLoss"), seconds(rung.at() - ladder.begin())}, {QStringLiteral("sinceStepBefore"), seconds(sinceBefore(ladder, r))}, {QStringLiteral("told"), told}};
            if (rung.about >= 0)
                step.insert(QStringLiteral("about"), nodeName(run, rung.about));
            const bool hasBytes = rung.kind == Rung::Kind::Partial || rung.kind == Rung::Kind::Full || rung.kind == Rung::Kind::Step;
            if (hasBytes)
                step.insert(QStringLiteral("bytes"), rung.number);
            steps.append(step);
        }
        all.append(QJsonObject {{QStringLiteral("kind"), kindText(ladder)}, {QStringLiteral("of"), nodeName(run, ladder.about)},
            {QStringLiteral("begin"), seconds(ladder.begin())}, {QStringLiteral("steps"), steps}});
    }
    return QJsonDocument(all).toJson(QJsonDocument::Indented);
}

}
