"""The states of all actors as numpy arrays, and of one actor as a record."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.client.drawing import MAX_SHOWN_ROWS, html_table
from dorosim.client.error import RefusedError
from dorosim.client.operation import Session, Steps, call, operation
from dorosim.client.quantity import EGO, Triple, triple, turned

_TYPES = {1: "<f8", 2: "<f4", 3: "<i8", 4: "<i4"}
"""numpy's names of the DataTypes of dorosim/bulk.proto."""
_KMH = 1.0 / 3.6


class States(Mapping[str, NDArray[Any]]):
    """All actors at one tick, as columns: `states["position"]` is `(rows, 3)`, `states["id"]` is `(rows,)`.

    Row i of every column is about the same actor. All numbers are SI: metres, seconds, radians, in the map's frame (x
    east, y north, z up). Columns of texts ("kind", "model", "gear", "name") are arrays of str, "" for none.

    Attributes:
        time: simulated time since tick 0 [s]. tick: number of the tick. rows: how many actors.
        units: of each column, "" where there is none.
    """

    __slots__ = ("_columns", "_texts", "rows", "tick", "time", "units")

    def __init__(self, frame: Any) -> None:
        self.time = frame.time_ns / 1e9
        self.tick = int(frame.tick)
        self.rows = int(frame.rows)
        self.units: dict[str, str] = {}
        self._columns: dict[str, NDArray[Any]] = {}
        self._texts: dict[str, tuple[str, ...]] = {}
        for column in frame.columns:
            values = np.frombuffer(column.values, _TYPES[column.type])
            name = column.name
            self.units[name] = column.unit
            self._columns[name] = values if column.width == 1 else values.reshape(-1, column.width)
            if column.dictionary:
                self._texts[name] = (*column.dictionary, "")

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column, read-only.

        Raises:
            KeyError: it was not asked for.
        """
        values = self._columns[name]
        texts = self._texts.get(name)
        if texts is None and name not in _TEXTS:
            return values
        named: NDArray[Any] = np.array(texts or ("",), dtype=np.str_)[values]
        return named

    def __iter__(self) -> Iterator[str]:
        """The names of the columns."""
        return iter(self._columns)

    def __len__(self) -> int:
        """How many columns there are; `rows` is how many actors."""
        return len(self._columns)

    def __repr__(self) -> str:
        """Time, and what is there."""
        return f"<States at {self.time:.3f} s: {self.rows} actors, {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        head = tuple(self._columns)
        rows = [[_shown(self[name][row]) for name in head] for row in range(min(self.rows, MAX_SHOWN_ROWS))]
        more = f"<p>and {self.rows - MAX_SHOWN_ROWS} more</p>" if self.rows > MAX_SHOWN_ROWS else ""
        return f"<p>{self.rows} actors at {self.time:.3f} s</p>{html_table(head, rows)}{more}"

    def row_of(self, actor: str | int) -> int:
        """The row of an actor by id or name; -1 if it is not there. Needs the columns "id" and, for names, "name"."""
        text = str(actor)
        if "name" in self._columns:
            named = np.flatnonzero(self["name"] == text)
            if len(named):
                return int(named[0])
        if text == EGO or not text.isdecimal() or "id" not in self._columns:
            return 0 if text == EGO and self.rows and self._columns.get("id", np.zeros(1))[0] == 1 else -1
        found = np.flatnonzero(self._columns["id"] == int(text))
        return int(found[0]) if len(found) else -1

    def structured(self) -> NDArray[np.void]:
        """All columns in one structured array `(rows,)`, a record an actor."""
        columns = {name: self[name] for name in self}
        layout = [(name, column.dtype, column.shape[1:]) for name, column in columns.items()]
        table = np.empty(self.rows, np.dtype(layout))
        for name, column in columns.items():
            table[name] = column
        return table


def _shown(value: Any) -> str:
    """A number or several, short enough for a table."""
    if isinstance(value, np.ndarray):
        return ", ".join(f"{one:.2f}" for one in value.tolist())
    return f"{value:.2f}" if isinstance(value, float) else str(value)


_TEXTS = frozenset({"kind", "model", "gear", "name"})


@dataclass(frozen=True, slots=True)
class State:
    """One actor.

    Attributes:
        time: simulated [s].
        id: decimal text. kind: ego, npc, ghost, pedestrian or obstacle. model: its name.
        position: of the origin in the map [m]. rotation: roll, pitch, yaw [rad].
        velocity, acceleration: in the map [m/s], [m/s²]. yaw_rate: [rad/s].
        size: length, width, height [m].
        steer: front wheel angle, left positive [rad]; NaN of what is no ego, as are the pedals.
        accelerator, brake: 0 to 1. gear: a letter, "" of what is no ego.
    """

    time: float
    id: str
    kind: str
    model: str
    position: Triple
    rotation: Triple
    velocity: Triple
    acceleration: Triple
    yaw_rate: float
    size: Triple
    steer: float
    accelerator: float
    brake: float
    gear: str

    @property
    def speed(self) -> float:
        """Over ground [m/s]."""
        return float(np.hypot(self.velocity[0], self.velocity[1]))

    def _repr_html_(self) -> str:
        rows = [
            (one.name, _shown(np.asarray(value) if isinstance(value, tuple) else value))
            for one, value in ((one, getattr(self, one.name)) for one in fields(self))
        ]
        return html_table(("", f"{self.model} {self.id}"), [*rows, ("speed", _shown(self.speed))])


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a vehicle is on the lanes, and what it meets.

    Attributes:
        link: id of the link under it. point: index of a point of the link.
        remaining_distance: to its destination along the route [m]. remaining_links: of the route.
        arrived: whether it has reached its destination.
        light: id of the traffic light ahead, "" for none. light_color: sum of its lamps.
        touches: ids of those that it touches.
    """

    link: str
    point: int
    remaining_distance: float
    remaining_links: int
    arrived: bool
    light: str
    light_color: int
    touches: tuple[str, ...]


