// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/catalogue.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace interlock;

namespace {

const QDir top(INTERLOCK_SOURCE_DIR);

QByteArray read(const QString &path)
{
    QFile file(top.filePath(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Paths below @p folder, from the top.
QStringList filesBelow(const QString &folder)
{
    QStringList files;
    QDirIterator it(top.filePath(folder), QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext())
        files.append(top.relativeFilePath(it.next()));
    return files;
}

/// Two lines at the head, or after a script's first line; the comment sign is free.
bool hasLicenceHeader(const QByteArray &text)
{
    static const QRegularExpression header("\\A(#!.*\\n)?\\S+ SPDX-FileCopyrightText: .+\\n\\S+ SPDX-License-Identifier: "
                                           "GPL-3\\.0-or-later\\n");
    return header.match(QString::fromUtf8(text.left(500))).hasMatch();
}

/// Pictures, data and prose have no place for it.
bool needsLicenceHeader(const QString &path)
{
    static const QRegularExpression without("\\.(md|json|jsonl|csv|svg|png|txt|ts)$");
    return path.endsWith("CMakeLists.txt") || !without.match(path).hasMatch();
}

/// What a Markdown text refers to inside the tree: targets of its links and pictures, and files that it names in code. Words
/// in capitals, FAMILY/ID.cpp, stand for any name.
QStringList namedFiles(const QString &text)
{
    static const QRegularExpression link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
    static const QRegularExpression code("(?:`|\\n    )(?:\\./)?((?:app|engine|resources|tests|widgets|\\.ci)/[\\w./-]*)");
    QStringList names;
    for (const QRegularExpression &each : {link, code}) {
        for (auto it = each.globalMatch(text); it.hasNext();)
            names.append(it.next().captured(1));
    }
    static const QRegularExpression anyName("/(FAMILY|ID)\\b");
    names.removeIf([](const QString &name) { return anyName.match(name).hasMatch(); });
    return names;
}

/// GCC 12 destroys the temporaries of both branches of such an expression, so the heap of whoever writes one is damaged
/// some time later.
bool awaitsConditionally(const QString &text)
{
    static const QRegularExpression conditional(R"(\s\?\s[^;{}]*\bco_await\b)");
    return conditional.match(text).hasMatch();
}

/// Types that a header defines at its outermost level, in the namespace that all share.
QStringList definedTypes(const QString &text)
{
    static const QRegularExpression definition(R"(^(?:class|struct) (\w+)(?: final)?(?: :[^;\n]*)?$)", QRegularExpression::MultilineOption);
    QStringList types;
    for (auto it = definition.globalMatch(text); it.hasNext();)
        types.append(it.next().captured(1));
    return types;
}

}

class TestTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFileSaysItsLicence();
    void aMissingLicenceIsSeen();
    void everyExperimentHasALessonAndEveryLessonAnExperiment();
    void everyExperimentIsNamedAfterItsFile();
    void theReadmeNamesOnlyWhatExists();
    void aNamedFileIsSeen();
    void theReadmeNamesEveryExperiment();
    void noTypeIsDefinedTwice();
    void aDefinedTypeIsSeen();
    void noAwaitStandsInAConditionalExpression();
    void anAwaitInAConditionalExpressionIsSeen();
};

void TestTree::everyFileSaysItsLicence()
{
    QStringList without;
    int files = 0;
    for (const char *folder : {".ci", "app", "engine", "resources", "tests", "widgets"}) {
        for (const QString &path : filesBelow(folder)) {
            if (!needsLicenceHeader(path))
                continue;
            ++files;
            if (!hasLicenceHeader(read(path)))
                without.append(path);
        }
    }
    QVERIFY2(without.isEmpty(), qPrintable(without.join('\n')));
    QVERIFY(files >= 40);
}

void TestTree::aMissingLicenceIsSeen()
{
    const QByteArray lines = "// SPDX-FileCopyrightText: Interlock's authors\n// SPDX-License-Identifier: GPL-3.0-or-later\n";
    QVERIFY(hasLicenceHeader(lines));
    QVERIFY(hasLicenceHeader("#!/bin/bash\n# SPDX-FileCopyrightText: A\n# SPDX-License-Identifier: GPL-3.0-or-later\n"));
    QVERIFY(!hasLicenceHeader("#pragma once\n" + lines));
    QVERIFY(!hasLicenceHeader("// SPDX-License-Identifier: GPL-3.0-or-later\n"));
    QVERIFY(!hasLicenceHeader(QByteArray(lines).replace("GPL-3.0", "GPL-2.0")));
    QVERIFY(needsLicenceHeader("tests/CMakeLists.txt") && needsLicenceHeader("app/start") && !needsLicenceHeader("a/en.md"));
}

void TestTree::everyExperimentHasALessonAndEveryLessonAnExperiment()
{
    QStringList experiments;
    for (const Experiment &experiment : experiments::all())
        experiments.append(experiment.id);
    experiments.sort();
    QVERIFY(!experiments.isEmpty());

    QStringList lessons = QDir(top.filePath("resources/lessons")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    lessons.sort();
    QCOMPARE(lessons, experiments);
    for (const QString &id : lessons)
        QVERIFY2(read("resources/lessons/" + id + "/en.md").trimmed().size() > 200, qPrintable(id));
}

void TestTree::everyExperimentIsNamedAfterItsFile()
{
    QSet<QString> fromFiles;
    for (const QString &path : filesBelow("engine/experiments")) {
        if (path.endsWith(".cpp") && path.count('/') == 3)
            fromFiles.insert(path.section('/', 2).chopped(4));
    }
    QSet<QString> declared;
    for (const Experiment &experiment : experiments::all())
        declared.insert(experiment.family + '/' + experiment.id);
    QCOMPARE(declared, fromFiles);
}

void TestTree::theReadmeNamesOnlyWhatExists()
{
    QStringList missing;
    const QStringList names = namedFiles(QString::fromUtf8(read("README.md")));
    for (const QString &name : names) {
        if (!QFileInfo::exists(top.filePath(name)))
            missing.append(name);
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
    QVERIFY(names.contains("app/start") && names.contains("tests/run"));
}

void TestTree::aNamedFileIsSeen()
{
    QCOMPARE(namedFiles("See [the format](resources/x.md#head), ![](a.png), [Redis](https://redis.io/docs) and `./app/start --build`, `app/ID.cpp`."),
        QStringList({"resources/x.md", "a.png", "app/start"}));
}

void TestTree::theReadmeNamesEveryExperiment()
{
    const QString text = QString::fromUtf8(read("README.md"));
    for (const Experiment &experiment : experiments::all())
        QVERIFY2(text.contains('`' + experiment.id + '`'), qPrintable(experiment.id));
}

/// The linker keeps one destructor of two classes with one name, and destroys the other's objects with it.
void TestTree::noTypeIsDefinedTwice()
{
    QMap<QString, QString> places;
    for (const char *folder : {"engine", "widgets", "app"}) {
        for (const QString &path : filesBelow(QString::fromLatin1(folder))) {
            if (!path.endsWith(QStringLiteral(".h")))
                continue;
            for (const QString &type : definedTypes(QString::fromUtf8(read(path)))) {
                QVERIFY2(!places.contains(type), qPrintable(QStringLiteral("%1: in %2 and in %3").arg(type, places.value(type), path)));
                places.insert(type, path);
            }
        }
    }
    QVERIFY(places.size() > 80);
}

void TestTree::aDefinedTypeIsSeen()
{
    QCOMPARE(definedTypes(QStringLiteral("class Ahead;\nstruct One\n{\n    struct Inner\n};\nclass Two : public One\n{\nstruct Two<int>\n{\nenum class Three { A, B };\n")),
        QStringList({QStringLiteral("One"), QStringLiteral("Two")}));
}

void TestTree::noAwaitStandsInAConditionalExpression()
{
    for (const char *folder : {"engine", "widgets", "app", "tests"}) {
        for (const QString &path : filesBelow(QString::fromLatin1(folder))) {
            if (path.endsWith(QStringLiteral("tst_tree.cpp")) || !(path.endsWith(QStringLiteral(".cpp")) || path.endsWith(QStringLiteral(".h"))))
                continue;
            QVERIFY2(!awaitsConditionally(QString::fromUtf8(read(path))), qPrintable(path));
        }
    }
}

void TestTree::anAwaitInAConditionalExpressionIsSeen()
{
    QVERIFY(awaitsConditionally(QStringLiteral("const auto x = a ? co_await f() : co_await g();")));
    QVERIFY(awaitsConditionally(QStringLiteral("x = a ? b\n    : co_await g();")));
    QVERIFY(!awaitsConditionally(QStringLiteral("if (a)\n    x = co_await f();\nelse\n    x = b ? 1 : 2;")));
}

QTEST_APPLESS_MAIN(TestTree)
#include "tst_tree.moc"
