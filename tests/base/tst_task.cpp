// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/task.h"

#include <QTest>

#ifndef Q_MOC_RUN // moc cannot read it
#include <coroutine>
#endif
#include <memory>
#include <vector>

using namespace interlock;

namespace {

/// Suspends until it is resumed by hand, and tells when it is destroyed.
struct Gate
{
    std::coroutine_handle<> waiting;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> program) { waiting = program; }
    void await_resume() const noexcept { }
    void open() { std::exchange(waiting, nullptr).resume(); }
};

Task<int> number(int value)
{
    co_return value;
}

Task<> sumOf(int count, qint64 &sum)
{
    for (int i = 0; i < count; ++i)
        sum += co_await number(1);
}

Task<int> through(Gate &gate, int value)
{
    co_await gate;
    co_return value;
}

Task<int> nested(Gate &gate, int depth)
{
    if (depth == 0)
        co_return co_await through(gate, 1);
    co_return 1 + co_await nested(gate, depth - 1);
}

Task<> store(Gate &gate, int depth, int &into)
{
    into = co_await nested(gate, depth);
}

struct Alive
{
    int &count;
    explicit Alive(int &alive)
        : count(alive)
    {
        ++count;
    }
    ~Alive() { --count; }
};

Task<> holdThrough(Gate &gate, int &alive)
{
    const Alive here(alive);
    co_await gate;
}

Task<> holdTwice(Gate &gate, int &alive)
{
    const Alive here(alive);
    co_await holdThrough(gate, alive);
}

Task<std::unique_ptr<int>> moveOnly()
{
    co_return std::make_unique<int>(7);
}

Task<> alternate(Gate &gate, int rounds, int &done)
{
    for (int i = 0; i < rounds; ++i) {
        done += co_await number(1);
        co_await through(gate, 0);
    }
}

}

class TaskTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMillionCompletedAwaitsDoNotOverflowTheStack();
    void doesNotRunBeforeItIsStarted();
    void resumesThroughManyFrames();
    void destroyingATaskDestroysEveryFrameItWaitsFor();
    void destroyingATaskThatNeverStartedRunsNothing();
    void returnsWhatCannotBeCopied();
    void alternatesBetweenCompletedAndSuspendedAwaits();
};

void TaskTest::aMillionCompletedAwaitsDoNotOverflowTheStack()
{
    qint64 sum = 0;
    Task<> task = sumOf(1'000'000, sum);
    task.start();
    QVERIFY(task.isFinished());
    QCOMPARE(sum, 1'000'000);
}

void TaskTest::doesNotRunBeforeItIsStarted()
{
    qint64 sum = 0;
    Task<> task = sumOf(1, sum);
    QCOMPARE(sum, 0);
    task.start();
    QCOMPARE(sum, 1);
}

void TaskTest::resumesThroughManyFrames()
{
    Gate gate;
    int result = 0;
    Task<> task = store(gate, 100, result);
    task.start();
    QVERIFY(!task.isFinished());
    gate.open();
    QVERIFY(task.isFinished());
    QCOMPARE(result, 101);
}

void TaskTest::destroyingATaskDestroysEveryFrameItWaitsFor()
{
    Gate gate;
    int alive = 0;
    {
        Task<> task = holdTwice(gate, alive);
        task.start();
        QCOMPARE(alive, 2);
    }
    QCOMPARE(alive, 0);
}

void TaskTest::destroyingATaskThatNeverStartedRunsNothing()
{
    Gate gate;
    int alive = 0;
    {
        const Task<> task = holdTwice(gate, alive);
    }
    QCOMPARE(alive, 0);
}

void TaskTest::returnsWhatCannotBeCopied()
{
    Task<std::unique_ptr<int>> task = moveOnly();
    task.start();
    QCOMPARE(*task.takeResult(), 7);
}

void TaskTest::alternatesBetweenCompletedAndSuspendedAwaits()
{
    Gate gate;
    int done = 0;
    Task<> task = alternate(gate, 3000, done);
    task.start();
    for (int i = 0; i < 3000; ++i) {
        QVERIFY(!task.isFinished());
        gate.open();
    }
    QVERIFY(task.isFinished());
    QCOMPARE(done, 3000);
}

QTEST_GUILESS_MAIN(TaskTest)
#include "tst_task.moc"
