// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/catalogue.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace interlock;

namespace {

constexpr int limit = 1'500'000; // ms; far above what the tour needs on a busy machine

struct Line
{
    QString experiment;
    QString preset;
};

/// In the order of the catalogue.
QList<Line> expectedLines()
{
    QList<Line> lines;
    for (const Experiment &experiment : experiments::all()) {
        for (const Preset &preset : experiment.presets)
            lines.append({experiment.id, preset.name});
    }
    return lines;
}

/// An empty page has one colour, text and bars with soft edges have many.
qsizetype coloursOf(const QImage &picture)
{
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x)
            colours.insert(picture.pixel(x, y));
    }
    return colours.size();
}

}

class Tour : public QObject
{
    Q_OBJECT

private slots:
    void goesThroughEveryPreset();
    void aFileIsNoDirectory();

private:
    /// @return the exit status; -1: it did not end by itself.
    int tour(const QString &directory);

    QByteArray m_out;
    QByteArray m_err;
};

int Tour::tour(const QString &directory)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(name);
    process.setProcessEnvironment(environment);
    process.start(INTERLOCK_PROGRAM, {"tour", "--out", directory});
    if (!process.waitForFinished(limit) || process.exitStatus() != QProcess::NormalExit)
        return -1;
    m_out = process.readAllStandardOutput();
    m_err = process.readAllStandardError();
    return process.exitCode();
}

void Tour::goesThroughEveryPreset()
{
    QTemporaryDir folder;
    const QDir pictures(folder.filePath("new/folder"));
    const int status = tour(pictures.path());
    QVERIFY2(status == 0, m_out + m_err);

    const QList<Line> expected = expectedLines();
    QVERIFY(expected.size() >= 10);
    const QStringList lines = QString::fromUtf8(m_out).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), expected.size());
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QStringList words = lines[i].split(' ', Qt::SkipEmptyParts);
        QVERIFY2(words.value(0) == expected[i].experiment && words.value(1) == expected[i].preset, qPrintable(lines[i]));
        QVERIFY2(lines[i].contains(" as declared "), qPrintable(lines[i]));
        const QString name = expected[i].experiment + '-' + expected[i].preset + ".png";
        const QImage picture(pictures.filePath(name));
        QVERIFY2(!picture.isNull(), qPrintable(name));
        QVERIFY2(coloursOf(picture) > 20, qPrintable(name));
    }
    QCOMPARE(pictures.entryList(QDir::Files).size(), expected.size());
}

void Tour::aFileIsNoDirectory()
{
    QTemporaryDir folder;
    QFile file(folder.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    QCOMPARE(tour(file.fileName()), 2);
    QVERIFY(m_out.isEmpty());
    QVERIFY2(m_err.contains("is no directory"), m_err);
}

QTEST_GUILESS_MAIN(Tour)
#include "tst_tour.moc"
