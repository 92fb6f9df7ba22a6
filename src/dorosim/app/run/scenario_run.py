"""Runs a scenario in the world, without sockets and faster than real time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dorosim.app.run.build import Build
from dorosim.ground.noise import Noise
from dorosim.scenario.criterion.track import CriteriaTrack
from dorosim.world.ordinary.judged import judged_ticks
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from dorosim.world.storyboard.report import ElementTransition
from dorosim.world.storyboard.state import StoryboardState

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


def quick_ticks(ready: Build, noise: Noise, time_limit: float, tracks: Sequence[CriteriaTrack]) -> Iterator[RunTick]:
    """Some of the ticks of `world_ticks`: those that Python has made, and the last of each row that compiled code has.

    Ticks that are left out change nothing of the storyboard but where entities are. The criteria have seen them, and
    none was violated.

    Args:
        ready: the scenario in the world, at its start.
        noise: the run's randomness.
        time_limit: [simulated s].
        tracks: of criteria, which look at each tick that comes from here before the next one is asked for.
    """
    scene, now = ready.scene, ready.first
    yield tick_of(now, now.time - now.storyboard.started)
    time, limit = now.time - now.storyboard.started, time_limit * 1e9 + scene.tick
    judged = [one for one in tracks if one.criteria]
    while not now.storyboard_report.ended and time <= limit:
        made = None
        if all(one.sees_in_compiled_code(now) for one in judged):
            words = [one.compiled.words for one in judged if one.compiled is not None]
            made = judged_ticks(scene, now, noise.seed, int((limit - time) // scene.tick) + 1, words)
        if made is None:
            now, ticks = step(scene, now, (), noise), 1
        else:
            now, ticks = made.now, made.ticks
            for one, said in zip(judged, made.said, strict=True):
                one.take(now, now.time - now.storyboard.started, said)
        time += ticks * scene.tick
        yield tick_of(now, time - scene.tick)


def tick_of(now: Snapshot, begun: int) -> RunTick:
    """What a tick has made.

    Args:
        now: the snapshot after it.
        begun: when it began, since the storyboard's start [ns].
    """
    report, state = now.storyboard_report, now.storyboard
    after = begun if report.ended else now.time - state.started
    return RunTick(begun, after, state, list(report.happened), list(report.journal), report.ended, now)
