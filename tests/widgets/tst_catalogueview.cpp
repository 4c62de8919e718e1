// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiments/experiment.h"
#include "widgets/catalogueview.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace interlock;

namespace {

Experiment experiment(const char *id, const char *family, const char *title, const char *promise)
{
    Experiment made;
    made.id = id;
    made.family = family;
    made.title = title;
    made.promise = promise;
    return made;
}

class CatalogueViewTest : public QObject
{
    Q_OBJECT

private:
    const std::vector<Experiment> m_experiments {
        experiment("lock-crash", "locks", "Crash", "A dead owner’s lock is freed."),
        experiment("lock-release", "locks", "Release", "Only the owner’s release removes a lock."),
        experiment("limiter-boundary", "limiters", "Window edge", "Never more than the limit in any window."),
    };

private Q_SLOTS:
    void findsByEveryWord_data()
    {
        QTest::addColumn<QString>("search");
        QTest::addColumn<QStringList>("found");
        QTest::newRow("nothing typed") << "" << QStringList {"lock-crash", "lock-release", "limiter-boundary"};
        QTest::newRow("title") << "crash" << QStringList {"lock-crash"};
        QTest::newRow("case") << "WINDOW" << QStringList {"limiter-boundary"};
        QTest::newRow("promise") << "dead owner" << QStringList {"lock-crash"};
        QTest::newRow("words in any order") << "owner dead" << QStringList {"lock-crash"};
        QTest::newRow("id") << "lock-rel" << QStringList {"lock-release"};
        QTest::newRow("family") << "limiters" << QStringList {"limiter-boundary"};
        QTest::newRow("one word too many") << "crash sale" << QStringList {};
    }
    void findsByEveryWord()
    {
        QFETCH(QString, search);
        QFETCH(QStringList, found);
        CatalogueView view(m_experiments);
        QTest::keyClicks(view.findChild<QLineEdit *>(), search);
        QCOMPARE(view.shown(), found);
    }

    void escapeShowsEverythingAgain()
    {
        CatalogueView view(m_experiments);
        auto *field = view.findChild<QLineEdit *>();
        QTest::keyClicks(field, "crash");
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(view.shown().size(), 3);
    }

    void returnChoosesTheFirstFound()
    {
        CatalogueView view(m_experiments);
        QSignalSpy chosen(&view, &CatalogueView::chosenChanged);
        auto *field = view.findChild<QLineEdit *>();
        QTest::keyClicks(field, "limit");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.first().first().toString(), "limiter-boundary");
        QCOMPARE(view.chosen(), "limiter-boundary");
    }

    void arrowsPassOverHeadings()
    {
        CatalogueView view(m_experiments);
        view.resize(200, 400);
        view.show();
        view.choose("lock-release");
        QTest::keyClick(view.findChild<QTreeWidget *>(), Qt::Key_Down);
        QCOMPARE(view.chosen(), "limiter-boundary");
        QTest::keyClick(view.findChild<QTreeWidget *>(), Qt::Key_Up);
        QCOMPARE(view.chosen(), "lock-release");
    }

    void ignoresAnUnknownId()
    {
        CatalogueView view(m_experiments);
        view.choose("lock-crash");
        view.choose("no-such");
        QCOMPARE(view.chosen(), "lock-crash");
    }
};

}

QTEST_MAIN(CatalogueViewTest)
#include "tst_catalogueview.moc"
