"""Reads the parameters of a plan, and holds them against its method and its scenarios."""

from __future__ import annotations

import math

from dorosim.app.store.folder import data_folder
from dorosim.app.store.openscenario import find_openscenario
from dorosim.app.sweep.plan import MAX_CELLS, OPENSCENARIO, Axis, Density, SweepPlan
from dorosim.app.sweep.plan_table import PlanTable
from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.document import open_document

_GREATEST = 1e12


def axis_from_table(name: str, table: PlanTable) -> Axis:
    """A parameter of a plan: `values`, or `from` and `to`."""
    values = table.texts("values")
    low, high = table.number("from", -_GREATEST, _GREATEST), table.number("to", -_GREATEST, _GREATEST)
    if not values and (low is None or high is None):
        table.refuse("", "has neither values nor a range", "give values = [...], or from and to")
    elif not values and low is not None and high is not None and not low < high:
        table.refuse("to", f"{high:g} is not more than {low:g}", "let it be more than from")
    elif values and (low is not None or high is not None):
        table.refuse("values", "are given beside a range", "give one of them")
    low, high = (0.0, 1.0) if low is None or high is None else (low, high)
    step = table.number("step", 1e-12, _GREATEST)
    found = Axis(
        name=name,
        values=values,
        low=low,
        high=high,
        step=step,
        count=table.whole("count", 1, MAX_CELLS, 0) or None,
        whole=table.flag("whole"),
        nominal=_density(table, "nominal", low, high),
        proposal=_density(table, "proposal", low, high),
    )
    if step is not None and (high - low) / step > MAX_CELLS:
        table.refuse("step", f"{step:g} makes more than {MAX_CELLS:,} values", "give a greater one")
    table.end()
    return found


def _density(table: PlanTable, key: str, low: float, high: float) -> Density:
    if not table.has(key):
        return Density()
    inner = table.table(key)
    found = Density(
        kind=inner.text("distribution", "uniform", ("uniform", "normal")),
        mean=inner.number("mean", -_GREATEST, _GREATEST, 0.5 * (low + high)) or 0.0,
        deviation=inner.number("deviation", 1e-9, _GREATEST, 0.25 * (high - low)) or 1.0,
    )
    if found.kind == "normal" and (low - found.mean > 8 * found.deviation or found.mean - high > 8 * found.deviation):
        inner.refuse("mean", f"{found.mean:g} is too far from {low:g} to {high:g}", "give one that is nearer")
    inner.end()
    return found


def check_axes(plan: SweepPlan, table: PlanTable) -> None:
    """Hold the parameters of a plan against its method and its scenarios.

    Args:
        plan: whose tables are right for themselves.
        table: takes what is wrong.
    """
    method = plan.sampling.method
    inner = PlanTable({}, "parameters", plan.source, table.lines, table.problems)
    if method not in ("grid", "file") and not plan.axes:
        inner.refuse("", f"are missing, and the method {method} varies some", "add [parameters.NAME] with from and to")
    lengths = {len(axis.values) for axis in plan.axes}
    for axis in plan.axes:
        if method == "list" and (not axis.values or len(lengths) > 1):
            inner.refuse(axis.name, "has not as many values as the others", "list as many values of each")
        if method == "grid" and not axis.values and axis.step is None and axis.count is None:
            inner.refuse(axis.name, "is a range without steps", "give step or count")
        if method in ("importance", "cmaes") and axis.values:
            inner.refuse(axis.name, f"is a list, and the method {method} needs ranges", "give from and to")
    if method == "grid":
        cells = len(plan.scenarios) * len(plan.sampling.seeds) * plan.sampling.repeats
        cells *= math.prod(size_of_axis(axis) for axis in plan.axes)
        if cells > MAX_CELLS:
            inner.refuse("", f"make {cells:,} cells, and there are {MAX_CELLS:,} at most", "give greater steps")
    _check_branch(plan, table)


def _check_branch(plan: SweepPlan, table: PlanTable) -> None:
    """The parameters of branches vary, and cells that differ in them alone can go on from one snapshot."""
    if not plan.branch.at:
        return
    ours, names, method = plan.branch.parameters, [axis.name for axis in plan.axes], plan.sampling.method
    shared = [name for name in names if name not in ours]
    inner = PlanTable({}, "branch", plan.source, table.lines, table.problems)
    for name in ours:
        if name not in names:
            cure = f"those that do are {', '.join(names) or 'none'}"
            inner.refuse("parameters", f"{name!r} does not vary", cure)
    if plan.stack.program:
        problem = "cannot be with a program as stack, which has no snapshot"
        inner.refuse("", problem, "drive by a function or a built-in driver, or take it out")
    if method == "file":
        inner.refuse("", "cannot be with the method file", "give the parameters in the plan, or take it out")
    elif method != "grid" and shared:
        problem = f"has no effect: the method {method} draws {shared[0]} anew for each cell"
        inner.refuse("parameters", problem, f"use a grid, or give {shared[0]} one value")
    elif tuple(names[len(shared) :]) != tuple(name for name in names if name in ours):
        inner.refuse(
            "parameters", "are not the last ones", f"let [parameters.{ours[0]}] be behind those that are shared"
        )
    if plan.branch.at >= plan.time_limit:
        inner.refuse("at", f"{plan.branch.at:g} s is the end of a run", f"let it be before {plan.time_limit:g} s")


def size_of_axis(axis: Axis) -> int:
    """How many values a grid has on a parameter."""
    if axis.values:
        return len(axis.values)
    if axis.count is not None:
        return axis.count
    if axis.step is None:  # which `check_axes` refuses
        return 1
    return math.floor((axis.high - axis.low) / axis.step + 1e-9) + 1


def check_names(plan: SweepPlan, table: PlanTable) -> None:
    """Every parameter is one of every scenario, of those that can be read.

    Args:
        plan: of which other tables may be wrong.
        table: takes what is wrong.
    """
    inner = PlanTable({}, "parameters", plan.source, table.lines, table.problems)
    for entry in plan.scenarios:
        if entry.kind != OPENSCENARIO:
            continue  # its names are settings and places, which each cell tries
        try:
            file, files = find_openscenario(entry.file, data_folder(plan.data), plan.allow)
            reading = open_document(file.source, file.content, files).read()
            if reading.root is None or reading.distribution() is not None:
                continue
            known = set(reading.parameters)
        except InputError:
            continue
        for name in (*(axis.name for axis in plan.axes), *entry.parameters):
            if name not in known:
                cure = f"it has {', '.join(sorted(known)[:10]) or 'none'}"
                inner.refuse(name, f"is no parameter of {entry.file}", cure)
