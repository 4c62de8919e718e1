// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exportdialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace interlock;

class TestExportDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTitlesAndGivesIds();
    void offersTheFormatsOfTheView();
    void keepsTheFormatThatBothViewsHave();
    void dataHasNoSize();
    void refusesASizeThatIsNone();
};

namespace {

const QStringList views {QStringLiteral("timeline"), QStringLiteral("waits"), QStringLiteral("table")};

template<typename Widget>
Widget *named(const ExportDialog &dialog, const QString &accessibleName)
{
    for (Widget *widget : dialog.findChildren<Widget *>()) {
        if (widget->accessibleName() == accessibleName)
            return widget;
    }
    return nullptr;
}

QPushButton *saveButton(const ExportDialog &dialog)
{
    return dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save);
}

void choose(QComboBox *box, const QString &data)
{
    box->setCurrentIndex(box->findData(data));
}

}

void TestExportDialog::showsTitlesAndGivesIds()
{
    const ExportDialog dialog(views);
    auto *view = named<QComboBox>(dialog, QStringLiteral("View"));
    QVERIFY(view);
    QCOMPARE(view->currentText(), QStringLiteral("Timeline"));
    QCOMPARE(dialog.view(), QStringLiteral("timeline"));
    view->setCurrentIndex(1);
    QCOMPARE(view->currentText(), QStringLiteral("Waits"));
    QCOMPARE(dialog.view(), QStringLiteral("waits"));
}

void TestExportDialog::offersTheFormatsOfTheView()
{
    const ExportDialog dialog(views);
    auto *format = named<QComboBox>(dialog, QStringLiteral("Format"));
    QCOMPARE(format->findData(QStringLiteral("csv")), -1);
    choose(named<QComboBox>(dialog, QStringLiteral("View")), QStringLiteral("table"));
    QVERIFY(format->findData(QStringLiteral("csv")) >= 0);
}

void TestExportDialog::keepsTheFormatThatBothViewsHave()
{
    const ExportDialog dialog(views);
    choose(named<QComboBox>(dialog, QStringLiteral("Format")), QStringLiteral("png"));
    choose(named<QComboBox>(dialog, QStringLiteral("View")), QStringLiteral("table"));
    QCOMPARE(dialog.format(), QStringLiteral("png"));
}

void TestExportDialog::dataHasNoSize()
{
    const ExportDialog dialog(views);
    auto *size = named<QLineEdit>(dialog, QStringLiteral("Size"));
    QVERIFY(size->isEnabled());
    choose(named<QComboBox>(dialog, QStringLiteral("View")), QStringLiteral("table"));
    choose(named<QComboBox>(dialog, QStringLiteral("Format")), QStringLiteral("csv"));
    QVERIFY(!size->isEnabled());
    size->setText(QStringLiteral("nonsense"));
    QVERIFY(saveButton(dialog)->isEnabled());
}

void TestExportDialog::refusesASizeThatIsNone()
{
    const ExportDialog dialog(views);
    auto *size = named<QLineEdit>(dialog, QStringLiteral("Size"));
    size->setText(QStringLiteral("160x"));
    QVERIFY(!saveButton(dialog)->isEnabled());
    size->setText(QStringLiteral("200x100mm"));
    QVERIFY(saveButton(dialog)->isEnabled());
    QCOMPARE(dialog.options().millimetres, QSizeF(200, 100));
}

QTEST_MAIN(TestExportDialog)
#include "tst_exportdialog.moc"
