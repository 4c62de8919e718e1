// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab/ownerlane.h"

#include <QTest>

#include <memory>
#include <optional>
#include <vector>

using namespace interlock;
using Cause = OwnerLane::Cause;
using Reading = OwnerLane::Reading;

/// Histories on paper; times are small numbers of nanoseconds.
class tst_OwnerLane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void placesASetBetweenSendingAndHearing_data();
    void placesASetBetweenSendingAndHearing();
    void marksWhatNoReadingConfirms_data();
    void marksWhatNoReadingConfirms();
    void allowsForWhatAskingTook_data();
    void allowsForWhatAskingTook();
    void takesTheTokenFromTheReadingWhenTheClientDied();
    void doesNotGiveALateGrantToAnotherSet();
    void tellsTheTtlWithItsSetAndARenewalAlone();
    void tellsOfExpireAfterSetnxAsARenewal();
    void namesWhoDeleted();
    void waitsForTheReleaseButNotForever();
    void expiresWhenItWasComputedUnlessHeardBefore_data();
    void expiresWhenItWasComputedUnlessHeardBefore();
    void keepsTheOrderOfNotifications();
    void takesNewsFromThoseItTells();
    void settlesWhenNothingIsAwaited();
    void tellsOfAReplicaWhenItHears();
    void aReplicaExpiresWhatItsPrimaryDeletes_data();
    void aReplicaExpiresWhatItsPrimaryDeletes();
    void takesOnlyGrantsOfItsSource();
    void aReplicaTakesByTheReadingWhatCameThroughAnother();
    void tellsWhatWasReadAfterAReload();
    void forgetsWhatWasBelievedBeforeAReload();
    void diesWithWhatItHad();
    void concludesFromBeliefsAlone();
    void concludesAnExpiryWhenAnotherIsGranted();

private:
    static constexpr Name a = 1;
    static constexpr Name b = 2;
    static constexpr Name one = 21; ///< servers
    static constexpr Name two = 22;

    static Event belief(Belief what, Name token, qint64 sent, qint64 answered, qint64 ttl = never)
    {
        Event event;
        event.kind = Event::Kind::Belief;
        event.what = static_cast<quint8>(what);
        event.lane = token + 10;
        event.text = token;
        event.sent = sent;
        event.answered = answered;
        event.at = answered;
        event.until = ttl == never ? never : sent + ttl;
        event.number = what == Belief::Released ? 1 : 0;
        return event;
    }
    static Event at(Name server, Event belief)
    {
        belief.node = server;
        return belief;
    }
    static Event owner(OwnerChange what, qint64 at, Name token, qint64 until = never, Name detail = 0, quint8 flags = 0)
    {
        Event event;
        event.what = static_cast<quint8>(what);
        event.at = at;
        event.text = token;
        event.until = until;
        event.detail = detail;
        event.flags = flags;
        return event;
    }
    static OwnerLane lane(std::vector<Event> &told, bool hasNotifications = true)
    {
        return OwnerLane(hasNotifications, [&told](const Event &event) { told.push_back(event); });
    }
};

void tst_OwnerLane::placesASetBetweenSendingAndHearing_data()
{
    QTest::addColumn<qint64>("answered");
    QTest::addColumn<qint64>("heard");
    QTest::addColumn<qint64>("at");
    QTest::newRow("heard first") << qint64(400) << qint64(200) << qint64(150);
    QTest::newRow("answered first") << qint64(200) << qint64(400) << qint64(150);
    QTest::newRow("both at once") << qint64(300) << qint64(300) << qint64(200);
}

void tst_OwnerLane::placesASetBetweenSendingAndHearing()
{
    QFETCH(qint64, answered);
    QFETCH(qint64, heard);
    QFETCH(qint64, at);
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    const quint64 change = owners.notified(Cause::Set, heard);
    owners.believed(belief(Belief::Granted, a, 100, answered, 1000));
    QVERIFY(told.empty()); // it waits for the reading
    owners.read(change, Reading {a, at + 1000});
    QVERIFY(told == std::vector<Event> {owner(OwnerChange::Set, at, a, at + 1000)});
}

