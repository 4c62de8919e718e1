// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"
#include "app/menus.h"
#include "app/windowsettings.h"
#include "engine/experiments/catalogue.h"
#include "engine/run/runfile.h"
#include "tests/redis/fakeredis.h"
#include "tests/support/grouprecords.h"
#include "tests/support/laboratory.h"
#include "tests/support/testserver.h"
#include "widgets/banner.h"
#include "widgets/catalogueview.h"
#include "widgets/controlpanel.h"
#include "widgets/eventtable.h"
#include "widgets/eventtablemodel.h"
#include "widgets/runpage.h"
#include "widgets/statusbadge.h"
#include "widgets/topology/failoverview.h"
#include "widgets/verdictbar.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProxyStyle>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTabWidget>
#include <QTest>
#include <QTextBrowser>

using namespace interlock;

namespace {

bool isControl(const QWidget *widget)
{
    return qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const QComboBox *>(widget) || qobject_cast<const QAbstractSpinBox *>(widget)
        || qobject_cast<const QLineEdit *>(widget) || qobject_cast<const QAbstractItemView *>(widget) || qobject_cast<const QTextBrowser *>(widget);
}

/// Part of a control that has the name: a spin box's line, a combo box's list, a view's header.
bool belongsToControl(const QWidget *widget)
{
    for (const QWidget *parent = widget->parentWidget(); parent; parent = parent->parentWidget()) {
        if (isControl(parent))
            return true;
    }
    return false;
}

class MainWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useKeeperOfProgram(); }

    void aLetterChoosesInAnOpenMenu()
    {
        Laboratory laboratory;
        MainWindow &window = laboratory.window;
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto *search = window.findChild<CatalogueView *>()->findChild<QLineEdit *>();
        QMenu *view = nullptr;
        for (const QAction *action : window.menuBar()->actions()) {
            if (action->text() == "&View")
                view = action->menu();
        }
        QVERIFY(search && view && !search->hasFocus());
        view->popup(QPoint());
        QTest::keyClick(view, Qt::Key_F); // in the timeline it focuses the selection, in this menu it finds an experiment
        QVERIFY(!view->isVisible());
        QTRY_VERIFY(search->hasFocus());
    }

    void everyControlHasAName()
    {
        Laboratory lab;
        for (const Experiment &experiment : experiments::all()) {
            lab.window.choose(experiment.id);
            int controls = 0;
            for (const QWidget *widget : lab.window.findChildren<QWidget *>()) {
                if (!isControl(widget) || belongsToControl(widget) || !widget->isVisibleTo(&lab.window) || widget->focusPolicy() == Qt::NoFocus)
                    continue;
                ++controls;
                QVERIFY2(!widget->accessibleName().isEmpty(),
                    qPrintable(QString("%1 \"%2\" has no name").arg(widget->metaObject()->className(), widget->objectName())));
            }
            QVERIFY2(controls >= 8, "the walk has to meet the controls");
        }
    }

    void showsTheChosenExperiment()
    {
        Laboratory lab;
        for (const Experiment &experiment : experiments::all()) {
            lab.window.catalogue().choose(experiment.id);
            QCOMPARE(lab.window.windowTitle(), experiment.title);
            QCOMPARE(lab.window.panel().form().written().size(), experiment.parameters.size());
            QVERIFY(lab.window.panel().form().isUsable());
        }
    }

    void aPresetIsKnownByItsValues()
    {
        Laboratory lab;
        for (const Experiment &experiment : experiments::all()) {
            lab.window.choose(experiment.id);
            for (const Preset &preset : experiment.presets) {
                lab.window.panel().choosePreset(preset.name);
                QCOMPARE(lab.window.panel().preset(), preset.name);
                QCOMPARE(lab.window.panel().form().written(), fullValues(experiment, preset.values));
            }
            ParameterForm::Written own = lab.window.panel().form().written();
            for (size_t i = 0; i < size_t(experiment.parameters.size()); ++i) {
                const Parameter &parameter = experiment.parameters[qsizetype(i)];
                if (parameter.type == Parameter::Type::Duration)
                    own[qsizetype(i)].second = parameter.write(parameter.least + 1000);
            }
            lab.window.panel().setValues(own);
            QCOMPARE(lab.window.panel().preset(), QString());
        }
    }

    void remembersExperimentAndValues()
    {
        QTemporaryDir directory;
        qputenv("INTERLOCK_SETTINGS", directory.filePath("settings.ini").toUtf8());
        const Experiment &last = experiments::all().back();
        {
            WindowSettings settings;
            MainWindow window(settings);
            window.choose(last.id);
            window.panel().choosePreset(last.presets.last().name);
            Q_EMIT window.panel().edited();
            window.close();
        }
        WindowSettings settings;
        MainWindow window(settings);
        QCOMPARE(window.catalogue().chosen(), last.id);
        QCOMPARE(window.panel().form().written(), fullValues(last, last.presets.last().values));
    }

    /// Emitted by hand: what a worker may still have under way when another run is shown.
    void dropsBatchesOfOlderRuns()
    {
        Laboratory lab;
        lab.window.model().begin(recordOf("lock-crash", 0).header);
        Batch late;
        late.run = 99;
        late.events.resize(3);
        Q_EMIT lab.window.session().batchReady(late);
        QCOMPARE(lab.window.model().run().events.size(), size_t(0));
        Q_EMIT lab.window.session().finished(99, std::make_shared<const Run>(recordOf("lock-crash", 7)), Verdict());
        QCOMPARE(lab.window.model().run().events.size(), size_t(0)); // kept in the list, not shown
        QCOMPARE(lab.window.runs().count(), 1);
    }

    void showsAFileAndWhatIsWrongWithIt_data()
    {
        QTest::addColumn<QByteArray>("damage");
        QTest::addColumn<bool>("isShown");
        QTest::newRow("whole") << QByteArray() << true;
        QTest::newRow("cut short") << QByteArray("cut") << true;
        QTest::newRow("a broken line") << QByteArray("line") << true;
        QTest::newRow("empty") << QByteArray("empty") << false;
        QTest::newRow("binary") << QByteArray("binary") << false;
    }
    void showsAFileAndWhatIsWrongWithIt()
    {
        QFETCH(QByteArray, damage);
        QFETCH(bool, isShown);
        const bool isDamaged = !damage.isEmpty();
        Laboratory lab;
        const QString path = lab.directory.filePath("some.interlock.jsonl");
        QVERIFY(writeRunFile(path, recordOf("lock-crash", 20), Verdict()).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray content = file.readAll();
        file.close();
        QList<QByteArray> lines = content.split('\n');
        if (damage == "cut") {
            content = content.left(content.size() * 2 / 3);
        } else if (damage == "line") {
            lines[5] = lines[5].left(6);
            content = lines.join('\n');
        } else if (damage == "empty") {
            content.clear();
        } else if (damage == "binary") {
            content = QByteArray(500, '\xfe');
        }
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(content);
        file.close();

        lab.window.openFile(path);
        if (isDamaged)
            QTRY_VERIFY_WITH_TIMEOUT(!lab.window.page().banner().text().isEmpty(), 10'000);
        if (!isShown) {
            QCOMPARE(lab.window.model().run().events.size(), size_t(0));
            return;
        }
        QTRY_VERIFY_WITH_TIMEOUT(!lab.window.model().run().events.empty(), 10'000);
        QCOMPARE(lab.window.model().run().isComplete, !isDamaged);
        QCOMPARE(lab.window.page().banner().text().isEmpty(), !isDamaged);
        QVERIFY(lab.window.page().badge().text().startsWith("Recorded"));
    }

    void aFileOfAnUnknownExperimentHasItsOwnViews()
    {
        Laboratory lab;
        const auto titles = [&lab] {
            QStringList all;
            const auto *tabs = lab.window.page().findChild<QTabWidget *>();
            for (int i = 0; i < tabs->count(); ++i)
                all.append(tabs->tabText(i));
            return all;
        };
        lab.window.choose("lock-contention");
        const QStringList before = titles();
        QVERIFY(before.contains("Waits"));
        const QString known = lab.directory.filePath("known.interlock.jsonl");
        QVERIFY(writeRunFile(known, recordOf("lock-contention", 7), Verdict()).ok());

        Run foreign = samples::lockLoss();
        foreign.header.experiment = "experiment-of-others";
        foreign.header.promise = "Something else.";
        const QString path = lab.directory.filePath("foreign.interlock.jsonl");
        QVERIFY(writeRunFile(path, foreign, Verdict()).ok());
        lab.window.openFile(path);
        QTRY_COMPARE_WITH_TIMEOUT(lab.window.windowTitle(), QString("experiment-of-others"), 10'000);
        QTRY_COMPARE(titles().value(0), QString("Failover"));
        QVERIFY(!titles().contains("Waits"));

        lab.window.openFile(known); // of the experiment that was chosen before
        QTRY_COMPARE_WITH_TIMEOUT(lab.window.windowTitle(), experiments::find("lock-contention")->title, 10'000);
        QCOMPARE(titles(), before);
    }

    void aGroupIsSeenFirst()
    {
        Laboratory lab;
        int groups = 0;
        for (const Experiment &experiment : experiments::all()) {
            const qsizetype topology = experiment.views.indexOf("topology");
            if (!experiment.group)
                continue;
            ++groups;
            QVERIFY(topology >= 0 && topology < experiment.views.indexOf("timeline"));
            lab.window.choose(experiment.id);
            const auto *tabs = lab.window.page().findChild<QTabWidget *>();
            QCOMPARE(tabs->currentIndex(), 0);
            QCOMPARE(tabs->currentWidget() == &lab.window.page().failover(), topology == 0);
        }
        QVERIFY(groups >= 5);
    }

    void saysWhenAFileIsMissing()
    {
        Laboratory lab;
        lab.window.openFile(lab.directory.filePath("no-such.interlock.jsonl"));
        QTRY_VERIFY_WITH_TIMEOUT(lab.window.page().banner().text().contains("no-such"), 10'000);
    }

    void anUnusableValueIsNotRun()
    {
        Laboratory lab;
        const Experiment &experiment = *experiments::find("lock-release");
        lab.window.choose(experiment.id);
        const auto duration = std::find_if(experiment.parameters.begin(), experiment.parameters.end(),
            [](const Parameter &parameter) { return parameter.type == Parameter::Type::Duration; });
        QVERIFY(duration != experiment.parameters.end());
        auto *line = lab.window.panel().form().editor(duration->name)->findChild<QLineEdit *>();
        line->selectAll();
        QTest::keyClicks(line, "no time at all");
        lab.window.run();
        QVERIFY(!lab.window.control().isRunning());
        QCOMPARE(lab.window.page().verdict().texts().word, "Could not run");
        QVERIFY(!lab.window.page().verdict().texts().sentence.isEmpty());
    }

    /// From a click on Break to the verdict, on a real server; then again with the same seed; then saved and opened.
    void runsAnExperimentFromTheWindow()
    {
        Laboratory lab;
        lab.window.choose("lock-crash");
        QSignalSpy finished(&lab.window.control(), &RunControl::finished);
        QString failure;
        connect(&lab.window.control(), &RunControl::failed, this, [&failure](const Error &error) { failure = error.text; });
        lab.window.panel().findChild<QPushButton *>("breakButton")->click();
        QVERIFY(lab.window.control().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0 || !failure.isEmpty(), 60'000);
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
        QCOMPARE(lab.window.model().verdict().judgement, Judgement::Broken);
        QCOMPARE(lab.window.page().verdict().texts().word, "Broken");
        QCOMPARE(size_t(lab.window.page().table().rows().rowCount()), lab.window.model().run().events.size());
        QVERIFY(lab.window.page().badge().text().contains("own server"));
        QCOMPARE(lab.window.runs().count(), 1);
        const quint64 seed = lab.window.model().run().header.seed;

        lab.window.runAgain();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 2, 60'000);
        QCOMPARE(lab.window.model().run().header.seed, seed);
        QCOMPARE(lab.window.runs().count(), 2);

        const QString path = lab.directory.filePath("saved.interlock.jsonl");
        const size_t events = lab.window.model().run().events.size();
        lab.window.saveTo(path);
        QTRY_VERIFY_WITH_TIMEOUT(lab.window.page().banner().text().contains(path), 10'000);
        lab.window.model().clear();
        lab.window.openFile(path);
        QTRY_COMPARE_WITH_TIMEOUT(lab.window.model().run().events.size(), events, 10'000);
        QCOMPARE(lab.window.page().verdict().texts().word, "Broken");
    }

    void sendsAPersonsRequestsWhileARunWaitsForThem()
    {
        Laboratory lab;
        lab.window.choose(QStringLiteral("limiter-compare"));
        auto *button = lab.window.panel().findChild<QPushButton *>(QStringLiteral("requestButton"));
        QVERIFY(button && !button->isVisible());
        QVERIFY(!lab.window.menus().request->isEnabled());
        const auto decisions = [&] { return lab.window.model().run().decisions.size(); };
        lab.window.runPreset(QStringLiteral("own"));
        QTRY_VERIFY_WITH_TIMEOUT(decisions() > 0, 20'000); // the first is nobody's
        QVERIFY(button->isVisible() && lab.window.menus().request->isEnabled());
        const size_t before = decisions();
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(decisions() >= 2 * before, 5'000);
        QTest::keyClick(&lab.window, Qt::Key_R);
        QTRY_VERIFY_WITH_TIMEOUT(decisions() >= 3 * before, 5'000);
        lab.window.control().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!lab.window.control().isRunning(), 5'000);
        QVERIFY(!button->isVisible() && !lab.window.menus().request->isEnabled());
    }

    void stopsWithinASecond()
    {
        Laboratory lab;
        lab.window.choose("lock-release");
        QSignalSpy finished(&lab.window.control(), &RunControl::finished);
        lab.window.run();
        QTRY_VERIFY_WITH_TIMEOUT(lab.window.model().isLive(), 30'000);
        QElapsedTimer timer;
        timer.start();
        lab.window.menus().stop->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 10'000);
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString("%1 ms").arg(timer.elapsed())));
        QVERIFY(!lab.window.model().run().isComplete);
        QVERIFY(lab.window.model().verdict().judgement != Judgement::Held);
    }

    /// Without a redis-server the window is there, and a run says what is missing.
    void saysWhenThereIsNoServer()
    {
        Laboratory lab;
        qputenv("INTERLOCK_REDIS_SERVER", "/no/such/redis-server");
        lab.window.choose("lock-crash");
        lab.window.run();
        QTRY_COMPARE_WITH_TIMEOUT(lab.window.page().verdict().texts().word, "Could not run", 30'000);
        QVERIFY2(lab.window.page().verdict().texts().sentence.contains("redis"), qPrintable(lab.window.page().verdict().texts().sentence));
        QVERIFY(!lab.window.control().isRunning());
        qunsetenv("INTERLOCK_REDIS_SERVER");
    }

    void presentsAndComesBack()
    {
        Laboratory lab;
        const int before = QApplication::font().pixelSize();
        lab.window.menus().present->trigger();
        QVERIFY(!lab.window.panel().isVisible());
        QVERIFY(lab.window.isFullScreen());
        QCOMPARE(QApplication::font().pixelSize(), 2 * before);
        lab.window.menus().present->trigger();
        QVERIFY(lab.window.panel().isVisible());
        QVERIFY(!lab.window.isFullScreen());
        QCOMPARE(QApplication::font().pixelSize(), before);
    }

    /// The desktop's change comes as an event to the window; a style stands for a desktop that has become dark.
    void followsTheSystemsTheme_data()
    {
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<bool>("isDark");
        QTest::newRow("as the system") << "system" << true;
        QTest::newRow("always light") << "light" << false;
    }
    void followsTheSystemsTheme()
    {
        class Dark : public QProxyStyle
        {
            void polish(QPalette &palette) override
            {
                palette.setColor(QPalette::Window, Qt::black);
                palette.setColor(QPalette::WindowText, Qt::white);
            }
        };
        QFETCH(QString, chosen);
        QFETCH(bool, isDark);
        Laboratory lab;
        lab.window.setThemeName(chosen);
        QVERIFY(!Theme::isDark(lab.window.palette()));
        QApplication::setStyle(new Dark);
        QEvent change(QEvent::ThemeChange);
        QCoreApplication::sendEvent(lab.window.windowHandle(), &change);
        QCOMPARE(Theme::isDark(lab.window.palette()), isDark);
        QCOMPARE(Theme::isDark(lab.window.page().palette()), isDark);
        QApplication::setStyle(QStringLiteral("Fusion"));
        QCoreApplication::sendEvent(lab.window.windowHandle(), &change);
        QVERIFY(!Theme::isDark(lab.window.palette()));
    }

    void runsOnANamedServerAndBack()
    {
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        Laboratory lab;
        lab.window.choose("lock-release");
        QSignalSpy finished(&lab.window.control(), &RunControl::finished);
        lab.window.useServer(server.endpoint());
        QVERIFY(lab.window.menus().server->isChecked() && !lab.window.menus().ownServers->isChecked());
        QVERIFY(lab.window.page().badge().text().contains(server.endpoint().shown()));
        lab.window.runPreset("safe");
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
        QCOMPARE(lab.window.page().verdict().texts().word, "Held");
        QCOMPARE(lab.window.model().run().header.target, server.endpoint().shown());
        QVERIFY(lab.window.page().badge().text().contains("your server " + server.endpoint().shown()));
        lab.window.menus().ownServers->trigger();
        QVERIFY(lab.window.menus().ownServers->isChecked() && !lab.window.menus().server->isChecked());
        lab.window.choose("lock-crash");
        lab.window.runPreset("safe");
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 2, 60'000);
        QCOMPARE(lab.window.model().run().header.target, QString());
    }

    /// The badge knows the run on what sentinels named for one on the server that was chosen.
    void runsOnThePrimaryOfSentinels()
    {
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        FakeSentinel sentinel(server.endpoint());
        SentinelEndpoint target;
        target.sentinels = {sentinel.endpoint()};
        target.primaryName = "mymaster";
        target.user = server.endpoint().user;
        target.password = server.endpoint().password;
        Laboratory lab;
        lab.window.choose("lock-release");
        QSignalSpy finished(&lab.window.control(), &RunControl::finished);
        lab.window.useServer(target);
        QVERIFY(lab.window.page().badge().text().startsWith("Next run: your server " + target.shown()));
        lab.window.runPreset("safe");
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
        QCOMPARE(lab.window.page().verdict().texts().word, "Held");
        const QString badge = lab.window.page().badge().text();
        QVERIFY2(badge.contains("your server " + target.shown() + " → " + server.endpoint().shown()), qPrintable(badge));
        QVERIFY2(!badge.contains("Next run"), qPrintable(badge));
    }

    void noTextIsBelowElevenPixels_data()
    {
        QTest::addColumn<double>("scale");
        QTest::newRow("desk") << 1.0;
        QTest::newRow("presenting") << 2.0;
    }
    void noTextIsBelowElevenPixels()
    {
        QFETCH(double, scale);
        Laboratory lab;
        lab.window.setScale(scale);
        for (const QWidget *widget : lab.window.findChildren<QWidget *>())
            QVERIFY2(QFontInfo(widget->font()).pixelSize() >= 11 * scale, widget->metaObject()->className());
        lab.window.setScale(1);
    }
};

}

QTEST_MAIN(MainWindowTest)
#include "tst_mainwindow.moc"
