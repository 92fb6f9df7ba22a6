"""Whether a Snapshot from outside can be a state of a run on a map.

Kernels trust their tables: an index is a place in another table, a code is one that exists. A snapshot file whose bytes
are whole may still be one that no run has written. What is checked here is what a step relies on to end and to stay
within its arrays; it is not checked that the state makes sense.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import IntEnum
from operator import attrgetter
from typing import Any

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.error import InputError
from dorosim.ground.packed_text import parts_texts
from dorosim.ground.state_tree import Leaf
from dorosim.ground.unit import METRE
from dorosim.road.adjacency import FlagArray
from dorosim.world.actor.alias import AliasKind
from dorosim.world.actor.label import check_label
from dorosim.world.actor.number import HELD, LAST_NUMBER
from dorosim.world.collision.body import BodyKind
from dorosim.world.command import CommandError
from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS
from dorosim.world.environment.weather import Season, WeatherKind
from dorosim.world.fault.code import FaultLocation, FaultSubclass, FaultTarget
from dorosim.world.fault.command import WHEELS
from dorosim.world.mount.command import LAST_SENSOR, MAX_SENSOR_PERIOD, MAX_SENSOR_PHASE, MIN_SENSOR_PERIOD
from dorosim.world.mount.setting import SensorKind, settings_from_text
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import Stage
from dorosim.world.scene import Scene
from dorosim.world.signal.permission import Permission
from dorosim.world.signal.state import WalkSignal
from dorosim.world.snapshot import EGO, LAST_ID, STATE, Snapshot
from dorosim.world.spawn.mode import BiasRule, CharacterMode, SpeedRange, SpeedRule
from dorosim.world.spawn.point import checked_point
from dorosim.world.spawn.table import pedestrian_points, vehicle_points
from dorosim.world.storyboard.state import ElementState, Transition
from dorosim.world.storyboard.state_range import CONTROL_RANGES
from dorosim.world.traffic.lane_return import WORDS
from dorosim.world.traffic.state import MANOEUVRE_PARTS, Passing, Presence, SpeedMode, Waiting
from dorosim.world.vehicle.driver import TRAJECTORY_POINTS
from dorosim.world.vehicle.mode import ControlKind, ControlMode, DynamicsKind, Gear, SteerType, TireLaw, TurnLamp
from dorosim.world.vehicle.state import AXLES

MAX_STATE_COORDINATE = 1e7
"""No place is farther from the map's origin than this [m], and no number of an NPC vehicle is greater."""
FINITE = ("vehicle", "parameter", "traffic", "mounts.table", "shade", "goal.table")
"""Tables whose numbers are all finite; others may hold infinity for "never" and "nowhere"."""
WAYPOINT_NUMBERS = 5
"""Numbers of a point on a route of people and obstacles."""
_MAX_STATE_TIME = 1 << 60
"""No number of ticks and no time [ns] is greater: 36 years."""

CODES: Mapping[str, type[IntEnum]] = {
    "vehicle.gear": Gear,
    "vehicle.control_kind": ControlKind,
    "vehicle.turn_lamp": TurnLamp,
    "parameter.dynamics": DynamicsKind,
    "parameter.tire_law": TireLaw,
    "traffic.passing": Passing,
    "traffic.present": Presence,
    "traffic.speed_mode": SpeedMode,
    "traffic.waiting": Waiting,
    "people.state.stage": Stage,
    "crosswalk.walk": WalkSignal,
    "spawn.vehicle.speed_rule": SpeedRule,
    "spawn.vehicle.desired_rule": SpeedRule,
    "spawn.vehicle.desired_range": SpeedRange,
    "spawn.vehicle.bias_rule": BiasRule,
    "spawn.pedestrian.mode": CharacterMode,
    "signal.light.walk": WalkSignal,
    "signal.link.entry": Permission,
    "signal.link.stop_line": Permission,
    "environment.weather": WeatherKind,
    "environment.season": Season,
    "fault.target": FaultTarget,
    "fault.subclass": FaultSubclass,
    "mounts.table.kind": SensorKind,
    "contact.first_kind": BodyKind,
    "contact.second_kind": BodyKind,
    "alias.kind": AliasKind,
    "storyboard.element.state": ElementState,
    "storyboard.element.transition": Transition,
    "storyboard.action.state": ElementState,
}
"""Columns that hold a code."""