void tst_OwnerLane::marksWhatNoReadingConfirms_data()
{
    QTest::addColumn<int>("token");
    QTest::addColumn<qint64>("until");
    QTest::addColumn<bool>("isInferred");
    const qint64 second = 1'000'000'000;
    QTest::newRow("same token and expiry") << 1 << second << false;
    QTest::newRow("expiry a round trip off") << 1 << second + 3'000'000 << false;
    QTest::newRow("expiry quite different") << 1 << second + 500'000'000 << true;
    QTest::newRow("no TTL") << 1 << never << true;
    QTest::newRow("the next owner already") << 2 << second << true;
    QTest::newRow("gone already") << 0 << never << true;
    QTest::newRow("not read") << -1 << never << true;
}

void tst_OwnerLane::marksWhatNoReadingConfirms()
{
    QFETCH(int, token);
    QFETCH(qint64, until);
    QFETCH(bool, isInferred);
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.believed(belief(Belief::Granted, a, 100, 200, 1'000'000'000));
    const quint64 change = owners.notified(Cause::Set, 200);
    owners.read(change, token < 0 ? std::nullopt : std::optional(Reading {Name(token), until}));
    QCOMPARE(told.size(), size_t(1));
    QCOMPARE(told[0].text, a);
    QCOMPARE(told[0].has(Event::Inferred), isInferred);
}

void tst_OwnerLane::allowsForWhatAskingTook_data()
{
    QTest::addColumn<qint64>("roundTrip");
    QTest::addColumn<qint64>("took");
    QTest::addColumn<bool>("isInferred");
    QTest::newRow("both at once") << qint64(100) << qint64(100) << true;
    QTest::newRow("a slow grant") << qint64(60'000'000) << qint64(100) << false;
    QTest::newRow("a slow reading") << qint64(100) << qint64(60'000'000) << false;
    QTest::newRow("not slow enough") << qint64(10'000'000) << qint64(10'000'000) << true;
}

void tst_OwnerLane::allowsForWhatAskingTook()
{
    QFETCH(qint64, roundTrip);
    QFETCH(qint64, took);
    QFETCH(bool, isInferred);
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.believed(belief(Belief::Granted, a, 100, 100 + roundTrip, 1'000'000'000));
    const qint64 expiry = 100 + roundTrip / 2 + 1'000'000'000;
    owners.read(owners.notified(Cause::Set, 100 + roundTrip), Reading {a, expiry + 50'000'000, 100 + roundTrip + took, took});
    QCOMPARE(told.size(), size_t(1));
    QCOMPARE(told[0].has(Event::Inferred), isInferred);
}

void tst_OwnerLane::takesTheTokenFromTheReadingWhenTheClientDied()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    const quint64 change = owners.notified(Cause::Set, 200);
    owners.read(change, Reading {a, 5000});
    QVERIFY(told.empty()); // its belief may still come
    owners.waitedOut(change);
    QVERIFY(told == std::vector<Event> {owner(OwnerChange::Set, 200, a, 5000)});
}

void tst_OwnerLane::doesNotGiveALateGrantToAnotherSet()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    const quint64 first = owners.notified(Cause::Set, 200);
    owners.read(first, Reading {a, never});
    owners.waitedOut(first);
    owners.believed(belief(Belief::Granted, a, 100, 200)); // its client had been paused
    const quint64 second = owners.notified(Cause::Set, 800);
    owners.read(second, Reading {b, never});
    owners.believed(belief(Belief::Granted, b, 700, 850));
    QVERIFY(told == (std::vector<Event> {owner(OwnerChange::Set, 200, a), owner(OwnerChange::Set, 750, b)}));
}

void tst_OwnerLane::tellsTheTtlWithItsSetAndARenewalAlone()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.believed(belief(Belief::Granted, a, 100, 200, 1000));
    owners.read(owners.notified(Cause::Set, 200), Reading {a, 1150});
    owners.read(owners.notified(Cause::TtlSet, 200), Reading {a, 1150}); // SET PX notifies twice
    QCOMPARE(told.size(), size_t(1));
    owners.believed(belief(Belief::Renewed, a, 500, 600, 1000));
    owners.read(owners.notified(Cause::TtlSet, 600), Reading {a, 1550});
    QVERIFY(told
        == (std::vector<Event> {
            owner(OwnerChange::Set, 150, a, 1150), owner(OwnerChange::Renewed, 550, a, 1550, a + 10)}));
}

void tst_OwnerLane::tellsOfExpireAfterSetnxAsARenewal()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.believed(belief(Belief::Granted, a, 100, 200));
    owners.read(owners.notified(Cause::Set, 200), Reading {a, never});
    owners.believed(belief(Belief::Renewed, a, 300, 400, 1000));
    owners.read(owners.notified(Cause::TtlSet, 400), Reading {a, 1350});
    QVERIFY(told
        == (std::vector<Event> {owner(OwnerChange::Set, 150, a), owner(OwnerChange::Renewed, 350, a, 1350, a + 10)}));
}

