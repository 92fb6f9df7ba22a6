"""Ground truth: the objects within a volume about the sensor, with pose, motion and size.

Volumes, filter and the most objects are those of the gRPC document (GT_setting) and of the Standard API
(GroundTruthSensorSetting). An object is within a volume if the middle of its box is. The vehicle that carries the
sensor is left out.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.sensor.actor import ActorTable, actors_of
from dorosim.sensor.reading import TruthReading
from dorosim.sensor.sensor_input import SensorInput
from dorosim.sensor.truth_thing import MOVING_OBJECT, moving_obstacles, things_of
from dorosim.world.collision.body import ACTOR_KINDS, BodyKind
from dorosim.world.mount.setting import GroundTruthSettings, TruthShape
from dorosim.world.mount.state import Mount
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.scene import Scene

TRUTH_KINDS = {BodyKind.EGO: 3, BodyKind.NPC: 1, BodyKind.GHOST: 1, BodyKind.PEDESTRIAN: 2, BodyKind.OBSTACLE: 4}
"""GTObstacleObjType of each kind: EGOVEHICLE, VEHICLE, PEDESTRIAN, OBSTACLE."""
_CODES = np.array([TRUTH_KINDS[kind] for kind in ACTOR_KINDS], np.int64)
_ROUNDING = 1e-9
"""What lies on the border of a volume is within it, whatever the last bits say."""


class _Candidates(NamedTuple):
    """The objects that a ground truth sensor may report; the first rows are those of the actors, in their order.

    Attributes:
        actors: all of them. names: of the things that follow.
        id: `(N,)`. code: `(N,)` GTObstacleObjType. heading: `(N,)` [rad].
        position, centre: `(N, 3)` origin and middle of the box in map [m]. nose: `(N, 3)` forward in map.
        velocity, acceleration: `(N, 3)` in map [m/s], [m/s²]. size: `(N, 3)` [m].
    """

    actors: ActorTable
    names: tuple[str, ...]
    id: IntArray
    code: IntArray
    heading: FloatArray
    position: FloatArray
    centre: FloatArray
    nose: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    size: FloatArray


class GroundTruth:
    """A ground truth sensor: it reports the objects in its volume without errors of measurement.

    Args:
        mount: with `GroundTruthSettings`.
        scene: gives the names of models.
    """

    def __init__(self, mount: Mount, scene: Scene) -> None:
        assert isinstance(mount.settings, GroundTruthSettings)
        self.settings = mount.settings
        vehicles = tuple(model.name for model in scene.models)
        people, obstacles = (tuple(model.name for model in group) for group in (PEDESTRIAN_MODELS, OBSTACLE_MODELS))
        self.names = dict.fromkeys(ACTOR_KINDS, vehicles)
        self.names |= {BodyKind.PEDESTRIAN: people, BodyKind.OBSTACLE: obstacles}

    def read(self, inputs: SensorInput) -> TruthReading:
        """Returns the objects in the volume, the nearest first."""
        pose, settings = inputs.map_from_sensor, self.settings
        table = self._candidates(inputs)
        middle = (table.centre - pose.position) @ pose.rotation
        found = is_within(settings, middle) & (table.id != inputs.mount.actor)
        if settings.filter:
            found &= np.isin(table.code, settings.filter)
        rows = np.flatnonzero(found)
        distance = np.sqrt((middle[rows] ** 2).sum(axis=1))
        rows = rows[np.argsort(distance, kind="stable")]
        if settings.most:
            rows = rows[: settings.most]
        return self._reading(inputs, table, rows)

    def _candidates(self, inputs: SensorInput) -> _Candidates:
        """Returns the objects that the sensor may report: actors, and things whose kinds the filter names."""
        actors, wanted = actors_of(inputs.scene, inputs.now), self.settings.filter
        code = _CODES[actors.kind]
        if MOVING_OBJECT in wanted:
            code[moving_obstacles(inputs.now, actors.kind)] = MOVING_OBJECT
        nose = actors.rotation[:, :, 0]
        things = things_of(inputs.scene, inputs.now, wanted)
        if things is None:
            state = (actors.position, actors.centre, nose, actors.velocity, actors.acceleration, actors.size)
            return _Candidates(actors, (), actors.id, code, actors.heading, *state)
        none, flat = np.zeros_like(things.position), np.zeros_like(things.heading)
        above = things.position + np.column_stack((flat, flat, 0.5 * things.size[:, 2]))
        ahead = np.column_stack((np.cos(things.heading), np.sin(things.heading), flat))
        pairs = (
            (actors.id, things.id),
            (code, things.kind),
            (actors.heading, things.heading),
            (actors.position, things.position),
            (actors.centre, above),
            (nose, ahead),
            (actors.velocity, none),
            (actors.acceleration, none),
            (actors.size, things.size),
        )
        return _Candidates(actors, things.name, *(np.concatenate(pair) for pair in pairs))

    def _reading(self, inputs: SensorInput, table: _Candidates, rows: NDArray[np.int64]) -> TruthReading:
        pose = inputs.map_from_sensor
        position, velocity, acceleration = table.position[rows], table.velocity[rows], table.acceleration[rows]
        nose = table.nose[rows] @ pose.rotation
        return TruthReading(
            sensor=inputs.mount.id,
            time=inputs.now.time,
            actor=table.id[rows],
            kind=table.code[rows],
            name=tuple(self._name(table, row) for row in rows.tolist()),
            heading=table.heading[rows],
            position=position,
            velocity=velocity,
            acceleration=acceleration,
            size=table.size[rows],
            heading_in_sensor=np.arctan2(nose[:, 1], nose[:, 0]),
            position_in_sensor=(position - pose.position) @ pose.rotation,
            velocity_in_sensor=velocity @ pose.rotation,
            acceleration_in_sensor=acceleration @ pose.rotation,
        )

    def _name(self, table: _Candidates, row: int) -> str:
        count = len(table.actors.id)
        if row >= count:
            return table.names[row - count]
        return self.names[BodyKind(int(table.actors.kind[row]))][int(table.actors.model[row])]


def make_truth(mount: Mount, scene: Scene) -> GroundTruth:
    """The ground truth of a mount."""
    return GroundTruth(mount, scene)


def is_within(settings: GroundTruthSettings, points: FloatArray) -> NDArray[np.bool_]:
    """Which points lie in the volume.

    A cylinder stands about the sensor's z: all round, up to `range_max` from its axis, as high and as deep as the
    vertical field of view shows. A cone opens along the sensor's x, from `range_min` to `range_max` from the sensor;
    the gRPC document writes "{range_max - range_min, range_max}", which would hold nothing at a `range_min` of 0.

    Args:
        settings: shape and extents.
        points: `(N, 3)` in the sensor frame [m].

    Returns:
        `(N,)`.
    """
    flat = np.hypot(points[:, 0], points[:, 1])
    inside: NDArray[np.bool_] = np.abs(np.arctan2(points[:, 2], flat)) <= 0.5 * settings.vertical_fov + _ROUNDING
    if settings.shape == TruthShape.CYLINDER:
        return inside & (flat <= settings.range_max)
    distance = np.hypot(flat, points[:, 2])
    inside &= (distance >= settings.range_min) & (distance <= settings.range_max)
    if settings.fov < math.tau:
        inside &= np.abs(np.arctan2(points[:, 1], points[:, 0])) <= 0.5 * settings.fov + _ROUNDING
    return inside
