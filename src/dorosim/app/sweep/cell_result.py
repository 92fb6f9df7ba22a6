"""What is left of a cell that has run: its row in the tables, and files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dorosim.app.run.scenario_judged import JudgedRun
from dorosim.app.sweep.cell import Cell, CellRow
from dorosim.app.sweep.measure import CellMeasure, margin_of
from dorosim.scenario.criterion.judge import CriterionResult, VerdictWord


@dataclass(frozen=True, slots=True, kw_only=True)
class CellFiles:
    """What is written of a cell that is run for a report.

    Attributes:
        record: its recording. trace: its trace.
    """

    record: Path | None = None
    trace: Path | None = None


def row_of(cell: Cell, run: JudgedRun, measure: CellMeasure, *, digest: bool = True) -> CellRow:
    """What became of a cell that has run."""
    measures = measure.values()
    world = None if measure.last is None else measure.last.world
    return CellRow(
        cell=cell,
        verdict=str(run.verdict),
        why=run.why,
        time=run.time,
        margin=None if run.verdict is VerdictWord.BROKEN else margin_of(run.criteria, measures),
        digest="" if world is None or not digest else world.digest().hex()[:16],
        measures=measures,
        criteria=[facts_of_criterion(one) for one in run.criteria],
    )


def facts_of_criterion(one: CriterionResult) -> dict[str, object]:
    """What became of a criterion, for the row: {title, held, value, time, other}."""
    return {"title": one.title, "held": one.held, "value": one.value, "time": one.time, "other": one.other}