void tst_OwnerLane::namesWhoDeleted()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.believed(belief(Belief::Granted, a, 100, 200));
    owners.read(owners.notified(Cause::Set, 200), Reading {a, never});
    Event vain = belief(Belief::Released, a, 300, 350);
    vain.number = 0; // deleted nothing, so it is not this one
    owners.believed(vain);
    owners.notified(Cause::Deleted, 460);
    owners.believed(belief(Belief::Released, b, 400, 500));
    QCOMPARE(told.size(), size_t(2));
    QVERIFY(told[1] == owner(OwnerChange::Deleted, 430, 0, never, b + 10));
}

void tst_OwnerLane::waitsForTheReleaseButNotForever()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    const quint64 change = owners.notified(Cause::Deleted, 300);
    QVERIFY(told.empty());
    owners.waitedOut(change);
    QVERIFY(told == std::vector<Event> {owner(OwnerChange::Deleted, 300, 0)});
}

void tst_OwnerLane::expiresWhenItWasComputedUnlessHeardBefore_data()
{
    QTest::addColumn<qint64>("heard");
    QTest::addColumn<qint64>("at");
    QTest::newRow("heard late") << qint64(5000) << qint64(1150);
    QTest::newRow("heard early") << qint64(1100) << qint64(1100);
}

void tst_OwnerLane::expiresWhenItWasComputedUnlessHeardBefore()
{
    QFETCH(qint64, heard);
    QFETCH(qint64, at);
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.believed(belief(Belief::Granted, a, 100, 200, 1000));
    owners.read(owners.notified(Cause::Set, 200), Reading {a, 1150});
    owners.notified(Cause::Expired, heard);
    QCOMPARE(told.size(), size_t(2));
    QVERIFY(told[1] == owner(OwnerChange::Expired, at, 0));
}

void tst_OwnerLane::keepsTheOrderOfNotifications()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    const quint64 first = owners.notified(Cause::Set, 200);
    owners.notified(Cause::Deleted, 300);
    const quint64 second = owners.notified(Cause::Set, 400);
    owners.read(second, Reading {b, never});
    owners.read(first, Reading {b, never}); // read too late to confirm A
    owners.believed(belief(Belief::Granted, b, 350, 450));
    owners.believed(belief(Belief::Released, a, 250, 350));
    QVERIFY(told.empty()); // B was sent after the first set was heard: it waits for A
    owners.believed(belief(Belief::Granted, a, 100, 200));
    QVERIFY(told
        == (std::vector<Event> {owner(OwnerChange::Set, 150, a, never, 0, Event::Inferred),
            owner(OwnerChange::Deleted, 275, 0, never, a + 10), owner(OwnerChange::Set, 375, b)}));
}

void tst_OwnerLane::takesNewsFromThoseItTells()
{
    std::vector<Event> told;
    std::unique_ptr<OwnerLane> owners;
    owners = std::make_unique<OwnerLane>(true, [&](const Event &event) {
        told.push_back(event);
        if (event.text == a)
            owners->believed(belief(Belief::Released, a, 250, 350));
    });
    const quint64 first = owners->notified(Cause::Set, 200);
    owners->notified(Cause::Deleted, 300);
    owners->read(first, Reading {a, never});
    owners->believed(belief(Belief::Granted, a, 100, 200));
    QVERIFY(told
        == (std::vector<Event> {owner(OwnerChange::Set, 150, a), owner(OwnerChange::Deleted, 275, 0, never, a + 10)}));
}

