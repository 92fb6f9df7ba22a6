"""The words of a frame: what compiled ticks read of a scene and of what stays in its snapshots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray, read_only
from dorosim.ground.linked_kernel import describe
from dorosim.world.actor.body import PERSON_SIZES
from dorosim.world.block import BlockLayout
from dorosim.world.environment.driving_conditions import GOOD_CONDITIONS, driving_conditions
from dorosim.world.ordinary import link_kernel as link
from dorosim.world.ordinary.word import TickWord
from dorosim.world.scene import Scene
from dorosim.world.signal.state import SignalState
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.engine import Cast, QuietPlan
from dorosim.world.traffic.crew import crew_for
from dorosim.world.traffic.state import NO_CROSSING, NO_OBSTRUCTION
from dorosim.world.traffic.verge_kernel import NO_ROADSIDE

_NEVER_DUE = (1 << 63) - 1
_REAL = {TickWord.DT, TickWord.SUBSTEP, TickWord.ROAD, TickWord.WATER, TickWord.SNOW, TickWord.DECISION}
_FIRST_FREE = len(TickWord) + 1
_NOTHING = read_only(np.zeros(0, np.int64))
_TABLE_WORDS = {
    "vehicle": (TickWord.VEHICLES, TickWord.VEHICLE_FLOATS, TickWord.VEHICLE_INTS),
    "signal.controller": (TickWord.CONTROLLERS, TickWord.CONTROLLER_FLOATS, TickWord.CONTROLLER_INTS),
    "traffic": (TickWord.TRAFFIC, TickWord.TRAFFIC_FLOATS, TickWord.TRAFFIC_INTS),
    "people.state": (TickWord.PEOPLE, TickWord.PEOPLE_FLOATS, TickWord.PEOPLE_INTS),
    "crosswalk": (TickWord.CROSSWALKS_SEEN, TickWord.CROSSWALKS_SEEN_FLOATS, TickWord.CROSSWALKS_SEEN_INTS),
}
"""Rows of each table, and where its blocks are in a state's block."""

Arrays = dict[TickWord, tuple[Any, Any]]
"""Arrays, or tuples of them, each with its type."""


def read_arrays(scene: Scene, now: Snapshot) -> Arrays:
    """All arrays that compiled ticks read."""
    found: Arrays = {
        TickWord.PARAMETER_FLOATS: (link.FLOAT_ROWS, now.parameter.floats),
        TickWord.PARAMETER_INTS: (link.INT_ROWS, now.parameter.ints),
        TickWord.SURFACE: (link.SURFACE, scene.network.surface),
        TickWord.AREAS: (link.FLOAT_ROWS, now.friction.objects.floats),
        TickWord.POINTS: (link.FLOAT_PAGES, now.trajectory.points),
        TickWord.POINT_COUNTS: (link.INTS, now.trajectory.counts),
        TickWord.MODEL_SIZE: (link.FLOAT_ROWS, scene.body_sizes),
        TickWord.PERSON_SIZE: (link.FLOAT_ROWS, PERSON_SIZES),
        TickWord.GONE: (link.INTS, now.displaced.object if now.displaced.rows else _NOTHING),
        TickWord.ROUTE_FIRST: (link.INTS, now.route.first),
        TickWord.ROUTE_LINK: (link.INTS, now.route.link),
        TickWord.ENDS: (link.FLOATS, _soonest_ends(scene, now)),
    }
    if scene.terrain is not None:
        found[TickWord.TERRAIN] = (link.TERRAIN, scene.terrain.arrays)
    parts, grid = scene.scenery.parts, scene.scenery.grid
    if parts.rows:
        found[TickWord.PARTS], found[TickWord.PART_OWNERS] = (
            (link.FLOAT_ROWS, parts.floats),
            (link.INT_ROWS, parts.ints),
        )
        found[TickWord.CLEAR], found[TickWord.CORNER] = (link.SQUARES, grid.clear), (link.FLOATS, grid.corner)
        found[TickWord.GRID] = (link.GRID, grid)
        found[TickWord.OBJECTS] = (link.FLOAT_ROWS, scene.scenery.objects.floats)
    if now.traffic.rows:
        found |= _arrays_of_traffic(scene, now)
    if len(now.people):
        found |= _arrays_of_people(scene, now)
    return found