RANGES: Mapping[str, tuple[int, Callable[[Scene, Snapshot], int]]] = {
    "vehicle.model": (0, lambda scene, _: len(scene.models)),
    "vehicle.control_mode": (min(ControlMode) + 1, lambda _, __: max(ControlMode) + 1),
    "vehicle.steer_type": (0, lambda _, __: max(SteerType) + 1),
    "parameter.axle_count": (0, lambda _, __: AXLES + 1),
    "trajectory.counts": (0, lambda _, __: TRAJECTORY_POINTS + 1),
    "traffic.model": (0, lambda scene, _: len(scene.models)),
    "traffic.link": (0, lambda scene, _: scene.network.link_count),
    "traffic.previous": (-1, lambda scene, _: scene.network.link_count),
    "traffic.before_previous": (-1, lambda scene, _: scene.network.link_count),
    "traffic.change_from": (-1, lambda scene, _: scene.network.link_count),
    "traffic.way_back_word": (0, lambda _, __: len(WORDS)),
    "traffic.manoeuvre_turns": (0, lambda _, __: 3**MANOEUVRE_PARTS),
    "traffic.route": (-1, lambda _, now: len(now.route)),
    "traffic.cursor": (-1, lambda _, now: len(now.route.link)),
    "goal.table.link": (0, lambda scene, _: scene.network.link_count),
    "goal.way.link": (0, lambda scene, _: scene.network.link_count),
    "route.link": (0, lambda scene, _: scene.network.link_count),
    "ghost.model": (0, lambda scene, _: len(scene.models)),
    "people.state.model": (0, lambda _, __: len(PEDESTRIAN_MODELS)),
    "people.state.mode": (0, lambda _, __: max(CharacterMode) + 1),
    "people.state.direction": (-1, lambda _, __: 2),
    "people.state.crosswalk": (-1, lambda scene, _: len(scene.network.crosswalks)),
    "obstacles.state.model": (0, lambda _, __: len(OBSTACLE_MODELS)),
    "spawn.vehicle.model": (-1, lambda scene, _: len(scene.models)),
    "spawn.vehicle.start_link": (-1, lambda scene, _: scene.network.link_count),
    "spawn.vehicle.end_link": (-1, lambda scene, _: scene.network.link_count),
    "spawn.pedestrian.model": (-1, lambda _, __: len(PEDESTRIAN_MODELS)),
    "displaced.object": (0, lambda scene, _: scene.scenery.objects.rows),
    "friction.objects.model": (0, lambda _, __: len(MAP_OBJECT_MODELS)),
    "storyboard.change.condition": (0, lambda _, now: now.storyboard.condition.rows),
    "storyboard.route.entity": (0, lambda _, now: now.storyboard.entity.rows),
    "storyboard.variable.text": (-1, lambda _, now: len(now.storyboard.text_first) - 1),
    "storyboard.signal.state": (-1, lambda _, now: len(now.storyboard.text_first) - 1),
    **CONTROL_RANGES,
}
"""Columns and arrays of whole numbers that are places in something else: the lowest, and the first one beyond."""


def flaw_of(scene: Scene, first: Snapshot, now: Snapshot) -> str:
    """Why no run on a map can be in a state, or an empty string.

    Args:
        scene: the map and the models.
        first: a snapshot of tick 0 on the map, whatever its vehicles.
        now: the state; its tables agree in themselves, as `STATE.build` makes them.
    """
    return next((flaw for check in _CHECKS for flaw in check(scene, first, now)), "")


Flaws = Iterator[str]


