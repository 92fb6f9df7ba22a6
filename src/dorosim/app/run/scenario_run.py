"""Runs a scenario without sockets and faster than real time, in the world or without one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dorosim.app.run.build import Build
from dorosim.ground.noise import Noise
from dorosim.scenario.openscenario.engine.advance import advance, start_storyboard, state_before_start
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet import QuietTicks
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from dorosim.world.storyboard.report import ElementTransition
from dorosim.world.storyboard.state import StoryboardState, Verdict

DEFAULT_STEP = 10_000_000
"""Length of a tick [ns]."""
DEFAULT_TIME_LIMIT = 300.0
"""How long a run may take [simulated s]."""


@dataclass(slots=True)
class RunTick:
    """What a tick of a run has made.

    Attributes:
        time: at its start, which is that of its transitions [ns]. state_time: that of its state [ns].
        state: of the storyboard. happened: transitions. journal: lines for people.
        ended: why the run is over, "" while it goes on.
        world: the snapshot, None where a storyboard runs without a world.
    """

    time: int
    state_time: int
    state: StoryboardState
    happened: list[ElementTransition] = field(default_factory=list)
    journal: list[str] = field(default_factory=list)
    ended: str = ""
    world: Snapshot | None = None


def ticks_of(
    program: Program, step: int = DEFAULT_STEP, time_limit: float = DEFAULT_TIME_LIMIT, quiet: QuietTicks | None = None
) -> Iterator[RunTick]:
    """The ticks of a run, until it ends or the limit is reached.

    Args:
        program: the scenario.
        step: length of a tick [ns].
        time_limit: [simulated s].
        quiet: makes ticks in which no element changes; None: the engine makes all of them, with the same bits.
    """
    frame = start_storyboard(program, state_before_start(program, 0))
    state = frame.finish()
    yield RunTick(0, 0, state, frame.happened, frame.journal, frame.ended)
    time = 0
    # one tick more: what ends at the limit is looked at when it has passed
    while not frame.ended and time <= time_limit * 1e9 + step:
        made = None if quiet is None else quiet.next_state(state, time, step)
        if made is not None:
            state = made
            yield RunTick(time, time + step, state)
            time += step
            continue
        frame = advance(program, state, time, step * 1e-9)
        state = frame.finish()
        yield RunTick(time, time + (0 if frame.ended else step), state, frame.happened, frame.journal, frame.ended)
        time += step


def world_ticks(ready: Build, noise: Noise, time_limit: float = DEFAULT_TIME_LIMIT) -> Iterator[RunTick]:
    """The ticks of a run in the world, until it ends or the limit is reached.

    Args:
        ready: the scenario in the world, at its start.
        noise: the run's randomness.
        time_limit: [simulated s].
    """
    scene, now = ready.scene, ready.first
    yield tick_of(now, now.time - now.storyboard.started)
    time, limit = now.time - now.storyboard.started, time_limit * 1e9 + scene.tick
    while not now.storyboard_report.ended and time <= limit:
        now = step(scene, now, (), noise)
        yield tick_of(now, time)
        time += scene.tick


def tick_of(now: Snapshot, begun: int) -> RunTick:
    """What a tick has made.

    Args:
        now: the snapshot after it.
        begun: when it began, since the storyboard's start [ns].
    """
    report, state = now.storyboard_report, now.storyboard
    after = begun if report.ended else now.time - state.started
    return RunTick(begun, after, state, list(report.happened), list(report.journal), report.ended, now)


class RunVerdict:
    """What a run has come to."""

    SUCCESS = "success"
    FAILURE = "failure"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class RunResult:
    """The end of a run.

    Attributes:
        verdict: "success", "failure" or "broken". why: in words. time: of the end [ns].
    """

    verdict: str
    why: str
    time: int


def result_of(program: Program, last: RunTick, time_limit: float) -> RunResult:
    """What a run has come to, by its last tick.

    A run that ends by its own stop trigger, and has no criterion, succeeds; one that does not end is broken.
    """
    verdict = Verdict(last.state.verdict)
    if verdict is Verdict.FAILURE:
        return RunResult(RunVerdict.FAILURE, last.ended, last.time)
    if verdict is Verdict.SUCCESS:
        return RunResult(RunVerdict.SUCCESS, last.ended, last.time)
    if not last.ended:
        return RunResult(RunVerdict.BROKEN, f"no end within {time_limit:g} s", last.time)
    if program.success is not None:
        return RunResult(RunVerdict.FAILURE, f"{last.ended}, and no success condition is", last.time)
    return RunResult(RunVerdict.SUCCESS, f"{last.ended}; no criterion", last.time)
