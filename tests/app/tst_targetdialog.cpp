// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/targetdialog.h"
#include "tests/redis/fakeredis.h"
#include "tests/support/testserver.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace interlock;

namespace {

QPushButton *okButton(const TargetDialog &dialog)
{
    return dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
}

QLineEdit *field(const TargetDialog &dialog, const QString &name)
{
    for (QLineEdit *line : dialog.findChildren<QLineEdit *>()) {
        if (line->accessibleName() == name)
            return line;
    }
    return nullptr;
}

/// Everything that can be read in it.
QString shown(const TargetDialog &dialog)
{
    QString all = dialog.said();
    for (const QLineEdit *line : dialog.findChildren<QLineEdit *>())
        all += QLatin1Char('\n') + line->displayText();
    for (const QLabel *label : dialog.findChildren<QLabel *>())
        all += QLatin1Char('\n') + label->text();
    return all;
}

class TargetDialogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsWrongWithAnAddress_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("isUsable");
        QTest::addColumn<bool>("isSaid");
        QTest::newRow("nothing yet") << "" << false << false;
        QTest::newRow("host and port") << "redis://127.0.0.1:6390" << true << false;
        QTest::newRow("socket") << "unix:/run/redis.sock" << true << false;
        QTest::newRow("sentinels") << "sentinel://127.0.0.1:26379,[::1]:26379/mymaster" << true << false;
        QTest::newRow("sentinels of no name") << "sentinel://127.0.0.1:26379" << false << true;
        QTest::newRow("no port") << "redis://127.0.0.1" << false << true;
        QTest::newRow("another kind") << "http://127.0.0.1:80" << false << true;
    }
    void saysWhatIsWrongWithAnAddress()
    {
        QFETCH(QString, address);
        QFETCH(bool, isUsable);
        QFETCH(bool, isSaid);
        const TargetDialog dialog(address, {});
        QCOMPARE(okButton(dialog)->isEnabled(), isUsable);
        QCOMPARE(!dialog.said().isEmpty(), isSaid);
        QCOMPARE(dialog.target().has_value(), isUsable);
    }

    void hidesAPasswordWrittenIntoTheAddress()
    {
        TargetDialog dialog({}, {});
        QLineEdit *address = field(dialog, "Address of the server");
        QVERIFY(address);
        QTest::keyClicks(address, "redis://eve:hunter2@127.0.0.1:6390/3");
        QTest::keyClick(address, Qt::Key_Tab);
        Q_EMIT address->editingFinished();
        QVERIFY2(!shown(dialog).contains("hunter2"), qPrintable(shown(dialog)));
        QCOMPARE(address->text(), "redis://127.0.0.1:6390/3");
        QVERIFY(dialog.target());
        const Endpoint endpoint = std::get<Endpoint>(*dialog.target());
        QCOMPARE(endpoint.user, "eve");
        QCOMPARE(endpoint.password, QByteArray("hunter2"));
        QCOMPARE(endpoint.database, 3);
    }

    void hidesBothPasswordsOfSentinels()
    {
        TargetDialog dialog({}, {});
        QLineEdit *address = field(dialog, "Address of the server");
        QTest::keyClicks(address, "sentinel://eve:hunter2@h:1,i:2/mymaster?sentinel-user=watcher&sentinel-password=hunter3&db=4");
        Q_EMIT address->editingFinished();
        QVERIFY2(!shown(dialog).contains("hunter"), qPrintable(shown(dialog)));
        QCOMPARE(address->text(), "sentinel://h:1,i:2/mymaster?db=4");
        QCOMPARE(field(dialog, "User of the sentinels")->text(), "watcher");
        QVERIFY(dialog.target());
        const SentinelEndpoint endpoint = std::get<SentinelEndpoint>(*dialog.target());
        QCOMPARE(endpoint.user, "eve");
        QCOMPARE(endpoint.password, QByteArray("hunter2"));
        QCOMPARE(endpoint.sentinels.size(), 2);
        for (const Endpoint &sentinel : endpoint.sentinels) {
            QCOMPARE(sentinel.user, "watcher");
            QCOMPARE(sentinel.password, QByteArray("hunter3"));
        }
    }

    void asksForTheLoginOfSentinelsOnlyOfSentinels()
    {
        TargetDialog dialog("redis://127.0.0.1:6390", {});
        dialog.show();
        const QLineEdit *user = field(dialog, "User of the sentinels");
        const QLineEdit *password = field(dialog, "Password of the sentinels");
        QVERIFY(user && !user->isVisible() && password && !password->isVisible());
        field(dialog, "Address of the server")->setText("sentinel://127.0.0.1:1/mymaster");
        QVERIFY(user->isVisible() && password->isVisible());
    }

    void testsTheServer()
    {
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        TargetDialog dialog(server.endpoint().shown(), server.endpoint().user);
        field(dialog, "Password")->setText(QString::fromUtf8(server.endpoint().password));
        dialog.test();
        QTRY_VERIFY_WITH_TIMEOUT(dialog.said().contains(server.server().version()), 10'000);

        field(dialog, "Password")->setText("wrong");
        dialog.test();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.said().startsWith("Asking"), 10'000);
        QVERIFY2(!dialog.said().contains(server.server().version()) && !dialog.said().contains("wrong "), qPrintable(dialog.said()));
    }

    void testsTheServerThatSentinelsName()
    {
        TestServer server;
        QVERIFY2(server.isReady(), qPrintable(server.error()));
        FakeSentinel sentinel(server.endpoint());
        TargetDialog dialog(QString("sentinel://127.0.0.1:%1/mymaster").arg(sentinel.endpoint().port), server.endpoint().user);
        field(dialog, "Password")->setText(QString::fromUtf8(server.endpoint().password));
        dialog.test();
        QTRY_VERIFY_WITH_TIMEOUT(dialog.said().contains(server.server().version()), 10'000);
        QVERIFY2(dialog.said().contains(QString("127.0.0.1:%1").arg(server.endpoint().port)), qPrintable(dialog.said()));
        sentinel.names.reset();
        dialog.test();
        QTRY_VERIFY_WITH_TIMEOUT(dialog.said().contains("does not know that name"), 10'000);
    }

    void growsWithWhatSentinelsSay()
    {
        TargetDialog dialog("sentinel://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4/mymaster", {});
        dialog.show();
        const int before = dialog.height();
        dialog.test();
        QTRY_VERIFY_WITH_TIMEOUT(dialog.said().contains("127.0.0.1:4 could not be asked"), 10'000);
        QVERIFY(dialog.height() > before);
        QCoreApplication::processEvents();
        for (const QLabel *label : dialog.findChildren<QLabel *>())
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    }

    void saysWhenNobodyAnswers()
    {
        TargetDialog dialog("redis://127.0.0.1:1", {});
        dialog.test();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.said().startsWith("Asking"), 10'000);
        QVERIFY2(dialog.said().contains("127.0.0.1:1"), qPrintable(dialog.said()));
    }
};

}

QTEST_MAIN(TargetDialogTest)
#include "tst_targetdialog.moc"