def _shapes(_: Scene, first: Snapshot, now: Snapshot) -> Flaws:
    """Arrays have as many axes as ever; tables of the map have as many rows as the map has such things."""
    before, leaves = STATE.leaves(first), STATE.leaves(now)
    for path, leaf in STATE.leaf.items():
        shape, expected = leaves[path].shape, before[path].shape
        if len(shape) != len(expected):
            yield f"{path} has {len(shape)} axes, not {len(expected)}"
        of_map = leaf.table and not STATE.tables[leaf.table].key and leaf.table not in STATE.rows
        if of_map and expected[-1] and shape != expected:
            yield f"{path} has {shape[-1]} rows, and the map {expected[-1]}"


def _vehicles(scene: Scene, _: Snapshot, now: Snapshot) -> Flaws:
    rows = len(now.vehicle)
    if not rows == len(now.parameter) == len(now.egos) or now.vehicle.id.tolist() != list(now.egos):
        yield "vehicles, parameters and ids of ego vehicles do not agree"
    if now.egos[:1] != (EGO,):
        yield f"there is no ego vehicle {EGO}"
    if now.trajectory.points.shape != (rows, TRAJECTORY_POINTS, 4) or len(now.trajectory.counts) != rows:
        yield "there is not one trajectory for each ego vehicle"
    strange = set(now.traffic.id[now.traffic.plan_of_ego != 0].tolist()) - set(now.egos)
    if strange:
        yield f"traffic holds the plan of ego vehicle {min(strange)}, which is not there"
    if len(now.crosswalk) not in {0, len(scene.network.crosswalks)}:
        yield f"crosswalk has {len(now.crosswalk)} rows, and the map {len(scene.network.crosswalks)}"


def _ids(scene: Scene, _: Snapshot, now: Snapshot) -> Flaws:
    for path, table in STATE.tables.items():
        if table.key == ("id",):
            ids = attrgetter(f"{path}.id")(now)
            if len(ids) and not (ids[0] > 0 and ids[-1] <= now.last_id and (np.diff(ids) > 0).all()):
                yield f"{path}.id: ids are not in ascending order up to {now.last_id}"
    if not 0 <= now.last_id <= LAST_ID or not 0 <= now.time <= now.tick * scene.tick < _MAX_STATE_TIME:
        yield f"tick {now.tick}, time {now.time} ns and last id {now.last_id} do not agree"


