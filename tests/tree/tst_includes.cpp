// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

// Includes never run upwards: app → widgets → engine, and inside the engine as laid down here. Where a list names a file,
// only that file of its folder may be included.
namespace {

const QMap<QString, QStringList> mayUse {
    {"engine/base", {}},
    {"engine/run", {"engine/base"}},
    {"engine/redis", {"engine/base", "engine/run/event.h"}},
    {"engine/checks", {"engine/base", "engine/run", "engine/limiters/limiter.h", "engine/limiters/reference.h"}},
    {"engine/schedule", {"engine/base", "engine/run", "engine/redis"}},
    {"engine/lab", {"engine/base", "engine/run", "engine/redis", "engine/schedule/clock.h"}},
    {"engine/locks", {"engine/base", "engine/run", "engine/redis", "engine/schedule"}},
    {"engine/limiters", {"engine/base", "engine/run", "engine/redis", "engine/schedule"}},
    {"engine/experiments", {"engine"}},
    {"engine", {"engine"}},
    {"widgets",
        {"widgets", "engine/base", "engine/run", "engine/checks", "engine/session.h", "engine/experiments/experiment.h",
            "engine/experiments/parameter.h", "engine/experiments/catalogue.h", "engine/redis/endpoint.h",
            "engine/limiters/limiter.h"}},
    {"app", {"app", "widgets", "engine"}},
};

/// "engine/redis" for "engine/redis/reply.h", "engine" for "engine/session.h", "widgets" for all below it.
QString place(const QString &path)
{
    const QStringList parts = path.split('/');
    return parts[0] == "engine" && parts.size() > 2 ? parts[0] + '/' + parts[1] : parts[0];
}

bool isBelow(const QString &path, const QString &folder)
{
    return path == folder || path.startsWith(folder + '/');
}

bool isAllowed(const QString &path, const QString &included)
{
    const QString here = place(path);
    if (here == "engine/redis" ? false : included.startsWith("hiredis"))
        return false;
    if (here.startsWith("engine")) {
        static const QRegularExpression painting("^(Qt(Gui|Widgets|Svg|SvgWidgets|PrintSupport|OpenGL)/|qcustomplot)");
        if (painting.match(included).hasMatch())
            return false;
    }
    static const QRegularExpression ours("^(app|engine|resources|tests|widgets)/");
    if (!ours.match(included).hasMatch())
        return true;
    const QStringList allowed = mayUse.value(here) + QStringList {here == "engine" ? QString("engine/session.h") : here};
    return std::any_of(allowed.begin(), allowed.end(), [&](const QString &one) { return isBelow(included, one); });
}

/// Every include in the text of a file that the file must not have, as "path:line includes what".
QStringList forbiddenIncludes(const QString &path, const QString &text)
{
    static const QRegularExpression include("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">]");
    QStringList found;
    const QStringList lines = text.split('\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const auto match = include.match(lines[i]);
        if (match.hasMatch() && !isAllowed(path, match.captured(1)))
            found.append(QString("%1:%2 includes %3").arg(path).arg(i + 1).arg(match.captured(1)));
    }
    return found;
}

}

class TestIncludes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runDownwardsInTheWholeTree();
    void findsAPlantedOne_data();
    void findsAPlantedOne();
    void allowsTheInnocent_data();
    void allowsTheInnocent();
};

void TestIncludes::runDownwardsInTheWholeTree()
{
    const QDir top(INTERLOCK_SOURCE_DIR);
    QStringList found;
    int files = 0;
    for (const char *folder : {"engine", "widgets", "app"}) {
        QDirIterator it(top.filePath(folder), {"*.cpp", "*.h", "*.in"}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString path = top.relativeFilePath(file.fileName());
            QVERIFY2(mayUse.contains(place(path)), qPrintable(path + " is in a folder that has no rule here"));
            found += forbiddenIncludes(path, QString::fromUtf8(file.readAll()));
            ++files;
        }
    }
    QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    QVERIFY2(files >= 40, "the tree was not found");
}

