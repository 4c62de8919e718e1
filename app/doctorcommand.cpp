// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/console.h"
#include "engine/base/jsonwriter.h"
#include "engine/lab/doctor.h"

#include <QCoreApplication>
#include <QEventLoop>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

QByteArray line(const Finding &finding)
{
    QByteArray line;
    JsonWriter json(line);
    json.beginObject().key("id").text(finding.id).key("what").text(finding.what).key("ok").flag(finding.ok);
    json.key("needed").flag(finding.needed).key("sentence").text(finding.sentence);
    json.key("package").text(finding.package).endObject();
    return line;
}

QString forPeople(const Finding &finding)
{
    const QString mark = finding.ok ? tr("ok") : finding.needed ? tr("MISSING") : tr("not here");
    return QStringLiteral("%1 %2 %3").arg(mark.leftJustified(8), finding.what.leftJustified(18), advice(finding));
}

}

int examine(bool json)
{
    QList<Finding> findings;
    QEventLoop loop;
    Doctor doctor([&](QList<Finding> found) {
        findings = std::move(found);
        // Queued: the examination may be over before the loop begins.
        QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
    });
    loop.exec();
    for (const Finding &finding : std::as_const(findings))
        print(json ? line(finding) : forPeople(finding).toUtf8());
    return flushed(isHealthy(findings) ? status::done : status::broken);
}

}
