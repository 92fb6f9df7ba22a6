"""Reads plans of sweeps; all that is wrong with one is found at once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from dorosim.app.run.build import MAX_SEED
from dorosim.app.run.scenario_criteria import CriteriaOptions
from dorosim.app.run.scenario_suite import DEFAULT_STEP_S, MAX_STEP, MAX_TIME_LIMIT, MIN_STEP
from dorosim.app.run.stack_program import words_of
from dorosim.app.sweep.limits import SweepLimits
from dorosim.app.sweep.plan import (
    DRIVERS,
    INTERFACES,
    MAX_CELLS,
    MEASURES,
    METHODS,
    USUAL_MEASURES,
    BranchPlan,
    KeepPlan,
    SamplingPlan,
    StackPlan,
    SweepPlan,
)
from dorosim.app.sweep.plan_axis import axis_from_table, check_axes, check_names
from dorosim.app.sweep.plan_scenario import check_kinds, reward_from_table, scenarios_from_table
from dorosim.app.sweep.plan_table import PlanTable, lines_of_keys
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file

MAX_PLAN_SIZE = 16 << 20
_MIB = 1 << 30


def plan_from_file(path: Path) -> tuple[SweepPlan | None, list[InputError]]:
    """Read a plan.

    Args:
        path: of the file, TOML; files that it names are looked for beside it, and then as `scenario run` does.

    Returns:
        The plan, None where it cannot be used, and all that is wrong with it.
    """
    try:
        content = read_file(path, MAX_PLAN_SIZE)
        text = content.decode()
    except UnicodeDecodeError:
        return None, [InputError(str(path), "", "is no text in UTF-8", "save it as one")]
    except InputError as error:
        return None, [error]
    if len(content) > MAX_PLAN_SIZE:
        return None, [InputError(str(path), "", f"has more than {MAX_PLAN_SIZE >> 20} MiB", "give a plan")]
    return plan_from_text(text, str(path), path.parent)


def plan_from_tree(tree: Mapping[str, Any], base: Path | None = None) -> SweepPlan:
    """A plan of Python, with the same keys as a file.

    Args:
        tree: of dictionaries, lists and plain values.
        base: folder of the files that it names; the present one if it is not given.

    Raises:
        InputError: with all that is wrong.
    """
    plan, problems = plan_from_text(json.dumps(tree), "plan", base or Path.cwd())
    if plan is None:
        raise InputError("plan", "", "; ".join(str(one) for one in problems), "")
    return plan


def plan_from_text(text: str, source: str, base: Path) -> tuple[SweepPlan | None, list[InputError]]:
    """A plan of its text, TOML or JSON.

    Args:
        text: of the plan.
        source: the file, for messages.
        base: folder of the files that it names.

    Returns:
        As `plan_from_file`.
    """
    try:
        tree = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError) as error:
        return None, [InputError(source, "", f"is no TOML: {error}", "correct it")]
    problems: list[InputError] = []
    table = PlanTable(tree, "", source, lines_of_keys(text), problems)
    data = table.text("data") or None
    allow = tuple(base / one for one in table.texts("allow"))
    scenarios = scenarios_from_table(table, base, data, allow)
    sampling = _sampling(table.table("sampling"))
    axes = tuple(axis_from_table(name, one) for name, one in table.table("parameters").rest().items())
    plan = SweepPlan(
        source=source,
        text=text,
        name=table.text("name", Path(source).stem),
        scenarios=scenarios,
        axes=axes,
        sampling=sampling,
        stack=_stack(table.table("stack"), base),
        criteria=_criteria(table.table("criteria")),
        measures=table.texts("measures", USUAL_MEASURES, MEASURES),
        limits=_limits(table.table("limits")),
        keep=_keep(table.table("keep")),
        branch=_branch(table.table("branch")),
        reward=reward_from_table(table.table("reward")),
        step=table.number("step", MIN_STEP, MAX_STEP, DEFAULT_STEP_S) or DEFAULT_STEP_S,
        time_limit=table.number("time_limit", 1e-3, MAX_TIME_LIMIT, 60.0) or 60.0,
        map_name=table.text("map") or None,
        ego_name=table.text("ego_name"),
        data=data,
        allow=allow,
    )
    table.end()
    if not problems:
        check_axes(plan, table)
        check_kinds(plan, table)
    check_names(plan, table)
    return (None if problems else plan), problems


def _sampling(table: PlanTable) -> SamplingPlan:
    method = table.text("method", "grid", METHODS)
    needs = method in ("random", "latin-hypercube", "sobol", "importance", "cmaes")
    if needs and not table.has("count"):
        table.refuse("count", f"is missing, and the method {method} draws so many", "give one such as 100")
    seeds = table.texts("seeds", ("0",))
    if not seeds or not all(one.isdigit() and int(one) <= MAX_SEED for one in seeds):
        table.refuse("seeds", "are no whole numbers", "give a list such as [1, 2, 3]")
        seeds = ("0",)
    found = SamplingPlan(
        method=method,
        count=table.whole("count", 1, MAX_CELLS, 1),
        seed=table.whole("seed", 0, 2**32 - 1, 0),
        seeds=tuple(map(int, seeds)),
        repeats=table.whole("repeats", 1, 1000, 1),
        population=table.whole("population", 2, 10_000, 0),
        stop_at_failure=table.flag("stop_at_failure", usual=True),
    )
    table.end()
    return found


def _stack(table: PlanTable, base: Path) -> StackPlan:
    found = StackPlan(
        driver=table.text("driver", "driver", DRIVERS),
        function=table.text("function"),
        command=table.text("command"),
        container=table.text("container"),
        stop=table.text("stop"),
        interface=table.text("interface", "udp", INTERFACES),
        lockstep=table.flag("lockstep", usual=True),
    )
    for name in ("command", "container", "stop"):
        try:
            words_of(getattr(found, name))
        except InputError as error:
            table.refuse(name, error.problem, error.cure)
    if sum(map(bool, (found.function, found.command, found.container))) > 1:
        table.refuse("", "names several stacks", "give one of function, command and container")
    if found.function:
        from dorosim.app.sweep.function_stack import function_of

        try:
            function_of(found.function, base)
        except InputError as error:
            table.refuse("function", error.problem, error.cure)
    table.end()
    return found


def _criteria(table: PlanTable) -> CriteriaOptions:
    """The criteria: those of `scenario run`, with the same names."""
    given: dict[str, Any] = {}
    for one in fields(CriteriaOptions):
        if isinstance(one.default, bool):
            given[one.name] = table.flag(one.name)
        elif isinstance(one.default, str):
            given[one.name] = table.text(one.name)
        else:
            given[one.name] = table.number(one.name, -1e9, 1e9)
    table.end()
    for name, value in given.items():
        if value not in (None, False, "") and name != "arrive_within":
            try:
                CriteriaOptions(**{name: value}).criteria()
            except InputError as error:
                table.refuse(name, error.problem, error.cure)
    if given["arrive_within"] is not None and not given["arrive"]:
        table.refuse("arrive_within", "says when, and not where", 'add arrive = "X,Y"')
    return CriteriaOptions(**given)


def _limits(table: PlanTable) -> SweepLimits:
    usual = SweepLimits()
    found = SweepLimits(
        wall_s=table.number("wall_s", 0.1, 1e7, usual.wall_s) or usual.wall_s,
        retries=table.whole("retries", 0, 100, usual.retries),
        memory_mib=table.whole("memory_mib", 1, _MIB, usual.memory_mib),
        disk_mib=table.whole("disk_mib", 1, _MIB, usual.disk_mib),
        free_mib=table.whole("free_mib", 0, _MIB, usual.free_mib),
    )
    table.end()
    return found


def _keep(table: PlanTable) -> KeepPlan:
    usual = KeepPlan()
    found = KeepPlan(
        worst=table.whole("worst", 0, 10_000, usual.worst),
        video=table.flag("video", usual=usual.video),
        folders=table.flag("folders", usual=usual.folders),
    )
    table.end()
    return found


def _branch(table: PlanTable) -> BranchPlan:
    found = BranchPlan(at=table.number("at", 0.0, MAX_TIME_LIMIT, 0.0) or 0.0, parameters=table.texts("parameters"))
    if bool(found.at) != bool(found.parameters):
        table.refuse("", "has no moment or no parameters", 'give at = 3.0 and parameters = ["NAME"]')
    table.end()
    return found
