// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/runfile.h"
#include "engine/run/setfiles.h"
#include "tests/support/measuring.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace interlock;
using interlock::test::Measuring;

namespace {

/// A run that can be told from others by its seed.
std::shared_ptr<const Run> recordWith(quint64 seed)
{
    Run run;
    run.header.experiment = QStringLiteral("lock-crash");
    run.header.seed = seed;
    run.isComplete = true;
    return std::make_shared<const Run>(std::move(run));
}

}

class SetFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesRunsInOrderOfAppearance();
    void leavesOutNamesThatAreNoFiles_data();
    void leavesOutNamesThatAreNoFiles();
    void writesRunsBesideTheirSet();
    void copiesRunsThatAreInFiles();
    void savesInPlace();
    void aSingleRunHasNoFolder();
    void saysWhatCannotBeWritten();

private:
    Measuring set() const
    {
        Measuring measuring;
        measuring.share("lost", 1, 0, 1, "lag-50ms-02").share("lost", 0, 0, 1, "lag-0ms-01").share("lost", 1, 1, 1, "lag-50ms-02").value("own", 1, 1);
        return measuring;
    }
    quint64 seedIn(const QString &path) const
    {
        const Result<ReadRun> read = readRunFile(path);
        return read ? read->run.header.seed : 0;
    }
};

void SetFilesTest::namesRunsInOrderOfAppearance()
{
    QCOMPARE(childrenNamedIn(set().run()), (QStringList {"lag-50ms-02", "lag-0ms-01"}));
    QVERIFY(childrenNamedIn(Measuring().value("own", 1, 1).run()).isEmpty());
}

void SetFilesTest::leavesOutNamesThatAreNoFiles_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const char *name : {"../../secret", "a/b", "..", ".hidden", "-rf", "a b", "a\nb", "C:\\x"})
        QTest::newRow(name) << QByteArray(name);
}

void SetFilesTest::leavesOutNamesThatAreNoFiles()
{
    QFETCH(QByteArray, name);
    QCOMPARE(childrenNamedIn(Measuring().value("s", 1, 1, never, never, name).value("s", 2, 1, never, never, "good").run()), QStringList {"good"});
}

void SetFilesTest::writesRunsBesideTheirSet()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("set.interlock.jsonl"));
    const std::vector<ChildRun> children {{QStringLiteral("lag-0ms-01"), {}, recordWith(1), {}, {}}, {QStringLiteral("lag-50ms-02"), {}, recordWith(2), {}, {}}};
    QVERIFY(writeSetFiles(path, set().run(), {}, children).ok());
    QCOMPARE(childFile(path, QStringLiteral("lag-0ms-01")), path + QStringLiteral(".children/lag-0ms-01.interlock.jsonl"));
    QCOMPARE(seedIn(childFile(path, QStringLiteral("lag-0ms-01"))), quint64(1));
    QCOMPARE(seedIn(childFile(path, QStringLiteral("lag-50ms-02"))), quint64(2));
    const Result<ReadRun> read = readRunFile(path);
    QVERIFY(read.ok());
    QCOMPARE(childrenNamedIn(read->run), (QStringList {"lag-50ms-02", "lag-0ms-01"}));
}

void SetFilesTest::copiesRunsThatAreInFiles()
{
    QTemporaryDir folder;
    const QString from = folder.filePath(QStringLiteral("from.interlock.jsonl")), to = folder.filePath(QStringLiteral("to.interlock.jsonl"));
    QVERIFY(writeSetFiles(from, set().run(), {}, {{QStringLiteral("a"), {}, recordWith(7), {}, {}}}).ok());
    QVERIFY(writeSetFiles(to, set().run(), {}, {{QStringLiteral("a"), {}, nullptr, {}, childFile(from, QStringLiteral("a"))}}).ok());
    QCOMPARE(seedIn(childFile(to, QStringLiteral("a"))), quint64(7));
    const Result<void> missing = writeSetFiles(to, set().run(), {}, {{QStringLiteral("b"), {}, nullptr, {}, childFile(from, QStringLiteral("b"))}});
    QVERIFY(!missing.ok());
    QVERIFY2(missing.error().text.contains(childFile(from, QStringLiteral("b"))), qPrintable(missing.error().text));
}

void SetFilesTest::savesInPlace()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("set.interlock.jsonl"));
    QVERIFY(writeSetFiles(path, set().run(), {}, {{QStringLiteral("a"), {}, recordWith(7), {}, {}}}).ok());
    QVERIFY(writeSetFiles(path, set().run(), {}, {{QStringLiteral("a"), {}, nullptr, {}, childFile(path, QStringLiteral("a"))}}).ok());
    QCOMPARE(seedIn(childFile(path, QStringLiteral("a"))), quint64(7));
}

void SetFilesTest::aSingleRunHasNoFolder()
{
    QTemporaryDir folder;
    QVERIFY(writeSetFiles(folder.filePath(QStringLiteral("run.interlock.jsonl")), *recordWith(1), {}, {}).ok());
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList {"run.interlock.jsonl"});
}

void SetFilesTest::saysWhatCannotBeWritten()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("set.interlock.jsonl"));
    QFile inTheWay(path + QStringLiteral(".children"));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    const Result<void> written = writeSetFiles(path, set().run(), {}, {{QStringLiteral("a"), {}, recordWith(7), {}, {}}});
    QVERIFY(!written.ok());
    QVERIFY2(written.error().text.contains(inTheWay.fileName()), qPrintable(written.error().text));
    QVERIFY(!QFile::exists(path));
}

QTEST_APPLESS_MAIN(SetFilesTest)
#include "tst_setfiles.moc"