void tst_OwnerLane::settlesWhenNothingIsAwaited()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    QVERIFY(owners.isSettled(0));
    const quint64 change = owners.notified(Cause::Set, 200);
    QVERIFY(!owners.isSettled(200));
    owners.believed(belief(Belief::Granted, a, 100, 200, 1000));
    owners.read(change, Reading {a, 1150});
    QVERIFY(owners.isSettled(1149));
    QVERIFY(!owners.isSettled(1150)); // the notification of the expiry has not come yet
    owners.notified(Cause::Expired, 1200);
    QVERIFY(owners.isSettled(1200));
    owners.notified(Cause::Set, 1300);
    owners.giveUp();
    QVERIFY(owners.isSettled(1300));
    QCOMPARE(told.size(), size_t(3));
    QVERIFY(told[2].has(Event::Inferred));
}

void tst_OwnerLane::tellsOfAReplicaWhenItHears()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.setSource(one, true);
    owners.believed(at(one, belief(Belief::Granted, a, 100, 200, 1000)));
    const quint64 set = owners.notified(Cause::Set, 600); // 400 late
    owners.read(set, Reading {a, 1150});
    const quint64 ttl = owners.notified(Cause::TtlSet, 601);
    owners.read(ttl, Reading {a, 1150});
    owners.believed(at(one, belief(Belief::Renewed, a, 300, 320, 2000)));
    const quint64 renewed = owners.notified(Cause::TtlSet, 700);
    owners.read(renewed, Reading {a, 2310});
    owners.believed(at(one, belief(Belief::Released, a, 400, 420)));
    owners.notified(Cause::Deleted, 800);
    QVERIFY(told
        == (std::vector<Event> {owner(OwnerChange::Set, 600, a, 1150), owner(OwnerChange::Renewed, 700, a, 2310, a + 10),
            owner(OwnerChange::Deleted, 800, 0, never, a + 10)}));
}

void tst_OwnerLane::aReplicaExpiresWhatItsPrimaryDeletes_data()
{
    QTest::addColumn<bool>("isReplica");
    QTest::addColumn<qint64>("heard");
    QTest::addColumn<OwnerChange>("what");
    QTest::addColumn<qint64>("at");
    const qint64 second = 1'000'000'000;
    QTest::newRow("after its expiry") << true << second + 90'000'000 << OwnerChange::Expired << second + 150;
    QTest::newRow("long before it") << true << second / 2 << OwnerChange::Deleted << second / 2;
    QTest::newRow("on a primary") << false << second + 90'000'000 << OwnerChange::Deleted << second + 90'000'000;
}

