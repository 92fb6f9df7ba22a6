"""Compares two sweeps, cell by cell and by their rates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dorosim.app.sweep.report.interval import difference_of, rate_of
from dorosim.app.sweep.report.table import SweepTable
from dorosim.ground.error import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareLimits:
    """What a sweep may be worse than another one.

    Attributes:
        new_failures: cells that failed in the second one only; None for any number.
        rise: of the share that fails, by the lower end of its interval; None for any.
        margin_drop: of the least margin; None for any.
    """

    new_failures: int | None = None
    rise: float | None = None
    margin_drop: float | None = None


def compare_sweeps(before: SweepTable, after: SweepTable, limits: CompareLimits) -> dict[str, Any]:
    """Compare sweeps.

    Args:
        before: of the first one.
        after: of the second one.
        limits: what makes the second one too much worse.

    Returns:
        {common, only_before, only_after, new_failures, fixed, still, changed, rate_before, rate_after, rise, rise_low,
        rise_high, margin_before, margin_after, exceeded}: counts of cells with the same scenario, values and seed;
        `new_failures` are their numbers in the second sweep, `changed` how many common cells have another digest, and
        `exceeded` the limits that are passed, in words.

    Raises:
        InputError: there are limits, and no cell is in both sweeps: one is empty, or no limit of all cells is given.
    """
    first = {(table_key(before, row), row.cell.repeat): row for row in (line.row for line in before.lines)}
    second = {(table_key(after, row), row.cell.repeat): row for row in (line.row for line in after.lines)}
    common = [key for key in second if key in first]
    if not common and limits != CompareLimits():
        _refuse(before, after, limits)
    new = sorted(second[key].cell.number for key in common if _is_worse(first[key].verdict, second[key].verdict))
    fixed = sum(first[key].verdict != "pass" and second[key].verdict == "pass" for key in common)
    still = sum(first[key].verdict != "pass" and second[key].verdict != "pass" for key in common)
    rates = []
    for table in (before, after):
        counts = table.counts()
        rates.append(rate_of(counts["fail"], counts["pass"] + counts["fail"]))
    rise = difference_of(rates[1], rates[0])
    margins = [
        min((line.row.margin for line in table.lines if line.row.margin is not None), default=None)
        for table in (before, after)
    ]
    found = {
        "common": len(common),
        "only_before": len(first) - len(common),
        "only_after": len(second) - len(common),
        "new_failures": new,
        "fixed": fixed,
        "still": still,
        "changed": sum(first[key].digest != second[key].digest for key in common),
        "rate_before": rates[0].value,
        "rate_after": rates[1].value,
        "rise": rise.value,
        "rise_low": rise.low,
        "rise_high": rise.high,
        "margin_before": margins[0],
        "margin_after": margins[1],
    }
    return found | {"exceeded": list(_exceeded(found, limits))}


def _refuse(before: SweepTable, after: SweepTable, limits: CompareLimits) -> None:
    """See to it that sweeps without a common cell are held against something.

    Raises:
        InputError: they are not.
    """
    for word, table in (("first", before), ("second", after)):
        if not table.lines:
            raise InputError(f"the {word} sweep", "", "has no finished cell", "compare them when it has some")
    if (limits.rise, limits.margin_drop) != (None, None):
        return
    first, second = (", ".join(f"{name}={value}" for name, value in one.items()) for one in _samples(before, after))
    problem = f"have no cell in common: scenario, values and seed are never the same ({first} and {second}, for one)"
    cure = "compare sweeps of the same cells, or the shares and margins of all cells by --max-rise or --max-margin-drop"
    raise InputError("the sweeps", "", problem, cure)


def _samples(*tables: SweepTable) -> list[dict[str, object]]:
    """What the first cell of each sweep has, by which it would be found in another one."""
    cells = [(table, table.lines[0].row.cell) for table in tables]
    return [{"scenario": t.plan.scenarios[c.scenario].name, **c.values, "seed": c.seed} for t, c in cells]


def table_key(table: SweepTable, row: Any) -> tuple[object, ...]:
    """By what the cell of a row is found in another sweep."""
    return table.key(row.cell)


def _is_worse(before: str, after: str) -> bool:
    order = ("pass", "fail", "broken")
    return order.index(after) > order.index(before) and before == "pass"


def _exceeded(found: dict[str, Any], limits: CompareLimits) -> list[str]:
    """The limits that are passed, in words."""
    said = []
    new = len(found["new_failures"])
    if limits.new_failures is not None and new > limits.new_failures:
        said.append(f"{new:,} new failures, limit {limits.new_failures:,}")
    low = found["rise_low"]
    if limits.rise is not None and math.isfinite(low) and low > limits.rise:
        said.append(f"the share that fails rose by {low:.3%} at least, limit {limits.rise:.3%}")
    before, after = found["margin_before"], found["margin_after"]
    if limits.margin_drop is not None and None not in (before, after) and before - after > limits.margin_drop:
        said.append(f"the least margin fell by {before - after:.4g}, limit {limits.margin_drop:g}")
    return said


def compare_lines(found: dict[str, Any]) -> list[str]:
    """A comparison in lines, for people."""
    if not found["common"]:
        lines = [
            f"no cell is in both: {found['only_before']:,} are in the first, {found['only_after']:,} in the second"
        ]
        return lines + _shares(found) + [f"LIMIT: {one}" for one in found["exceeded"]]
    lines = [
        f"{found['common']:,} cells are in both, {found['only_before']:,} in the first only, "
        f"{found['only_after']:,} in the second only",
        f"{len(found['new_failures']):,} new failures, {found['fixed']:,} pass now, {found['still']:,} pass in neither",
        f"{found['changed']:,} of the cells in both ran otherwise, by their digests",
    ]
    lines += _shares(found)
    if found["new_failures"]:
        shown = ", ".join(map(str, found["new_failures"][:20]))
        lines.append(f"new failures: {shown}{', ...' if len(found['new_failures']) > 20 else ''}")
    return lines + [f"LIMIT: {one}" for one in found["exceeded"]]


def _shares(found: dict[str, Any]) -> list[str]:
    """The line on shares that fail, where both sweeps have cells."""
    if not math.isfinite(found["rise"]):
        return []
    return [
        f"share that fails: {found['rate_before']:.3%} before, {found['rate_after']:.3%} after, rise "
        f"{found['rise']:+.3%} ({found['rise_low']:+.3%} to {found['rise_high']:+.3%}, 95 % interval)"
    ]
