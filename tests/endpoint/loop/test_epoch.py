"""Stamps: the wall clock while time passes by it, and the simulator's start while clients step, however that began."""

from __future__ import annotations

import threading

import pytest

from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.epoch import Epoch, Stamps
from dorosim.endpoint.loop.loop import Loop
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Source
from dorosim.world.inbox import CommandBatch
from tests.system.rig import rig
from tests.timing import wait_for

BEGUN = 1_700_000_000_123_456_789
MILLISECOND = 10**6
TICK = 10 * MILLISECOND


class Wall:
    """A wall clock that a test sets [ns since 1970]."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def town(tmp_path):
    return rig(tmp_path)


class Run:
    """A loop with a wall clock of the test's."""

    def __init__(self, town, by_clock: int | None = None, by_steps: int = 0) -> None:
        self.wall, self.stamps, self.seen = Wall(), Stamps(), []
        self.loop = Loop(
            town.built.scene,
            town.built.first,
            town.loop.noise,
            PacedClock(None),
            observers=(lambda now, _: self.seen.append((now.time, self.stamps.epoch)),),
            epoch=Epoch(self.stamps, by_clock, by_steps, self.wall),
        )


def test_the_epoch_is_the_wall_clock_when_the_clock_starts_and_not_before(town):
    """What is made before the start, such as sensors, takes seconds; stamps do not lag by them."""
    run = Run(town)
    run.wall.now += 18 * 10**9
    assert run.stamps.epoch == 0
    run.loop.start()
    assert run.stamps.epoch == (BEGUN + 18 * 10**9) // MILLISECOND * MILLISECOND
    run.loop.turn()
    assert run.seen == [(TICK, run.stamps.epoch)]


def test_after_an_accident_stamps_are_the_wall_clock_again_and_on_a_slow_machine_they_keep_their_pace(town):
    run = Run(town)
    run.loop.start()
    epoch = run.loop.epoch
    told = []
    for lost in (3, 4, 9, 30):  # seconds between two losses
        run.wall.now += lost * 10**9
        epoch.lose(0)
        told.append(run.stamps.epoch - BEGUN // MILLISECOND * MILLISECOND)
    assert told == [3 * 10**9, 3 * 10**9, 3 * 10**9, 46 * 10**9]


class LateClock(PacedClock):
    """A clock that has been too late once."""

    def remaining(self, due: int, *, paused: bool = False) -> float:
        self.resyncs += due == 3 * TICK
        return super().remaining(due, paused=paused)


@pytest.mark.parametrize(("factor", "again"), [(1.0, True), (8.0, False)])
def test_a_run_whose_clock_was_too_late_takes_the_wall_clock_again_in_real_time_only(town, factor, again):
    run = Run(town)
    run.loop.clock = LateClock(factor)

    def sleep(now, _) -> None:
        run.wall.now += 10**9 * (now.time == 2 * TICK)

    run.loop.observers = (sleep, *run.loop.observers)
    run.loop.run(5 * TICK)
    epochs = [epoch for _, epoch in run.seen]
    assert epochs[0] == epochs[1] == BEGUN // MILLISECOND * MILLISECOND
    late = (BEGUN + 10**9 - 2 * TICK) // MILLISECOND * MILLISECOND
    assert epochs[2:] == [late if again else epochs[0]] * 3


def test_after_a_reset_stamps_are_the_wall_clock_again(town):
    run = Run(town)
    run.loop.start()
    for _ in range(5):
        run.loop.turn()
    run.wall.now += 60 * 10**9
    run.loop.reset()
    run.loop.turn()
    assert run.seen[-1] == (TICK, (BEGUN + 60 * 10**9) // MILLISECOND * MILLISECOND)


def test_a_reset_into_synchronous_mode_lets_no_time_pass_and_counts_from_the_start(town):
    run = Run(town)
    run.loop.start()
    for _ in range(3):
        run.loop.turn()
    told = []
    batch = CommandBatch(
        Source.PEER, (PauseRun(paused=False),), lambda now, outcomes: told.append((now.time, outcomes))
    )
    run.loop.reset(batch, stepped=True)
    assert run.loop.turn().time == 0
    assert run.stamps.epoch == 0
    assert len(told) == 1
    assert not told[0][1][0].refusal
    assert run.loop.now.tick == 1, "its commands and the opening apply in one tick, whenever they come"
    assert not run.loop.gate.may_pass(TICK)


def test_who_stepped_before_a_reset_has_allowed_nothing_after_it(town):
    run = Run(town)
    run.loop.start()
    run.loop.hold()
    run.loop.gate.step("a", 100 * TICK, 0.0)
    assert run.loop.gate.may_pass(TICK)
    run.loop.turn()
    run.loop.reset(stepped=True)
    run.loop.turn(held=True)
    assert not run.loop.gate.may_pass(TICK)


@pytest.mark.parametrize(("by_clock", "by_steps"), [(5 * 10**9, 5 * 10**9), (5 * 10**9, 0)])
def test_an_epoch_that_was_told_or_recorded_stays(town, by_clock, by_steps):
    run = Run(town, by_clock, by_steps)
    run.loop.start()
    assert run.stamps.epoch == by_clock
    run.loop.hold()
    assert run.stamps.epoch == by_steps
    run.loop.reset(stepped=False)
    run.loop.turn()
    assert run.stamps.epoch == by_clock


def test_synchronous_mode_changes_stamps_between_two_ticks_and_gives_the_wall_clock_back(town):
    """Whoever enters it hears of it when it is so: no tick has stamps of both ways."""
    run = Run(town)
    thread = threading.Thread(target=run.loop.run)
    thread.start()
    try:
        gateway = CommandGateway(run.loop)
        gateway.between_ticks(lambda _: run.loop.hold())
        assert run.stamps.epoch == 0
        begun = run.loop.now.time
        assert run.loop.gate.step("a", 3 * TICK, 60.0) == begun + 3 * TICK
        run.wall.now += 10**9
        run.loop.gate.open()
        wait_for(lambda: run.seen[-1][0] > begun + 3 * TICK)
    finally:
        run.loop.stop()
        thread.join(60.0)
    by_steps = [time for time, epoch in run.seen if epoch == 0]
    assert by_steps == [begun + number * TICK for number in (1, 2, 3)]
    after = next(epoch for time, epoch in run.seen if time == begun + 4 * TICK)
    assert after == (BEGUN + 10**9 - begun - 3 * TICK) // MILLISECOND * MILLISECOND
