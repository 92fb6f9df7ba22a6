"""The states of all actors as a few columns of packed numbers (dorosim/bulk.proto): for readers of many actors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from google.protobuf.message import Message
from numpy.typing import NDArray

from dorosim.bridge.actor import names_of, published_ghost_numbers
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.sensor.actor import ACCELERATION, POSITION, ROTATION, SIZE, VELOCITY, YAW_RATE, actor_rows
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.collision.body import ACTOR_KINDS, BodyKind
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.mode import Gear
from dorosim.world.vehicle.reported_gear import reported_gears
from dorosim.world.vehicle.state import VehicleState

F64, I32 = 1, 4
"""DataType of bulk.proto."""
_PACKED: dict[int, np.dtype[Any]] = {F64: np.dtype("<f8"), I32: np.dtype("<i4")}
KINDS: dict[str, tuple[BodyKind, ...]] = {
    "vehicle": (BodyKind.EGO, BodyKind.NPC, BodyKind.GHOST),
    "pedestrian": (BodyKind.PEDESTRIAN,),
    "obstacle": (BodyKind.OBSTACLE,),
}
"""What each kind that can be asked for holds."""
KIND_NAMES = {
    BodyKind.EGO: "ego",
    BodyKind.NPC: "npc",
    BodyKind.GHOST: "ghost",
    BodyKind.PEDESTRIAN: "pedestrian",
    BodyKind.OBSTACLE: "obstacle",
}
"""Texts of the column "kind"."""
_ORDER = tuple(KIND_NAMES)
_KIND_ROW = np.array([_ORDER.index(kind) for kind in sorted(ACTOR_KINDS)], np.int32)
_GEARS = tuple(gear.name for gear in Gear)
Texts = tuple[str, ...]


class ActorColumns:
    """The actors of a snapshot; what is wanted of them is worked out when it is first asked for.

    Attributes:
        now: the snapshot. rows: how many they are. id: `(N,)`. kind: `(N,)` `BodyKind`.
    """

    def __init__(self, scene: Scene, now: Snapshot, kinds: Sequence[BodyKind] = ()) -> None:
        self.now, self._scene = now, scene
        self._floats, self._ints = actor_rows(scene, now)
        if kinds:
            rows = np.flatnonzero(np.isin(self._ints[1], kinds))
            self._floats, self._ints = self._floats[:, rows], self._ints[:, rows]
        self.id, self.kind = self._ints[0], self._ints[1]
        self.rows = len(self.id)

    def vectors(self, rows: slice) -> NDArray[np.float64]:
        """`(N, 3)` rows of `ActorRows.floats`, such as `POSITION`."""
        return self._floats[rows].T

    def number(self, row: int) -> NDArray[np.float64]:
        """`(N,)` a row of `ActorRows.floats`."""
        found: NDArray[np.float64] = self._floats[row]
        return found

    def rotation(self) -> NDArray[np.float64]:
        """`(N, 3)` roll, pitch, yaw, each -pi to pi [rad]."""
        angles = self._floats[ROTATION]
        wrapped = angles - math.tau * np.rint(angles * (1.0 / math.tau))
        return np.asarray(wrapped).T

    def in_map(self, rows: slice) -> NDArray[np.float64]:
        """`(N, 3)` vectors of the body frame, such as `VELOCITY`, in the map's axes."""
        x, y, z = self._floats[rows]
        found = np.empty((3, self.rows))
        for axis, (a, b, c) in enumerate(self._turn):
            found[axis] = a * x + b * y + c * z
        return found.T

    @cached_property
    def _turn(self) -> tuple[tuple[NDArray[np.float64], ...], ...]:
        """map_from_body, row by row, `(N,)` each: yaw, pitch, roll about z, y, x (REP-103)."""
        angles = self._floats[ROTATION]
        (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
        return (
            (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
            (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
            (-sp, cp * sr, cp * cr),
        )

    def of_ego(self, column: Callable[[VehicleState], NDArray[Any]], other: float) -> NDArray[Any]:
        """Returns `(rows,)` a column of the vehicles with full dynamics, which come first; `other` for all others."""
        found = np.full(self.rows, other)
        if self.rows and self.kind[0] == BodyKind.EGO:
            found[: self.now.vehicle.rows] = column(self.now.vehicle)
        return found

    def models(self) -> tuple[NDArray[Any], Texts]:
        """`(rows,)` places of the names of their models in some texts, and these: of the models that are there."""
        groups = (self._scene.models, PEDESTRIAN_MODELS, OBSTACLE_MODELS)
        first = (0, len(groups[0]), len(groups[0]) + len(groups[1]))
        key = np.array([first[_GROUP[kind]] for kind in sorted(ACTOR_KINDS)])[self.kind] + self._ints[2]
        used = np.flatnonzero(np.bincount(key))
        index = np.zeros(int(used[-1]) + 1 if len(used) else 0, np.int32)
        index[used] = np.arange(len(used))
        names = [model.name for group in groups for model in group]
        return index[key], tuple(names[one] for one in used.tolist())

    def names(self) -> tuple[NDArray[Any], Texts]:
        """`(rows,)` places of their names in both APIs in some texts, -1 where that is the id; and these texts."""
        names = names_of(self.now)
        known = {EGO, *self.now.label.all(), *(actor for actor, _ in published_ghost_numbers(self.now.ghost))}
        texts: list[str] = []
        index = np.full(self.rows, -1)
        for row in np.flatnonzero(np.isin(self.id, list(known))).tolist():
            index[row] = len(texts)
            texts.append(names.text_of(int(self.id[row])))
        return index, tuple(texts)


_GROUP = {**dict.fromkeys(KINDS["vehicle"], 0), BodyKind.PEDESTRIAN: 1, BodyKind.OBSTACLE: 2}
"""Whose models an actor of a kind has: vehicles', pedestrians', obstacles'."""


@dataclass(frozen=True, slots=True)
class BulkColumn:
    """A property that can be asked for.

    Attributes:
        unit: SI. type: F64 or I32. width: numbers an actor. doc: meaning, with the frame.
        values: the numbers, and the texts that they mean.
    """

    unit: str
    type: int
    width: int
    doc: str
    values: Callable[[ActorColumns], tuple[NDArray[Any], Texts]]


def _number(
    unit: str,
    doc: str,
    read: Callable[[ActorColumns], NDArray[Any]],
    width: int = 1,
    type: int = F64,  # noqa: A002
) -> BulkColumn:
    return BulkColumn(unit, type, width, doc, lambda actors: (read(actors), ()))


def _text(doc: str, values: Callable[[ActorColumns], tuple[NDArray[Any], Texts]]) -> BulkColumn:
    return BulkColumn("", I32, 1, f"text: {doc}", values)


def _control(name: str) -> Callable[[ActorColumns], NDArray[Any]]:
    return lambda actors: actors.of_ego(lambda vehicle: getattr(vehicle, name), np.nan)


_ORIGIN = "origin in the map: of vehicles the centre of the rear axle on the ground"
_ROTATION = "roll (left side up), pitch (nose down), yaw (counter-clockwise from east)"
_KIND = "ego (a vehicle with full dynamics), npc, ghost, pedestrian or obstacle"
_ACCELERATION = "of the origin in the map, without gravity"
_NAME = "by which both gRPC APIs know it; none where that is its id in decimal"
BULK_COLUMNS: dict[str, BulkColumn] = {
    "id": _number("", "actor id", lambda actors: actors.id, type=I32),
    "kind": _text(_KIND, lambda actors: (_KIND_ROW[actors.kind], tuple(KIND_NAMES.values()))),
    "model": _text("name of the model", ActorColumns.models),
    "position": _number("m", _ORIGIN, lambda actors: actors.vectors(POSITION), 3),
    "rotation": _number("rad", _ROTATION, ActorColumns.rotation, 3),
    "velocity": _number("m/s", "of the origin in the map", lambda actors: actors.in_map(VELOCITY), 3),
    "acceleration": _number("m/s2", _ACCELERATION, lambda actors: actors.in_map(ACCELERATION), 3),
    "yaw_rate": _number("rad/s", "counter-clockwise", lambda actors: actors.number(YAW_RATE)),
    "size": _number("m", "length, width, height", lambda actors: actors.vectors(SIZE), 3),
    "steer": _number("rad", "front wheel angle, left positive; NaN of what is no ego", _control("steer")),
    "accelerator": _number("", "as applied, 0 to 1; NaN of what is no ego", _control("accelerator")),
    "brake": _number("", "as applied, 0 to 1; NaN of what is no ego", _control("brake")),
    "gear": _text("M P R N D L; none of what is no ego", lambda actors: (actors.of_ego(reported_gears, -1), _GEARS)),
    "name": _text(_NAME, ActorColumns.names),
}
"""All columns, in the order in which they come if none are picked."""


class Wanted(NamedTuple):
    """A request that has been checked.

    Attributes:
        columns: names. kinds: which actors; empty for all. period: between frames [ns]; 0: every tick.
    """

    columns: Texts
    kinds: tuple[BodyKind, ...]
    period: int


MIN_FRAME_RATE, MAX_FRAME_RATE = 1e-3, 1e4
"""Bounds of the rate of frames [Hz]."""


def wanted_from_request(request: Any) -> Wanted:
    """What a StatesRequest asks for.

    Raises:
        InputError: a column or kind that is unknown or named twice, or a rate that is none.
    """
    columns = tuple(request.columns) or tuple(BULK_COLUMNS)
    _check("columns", columns, BULK_COLUMNS)
    _check("kinds", tuple(request.kinds), KINDS)
    rate = request.rate_hz
    if rate and not MIN_FRAME_RATE <= rate <= MAX_FRAME_RATE:
        cure = f"give {MIN_FRAME_RATE:g} to {MAX_FRAME_RATE:g} frames per second, or 0 for all"
        raise InputError("StatesRequest", "rate_hz", f"{rate:g} is not a valid rate", cure)
    kinds = tuple(chain.from_iterable(KINDS[kind] for kind in request.kinds))
    return Wanted(columns, kinds, round(1e9 / rate) if rate else 0)


def _check(place: str, given: Texts, known: dict[str, Any]) -> None:
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            cure = f"do you mean {near[0]!r}?" if near else f"use {', '.join(known)}"
            raise InputError("StatesRequest", place, f"there is no {name!r}", cure)
    if len(set(given)) != len(given):
        raise InputError("StatesRequest", place, "a name stands there twice", "name each once")


def frame_from_snapshot(wanted: Wanted, scene: Scene, now: Snapshot) -> Message:
    """The frame of a snapshot."""
    actors = ActorColumns(scene, now, wanted.kinds)
    frame: Any = message_class("dorosim.StatesFrame")(time_ns=now.time, tick=now.tick, rows=actors.rows)
    for name in wanted.columns:
        column = BULK_COLUMNS[name]
        values, texts = column.values(actors)
        packed = values.astype(_PACKED[column.type], copy=False).tobytes()
        frame.columns.add(
            name=name, unit=column.unit, type=column.type, width=column.width, values=packed, dictionary=texts
        )
    return frame


def _get_states(request: Any, situation: Situation) -> Message:
    return frame_from_snapshot(wanted_from_request(request), situation.scene, situation.now)


BULK: dict[str, Procedure] = {"GetStates": _get_states}
"""Procedures of the service, by name; the stream is the endpoint's."""