def _arrays_of_traffic(scene: Scene, now: Snapshot) -> Arrays:
    return {
        TickWord.ROADS: (link.ROADS, scene.traffic_plan.road),
        TickWord.ROUTES: (link.ROUTES, (now.route.first, now.route.link, now.route.again)),
        TickWord.OBSTRUCTION_FLOATS: (link.FLOAT_ROWS, NO_OBSTRUCTION.floats),
        TickWord.OBSTRUCTION_INTS: (link.INT_ROWS, NO_OBSTRUCTION.ints),
        TickWord.CROSSING_FLOATS: (link.FLOAT_ROWS, NO_CROSSING.floats),
        TickWord.CROSSING_INTS: (link.INT_ROWS, NO_CROSSING.ints),
        TickWord.ROADSIDE: (link.FLOAT_ROWS, NO_ROADSIDE),
        **permissions_of(now.signal),
        TickWord.LANES: (link.LANES, scene.traffic_plan.grid),
        TickWord.LIMITS: (link.FLOATS, scene.network.link_speed_limit),
    }


def permissions_of(signal: SignalState) -> Arrays:
    """What lights let traffic do on each link."""
    return {TickWord.PERMISSION: (link.INTS, np.ascontiguousarray(signal.link.entry))}


def _arrays_of_people(scene: Scene, now: Snapshot) -> Arrays:
    plan, route = scene.pedestrian_plan, now.people.route
    return {
        TickWord.WAY_FIRST: (link.INTS, route.first),
        TickWord.WAY_POINTS: (link.FLOAT_ROWS, route.point),
        TickWord.CROSSWALKS: (link.CROSSWALKS, plan.crosswalks),
        TickWord.LANES_OVER_FLOATS: (link.FLOAT_ROWS, plan.lanes.floats),
        TickWord.LANES_OVER_INTS: (link.INT_ROWS, plan.lanes.ints),
        TickWord.KERBS: (link.FLOATS, plan.kerb),
        TickWord.PERSON_RADIUS: (link.FLOATS, plan.radius),
        TickWord.PERSON_HEIGHT: (link.FLOATS, plan.height),
    }


def _soonest_ends(scene: Scene, now: Snapshot) -> FloatArray:
    """`(L,)` arc length on each link at which vehicles from spawn points leave at the soonest [m]."""
    ends, points = scene.network.link_length, now.spawn.vehicle
    if not len(points):
        return ends
    told = points.end_link >= 0
    soonest = ends.copy()
    np.minimum.at(soonest, points.end_link[told], points.end_s[told])
    return soonest


def goals_of(now: Snapshot) -> FloatArray:
    """`(4, N)` row of the vehicle, x, y and reach [m] of each goal that was not reached yet."""
    table = now.goal.table
    rows = [row for row in np.flatnonzero(table.passed == 0).tolist() if now.row_of(int(table.actor[row])) >= 0]
    vehicles = [float(now.row_of(int(table.actor[row]))) for row in rows]
    return np.array([vehicles, *(column[rows].tolist() for column in (table.x, table.y, table.reach))])


def numbers_of(scene: Scene, now: Snapshot, seed: int, layout: BlockLayout) -> dict[TickWord, float]:
    """Words that are numbers."""
    water, snow = float(now.environment.water_depth[0]), float(now.environment.snow_depth[0])
    slippery = now.friction.objects.rows or now.friction.road != 1.0 or water or snow
    actors = now.vehicle.rows + now.traffic.rows + len(now.people)
    found: dict[TickWord, float] = {
        TickWord.TICK: scene.tick,
        TickWord.SUBSTEPS: scene.substeps,
        TickWord.DT: scene.tick * 1e-9,
        TickWord.SUBSTEP: scene.tick / scene.substeps * 1e-9,
        TickWord.MEETS: int(len(now.egos) > 1 or actors > now.vehicle.rows),
        TickWord.SEED: seed,
        TickWord.DECISION_TICKS: scene.decision_ticks,
        TickWord.DECISION: scene.decision_ticks * (scene.tick * 1e-9),
        TickWord.GOOD_WEATHER: int(driving_conditions(now.environment) == GOOD_CONDITIONS),
        TickWord.LANES_OVER: len(scene.pedestrian_plan.lanes) if len(now.people) else 0,
        TickWord.NEXT_SPAWN: _next_spawn(now),
        TickWord.LEAVES: int(len(now.spawn) > 0),
        TickWord.PART_COUNT: scene.scenery.parts.rows,
        TickWord.SLIPPERY: int(bool(slippery)),
        TickWord.ROAD: now.friction.road,
        TickWord.WATER: water,
        TickWord.SNOW: snow,
        TickWord.CREW: crew_for(now.traffic.rows),
        TickWord.CONTACTS: layout.contacts,
        TickWord.CONTACT_ROOM: layout.room,
    }
    for path, (rows, floats, ints) in _TABLE_WORDS.items():
        place = layout.table[path]
        found[rows], found[floats], found[ints] = place.rows, place.floats, place.ints
    return found


