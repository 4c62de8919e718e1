// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/filefield.h"
#include "widgets/parameterform.h"
#include "widgets/valuefield.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace interlock;

namespace {

QList<Parameter> declared()
{
    return {Parameter::duration("ttl", "TTL of A", "How long A asks for.", 1500ms, 10ms, 60s),
        Parameter::integer("clients", "Clients", "How many race.", 5, 2, 50, "client|clients"),
        Parameter::choice("release", "Release", "How A releases.", {{"del", "DEL"}, {"script", "Script"}}, 0),
        Parameter::toggle("watchdog", "Watchdog", "Whether A renews.", true)};
}

class ParameterFormTest : public QObject
{
    Q_OBJECT

private:
    static QString at(const ParameterForm &form, const QString &name)
    {
        for (const auto &[key, value] : form.written()) {
            if (key == name)
                return value;
        }
        return "no such parameter";
    }
    static void type(QWidget *editor, const QString &text)
    {
        auto *line = editor->findChild<QLineEdit *>();
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    /// The sentence that is shown under the editors, if there is one.
    static QString shownComplaint(const ParameterForm &form)
    {
        for (const QLabel *label : form.findChildren<QLabel *>()) {
            if (label->isVisibleTo(&form) && label->text() == form.complaint())
                return label->text();
        }
        return {};
    }

private Q_SLOTS:
    void hasAnEditorByType()
    {
        ParameterForm form;
        form.setParameters(declared());
        QVERIFY(qobject_cast<ValueField *>(form.editor("ttl")));
        QVERIFY(qobject_cast<ValueField *>(form.editor("clients")));
        QVERIFY(qobject_cast<QComboBox *>(form.editor("release")));
        QVERIFY(qobject_cast<QCheckBox *>(form.editor("watchdog")));
        QCOMPARE(form.editor("no-such"), nullptr);
    }

    void takesThePathOfAFile()
    {
        ParameterForm form;
        form.setParameters({Parameter::file("trace", "Trace", "Requests.", "Traces (*.csv)")});
        QSignalSpy edited(&form, &ParameterForm::edited);
        QVERIFY(qobject_cast<FileField *>(form.editor("trace")));
        type(form.editor("trace"), "/tmp/a trace.csv");
        QCOMPARE(form.written(), (ParameterForm::Written {{"trace", "/tmp/a trace.csv"}}));
        QVERIFY(edited.count() > 0 && form.isUsable());
        form.setWritten({{"trace", "b.csv"}});
        QCOMPARE(at(form, "trace"), "b.csv");
        form.reset();
        QCOMPARE(at(form, "trace"), QString());
    }

    void beginsWithTheDefaults()
    {
        ParameterForm form;
        form.setParameters(declared());
        const ParameterForm::Written expected {{"ttl", "1500ms"}, {"clients", "5"}, {"release", "del"}, {"watchdog", "on"}};
        QCOMPARE(form.written(), expected);
        QVERIFY(form.isUsable());
    }

    void acceptsAndRefuses_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("isUsable");
        QTest::newRow("duration inside") << "ttl" << "2 s" << true;
        QTest::newRow("duration at its least") << "ttl" << "10 ms" << true;
        QTest::newRow("duration below its least") << "ttl" << "9 ms" << false;
        QTest::newRow("duration at its most") << "ttl" << "60 s" << true;
        QTest::newRow("duration above its most") << "ttl" << "61 s" << false;
        QTest::newRow("duration without unit is milliseconds") << "ttl" << "250" << true;
        QTest::newRow("no duration") << "ttl" << "soon" << false;
        QTest::newRow("empty duration") << "ttl" << " " << false;
        QTest::newRow("number inside") << "clients" << "50" << true;
        QTest::newRow("number with its unit") << "clients" << "50 clients" << true;
        QTest::newRow("number with the unit of one") << "clients" << "50 client" << true;
        QTest::newRow("number below") << "clients" << "1" << false;
        QTest::newRow("number above") << "clients" << "51" << false;
        QTest::newRow("half a client") << "clients" << "2.5" << false;
    }
    void acceptsAndRefuses()
    {
        QFETCH(QString, name);
        QFETCH(QString, typed);
        QFETCH(bool, isUsable);
        ParameterForm form;
        form.setParameters(declared());
        QSignalSpy edited(&form, &ParameterForm::edited);
        type(form.editor(name), typed);
        QCOMPARE(form.isUsable(), isUsable);
        QVERIFY(edited.count() > 0);
        if (isUsable) {
            QCOMPARE(form.complaint(), QString());
        } else {
            QVERIFY2(!form.complaint().isEmpty(), "a refused value needs a sentence");
            QCOMPARE(shownComplaint(form), form.complaint());
        }
    }

    void showsUnits()
    {
        ParameterForm form;
        form.setParameters(declared());
        QCOMPARE(qobject_cast<ValueField *>(form.editor("ttl"))->text(), "1500 ms");
        QCOMPARE(qobject_cast<ValueField *>(form.editor("clients"))->text(), "5 clients");
    }

    void stepsStayInRange()
    {
        ParameterForm form;
        form.setParameters(declared());
        auto *clients = qobject_cast<ValueField *>(form.editor("clients"));
        clients->stepBy(1);
        QCOMPARE(at(form, "clients"), "6");
        clients->stepBy(1000);
        QCOMPARE(at(form, "clients"), "50");
        clients->stepBy(-1000);
        QCOMPARE(at(form, "clients"), "2");
        auto *ttl = qobject_cast<ValueField *>(form.editor("ttl"));
        ttl->stepBy(1);
        QCOMPARE(at(form, "ttl"), "1600ms");
        ttl->stepBy(-2);
        QCOMPARE(at(form, "ttl"), "1400ms");
    }

    void takesValuesOverDefaults()
    {
        ParameterForm form;
        form.setParameters(declared());
        form.setWritten({{"release", "script"}, {"watchdog", "off"}, {"unknown", "1"}});
        QCOMPARE(at(form, "release"), "script");
        QCOMPARE(at(form, "watchdog"), "off");
        QCOMPARE(at(form, "ttl"), "1500ms");
    }

    void resetGoesBackToDefaults()
    {
        ParameterForm form;
        form.setParameters(declared());
        form.setWritten({{"ttl", "2s"}, {"clients", "9"}, {"release", "script"}, {"watchdog", "off"}});
        QTest::mouseClick(form.findChild<QPushButton *>(), Qt::LeftButton);
        QCOMPARE(at(form, "ttl"), "1500ms");
        QCOMPARE(at(form, "clients"), "5");
        QCOMPARE(at(form, "release"), "del");
        QCOMPARE(at(form, "watchdog"), "on");
    }

    void keepsAnUnusableValueAsTyped()
    {
        ParameterForm form;
        form.setParameters(declared());
        type(form.editor("ttl"), "never");
        QCOMPARE(at(form, "ttl"), "never");
    }

    void everyEditorSaysItsNameAndRange()
    {
        ParameterForm form;
        form.setParameters(declared());
        for (const Parameter &parameter : declared()) {
            QCOMPARE(form.editor(parameter.name)->accessibleName(), parameter.label);
            QVERIFY(form.editor(parameter.name)->accessibleDescription().contains(parameter.range()));
        }
    }
};

}

QTEST_MAIN(ParameterFormTest)
#include "tst_parameterform.moc"