void TestIncludes::findsAPlantedOne_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("line");
    QTest::newRow("engine to widgets") << "engine/run/run.cpp" << "#include \"widgets/theme.h\"";
    QTest::newRow("engine to app") << "engine/session.cpp" << "#include \"app/mainwindow.h\"";
    QTest::newRow("widgets to app") << "widgets/theme.cpp" << "#include \"app/settings.h\"";
    QTest::newRow("product to tests") << "app/main.cpp" << "#include \"tests/support/testserver.h\"";
    QTest::newRow("base to run") << "engine/base/names.cpp" << "#include \"engine/run/event.h\"";
    QTest::newRow("run to redis") << "engine/run/run.h" << "#include \"engine/redis/reply.h\"";
    QTest::newRow("redis to another file of run") << "engine/redis/reply.cpp" << "#include \"engine/run/run.h\"";
    QTest::newRow("redis to schedule") << "engine/redis/script.cpp" << "#include \"engine/schedule/actor.h\"";
    QTest::newRow("checks to a limiter's script") << "engine/checks/overlap.cpp" << "#include \"engine/limiters/decide.h\"";
    QTest::newRow("checks to redis") << "engine/checks/overlap.cpp" << "#include \"engine/redis/reply.h\"";
    QTest::newRow("schedule to lab") << "engine/schedule/actor.cpp" << "#include \"engine/lab/server.h\"";
    QTest::newRow("lab to session") << "engine/lab/server.cpp" << "#include \"engine/session.h\"";
    QTest::newRow("locks to checks") << "engine/locks/lock.cpp" << "#include \"engine/checks/checks.h\"";
    QTest::newRow("widgets to a server") << "widgets/timeline/model.cpp" << "#include \"engine/lab/server.h\"";
    QTest::newRow("hiredis outside redis") << "engine/lab/server.cpp" << "#include <hiredis/async.h>";
    QTest::newRow("painting in the engine") << "engine/run/run.cpp" << "#include <QtGui/QColor>";
    QTest::newRow("plots in the engine") << "engine/experiments/locks/lock-crash.cpp" << "#include <qcustomplot.h>";
    QTest::newRow("odd spacing") << "engine/base/time.h" << "  #  include <widgets/theme.h>";
}

void TestIncludes::findsAPlantedOne()
{
    QFETCH(QString, path);
    QFETCH(QString, line);
    const QStringList found = forbiddenIncludes(path, "#include <QString>\n" + line + "\n");
    QCOMPARE(found.size(), 1);
    QVERIFY2(found[0].startsWith(path + ":2 "), qPrintable(found[0]));
}

void TestIncludes::allowsTheInnocent_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("line");
    QTest::newRow("own folder") << "engine/base/names.cpp" << "#include \"engine/base/names.h\"";
    QTest::newRow("session's own header") << "engine/session.cpp" << "#include \"engine/session.h\"";
    QTest::newRow("redis to the one file of run") << "engine/redis/reply.h" << "#include \"engine/run/event.h\"";
    QTest::newRow("hiredis in redis") << "engine/redis/connection.cpp" << "#include <hiredis/async.h>";
    QTest::newRow("checks to the reference models") << "engine/checks/overlap.cpp" << "#include \"engine/limiters/reference.h\"";
    QTest::newRow("app to all") << "app/main.cpp" << "#include \"engine/lab/server.h\"";
    QTest::newRow("widgets to session") << "widgets/runmodel.h" << "#include \"engine/session.h\"";
    QTest::newRow("Qt and standard") << "engine/run/run.cpp" << "#include <QtCore/QString>";
    QTest::newRow("in a comment") << "engine/run/run.cpp" << "// the window's #include \"widgets/theme.h\"";
}

void TestIncludes::allowsTheInnocent()
{
    QFETCH(QString, path);
    QFETCH(QString, line);
    QCOMPARE(forbiddenIncludes(path, line), QStringList());
}

QTEST_APPLESS_MAIN(TestIncludes)
#include "tst_includes.moc"
