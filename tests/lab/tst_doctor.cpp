// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/doctor.h"
#include "tests/support/testserver.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace interlock;

namespace {

QList<Finding> examine()
{
    std::optional<QList<Finding>> findings;
    const Doctor doctor([&findings](QList<Finding> found) { findings = std::move(found); });
    if (findings || !QTest::qWaitFor([&findings] { return findings.has_value(); }, 20'000))
        return {};
    return *findings;
}

Finding byId(const QList<Finding> &findings, const QString &id)
{
    for (const Finding &finding : findings) {
        if (finding.id == id)
            return finding;
    }
    return {};
}

QStringList ids(const QList<Finding> &findings)
{
    QStringList list;
    for (const Finding &finding : findings)
        list.append(finding.id);
    return list;
}

const QStringList allIds {
    "redis-server", "keeper", "directory", "server", "loopback", "notifications", "sqlite", "redis-cli"};

}

class tst_Doctor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void findsAllWell();
    void namesThePackageOfAMissingServer();
    void tellsOfAKeeperThatDoesNotRun();
    void missesNothingThatIsOnlyOfUse();
    void aPackageIsNamedOnce_data();
    void aPackageIsNamedOnce();
    void endsWhenItIsDestroyed();

private:
    std::unique_ptr<QTemporaryDir> m_parent;
};

void tst_Doctor::init()
{
    m_parent = std::make_unique<QTemporaryDir>();
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_parent->path()));
    qunsetenv("INTERLOCK_REDIS_SERVER");
    useKeeperOfProgram();
}

void tst_Doctor::findsAllWell()
{
    const QList<Finding> findings = examine();
    QCOMPARE(ids(findings), allIds);
    for (const Finding &finding : findings) {
        QVERIFY2(finding.ok || !finding.needed, qPrintable(finding.id + QStringLiteral(": ") + finding.sentence));
        QVERIFY(finding.package.isEmpty() || !finding.ok);
        QVERIFY(!finding.what.isEmpty());
        QVERIFY(finding.sentence.endsWith(QLatin1Char('.')));
    }
    QVERIFY(isHealthy(findings));
    QVERIFY(QDir(m_parent->path()).isEmpty());
}

void tst_Doctor::namesThePackageOfAMissingServer()
{
    qputenv("INTERLOCK_REDIS_SERVER", "/nowhere/redis-server");
    const QList<Finding> findings = examine();
    QCOMPARE(ids(findings), allIds);
    QVERIFY(!isHealthy(findings));
    const Finding finding = byId(findings, QStringLiteral("redis-server"));
    QVERIFY(!finding.ok);
    QCOMPARE(finding.package, QStringLiteral("redis-server"));
    QVERIFY2(finding.sentence.contains(QStringLiteral("/nowhere/redis-server")), qPrintable(finding.sentence));
    for (const char *id : {"server", "loopback", "notifications"})
        QVERIFY2(!byId(findings, QLatin1String(id)).ok, id);
    for (const char *id : {"keeper", "directory", "sqlite"}) // the rest was tried all the same
        QVERIFY2(byId(findings, QLatin1String(id)).ok, id);
    QVERIFY(QDir(m_parent->path()).isEmpty());
}

void tst_Doctor::tellsOfAKeeperThatDoesNotRun()
{
    qputenv("INTERLOCK_KEEPER", "/bin/true");
    const QList<Finding> findings = examine();
    QCOMPARE(ids(findings), allIds);
    QVERIFY(!isHealthy(findings));
    QVERIFY(byId(findings, QStringLiteral("redis-server")).ok);
    for (const char *id : {"keeper", "directory", "server"})
        QVERIFY2(!byId(findings, QLatin1String(id)).ok, id);
    QVERIFY(!byId(findings, QStringLiteral("keeper")).sentence.isEmpty());
}

void tst_Doctor::missesNothingThatIsOnlyOfUse()
{
    QList<Finding> findings {
        {QStringLiteral("a"), {}, true, true, {}, {}}, {QStringLiteral("b"), {}, false, false, {}, {}}};
    QVERIFY(isHealthy(findings));
    findings[1].needed = true;
    QVERIFY(!isHealthy(findings));
}

void tst_Doctor::aPackageIsNamedOnce_data()
{
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("package");
    QTest::addColumn<QString>("advice");
    QTest::newRow("the sentence names it") << "It is not here. Install the package redis-tools." << "redis-tools" << "It is not here. Install the package redis-tools.";
    QTest::newRow("the sentence does not") << "It is not here." << "redis-tools" << "It is not here. Install the package redis-tools.";
    QTest::newRow("no package helps") << "It is not here." << "" << "It is not here.";
}

void tst_Doctor::aPackageIsNamedOnce()
{
    QFETCH(QString, sentence);
    QFETCH(QString, package);
    Finding finding;
    finding.sentence = sentence;
    finding.package = package;
    QTEST(advice(finding), "advice");
}

void tst_Doctor::endsWhenItIsDestroyed()
{
    for (int moment = 0; moment < 60; moment += 3) { // ms into its work, which takes about 100
        bool called = false;
        QElapsedTimer time;
        time.start();
        {
            const Doctor doctor([&called](const QList<Finding> &) { called = true; });
            [[maybe_unused]] const bool early = QTest::qWaitFor([&called] { return called; }, moment);
            called = false;
        }
        QVERIFY2(time.elapsed() < 3000, qPrintable(QString::number(time.elapsed())));
        QCoreApplication::processEvents();
        QVERIFY(!called);
        QVERIFY(QDir(m_parent->path()).isEmpty());
    }
}

QTEST_GUILESS_MAIN(tst_Doctor)
#include "tst_doctor.moc"