def _lists(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    """Routes, which lie end to end in one array."""
    people, obstacles = now.people, now.obstacles
    for name, first, count, rows in (
        ("route", now.route.first, len(now.route.link), len(now.route.again)),
        ("goal.way", now.goal.way.first, len(now.goal.way.link), len(now.goal)),
        ("people.route", people.route.first, len(people.route.point), len(people.state)),
        ("obstacles.route", obstacles.route.first, len(obstacles.route.point), len(obstacles.state)),
    ):
        if len(first) != rows + 1 or first[0] != 0 or first[-1] != count or (np.diff(first) < 0).any():
            yield f"{name}.first does not part {count} places into {rows} lists"
    for name, route in (("people", people.route), ("obstacles", obstacles.route)):
        if route.point.shape[1] != WAYPOINT_NUMBERS:
            yield f"{name}.route.point has {route.point.shape[1]} numbers a point, not {WAYPOINT_NUMBERS}"


def _programmes(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    """Programmes of lights, which are padded to the longest."""
    programme, rows = now.signal.programme, len(now.signal)
    states, groups = programme.lamps.shape[1:]
    shapes = {
        "count": (rows,),
        "duration": (rows, states),
        "yellow": (rows, states),
        "lamps": (rows, states, groups),
        "change": (rows, states, groups),
        "walk": (rows, states, groups, 3),
    }
    if any(getattr(programme, name).shape != shape for name, shape in shapes.items()):
        yield "signal.programme: arrays do not belong together"
    elif outside(programme.count, 0, states + 1).any() or not states * groups:
        yield "signal.programme.count: more states than there are"
    elif outside(now.signal.controller.state, 0, np.maximum(programme.count, 1)).any():
        yield "signal.controller.state: a state that is not in the programme"


def _codes(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    for path, code in CODES.items():
        values = attrgetter(path)(now)
        wrong = values[~np.isin(values, [int(one) for one in code])]
        if len(wrong):
            yield f"{path}: there is no {code.__name__} {wrong[0]}"


def _indices(scene: Scene, _: Snapshot, now: Snapshot) -> Flaws:
    for path, (low, end) in RANGES.items():
        values, beyond = attrgetter(path)(now), end(scene, now)
        wrong = values[outside(values, low, beyond)]
        if len(wrong):
            yield f"{path}: {wrong[0]} is not within {low} to {beyond - 1}"


def _places(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    """Places on routes lie on the route of their actor."""
    for name, table, least in (("people", now.people, 1), ("obstacles", now.obstacles, 0)):
        if outside(table.state.waypoint, 0, np.diff(table.route.first) + 1 - least).any():
            yield f"{name}.state.waypoint: a point that is not on the route"
    first, end = now.route.first[:-1], now.route.first[1:]
    if outside(now.route.again, first, np.maximum(end, first + 1)).any():
        yield "route.again: a place that is not on the route"
    rows = now.traffic.cursor >= 0
    route, cursor = now.traffic.route[rows], now.traffic.cursor[rows]
    if (route < 0).any() or outside(cursor, first[route], end[route]).any():
        yield "traffic.cursor: a place that is not on the vehicle's route"


def _numbers(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    for path, values in STATE.leaves(now).items():
        leaf = STATE.leaf[path]
        if leaf.dtype.kind == "f" and leaf.table in FINITE and not np.isfinite(values).all():
            yield f"{path} holds what is no finite number"
        if _is_place(leaf) and not (np.abs(values) <= MAX_STATE_COORDINATE).all():
            yield f"{path}: farther than {MAX_STATE_COORDINATE:g}"


def _faults(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    """Faults are at places that their targets have."""
    target, place = now.fault.target, now.fault.place
    for name, kind, places in (
        ("control", FaultTarget.CONTROL, [int(one) for one in FaultLocation]),
        ("tyre", FaultTarget.TIRE, list(range(WHEELS))),
    ):
        wrong = place[(target == kind) & ~np.isin(place, places)]
        if len(wrong):
            yield f"fault.place: there is no {name} {wrong[0]}"


def _sensors(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    """Sensors have different numbers, and settings of their kind."""
    mounts, table = now.mounts, now.mounts.table
    if len(table) and not (table.id[0] > 0 and table.id[-1] <= LAST_SENSOR and (np.diff(table.id) > 0).all()):
        yield f"mounts.table.id: numbers are not in ascending order up to {LAST_SENSOR}"
    if not parts_texts(mounts.first, mounts.text, len(table)):
        yield f"mounts.first does not part {len(mounts.text)} letters into {len(table)} texts"
        return
    for name, low, end in (
        ("period", MIN_SENSOR_PERIOD, MAX_SENSOR_PERIOD + 1),
        ("phase", -MAX_SENSOR_PHASE, MAX_SENSOR_PHASE + 1),
        ("since", 0, now.time + 1),
        ("enabled", 0, 2),
        ("captured", 0, 2),
    ):
        values = getattr(table, name)
        wrong = values[outside(values, low, end)]
        if len(wrong):
            yield f"mounts.table.{name}: {wrong[0]} is not within {low} to {end - 1}"
    for row, kind in enumerate(table.kind.tolist()):
        try:
            settings = settings_from_text(mounts.settings_text(row))
        except InputError as error:
            yield f"mounts.text: {error}"
            continue
        if kind != settings.KIND:
            yield f"mounts.text: sensor {table.id[row]} has settings of kind {settings.KIND}, not {kind}"


def _storyboard(scene: Scene, _: Snapshot, now: Snapshot) -> Flaws:
    """It is a state of the scenario's storyboard, which began, and ended, before now; texts are texts."""
    board = now.storyboard
    if scene.storyboard is not None and not board.is_empty():
        if not (board.started <= now.time and board.ended <= now.time):
            yield "storyboard: it started or ended later than now"
        if flaw := scene.storyboard.flaw_of(board):
            yield f"storyboard: {flaw}"
    if board.control.rows != board.entity.rows:
        yield f"storyboard: {board.control.rows} rows of controls for {board.entity.rows} entities"
    if not parts_texts(board.text_first, board.text, len(board.text_first) - 1):
        yield f"storyboard.text_first does not part {len(board.text)} letters into texts"
    pairs = len(board.outside_first) - 1
    if pairs % 2 or not parts_texts(board.outside_first, board.outside, pairs):
        yield f"storyboard.outside_first does not part {len(board.outside)} letters into pairs of texts"


def _labels(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    """Names are texts."""
    label = now.label
    if not parts_texts(label.first, label.text, len(label)):
        yield f"label.first does not part {len(label.text)} letters into {len(label)} texts"
        return
    for name, owner in label.all().values():
        try:
            check_label(name, owner)
        except CommandError as error:
            yield f"label.text: {error}"


def _spawn_points(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    """Spawn points are as they are when they are made: periods in bounds, ranges in order."""
    spawn = now.spawn
    for table in (spawn.vehicle, spawn.pedestrian):
        if outside(table.enabled, 0, 2).any():
            yield "spawn: enabled is 0 or 1"
    try:
        points: list[Any] = [
            *vehicle_points(spawn.vehicle, now.time),
            *pedestrian_points(spawn.pedestrian, spawn.destination, now.time),
        ]
        kept = [checked_point(point, f"spawn point {point.id}") for point in points]
    except InputError as error:
        yield f"{error.source}: {error.place}: {error.problem}"
        return
    for point, right in zip(points, kept, strict=True):
        # a wait may be NaN, which equals nothing
        if replace(point, wait=0.0) != replace(right, wait=0.0):
            yield f"spawn point {point.id} is not in order"


def _wire_numbers(_: Scene, __: Snapshot, now: Snapshot) -> Flaws:
    """Each actor has its own number. No two ghosts have one reported alias, and none has the id of another actor."""
    table, ghost = now.number, now.ghost
    if outside(table.number, 1, LAST_NUMBER + 1).any() or len(np.unique(table.number)) != len(table):
        yield f"number.number: numbers are not 1 to {LAST_NUMBER}, each once"
    if (np.diff(table.actor) < 0).any() or outside(table.freed, HELD, now.time + 1).any():
        yield "number: actors are not in ascending order, or left the world later than now"
    held, there = table.actor[table.freed == HELD], _ids_of(now)
    if len(held) != len(there) or (held != there).any():
        yield "number.actor: not everybody who is there has a number, or somebody who is not has one"
        return
    told = ghost.alias[ghost.is_told != 0]
    others = np.isin(told, there) & (told != ghost.id[ghost.is_told != 0])
    if outside(ghost.is_told, 0, 2).any() or len(np.unique(told)) != len(told) or others.any():
        yield "ghost.is_told: a ghost is told of by a number that is somebody else's"


def _ids_of(now: Snapshot) -> IntArray:
    """`(N,)` ids of all that is there, ascending."""
    tables = (now.vehicle, now.traffic, now.ghost, now.people.state, now.obstacles.state, now.friction.objects)
    points = (now.spawn.vehicle, now.spawn.pedestrian)
    return np.unique(np.concatenate([table.id for table in (*tables, *points)]))


def outside(values: IntArray, low: IntArray | int, end: IntArray | int) -> FlagArray:
    """Which of some whole numbers `(N,)` are not at least `low` and below `end`."""
    found: FlagArray = (values < low) | (values >= end)
    return found


def _is_place(leaf: Leaf) -> bool:
    """Whether a leaf is a place on the map, or along the way of an NPC vehicle, which goes as far as it says."""
    on_map = leaf.unit is METRE and leaf.path.rpartition(".")[2] in {"x", "y", "z"}
    return on_map or (leaf.table == "traffic" and leaf.dtype == np.float64)


_CHECKS = (
    *(_shapes, _vehicles, _ids, _lists, _programmes),
    *(_codes, _indices, _places, _numbers, _faults, _sensors, _labels, _storyboard, _spawn_points, _wire_numbers),
)
"""In this order: each relies on what those before it have found right."""