void tst_OwnerLane::aReplicaExpiresWhatItsPrimaryDeletes()
{
    QFETCH(bool, isReplica);
    QFETCH(qint64, heard);
    QFETCH(OwnerChange, what);
    QFETCH(qint64, at);
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.setSource(0, isReplica);
    owners.believed(belief(Belief::Granted, a, 100, 200, 1'000'000'000));
    owners.read(owners.notified(Cause::Set, 200), Reading {a, 1'000'000'150});
    const quint64 deleted = owners.notified(Cause::Deleted, heard);
    QCOMPARE(told.size(), size_t(1)); // a release may still come
    owners.waitedOut(deleted);
    QCOMPARE(told.size(), size_t(2));
    QVERIFY(told[1] == owner(what, at, 0));
}

void tst_OwnerLane::takesOnlyGrantsOfItsSource()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.setSource(two, false);
    owners.believed(at(one, belief(Belief::Granted, a, 100, 200))); // never copied to here
    const quint64 set = owners.notified(Cause::Set, 500);
    owners.read(set, std::nullopt);
    QVERIFY(told.empty());
    owners.believed(at(two, belief(Belief::Granted, b, 400, 520)));
    QVERIFY(told == std::vector<Event> {owner(OwnerChange::Set, 450, b, never, 0, Event::Inferred)});
}

void tst_OwnerLane::aReplicaTakesByTheReadingWhatCameThroughAnother()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.believed(at(one, belief(Belief::Granted, a, 100, 200)));
    owners.setSource(two, true);
    owners.read(owners.notified(Cause::Set, 700), Reading {a, never});
    QVERIFY(told == std::vector<Event> {owner(OwnerChange::Set, 700, a)});
}

void tst_OwnerLane::tellsWhatWasReadAfterAReload()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.read(owners.reloaded(OwnerChange::Promoted), Reading {0, never, 300});
    owners.read(owners.reloaded(OwnerChange::Read), Reading {a, 9000, 400});
    owners.read(owners.reloaded(OwnerChange::Restarted), std::nullopt); // it did not answer
    owners.read(owners.reloaded(OwnerChange::Restarted), Reading {0, never, 500});
    QVERIFY(told
        == (std::vector<Event> {owner(OwnerChange::Promoted, 300, 0), owner(OwnerChange::Read, 400, a, 9000),
            owner(OwnerChange::Restarted, 500, 0)}));
}

void tst_OwnerLane::forgetsWhatWasBelievedBeforeAReload()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.believed(belief(Belief::Granted, a, 100, 200)); // in the copy that was loaded
    owners.read(owners.reloaded(OwnerChange::Read), Reading {a, never, 300});
    const quint64 set = owners.notified(Cause::Set, 500);
    owners.read(set, std::nullopt);
    QCOMPARE(told.size(), size_t(1));
    owners.believed(belief(Belief::Granted, b, 400, 520));
    QVERIFY(told == (std::vector<Event> {owner(OwnerChange::Read, 300, a), owner(OwnerChange::Set, 450, b, never, 0, Event::Inferred)}));
}

void tst_OwnerLane::diesWithWhatItHad()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told);
    owners.believed(belief(Belief::Granted, a, 100, 200, 1000));
    owners.read(owners.notified(Cause::Set, 200), Reading {a, 1150});
    const quint64 deleted = owners.notified(Cause::Deleted, 300);
    owners.died();
    owners.waitedOut(deleted);
    QCOMPARE(told.size(), size_t(1));
    QCOMPARE(owners.expiry(), never);
    QVERIFY(owners.isSettled(5000));
}

void tst_OwnerLane::concludesFromBeliefsAlone()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told, false);
    owners.believed(belief(Belief::Granted, a, 100, 200, 1000));
    owners.believed(belief(Belief::Renewed, a, 500, 600, 1000));
    QCOMPARE(owners.expiry(), 1550);
    owners.passed(1549);
    QCOMPARE(told.size(), size_t(2));
    owners.passed(1600);
    owners.passed(1700);
    owners.believed(belief(Belief::Granted, b, 2000, 2100, 1000));
    owners.believed(belief(Belief::Released, b, 2200, 2300));
    owners.passed(9000);
    QVERIFY(told
        == (std::vector<Event> {owner(OwnerChange::Set, 150, a, 1150, 0, Event::Inferred),
            owner(OwnerChange::Renewed, 550, a, 1550, a + 10, Event::Inferred),
            owner(OwnerChange::Expired, 1550, 0, never, 0, Event::Inferred),
            owner(OwnerChange::Set, 2050, b, 3050, 0, Event::Inferred),
            owner(OwnerChange::Deleted, 2250, 0, never, b + 10, Event::Inferred)}));
}

void tst_OwnerLane::concludesAnExpiryWhenAnotherIsGranted()
{
    std::vector<Event> told;
    OwnerLane owners = lane(told, false);
    owners.believed(belief(Belief::Granted, a, 100, 200, 1000));
    Event taken = belief(Belief::Granted, b, 1100, 1160, 1000); // granted only since nobody held it: at 1130
    taken.flags = Event::Conditional;
    owners.believed(taken);
    QVERIFY(told
        == (std::vector<Event> {owner(OwnerChange::Set, 150, a, 1150, 0, Event::Inferred),
            owner(OwnerChange::Expired, 1130, 0, never, 0, Event::Inferred),
            owner(OwnerChange::Set, 1130, b, 2130, 0, Event::Inferred)}));
}

QTEST_APPLESS_MAIN(tst_OwnerLane)
#include "tst_ownerlane.moc"
