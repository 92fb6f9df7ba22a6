"""The loop pauses without losing the beat, and resets without leaving a trace."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from dorosim.endpoint.loop import clock
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.cue import Cue
from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.noise import Noise
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Source
from dorosim.world.snapshot import EGO, STATE
from dorosim.world.vehicle.command import SelectCamera, SetLamps
from dorosim.world.vehicle.mode import TurnLamp
from tests.system.living_world import first_commands, turn
from tests.system.rig import Rig
from tests.timing import wait_for

TICK = 0.01


class Wall:
    """A wall clock that waiting turns, and an endpoint that brings commands at set times on it."""

    settled = False

    def __init__(self, **commands: tuple[float, object]) -> None:
        self.now = 0
        self.waits: list[float] = []
        self.published: list[tuple[int, int]] = []
        self.left = sorted(commands.values(), key=lambda entry: entry[0])

    def monotonic_ns(self) -> int:
        return self.now

    def wait(self, seconds, put, _now, *, whole=False):
        self.waits.append(seconds)
        self.now += round(seconds * 1e9)
        while self.left and self.left[0][0] <= self.now * 1e-9 + 1e-9:
            put(Source.PEER, self.left.pop(0)[1])
        return False

    def publish(self, now):
        self.published.append((now.tick, now.time))

    def wake(self):
        pass

    def close(self):
        pass


def loop_of(town: Rig, kind, endpoint=None) -> Loop:
    return Loop(town.built.scene, town.built.first, Noise(0), kind, endpoint)


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_a_paused_run_keeps_the_beat_and_has_nothing_to_catch_up_with(town, monkeypatch, factor):
    wall = Wall(pause=(0.1, PauseRun(True)), lamps=(1.0, SetLamps(EGO, TurnLamp.LEFT)), on=(5.1, PauseRun(False)))
    monkeypatch.setattr(clock, "time", wall)
    paced = PacedClock(factor)
    run = loop_of(town, paced, wall)
    run.run(400_000_000)
    assert wall.now * 1e-9 == pytest.approx(5.0 + 0.4 / factor, abs=2 * TICK)
    assert paced.resyncs == 0
    assert wall.waits == pytest.approx([TICK / factor] * len(wall.waits))
    assert run.now.time == 400_000_000
    assert run.now.tick == len(wall.waits) == round(wall.now * 1e-9 * factor / TICK)
    assert run.now.vehicle.turn_lamp[0] == TurnLamp.LEFT


class Woken(Wall):
    """A wall whose every second wait is ended halfway."""

    def wait(self, seconds, put, now, *, whole=False):
        if len(self.waits) % 2 == 0:
            super().wait(0.5 * seconds, put, now)
            return True
        super().wait(seconds, put, now)
        return False


def test_a_wait_that_is_ended_early_brings_no_tick_early(town, monkeypatch):
    wall = Woken()
    monkeypatch.setattr(clock, "time", wall)
    run = loop_of(town, PacedClock(), wall)
    run.run(100_000_000)
    assert wall.waits == pytest.approx([0.5 * TICK] * 20), "a half, and the rest"
    assert wall.now == 100_000_000


def test_commands_apply_while_time_stands(town, monkeypatch):
    wall = Wall(pause=(0.05, PauseRun(True)), lamps=(1.0, SetLamps(EGO, TurnLamp.LEFT)), on=(2.0, PauseRun(False)))
    monkeypatch.setattr(clock, "time", wall)
    seen = []
    run = Loop(town.built.scene, town.built.first, Noise(0), PacedClock(), wall, (lambda now, _: seen.append(now),))
    run.run(100_000_000)
    lit = next(now for now in seen if now.vehicle.turn_lamp[0])
    assert lit.paused
    assert lit.time == 40_000_000
    assert lit.tick == 100
    assert len(wall.published) == len(seen) + 1


def test_a_paused_run_at_full_speed_does_not_spin(town):
    run = loop_of(town, PacedClock(None))
    run.put(Source.PEER, PauseRun(True))
    started = time.monotonic()

    def stop() -> None:
        wait_for(lambda: run.now.tick > 20)
        run.stop()

    stopping = threading.Thread(target=stop)
    stopping.start()
    run.run()
    wall = time.monotonic() - started
    stopping.join()
    assert run.now.time == 0
    assert 20 < run.now.tick <= wall / clock.PAUSED_TICK_S + 1


def test_a_paused_run_at_full_speed_goes_on_when_it_is_told_to(town):
    run = loop_of(town, PacedClock(None))
    run.put(Source.PEER, PauseRun(True))

    paused: list[bool] = []
    run.observers = (lambda now, _: paused.append(now.paused),)

    def go_on() -> None:
        wait_for(lambda: len(paused) > 2)
        run.put(Source.PEER, PauseRun(False))

    telling = threading.Thread(target=go_on)
    telling.start()
    run.run(1_000_000_000)
    telling.join()
    assert run.now.time == 1_000_000_000
    assert paused.count(False) == 100
    assert paused.index(False) == len(paused) - 100, "it is not paused again"


def test_a_pause_changes_nothing_but_the_number_of_ticks(town):
    """Also not which tick drivers decide in."""
    turn(town, 63)
    before = town.now
    town.loop.now = before
    straight = STATE.leaves(town.turn(60))
    town.loop.now = before
    town.loop.put(Source.PEER, PauseRun(True))
    town.turn(7)
    assert town.now.time == before.time
    town.loop.put(Source.PEER, PauseRun(False))
    paused = STATE.leaves(town.turn(60))
    assert paused["tick"] == straight["tick"] + 7
    assert [path for path in straight if paused[path].tobytes() != straight[path].tobytes()] == ["tick"]


def test_a_run_that_is_reset_gives_the_same_hashes_again(town):
    once = turn(town, 150)
    town.loop.reset()
    for command in first_commands(town.built.scene):
        town.loop.put(Source.SCENARIO, command)
    assert [town.turn().digest(), *turn(town, 149)] == once


def test_a_reset_waits_for_the_tick_boundary_and_forgets_what_was_asked_before(town):
    town.turn(10)
    town.loop.put(Source.PEER, SelectCamera(77))
    town.loop.put(Source.PEER, SetLamps(EGO, TurnLamp.LEFT))
    town.loop.reset()
    town.loop.put(Source.PEER, SetLamps(EGO, emergency=True))
    assert town.now.tick == 10
    now = town.turn()
    assert now.tick == 1
    assert (now.vehicle.turn_lamp[0], now.vehicle.emergency_lamp[0]) == (TurnLamp.OFF, 1)
    assert town.turn().tick == 2


def test_a_reset_while_paused_runs_on_and_keeps_real_time(town, monkeypatch):
    wall = Wall(pause=(0.5, PauseRun(True)))
    monkeypatch.setattr(clock, "time", wall)
    paced = PacedClock()
    run = loop_of(town, paced, wall)

    def reset_once(now, _):
        if now.tick == 100:
            run.reset()

    run.observers = (reset_once,)
    run.run(700_000_000)
    assert paced.resyncs == 0
    assert wall.now * 1e-9 == pytest.approx(1.2, abs=3 * TICK)
    assert run.now.time == pytest.approx(200_000_000, abs=20_000_000)
    assert run.simulated == 700_000_000, "a duration is that of all there was"
    assert (run.ticks, run.resets) == (100 + run.now.tick, 1)


def test_a_script_says_what_each_tick_holds(town):
    """Its commands come before those of others, and it may hold time or go on from elsewhere."""
    first = town.built.first
    cues = iter(
        [Cue((SetLamps(EGO, TurnLamp.LEFT),)), Cue((), held=True), Cue((), start=first), None, Cue((PauseRun(True),))]
    )
    run = Loop(town.built.scene, first, Noise(0), PacedClock(None), script=lambda _: next(cues))
    run.put(Source.PEER, SetLamps(EGO, emergency=True))
    lit = run.turn()
    assert (lit.vehicle.turn_lamp[0], lit.vehicle.emergency_lamp[0]) == (TurnLamp.LEFT, 1)
    assert run.turn().time == lit.time
    assert run.turn().vehicle.turn_lamp[0] == TurnLamp.OFF
    assert run.turn().tick == 2
    run.turn(held=True)
    assert not run.now.paused, "a tick that somebody else asks for is none of the script's"
    assert run.turn().paused


class Overtaken(Wall):
    """An endpoint whose client sends a command and steps the run while the datagrams before are being read."""

    def __init__(self, step: Callable[[], None]) -> None:
        super().__init__()
        self.step: Callable[[], None] | None = step
        self.sent: list[object] = []

    def wait(self, seconds, put, _now, *, whole=False):
        taken, self.sent = self.sent, []
        for command in taken:
            put(Source.PEER, command)
        if self.step is not None and not taken:
            self.sent = [SetLamps(EGO, TurnLamp.LEFT)]
            self.step()
            self.step = None
        return False


def test_what_was_sent_before_a_step_is_read_before_its_tick(town):
    def step() -> None:
        stepper.start()
        while not run.gate.clients:
            time.sleep(0.001)

    endpoint = Overtaken(step)
    seen = []
    run = Loop(town.built.scene, town.built.first, Noise(0), PacedClock(), endpoint, (lambda now, _: seen.append(now),))
    run.gate.close(0)
    stepper = threading.Thread(target=run.gate.step, args=("client", 10_000_000, 5.0))
    run.run(10_000_000)
    stepper.join()
    assert next(now for now in seen if now.time).vehicle.turn_lamp[0] == TurnLamp.LEFT