class StateOperations(Session):
    """Reading states."""

    @operation
    def all_states(self, columns: Iterable[str] = (), kinds: Iterable[str] = ()) -> Steps[States]:
        """The states of all actors as of the last tick.

        Args:
            columns: names; none for all: id, kind, model, position, rotation, velocity, acceleration, yaw_rate, size,
                steer, accelerator, brake, gear, name.
            kinds: "vehicle", "pedestrian", "obstacle"; none for all.
        """
        frame = yield call("Bulk/GetStates", columns=columns, kinds=kinds)
        return States(frame)

    @operation
    def state(self, actor: str | int = EGO) -> Steps[State]:
        """The state of one actor.

        Raises:
            RefusedError: no actor has this id or name.
        """
        frame = yield call("Bulk/GetStates")
        states = States(frame)
        row = states.row_of(actor)
        if row < 0:
            raise RefusedError(f"there is no actor {str(actor)!r}", "see all_states() for the actors that are there")
        return _state_of(states, row)

    @operation
    def progress(self, actor: str | int = EGO) -> Steps[Progress]:
        """Where a vehicle is on the lanes and on its route."""
        answer = yield call("Actor/GetActorState", id={"value": str(actor)}, object_type="OBJECT_TYPE_VEHICLE")
        state = answer.vehicle_state
        return Progress(
            link=state.current_link_info.id.value,
            point=state.current_link_info.waypoint_idx,
            remaining_distance=state.remaining_distance,
            remaining_links=state.remaining_link_count,
            arrived=state.is_pass_des_pos,
            light=state.tl_id.value,
            light_color=state.tl_color,
            touches=tuple(state.collision_objects),
        )


def _state_of(states: States, row: int) -> State:
    values = {field.name: states[field.name][row].tolist() for field in fields(State) if field.name != "time"}
    plain: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}
    return State(time=states.time, **{**plain, "id": str(plain["id"])})


@dataclass(frozen=True, slots=True)
class SeenObject:
    """An object of a ground truth sensor.

    Attributes:
        id: of the actor. kind: vehicle, pedestrian, ego or obstacle. model: its name.
        position: in the map [m]. heading: [rad]. velocity, acceleration: [m/s], [m/s²], in the map.
        size: length, width, height [m].
    """

    id: str
    kind: str
    model: str
    position: Triple
    heading: float
    velocity: Triple
    acceleration: Triple
    size: Triple


SEEN_KINDS = {1: "vehicle", 2: "pedestrian", 3: "ego", 4: "obstacle"}
"""What the numbers of object types mean (object_enum.proto)."""


def seen_from_message(objects: Sequence[Any]) -> tuple[SeenObject, ...]:
    """The objects of a GroundTruth message, whose vectors of motion are in the object's own axes."""
    return tuple(_seen(one) for one in objects)


def _seen(one: Any) -> SeenObject:
    heading = math.radians(one.heading)
    return SeenObject(
        id=one.id.value,
        kind=SEEN_KINDS.get(one.type, str(one.type)),
        model=one.name,
        position=triple(one.position),
        heading=heading,
        velocity=turned(triple(one.velocity, _KMH), (0.0, 0.0, heading)),
        acceleration=turned(triple(one.acceleration), (0.0, 0.0, heading)),
        size=triple(one.size),
    )
