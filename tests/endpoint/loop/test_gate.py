"""Synchronous mode: time passes as far as all clients let it, and nobody can stop the others for ever."""

import threading
import time
from itertools import pairwise

import pytest

from dorosim.endpoint.command_gateway import CommandGateway, RunOverError
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.gate import Gate
from dorosim.endpoint.loop.loop import Loop
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import SelectCamera
from tests.system.rig import rig
from tests.timing import wait_for

FRAME = 20_000_000
PATIENCE = 60.0
"""Wall time that nothing takes, on whatever machine [s]."""


@pytest.fixture
def run(tmp_path):
    """A run in synchronous mode, on a thread of its own."""
    made = rig(tmp_path)
    ready = made.built
    gate = Gate(step_timeout=0.3)
    loop = Loop(ready.scene, ready.first, made.loop.noise, PacedClock(), gate=gate)
    gate.close(loop.now.time)
    thread = threading.Thread(target=loop.run)
    thread.start()
    yield loop
    loop.stop()
    thread.join(PATIENCE)
    loop.end()


def test_time_stands_until_somebody_steps_and_then_passes_by_just_that(run):
    assert not run.gate.may_pass(1), "which the loop asks before each tick"
    assert run.gate.step("a", 3 * FRAME, PATIENCE) == 3 * FRAME
    assert run.gate.may_pass(3 * FRAME)
    assert not run.gate.may_pass(3 * FRAME + 1)
    assert run.now.time == 3 * FRAME


def test_commands_apply_while_time_stands(run):
    run.gate.step("a", FRAME, PATIENCE)
    done = CommandGateway(run).do([SelectCamera(EGO), SelectCamera(99)])
    assert run.now.time == FRAME
    assert [bool(outcome.refusal) for outcome in done.outcomes] == [False, True]


def test_nobody_is_left_behind(run):
    """Who comes in while another one's step lasts has steps of the same length, from then on."""
    run.gate.step_timeout = PATIENCE
    seen = {name: [] for name in "abc"}

    def steps(name: str, pause: float) -> None:
        for _ in range(10):
            seen[name].append(run.gate.step(name, FRAME, PATIENCE))
            time.sleep(pause)
        run.gate.leave(name)

    run.gate.step("a", FRAME, PATIENCE)  # who steps first goes alone, the others come in
    threads = [
        threading.Thread(target=steps, args=(name, pause)) for name, pause in zip("abc", (0, 0.002, 0.005), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    for times in seen.values():
        assert None not in times
        assert all(after - before >= FRAME for before, after in pairwise(times))


class Stood:
    """A closed gate without a run, whose wall clock [s] and simulated time [ns] the test sets."""

    def __init__(self, step_timeout: float) -> None:
        self.clock, self.now = 0.0, 0
        self.gate = Gate(step_timeout, clock=lambda: self.clock)
        self.gate.close(0)

    def passes(self, client: str) -> bool:
        """Whether time passes by a frame as soon as a client steps it."""
        assert self.gate.step(client, FRAME, 0.0) is None, "it does not wait"
        return self.passes_now()

    def passes_now(self) -> bool:
        """Whether time passes by a frame, as far as all clients let it by now."""
        if not self.gate.may_pass(self.now + FRAME):
            return False
        self.now += FRAME
        self.gate.passed(self.now)
        return True


def test_who_sleeps_is_left_out_and_the_others_go_on():
    stood = Stood(step_timeout=3.0)
    assert stood.passes("sleeper")
    assert not stood.passes("awake")
    stood.clock = 2.9
    assert not stood.passes_now()
    stood.clock = 3.1
    assert stood.passes_now()
    assert stood.gate.left_out == ["sleeper"]
    assert all(stood.passes("awake") for _ in range(20)), "they waited once"


def test_a_client_alone_is_waited_for_for_ever():
    stood = Stood(step_timeout=0.3)
    assert stood.passes("a")
    for stood.clock in (0.2, 0.5, 1_000.0):
        assert not stood.passes_now(), "nobody else waits: there is no hurry"
    assert stood.gate.left_out == []


def test_the_end_of_the_mode_lets_time_run(run):
    run.gate.step("a", FRAME, PATIENCE)
    run.gate.open()
    wait_for(lambda: run.now.time >= 10 * FRAME)
    assert run.gate.step("a", FRAME, 1.0) is None


def test_waiting_for_a_tick_ends_with_it_and_with_the_run(run):
    waiting = []
    threads = [threading.Thread(target=lambda: waiting.append(run.gate.wait(PATIENCE))) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        run.gate.step("a", FRAME, PATIENCE)
        threads[-1].join(0.05)
    assert len(waiting) == 3
    assert all(waiting)
    last = threading.Thread(target=lambda: waiting.append(run.gate.wait(PATIENCE)))
    last.start()
    time.sleep(0.01)
    run.end()
    last.join(PATIENCE)
    assert waiting[-1] is None


def test_commands_of_a_run_that_ends_are_answered(tmp_path):
    made = rig(tmp_path)
    loop = made.loop
    failed = []

    def ask() -> None:
        try:
            CommandGateway(loop).do([SelectCamera(EGO)])
        except RunOverError as error:
            failed.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    wait_for(lambda: len(loop.inbox))
    loop.end()
    thread.join(PATIENCE)
    assert failed
    with pytest.raises(RunOverError):
        CommandGateway(loop).do([SelectCamera(EGO)])


def test_things_are_done_between_ticks_on_the_thread_of_the_loop(run):
    seen = []

    def look(now) -> None:
        seen.append((now.time, threading.current_thread()))

    run.gate.step("a", FRAME, PATIENCE)
    CommandGateway(run).between_ticks(look)
    assert seen[0][0] == FRAME
    assert seen[0][1] is not threading.current_thread()

    def fail(_) -> None:
        raise ValueError("of the caller")

    with pytest.raises(ValueError, match="of the caller"):
        CommandGateway(run).between_ticks(fail)
    assert run.gate.step("a", FRAME, PATIENCE) == 2 * FRAME, "the run goes on"
