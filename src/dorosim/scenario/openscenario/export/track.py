"""What the actors of a run did: where each was, tick by tick, and which lamps of vehicles were on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.error import InputError
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.engine import BodyShape
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.mode import TurnLamp

MAX_SAMPLES = 20_000_000
"""Poses that are kept at most: 640 MB."""

MIN_BRAKE_PEDAL = 0.03
"""Brake pedal from which the brake lamps burn."""


class TrackKind(StrEnum):
    """What an actor is, as the standard names it."""

    VEHICLE = "Vehicle"
    PEDESTRIAN = "Pedestrian"
    OBSTACLE = "MiscObject"


class TrackBody(NamedTuple):
    """The body of an actor.

    Attributes:
        model: name of its model. category: of the standard.
        length, width, height: of its box [m]. middle: of the box before the origin [m]. mass: [kg].
        wheelbase, max_speed, max_steer: of a vehicle [m, m/s, rad]. wheel: diameter of its wheels [m].
    """

    model: str
    category: str
    length: float
    width: float
    height: float
    middle: float = 0.0
    mass: float = 0.0
    wheelbase: float = 0.0
    max_speed: float = 0.0
    max_steer: float = 0.0
    wheel: float = 0.0


class LampChange(NamedTuple):
    """A lamp of a vehicle from a time on.

    Attributes:
        time: [s]. light: in the standard's word. mode: "on", "off" or "flashing".
    """

    time: float
    light: str
    mode: str


@dataclass(slots=True)
class TrackSpan:
    """The time in which an actor is in the world without a break.

    Attributes:
        rows: time [s], x, y, z in map [m], heading [rad].
    """

    rows: list[tuple[float, ...]] = field(default_factory=list)

    def table(self) -> FloatArray:
        """The rows as `(N, 5)`, headings without jumps."""
        found = np.array(self.rows, np.float64)
        found[:, 4] = np.unwrap(found[:, 4])
        return found


@dataclass(slots=True)
class ActorTrack:
    """What one actor did.

    Attributes:
        actor: its id. kind, body: what it is. spans: when it was there. lamps: changes of its lamps.
    """

    actor: int
    kind: TrackKind
    body: TrackBody
    spans: list[TrackSpan] = field(default_factory=list)
    lamps: list[LampChange] = field(default_factory=list)


class TrackReader:
    """Gathers what actors do from snapshots, one after another.

    Args:
        scene: of the run.

    Attributes:
        tracks: by id, in the order in which the actors came. end: time of the last snapshot [s].
        names: of actors that are entities of a scenario, by id.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._vehicles = [_vehicle_body(scene, row) for row in range(len(scene.models))]
        self._there: set[int] = set()
        self._lamps: dict[int, tuple[bool, ...]] = {}
        self._samples = 0
        self._origin: int | None = None
        self.tracks: dict[int, ActorTrack] = {}
        self.names: dict[int, str] = {}
        self._entities: dict[int, TrackBody] = {}
        self.end = 0.0

    def add(self, now: Snapshot) -> None:
        """One snapshot; it takes the place of the last one if time stood still.

        Raises:
            InputError: there are more poses than are kept.
        """
        if self._origin is None:
            self._origin = now.time
        time = (now.time - self._origin) * 1e-9
        there: set[int] = set()
        absent = self._find_entities(now)
        for actor, kind, body, pose in self._actors(now):
            if actor in absent:
                continue
            track = self.tracks.get(actor)
            if track is None:
                track = self.tracks[actor] = ActorTrack(actor, kind, self._entities.get(actor, body))
            if actor not in self._there:
                track.spans.append(TrackSpan())
            rows = track.spans[-1].rows
            if rows and rows[-1][0] == time:
                rows.pop()
            rows.append((time, *pose))
            there.add(actor)
        self._samples += len(there)
        if self._samples > MAX_SAMPLES:
            problem = f"the run has more than {MAX_SAMPLES:,} poses of actors up to {time:.1f} s"
            raise InputError("recording", "", problem, "take a shorter part of it: --begin, --end")
        self._there, self.end = there, time
        self._add_lamps(now, time)

    def _find_entities(self, now: Snapshot) -> set[int]:
        """Learn which actors are entities of the run's scenario, with their names and boxes.

        Returns:
            The ids of those that are not in the scenario just now; an ego vehicle waits somewhere until it is.
        """
        engine, table = self._scene.storyboard, now.storyboard.entity
        if engine is None or now.storyboard.is_empty():
            return set()
        absent: set[int] = set()
        for one, actor, present in zip(engine.cast.bodies, table.actor.tolist(), table.present.tolist(), strict=True):
            if actor > 0 and not present:
                absent.add(actor)
            if actor > 0 and actor not in self.names:
                self.names[actor] = one.name
                if one.shape is BodyShape.VEHICLE and one.length > 0.0:
                    model = self._vehicles[one.model]
                    self._entities[actor] = model._replace(
                        length=one.length,
                        width=one.width,
                        height=one.height,
                        middle=one.middle[0],
                        wheelbase=one.wheelbase or model.wheelbase,
                    )
        return absent

    def _actors(self, now: Snapshot) -> Iterator[tuple[int, TrackKind, TrackBody, tuple[float, ...]]]:
        """Id, kind, body and pose of every actor that is in the world."""
        for table in (now.vehicle, now.traffic, now.ghost):
            columns = (table.id, table.model, table.x, table.y, table.z, table.yaw)
            shown = [True] * table.rows
            if table is now.traffic:
                on_map = (now.traffic.present != Presence.OFF_MAP) & (now.traffic.plan_of_ego == 0)
                shown = on_map.tolist()
            for row, (actor, model, *pose) in enumerate(zip(*(one.tolist() for one in columns), strict=True)):
                if shown[row]:
                    yield actor, TrackKind.VEHICLE, self._vehicles[model], tuple(pose)
        people = now.people.state
        columns = (people.id, people.model, people.x, people.y, people.z, people.yaw)
        for actor, model, *pose in zip(*(one.tolist() for one in columns), strict=True):
            yield actor, TrackKind.PEDESTRIAN, _person_body(model), tuple(pose)
        things = now.obstacles.state
        shapes = (things.id, things.model, things.length, things.width, things.height)
        places = (things.x, things.y, things.z, things.yaw)
        for actor, model, length, width, height, *pose in zip(*(one.tolist() for one in shapes + places), strict=True):
            one = OBSTACLE_MODELS[model]
            body = TrackBody(one.name, "obstacle", length, width, height, mass=one.mass)
            yield actor, TrackKind.OBSTACLE, body, tuple(pose)

    def _add_lamps(self, now: Snapshot, time: float) -> None:
        """Changes of the lamps of vehicles with full dynamics."""
        state = now.vehicle
        columns = (state.id, state.turn_lamp, state.emergency_lamp, state.brake)
        for actor, turn, emergency, brake in zip(*(one.tolist() for one in columns), strict=True):
            lamps = (turn == TurnLamp.LEFT, turn == TurnLamp.RIGHT, emergency != 0, brake > MIN_BRAKE_PEDAL)
            before = self._lamps.get(actor, (False,) * len(lamps))
            for (light, on), lit, was in zip(_LIGHTS, lamps, before, strict=True):
                if lit != was:
                    self.tracks[actor].lamps.append(LampChange(time, light, on if lit else "off"))
            self._lamps[actor] = lamps


_LIGHTS = (
    ("indicatorLeft", "flashing"),
    ("indicatorRight", "flashing"),
    ("warningLights", "flashing"),
    ("brakeLights", "on"),
)
"""Lights of the standard, and how they are on."""

_CATEGORIES = {"bus": "bus", "truck": "truck", "van": "van"}


def _vehicle_body(scene: Scene, row: int) -> TrackBody:
    """The body of a model of vehicles."""
    one = scene.models[row]
    return TrackBody(
        one.name,
        _CATEGORIES.get(one.category, "car"),
        one.length,
        one.width,
        one.height,
        middle=one.length / 2.0 - one.rear_overhang,
        mass=one.mass,
        wheelbase=one.wheelbase,
        max_speed=one.max_speed,
        max_steer=one.max_steer,
        wheel=2.0 * one.wheel_radius,
    )


def _person_body(row: int) -> TrackBody:
    one = PEDESTRIAN_MODELS[row]
    return TrackBody(one.name, "pedestrian", one.length, one.width, one.height, mass=one.mass)
