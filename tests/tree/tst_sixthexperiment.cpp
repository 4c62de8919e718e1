// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

// An experiment is one .cpp and one lesson: this adds a sixth to a copy of the tree, builds the copy and runs it.
class TestSixthExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void addsOneFileAndOneLesson();
    void builds();
    void isListed();
    void givesItsVerdict_data();
    void givesItsVerdict();

private:
    struct Outcome
    {
        int status = -1;
        QByteArray output;
        QByteArray words;
    };
    Outcome run(const QString &program, const QStringList &arguments);
    QString fromCache(const QString &name) const;

    const QDir m_original {INTERLOCK_SOURCE_DIR};
    const QDir m_originalBuild {INTERLOCK_BUILD_DIR};
    QTemporaryDir m_temporary;
    QDir m_copy;
    QDir m_copyBuild;
};

TestSixthExperiment::Outcome TestSixthExperiment::run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("ORIGINAL", m_original.path());
    environment.insert("ORIGINAL_BUILD", m_originalBuild.path());
    environment.insert("COPY", m_copy.path());
    environment.insert("COPY_BUILD", m_copyBuild.path());
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    if (!process.waitForFinished(240'000))
        process.kill();
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
        process.readAllStandardError()};
}

/// A setting of the build that this test belongs to: the copy is built in the same way.
QString TestSixthExperiment::fromCache(const QString &name) const
{
    QFile file(m_originalBuild.filePath("CMakeCache.txt"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QRegularExpression line("^" + name + ":\\w+=(.*)$", QRegularExpression::MultilineOption);
    return "-D" + name + '=' + line.match(QString::fromUtf8(file.readAll())).captured(1);
}

void TestSixthExperiment::initTestCase()
{
    QVERIFY(m_temporary.isValid());
    m_copy.setPath(QDir(m_temporary.path()).canonicalPath() + "/a copy");
    m_copyBuild.setPath(m_copy.filePath("build"));
    QVERIFY(m_copy.mkpath("."));
    for (const char *entry : {"CMakeLists.txt", "app", "engine", "resources", "widgets"})
        QCOMPARE(run("cp", {"-Rp", m_original.filePath(entry), m_copy.filePath(entry)}).status, 0);
}

void TestSixthExperiment::addsOneFileAndOneLesson()
{
    const QDir sixth(m_original.filePath("tests/tree/sixth"));
    QVERIFY(QFile::copy(sixth.filePath("lock-turns.cpp"), m_copy.filePath("engine/experiments/locks/lock-turns.cpp")));
    QVERIFY(m_copy.mkpath("resources/lessons/lock-turns"));
    QVERIFY(QFile::copy(sixth.filePath("en.md"), m_copy.filePath("resources/lessons/lock-turns/en.md")));
}

void TestSixthExperiment::builds()
{
    const Outcome configured = run("cmake",
        {"-G", "Ninja", "-S", m_copy.path(), "-B", m_copyBuild.path(), "-DBUILD_TESTING=OFF",
            "-DCMAKE_CXX_COMPILER_LAUNCHER=" + m_original.filePath("tests/tree/sixth/reuse"), fromCache("CMAKE_BUILD_TYPE"),
            fromCache("CMAKE_CXX_FLAGS"), fromCache("CMAKE_CXX_FLAGS_DEBUG"), fromCache("INTERLOCK_SANITIZE"),
            fromCache("INTERLOCK_WERROR")});
    QVERIFY2(configured.status == 0, configured.words);
    const Outcome built = run("cmake", {"--build", m_copyBuild.path(), "--target", "interlock"});
    QVERIFY2(built.status == 0, built.output.right(1500) + built.words);
    QVERIFY2(built.output.contains("compiled engine/experiments/locks/lock-turns.cpp"), built.output);
}

void TestSixthExperiment::isListed()
{
    const Outcome listed = run(m_copyBuild.filePath("interlock"), {"list", "--json"});
    QVERIFY2(listed.status == 0, listed.words);
    QVERIFY2(listed.output.contains("\"lock-turns\"") && listed.output.contains("\"lock-crash\""), listed.output);
}

void TestSixthExperiment::givesItsVerdict_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<int>("status");
    QTest::newRow("broken") << "break" << "broken" << 1;
    QTest::newRow("held") << "safe" << "held" << 0;
}

void TestSixthExperiment::givesItsVerdict()
{
    QFETCH(QString, preset);
    QFETCH(QString, verdict);
    QFETCH(int, status);
    const Outcome ran = run(m_copyBuild.filePath("interlock"), {"run", "lock-turns", "--preset", preset, "--json"});
    QVERIFY2(ran.status == status, ran.words);
    const QByteArray last = ran.output.trimmed().split('\n').last();
    QCOMPARE(QJsonDocument::fromJson(last).object()["verdict"].toString(), verdict);
}

QTEST_GUILESS_MAIN(TestSixthExperiment)
#include "tst_sixthexperiment.moc"
