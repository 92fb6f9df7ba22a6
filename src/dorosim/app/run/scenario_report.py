"""What `dorosim scenario run` does and prints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from dorosim.app.run.report.console import print_line
from dorosim.app.run.report.json_output import Facts
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_run import result_of, world_ticks
from dorosim.app.run.scenario_trace import ScenarioTrace
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise

MIN_STEP, MAX_STEP = 0.001, 0.1
"""Bounds of the length of a tick [s]."""
MAX_TIME_LIMIT = 86_400.0
MAX_JOURNAL = 1_000
"""So many lines of the journal are kept."""


def run_file(
    given: str,
    data: Path,
    allow: Sequence[Path],
    parameters: Mapping[str, str],
    step: float,
    time_limit: float,
    trace_path: Path | None,
) -> Facts:
    """Run a scenario to its end.

    Args:
        given: a file, or a name in Scenario/ of the data folder.
        data: the data folder.
        allow: further folders in which files may be opened.
        parameters: values of its parameters, by name.
        step: length of a tick [s].
        time_limit: [simulated s].
        trace_path: where its trace is written, None for nowhere.

    Returns:
        source: the file. verdict: "success", "failure" or "broken". why: in words. time: of the end [s]. notes: what of
        the file has no effect. journal: what it wrote. trace: files that were written.

    Raises:
        InputError: it cannot be run, or a number is out of bounds.
    """
    if not MIN_STEP <= step <= MAX_STEP:
        raise InputError(f"--step {step:g}", "", f"is not from {MIN_STEP:g} to {MAX_STEP:g} s", "give one such as 0.01")
    if not (math.isfinite(time_limit) and 0.0 < time_limit <= MAX_TIME_LIMIT):
        problem = f"is not more than 0 and at most {MAX_TIME_LIMIT:g} s"
        raise InputError(f"--time-limit {time_limit:g}", "", problem, "give one such as 300")
    ready = ready_scenario(given, data, allow, parameters)
    trace = None if trace_path is None else ScenarioTrace(ready.program)
    journal: list[str] = []
    last = None
    for last in world_ticks(ready.world(round(step * 1e9)), Noise(ready.seed), time_limit):
        if trace is not None:
            trace.add(last)
        kept = last.journal[: max(MAX_JOURNAL - len(journal), 0)]
        journal.extend(f"{last.time * 1e-9:.3f} s: {line}" for line in kept)
    assert last is not None
    result = result_of(ready.program, last, time_limit)
    written = []
    if trace is not None and trace_path is not None:
        written = [str(trace_path), str(trace.write(trace_path))]
    return {
        "source": ready.source,
        "verdict": result.verdict,
        "why": result.why,
        "time": result.time * 1e-9,
        "notes": list(ready.program.notes),
        "journal": journal,
        "trace": written,
    }


def print_run(facts: Facts) -> None:
    """Print the end of a run: what had no effect, what it wrote, and its verdict as the last line."""
    console = Console(highlight=False)
    for line in (*facts["notes"], *facts["journal"]):
        print_line(console, line)
    for path in facts["trace"]:
        print_line(console, f"wrote {path}")
    print_line(console, f"{facts['verdict']}: {facts['why']} ({facts['time']:.2f} s, {facts['source']})")
