"""Cells of scenario files of MORAI SIM: actors at places on a map, and an ego vehicle that drives until time is over.

A parameter of such a file is a place in it, such as `egoVehicle.initPosition.pos.x`, or a setting of `[environment]` or
`[traffic]`, such as `environment.rain`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from dorosim.app.run.build import Build, build
from dorosim.app.run.initial_commands import open_world, script_of_stored
from dorosim.app.run.scenario_judged import JudgedRun
from dorosim.app.run.scenario_record import header_of_build
from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.app.setting.settings import Settings, TrafficSettings
from dorosim.app.store.scenario import find_scenario
from dorosim.app.sweep.cell import Cell, parameters_of
from dorosim.app.sweep.cell_result import CellFiles
from dorosim.app.sweep.function_stack import command_from_pedals, drive_with, driver_of
from dorosim.app.sweep.measure import CellMeasure
from dorosim.app.sweep.plan import SweepPlan
from dorosim.app.sweep.world_watch import WorldWatch
from dorosim.bridge.scenario import StoredScenario
from dorosim.ground.error import InputError, kind_of
from dorosim.ground.noise import Noise
from dorosim.recording.format import Header
from dorosim.recording.writer import RecordingWriter
from dorosim.scenario.criterion.actor_moment import ActorSight
from dorosim.world.command import Command
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from dorosim.world.vehicle.command import SelectMode, SetCruise
from dorosim.world.vehicle.mode import ControlMode, Gear

SETTING_TABLES: Mapping[str, Any] = {"environment": EnvironmentSettings, "traffic": TrafficSettings}
"""Tables of settings that parameters may name, by the first word of their names."""


def run_morai_cell(
    plan: SweepPlan, cell: Cell, data: Path, function: Any, files: CellFiles
) -> tuple[JudgedRun, CellMeasure]:
    """Run a cell.

    Args:
        plan: of the sweep.
        cell: which.
        data: the data folder.
        function: that drives, None for none.
        files: what is written of it; a trace is not.

    Raises:
        InputError: it cannot run.
        StackFaultError: the function breaks.
    """
    ready, opening, settings = _start(plan, cell, data)
    if function is None and plan.stack.driver == "driver":
        opening = (*opening, SelectMode(EGO, ControlMode.CRUISE, Gear.D), SetCruise(EGO, ratio=1.0))
    scene, noise = ready.scene, Noise(cell.seed)
    sight = ActorSight(scene, EGO)
    watch = WorldWatch(plan.criteria.criteria(), plan.measures, sight)
    drive = None if function is None else driver_of(function)
    recording = None if files.record is None else _recording(files.record, ready, settings)
    now = step(scene, ready.first, opening, noise, paused=True)
    began, over, commands = now.time, round(plan.time_limit * 1e9), opening
    try:
        while True:
            if recording is not None:
                recording(now, commands)
            time = now.time - began
            if watch.look(now, time) or time >= over:
                break
            commands = ()
            if drive is not None and now.row_of(EGO) >= 0:
                commands = (command_from_pedals(EGO, drive_with(drive, sight.moment(now, time))),)
            now = step(scene, now, commands, noise)
    finally:
        if recording is not None:
            recording.close()
    if recording is not None and recording.problem:
        raise InputError(str(files.record), "", f"the recording {recording.problem}", "record where there is room")
    return watch.result(f"drove for {plan.time_limit:g} s"), watch.measure


def _start(plan: SweepPlan, cell: Cell, data: Path) -> tuple[Build, tuple[Command, ...], Settings]:
    """The world of a cell before its first tick, with the commands of that one."""
    entry = plan.scenarios[cell.scenario]
    places, tables = dict[str, str](), {name: dict[str, Any]() for name in SETTING_TABLES}
    for name, value in parameters_of(plan, cell).items():
        first, dot, rest = name.partition(".")
        if dot and first in tables:
            tables[first][rest] = json_value(value)
        else:
            places[name] = value
    settings = Settings(
        map=plan.map_name or Settings().map,
        seed=cell.seed,
        tick_ms=plan.step * 1e3,
        environment=_settings(EnvironmentSettings, "environment", tables["environment"]),
        traffic=_settings(TrafficSettings, "traffic", tables["traffic"]),
    )
    stored = find_scenario(entry.file, data, Path(settings.map).name)
    if places:
        stored = replace(stored, content=_changed(stored, places))
    script = script_of_stored(stored, settings)
    ready = build(script.settings, data)
    return ready, open_world(script.settings, ready, data, script).commands, script.settings


def _settings(kind: Any, table: str, values: Mapping[str, Any]) -> Any:
    """A table of settings.

    Raises:
        InputError: a value is none that it can have.
    """
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise InputError("parameters", table, str(error), "see docs/reference/settings.md") from None


def _changed(stored: StoredScenario, places: Mapping[str, str]) -> bytes:
    """The content of a file with other values at some places.

    Raises:
        InputError: it is no JSON, or has no such place.
    """
    try:
        tree = json.loads(stored.content.decode("utf-8-sig"))
    except ValueError as error:
        raise InputError(stored.source, "", f"is no JSON: {error}", "give a scenario of MORAI SIM") from None
    for name, value in places.items():
        put_at(stored.source, tree, name, json_value(value))
    return json.dumps(tree).encode()


def put_at(source: str, tree: Any, name: str, value: object) -> None:
    """Change a value of a JSON tree.

    Args:
        source: the file, for messages.
        tree: of dictionaries and lists.
        name: of the place: keys and numbers of list items, with dots between them.
        value: the new one.

    Raises:
        InputError: there is no such place, or no plain value there.
    """
    *way, last = name.split(".")
    inner = tree
    for at, key in enumerate((*way, last)):
        known = list(inner) if isinstance(inner, dict) else [str(row) for row in range(len(inner))]
        if key not in known:
            near = get_close_matches(key, known, n=1)
            cure = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known[:10]) or 'none'}"
            raise InputError(source, ".".join((*way, last)[: at + 1]), "is not there", cure)
        row: Any = key if isinstance(inner, dict) else int(key)
        if at < len(way):
            inner = inner[row]
            if not isinstance(inner, dict | list):
                raise InputError(source, ".".join(way[: at + 1]), f"is {kind_of(inner)}", "name a place in it")
        elif isinstance(inner[row], dict | list):
            raise InputError(source, name, f"is {kind_of(inner[row])}", "name a value in it")
        else:
            inner[row] = value


def json_value(text: str) -> Any:
    """A value of a parameter: a number or truth value where it is one, else a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _recording(path: Path, ready: Build, settings: Settings) -> RecordingWriter:
    """A recording that has begun."""
    writer = RecordingWriter(path)
    header = header_of_build(ready, settings.map, settings.seed)
    writer.begin(Header(**msgspec.structs.asdict(header)), ready.first)
    return writer