def _next_spawn(now: Snapshot) -> int:
    """When the next spawn point is due [ns]."""
    times = [table.next_time[table.enabled != 0] for table in (now.spawn.vehicle, now.spawn.pedestrian)]
    return min((int(one.min()) for one in times if len(one)), default=_NEVER_DUE)


def story_words(plan: QuietPlan, line: int) -> dict[TickWord, float]:
    """Words of a storyboard; `line`: where its line begins in a block."""
    span = plan.span
    return {
        TickWord.STORY: plan.blocks.ctypes.data,
        TickWord.STORY_LINE: line,
        TickWord.STORY_LINE_WORDS: span.numbers,
        TickWord.STORY_STARTED: span.started,
        TickWord.STORY_UNTIL: plan.until,
        TickWord.STORY_ENTITIES: span.entities,
        TickWord.STORY_ENTITY_INTS: span.entity_ints,
        TickWord.STORY_DRIVEN: int(span.has_driven),
        TickWord.STORY_ORDERS: int(span.has_orders),
    }


def arrays_of_cast(cast: Cast) -> Arrays:
    """What bodies the entities of a storyboard have; nothing where all are vehicles."""
    if not cast.has_others:
        return {}
    return {
        TickWord.STORY_SHAPES: (link.INTS, cast.shapes),
        TickWord.STORY_OFFSETS: (link.FLOAT_ROWS, cast.offsets),
    }


def other_words(words: IntArray, described: Iterable[TickWord], numbers: Mapping[TickWord, float]) -> IntArray:
    """The same words with some other numbers, read-only.

    Args:
        words: of another frame.
        described: which of them are places of descriptions among the words.
        numbers: those that change.
    """
    made = words.copy()
    made[list(described)] += made.ctypes.data - words.ctypes.data
    for number, value in numbers.items():
        made[number] = value
    made.flags.writeable = False
    return made


def describe_anew(words: IntArray, word: TickWord, arrays: Arrays) -> None:
    """Let words, which are read-only for all others, describe another array of the same type."""
    place, described = (words[word] - words.ctypes.data) // 8, describe(*arrays[word])
    words.flags.writeable = True
    words[place : place + len(described)] = described
    words.flags.writeable = False


class _Description(NamedTuple):
    """An array, or a tuple of them, its type, and the words that describe it.

    While this is kept, so is the array, and no other one can have its address.
    """

    kind: Any
    value: Any
    words: list[int]


_last_descriptions: dict[TickWord, _Description] = {}
"""Of each word that of the last frame: most arrays are those of the scene, which all its frames have."""


def _described(word: TickWord, kind: Any, value: Any) -> list[int]:
    """The description of an array; that of the same array as last time is not made again."""
    last = _last_descriptions.get(word)
    if last is not None and last.value is value and last.kind is kind:
        return last.words
    made = _Description(kind, value, describe(kind, value))
    _last_descriptions[word] = made
    return made.words


def words_of(numbers: dict[TickWord, float], arrays: Arrays) -> IntArray:
    """The words, after them the descriptions of arrays; read-only."""
    described = [(word, _described(word, *one)) for word, one in arrays.items()]
    words = np.zeros(_FIRST_FREE + sum(len(one) for _, one in described), np.int64)
    for number, value in numbers.items():
        words[number] = np.float64(value).view(np.int64) if number in _REAL else value
    place = _FIRST_FREE
    for word, one in described:
        words[word] = words.ctypes.data + 8 * place
        words[place : place + len(one)] = one
        place += len(one)
    words.flags.writeable = False
    return words
