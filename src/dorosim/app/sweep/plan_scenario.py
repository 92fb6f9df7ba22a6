"""Reads the scenarios of a plan, of all kinds, and holds the rest of the plan against their kinds."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.setting.settings import Settings
from dorosim.app.store.folder import data_folder
from dorosim.app.store.openscenario import find_openscenario, is_openscenario
from dorosim.app.store.scenario import find_scenario
from dorosim.app.sweep.gym_name import gymnasium_knows
from dorosim.app.sweep.plan import GYM, GYM_PREFIX, MORAI, OPENSCENARIO, RewardPlan, ScenarioEntry, SweepPlan
from dorosim.app.sweep.plan_table import PlanTable
from dorosim.ground.error import InputError
from dorosim.scenario.morai.file import read_scenario

_GREATEST = 1e12
_DRIVERS = {GYM: ("driver",), MORAI: ("driver", "default")}
"""Built-in drivers by kind of scenario."""


def scenarios_from_table(
    table: PlanTable, base: Path, data: str | None, allow: tuple[Path, ...]
) -> tuple[ScenarioEntry, ...]:
    """The scenarios of a plan, each of which is there.

    Args:
        table: the plan.
        base: folder of the files that it names.
        data: the data folder, None for the usual one.
        allow: folders in which files may be opened.
    """
    found: list[ScenarioEntry] = []
    rows = table.tables("scenario")
    if not rows:
        table.refuse("scenario", "is missing", 'add [[scenario]] with file = "FILE.xosc"')
    for row in rows:
        given = _given(row)
        file = str(base / given) if given and (base / given).is_file() else given
        kind = _kind(row, file, data, allow) if given else OPENSCENARIO
        parameters = row.table("parameters").values()
        name = row.text("name", given.rpartition("/")[2] if kind == GYM else Path(given).stem)
        if any(one.name == name for one in found):
            row.refuse("name", f"{name!r} is that of another scenario", "give each a name of its own")
        row.end()
        found.append(ScenarioEntry(name=name, file=file, parameters=parameters, kind=kind))
    return tuple(found)


def _given(row: PlanTable) -> str:
    """What a scenario names: a file, or "gym:ID"."""
    gym = row.text("gym")
    file = row.text("file", needed=not gym)
    if gym and file:
        row.refuse("gym", "is given beside a file", "give one of them")
    return f"{GYM_PREFIX}{gym.removeprefix(GYM_PREFIX)}" if gym else file


def _kind(row: PlanTable, file: str, data: str | None, allow: tuple[Path, ...]) -> str:
    """What a scenario is; what is wrong with it is noted."""
    if file.startswith(GYM_PREFIX):
        try:
            gymnasium_knows(file.removeprefix(GYM_PREFIX))
        except InputError as error:
            row.refuse("gym", f"{error.source!r}: {error.problem}", error.cure)
        return GYM
    try:
        folder = data_folder(data)
        if is_openscenario(file, folder):
            find_openscenario(file, folder, allow)
            return OPENSCENARIO
        stored = find_scenario(file, folder, Settings().map)
        read_scenario(stored.source, stored.content)
    except InputError as error:
        row.refuse("file", f"{file!r}: {error.problem}", error.cure)
        return OPENSCENARIO
    return MORAI


def reward_from_table(table: PlanTable) -> RewardPlan:
    """What episodes of environments have to come to."""
    terms = table.table("min_terms")
    least = {name: terms.number(name, -_GREATEST, _GREATEST) for name in list(terms.keys())}
    terms.end()
    found = RewardPlan(
        min_return=table.number("min_return", -_GREATEST, _GREATEST),
        min_terms={name: value for name, value in least.items() if value is not None},
        success=table.flag("success"),
    )
    table.end()
    return found


def check_kinds(plan: SweepPlan, table: PlanTable) -> None:
    """Hold a plan against the kinds of its scenarios.

    Args:
        plan: whose tables are right for themselves.
        table: takes what is wrong.
    """
    kinds = {one.kind for one in plan.scenarios}
    others = sorted(kinds - {OPENSCENARIO})
    if plan.reward != RewardPlan() and GYM not in kinds:
        table.refuse("reward", "is for environments of Gymnasium, and the plan has none", "use [criteria]")
    if not others:
        return
    said = " and ".join({GYM: "environments of Gymnasium", MORAI: "scenarios of MORAI SIM"}[one] for one in others)
    stack, refuse = plan.stack, table.refuse
    if stack.program:
        refuse("stack", f"is a program, and {said} are driven in the process", "give a function, or driver")
    elif not stack.function and any(stack.driver not in _DRIVERS[one] for one in others):
        known = [one for one in _DRIVERS[others[0]] if all(one in _DRIVERS[kind] for kind in others)]
        refuse("stack.driver", f"{stack.driver!r} does not drive {said}", f"use {', '.join(known)}, or a function")
    if stack.function and len(kinds) > 1:
        cure = "make a plan for each kind of scenario"
        refuse("stack.function", "cannot drive scenarios of several kinds: what it sees differs", cure)
    if plan.branch.at:
        refuse("branch", f"is for .xosc files, and {said} have no parameters that begin later", "take it out")
    if plan.sampling.method == "file":
        refuse("sampling.method", f"file is for .xosc files, and not for {said}", "use another method")
    if plan.criteria.no_lane_left:
        refuse("criteria.no_lane_left", f"needs roads of OpenSCENARIO, which {said} have not", "take it out")
    if MORAI in kinds and plan.ego_name:
        refuse("ego_name", "is for .xosc files; the ego vehicle of a scenario of MORAI SIM is its own", "take it out")
