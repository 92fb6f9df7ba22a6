"""Clocks keep simulated time without drift, and the loop keeps to them."""

from __future__ import annotations

import time

import pytest

from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop import clock
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.noise import Noise
from dorosim.world.command import Source
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind


class Wall:
    """A wall clock that a test turns."""

    def __init__(self) -> None:
        self.now = 5 * 10**12

    def monotonic_ns(self) -> int:
        return self.now


@pytest.fixture
def wall(monkeypatch) -> Wall:
    made = Wall()
    monkeypatch.setattr(clock, "time", made)
    return made


@pytest.mark.parametrize("factor", [1.0, 0.5, 2.0])
def test_deadlines_count_from_the_start_so_lateness_does_not_add_up(wall, factor):
    paced = PacedClock(factor)
    paced.start(0)
    tick, late = 10_000_000, 3_000_000
    for number in range(1, 6001):
        left = paced.remaining(number * tick)
        wall.now += round(max(left, 0.0) * 1e9) + late
    spent = wall.now - 5 * 10**12
    expected = 6000 * tick / factor
    assert spent - expected == pytest.approx(late, abs=10_000)


def test_a_clock_that_slept_starts_anew_instead_of_hurrying(wall):
    paced = PacedClock()
    paced.start(0)
    wall.now += 3600 * 10**9
    assert paced.remaining(10_000_000) == 0.0
    assert paced.resyncs == 1
    assert paced.remaining(20_000_000) == pytest.approx(0.01)


def test_a_run_may_start_at_any_simulated_time(wall):
    paced = PacedClock(2.0)
    paced.start(100 * 10**9)
    assert paced.remaining(101 * 10**9) == pytest.approx(0.5)


class Waiting:
    """An endpoint that only waits, and brings one command at its first call."""

    settled = False

    def __init__(self) -> None:
        self.published: list[int] = []
        self.brought = False

    def wait(self, seconds, put, _now, *, whole=False):
        if not self.brought:
            put(Source.PEER, DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, accelerator=0.5))
            self.brought = True
        time.sleep(seconds)
        return False

    def publish(self, now):
        self.published.append(now.tick)

    def wake(self):
        pass

    def close(self):
        pass


def loop_of(town, kind, endpoint=None) -> Loop:
    return Loop(town.built.scene, town.built.first, Noise(0), kind, endpoint, (), Journal(print))


def drift(town, seconds: float) -> float:
    """How much longer or shorter a run takes than it simulates [s]."""
    run = loop_of(town, PacedClock(), Waiting())
    run.turn()
    started = time.monotonic()
    run.run(round(seconds * 1e9))
    return time.monotonic() - started - seconds


@pytest.mark.soak
def test_real_time_is_kept(town):
    """Where others keep the processors busy, a run wakes late now and then; a pace that is wrong is so every time."""
    assert any(abs(drift(town, 0.5)) < 0.001 for _ in range(20))


@pytest.mark.soak
def test_real_time_drifts_less_than_a_millisecond_in_a_minute(town):
    assert abs(drift(town, 60.0)) < 0.001


def test_a_command_that_is_there_before_a_tick_counts_in_it(town):
    endpoint = Waiting()
    run = loop_of(town, PacedClock(None), endpoint)
    run.run(10_000_000)
    assert run.now.vehicle.target_accelerator[0] == 0.5
    assert endpoint.published == [0, 1]


def test_the_caller_may_step_without_a_clock(town):
    run = loop_of(town, PacedClock(None))
    for tick in range(1, 6):
        assert run.turn().tick == tick
    assert run.now.time == 50_000_000


def test_stop_ends_the_run(town):
    run = loop_of(town, PacedClock(None))
    run.stop()
    run.run()
    assert run.now.tick == 0


@pytest.mark.parametrize("factor", [0.25, 8.0])
def test_another_factor_counts_at_once_and_from_where_time_stands(wall, factor):
    paced = PacedClock()
    paced.start(0)
    wall.now += 995 * 10**6
    assert paced.remaining(10**9) == pytest.approx(0.005)
    paced.change(factor)
    assert paced.factor == factor
    assert paced.remaining(10**9) == pytest.approx(0.005 / factor)
    assert paced.remaining(2 * 10**9) == pytest.approx(1.005 / factor)
    assert paced.resyncs == 0


def test_a_clock_that_changes_often_neither_gains_nor_loses(wall):
    paced = PacedClock()
    paced.start(0)
    tick, simulated = 10_000_000, 0
    begun = wall.now
    for number in range(1, 2001):
        paced.change(1.0 if number % 2 else 1.0 + 1e-9)
        wall.now += round(max(paced.remaining(number * tick), 0.0) * 1e9)
        simulated += tick
    assert wall.now - begun == pytest.approx(simulated, abs=10_000)


def test_a_clock_that_was_free_is_real_time_from_then_on_and_the_other_way_round(wall):
    paced = PacedClock(None)
    paced.start(0)
    assert paced.remaining(3600 * 10**9) == 0.0
    assert paced.remaining(3600 * 10**9, paused=True) > 0.0, "ticks of no duration would never be done"
    paced.change(1.0)
    assert paced.remaining(3600 * 10**9) == 0.0
    assert paced.remaining(3601 * 10**9) == pytest.approx(1.0)
    paced.change(None)
    assert paced.remaining(9999 * 10**9) == 0.0
    assert paced.resyncs == 0


class Hurrying(Waiting):
    """An endpoint that lets the wall clock of a test pass, and lets the run go as fast as it can from 0.5 s on."""

    def __init__(self, wall: Wall, kind: PacedClock) -> None:
        super().__init__()
        self.wall, self.kind = wall, kind

    def wait(self, seconds, _put, now, *, whole=False):
        self.wall.now += round(seconds * 1e9)
        if now.time == 500_000_000:
            self.kind.change(None)
        return False


def test_the_factor_of_a_run_changes_while_it_goes_on(town, wall):
    kind, begun = PacedClock(0.1), wall.now
    loop_of(town, kind, Hurrying(wall, kind)).run(2_000_000_000)
    spent = (wall.now - begun) * 1e-9
    assert spent == pytest.approx(5.1, abs=0.11), "at a tenth of real time all of it would take twenty seconds"
