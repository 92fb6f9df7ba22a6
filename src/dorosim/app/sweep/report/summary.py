"""What a sweep has come to, in numbers."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

from dorosim.app.sweep.cell import CellLine
from dorosim.app.sweep.report.interval import rate_of, weighted_rate
from dorosim.app.sweep.report.table import SweepTable


def worst_lines(table: SweepTable, count: int) -> list[CellLine]:
    """The cells with the least margins, those that fail first; broken ones are none of them."""
    found = [line for line in table.lines if line.row.verdict != "broken"]
    found.sort(key=lambda line: (line.row.verdict != "fail", _margin(line), line.row.cell.number))
    return found[:count]


def _margin(line: CellLine) -> float:
    return math.inf if line.row.margin is None else line.row.margin


def flake_rate(table: SweepTable) -> tuple[int, int]:
    """How many points have repeats with different verdicts, and how many have repeats at all."""
    verdicts: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    if table.plan.sampling.repeats > 1:
        for line in table.lines:
            verdicts[table.key(line.row.cell)].append(line.row.verdict)
    several = [set(one) for one in verdicts.values() if len(one) > 1]
    return sum(len(one) > 1 for one in several), len(several)


def summary_of(table: SweepTable, total: int) -> dict[str, Any]:
    """What a sweep has come to.

    Args:
        table: of its cells.
        total: cells of the plan.

    Returns:
        {name, stack, free_running, cells, finished, passed, failed, broken, fail_rate, fail_rate_low, fail_rate_high,
        weighted, flaky, repeated, scenarios: {name: {passed, failed, broken}}, least_margin}; the rate is that of
        cells that are not broken, `weighted` that in traffic where cells were drawn by importance.
    """
    counts, plan = table.counts(), table.plan
    rate = rate_of(counts["fail"], counts["pass"] + counts["fail"])
    scenarios = {entry.name: {"pass": 0, "fail": 0, "broken": 0} for entry in plan.scenarios}
    for line in table.lines:
        scenarios[plan.scenarios[line.row.cell.scenario].name][line.row.verdict] += 1
    weighted = None
    if plan.sampling.method == "importance":
        judged = [line.row for line in table.lines if line.row.verdict != "broken"]
        weighted = weighted_rate([row.verdict == "fail" for row in judged], [row.cell.weight for row in judged])
    flaky, repeated = flake_rate(table)
    return {
        "name": plan.name,
        "stack": plan.stack.title,
        "free_running": plan.stack.free_running,
        "cells": total,
        "finished": len(table.lines),
        "passed": counts["pass"],
        "failed": counts["fail"],
        "broken": counts["broken"],
        "fail_rate": None if math.isnan(rate.value) else rate.value,
        "fail_rate_low": rate.low,
        "fail_rate_high": rate.high,
        "weighted": None if weighted is None else weighted._asdict(),
        "flaky": flaky,
        "repeated": repeated,
        "scenarios": scenarios,
        "least_margin": min((_margin(one) for one in table.lines if one.row.margin is not None), default=None),
    }
