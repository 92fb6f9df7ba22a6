"""Runs of storyboards without a world: what the engine does by itself, tick by tick."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dorosim.app.run.scenario_judged import JudgedRun, VerdictWatch, run_judged
from dorosim.app.run.scenario_run import DEFAULT_STEP, DEFAULT_TIME_LIMIT, RunTick
from dorosim.scenario.criterion.judge import Judge
from dorosim.scenario.openscenario.engine.advance import advance, start_storyboard, state_before_start
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet import QuietTicks


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


def verdict_on(program: Program, ticks: Sequence[RunTick], time_limit: float = 20.0) -> JudgedRun:
    """What a run without criteria has come to.

    Args:
        program: the scenario.
        ticks: of the run.
        time_limit: that it had [simulated s].
    """
    return run_judged(VerdictWatch(program, Judge((), "")), ticks, time_limit)
