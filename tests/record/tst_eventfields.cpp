// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/eventfields.h"

#include <QSet>
#include <QTest>

using namespace interlock;

/// The enumerations' sizes, from event.h: what the words must cover.
static const int enumerators[eventKinds] {7, 8, 7, 3, 11, 0, 0, 0, 3, 0, 3};

class EventFields : public QObject
{
    Q_OBJECT

private slots:
    void everySlotHasOneNameInEachKind();
    void everyKindHasAWord();
    void everyEnumeratorHasAWord();
    void valuesGoInAndComeOut();
    void absentValuesAreAbsent();
};

void EventFields::everySlotHasOneNameInEachKind()
{
    for (int kind = 0; kind < eventKinds; ++kind) {
        for (const int what : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 31, 32, 255}) {
            QSet<QByteArray> names;
            QSet<int> slotsSeen;
            const auto fields = eventFields(static_cast<Event::Kind>(kind), static_cast<quint8>(what));
            QCOMPARE(fields.front().slot, EventField::Slot::At);
            for (const EventField &field : fields) {
                names.insert(field.name);
                slotsSeen.insert(static_cast<int>(field.slot));
            }
            QCOMPARE(names.size(), eventSlots);
            QCOMPARE(slotsSeen.size(), eventSlots);
            QVERIFY(!names.contains("event") && !names.contains("end"));
        }
    }
}

void EventFields::everyKindHasAWord()
{
    for (int i = 0; i < eventKinds; ++i) {
        const auto kind = static_cast<Event::Kind>(i);
        QCOMPARE(kindFromWord(kindWord(kind)), std::optional(kind));
    }
    QCOMPARE(kindFromWord("commands"), std::nullopt);
    QCOMPARE(kindFromWord(""), std::nullopt);
}

void EventFields::everyEnumeratorHasAWord()
{
    for (int i = 0; i < eventKinds; ++i) {
        const auto kind = static_cast<Event::Kind>(i);
        for (int what = 0; what < enumerators[i]; ++what) {
            QVERIFY(whatWord(kind, static_cast<quint8>(what)));
            QCOMPARE(whatFromWord(kind, whatWord(kind, static_cast<quint8>(what))), std::optional(static_cast<quint8>(what)));
        }
        QVERIFY(!whatWord(kind, static_cast<quint8>(enumerators[i])));
    }
    QCOMPARE(whatWord(Event::Kind::Belief, static_cast<quint8>(Belief::GaveUp)), "gave-up");
    QCOMPARE(whatWord(Event::Kind::Node, static_cast<quint8>(NodeChange::Offset)), "offset");
    QCOMPARE(whatWord(Event::Kind::Command, static_cast<quint8>(ReplyType::Error)), "error");
}

void EventFields::valuesGoInAndComeOut()
{
    Event event;
    for (int i = 0; i < eventSlots; ++i)
        setValue(event, static_cast<EventField::Slot>(i), 1);
    for (int i = 0; i < eventSlots; ++i)
        QCOMPARE(valueOf(event, static_cast<EventField::Slot>(i)), 1);
    QCOMPARE(event.flags, quint8 {31});
    setValue(event, EventField::Slot::Touched, 0);
    QCOMPARE(event.flags, quint8 {29});
    QVERIFY(event.has(Event::Inferred) && !event.has(Event::Touched));
}

void EventFields::absentValuesAreAbsent()
{
    const Event nothing;
    for (const EventField &field : eventFields(Event::Kind::Note, 0))
        QCOMPARE(hasValue(nothing, field), field.slot == EventField::Slot::At);
}

QTEST_GUILESS_MAIN(EventFields)
#include "tst_eventfields.moc"
