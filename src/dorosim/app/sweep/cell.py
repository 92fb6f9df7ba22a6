"""The cells of a sweep: one run each, by number, made as they are asked for."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from dorosim.app.sweep.plan import SweepPlan


class Cell(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A run of a plan.

    Attributes:
        number: from 0, in the order of the plan. scenario: which of the plan's.
        values: of parameters that vary, as texts. seed: of the run. repeat: from 0.
        weight: how much more likely its values are in traffic than they were drawn.
        source: the file that runs, "" for that of the scenario. generation: of the falsification, -1 for none.
    """

    number: int
    scenario: int
    values: dict[str, str]
    seed: int = 0
    repeat: int = 0
    weight: float = 1.0
    source: str = ""
    generation: int = -1


class CellRow(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a cell: the same for any number of workers, unless the stack is free-running.

    Attributes:
        cell: which. verdict: "pass", "fail" or "broken". why: in words. time: of the end [simulated s].
        margin: least distance to a limit, in parts of it; negative where one is violated, None where none is known.
        digest: of the last snapshot, "" where it says nothing. measures: worst values, by name.
        criteria: {title, held, value, time, other} of each. branched: whether it began with another cell's beginning.
    """

    cell: Cell
    verdict: str
    why: str
    time: float = 0.0
    margin: float | None = None
    digest: str = ""
    measures: dict[str, float] = {}
    criteria: list[dict[str, Any]] = []
    branched: bool = False


class CellWork(msgspec.Struct, frozen=True, kw_only=True):
    """What it took to run a cell; other each time.

    Attributes:
        wall: how long it took [s]. began: when [s since 1970]. host, worker: where. attempts: how often it was run.
    """

    wall: float = 0.0
    began: float = 0.0
    host: str = ""
    worker: str = ""
    attempts: int = 1


class CellLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a journal.

    Attributes:
        row: what became of a cell. work: what it took.
    """

    row: CellRow
    work: CellWork


encode_line = msgspec.json.Encoder().encode
decode_line = msgspec.json.Decoder(CellLine).decode


def broken_row(cell: Cell, why: str) -> CellRow:
    """The row of a cell that could not run to its end."""
    return CellRow(cell=cell, verdict="broken", why=why)


def parameters_of(plan: SweepPlan, cell: Cell) -> Mapping[str, str]:
    """All parameters that a cell sets, as texts."""
    return {**plan.scenarios[cell.scenario].parameters, **cell.values}


def title_of(plan: SweepPlan, cell: Cell) -> str:
    """A cell in words."""
    parts = [f"{name}={value}" for name, value in cell.values.items()]
    parts += [f"seed {cell.seed}"] if len(plan.sampling.seeds) > 1 else []
    parts += [f"repeat {cell.repeat}"] if plan.sampling.repeats > 1 else []
    return f"{plan.scenarios[cell.scenario].name} {cell.number}{': ' if parts else ''}{', '.join(parts)}"


def again_line(cell: Cell, folder: str) -> str:
    """The command that does a cell again; `folder` is that of the sweep."""
    return shlex.join(["dorosim", "sweep", "again", folder, str(cell.number)])
