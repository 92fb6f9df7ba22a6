"""The step of the only client of a run, which the thread of the loop makes and answers at once."""

from __future__ import annotations

import pytest

from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.gate import Gate
from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.noise import Noise
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Source
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import SelectCamera
from tests.system.rig import Rig

TICK = 10_000_000
CLIENT = "TCP 127.0.0.1:1"


class Sockets:
    """An endpoint that has read all that came."""

    settled = True

    def publish(self, now):
        self.settled = False

    def wake(self):
        pass


@pytest.fixture
def run(town: Rig):
    """A run in synchronous mode that one client has stepped."""
    seen = []
    loop = Loop(
        town.built.scene,
        town.built.first,
        Noise(0),
        PacedClock(),
        Sockets(),
        [lambda now, _: seen.append(("observer", now.tick))],
        watches=[lambda now, _: seen.append(("watch", now.tick))],
    )
    loop.hold()
    loop.gate.allow(CLIENT, TICK, lambda _: None)
    loop.turn()
    loop.endpoint.settled = True
    seen.clear()
    loop.seen = seen
    yield loop
    loop.end()


def step(run, client=CLIENT):
    answers = []

    def done(time):
        answers.append(time)
        run.seen.append(("answer", run.now.tick))

    return run.advance(client, done), answers


def test_observers_come_before_the_answer_and_watches_after_it(run):
    assert step(run) == (True, [2 * TICK])
    assert run.seen == [("observer", 2), ("answer", 2), ("watch", 2)]
    assert run.gate.last == CLIENT
    assert not run.gate.may_pass(3 * TICK), "time stands until the next step"


def test_commands_that_wait_apply_in_it(run):
    run.put(Source.PEER, SelectCamera(EGO))
    run.put(Source.PEER, SelectCamera(77))
    made, answers = step(run)
    assert (made, answers) == (True, [2 * TICK])
    assert [bool(one.refusal) for one in run.now.outcomes] == [False, True]


def test_a_step_that_a_command_pauses_is_not_answered(run):
    """It goes on when the run does, by the gate, as any other."""
    run.put(Source.PEER, PauseRun(True))
    assert step(run) == (False, [])
    assert (run.now.time, run.now.paused) == (TICK, True)
    run.gate.allow(CLIENT, TICK, lambda time: run.seen.append(("answer", time)))
    run.put(Source.PEER, PauseRun(False))
    run.turn(held=True)
    assert run.gate.may_pass(2 * TICK)
    run.turn()
    assert ("answer", 2 * TICK) in run.seen


@pytest.mark.parametrize(
    "else_first",
    [
        lambda run: setattr(run.endpoint, "settled", False),
        lambda run: run.stop(),
        lambda run: run.reset(),
        lambda run: run.gate.open(),
        lambda run: run.gate.end(),
        lambda run: run.gate.allow("gRPC 127.0.0.1:2", TICK, lambda _: None),
        lambda run: run.gate.leave(CLIENT),
    ],
    ids=["datagrams", "stop", "reset", "by the clock", "end", "another client", "its first step"],
)
def test_what_comes_first_is_left_to_the_loop(run, else_first):
    else_first(run)
    assert step(run) == (False, [])
    assert run.now.tick == 1
    assert not run.seen


def test_what_goes_wrong_in_a_tick_is_raised(run):
    """It ends the run, as any other fault of a tick, and not only the connection."""
    run.observers = (lambda *_: 1 // 0,)
    with pytest.raises(ZeroDivisionError):
        step(run)


def test_it_counts_as_any_other_tick(run):
    ticks, simulated = run.ticks, run.simulated
    assert step(run)[0]
    assert (run.ticks, run.simulated) == (ticks + 1, simulated + TICK)


def test_a_gate_takes_only_the_step_of_its_one_client():
    gate = Gate()
    assert not gate.take(CLIENT, TICK), "time passes by the clock"
    gate.close(0)
    assert not gate.take(CLIENT, TICK), "its first step is awaited, so that it belongs to the gate"
    gate.allow(CLIENT, TICK, lambda _: None)
    assert not gate.take(CLIENT, TICK), "one of its steps goes on"
    gate.passed(TICK)
    assert gate.take(CLIENT, TICK)
    assert gate.may_pass(2 * TICK)
    assert not gate.take("another", TICK)
