"""Ground truth: who is within a volume about the sensor, with pose, motion and size.

Volumes, filter and the most objects are those of the gRPC document (GT_setting) and of the Standard API
(GroundTruthSensorSetting). An object is within a volume if the middle of its box is. The vehicle that carries the
sensor is not told of.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import RealArray
from dorosim.sensor.actor import ActorTable, actors_of
from dorosim.sensor.reading import TruthReading
from dorosim.sensor.sight import Sight
from dorosim.world.collision.body import BodyKind
from dorosim.world.mount.setting import GroundTruthSettings, TruthShape
from dorosim.world.mount.state import Mount
from dorosim.world.obstacle import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.scene import Scene

TRUTH_KINDS: dict[BodyKind, int] = {
    BodyKind.EGO: 3,
    BodyKind.NPC: 1,
    BodyKind.GHOST: 1,
    BodyKind.PEDESTRIAN: 2,
    BodyKind.OBSTACLE: 4,
}
"""GTObstacleObjType of each kind: EGOVEHICLE, VEHICLE, PEDESTRIAN, OBSTACLE."""
_CODES = np.array([TRUTH_KINDS[kind] for kind in BodyKind], np.int64)
_ROUNDING = 1e-9
"""What lies on the border of a volume is within it, whatever the last bits say."""


class GroundTruth:
    """Tells what is really there.

    Args:
        mount: with `GroundTruthSettings`.
        scene: gives the names of models.
    """

    def __init__(self, mount: Mount, scene: Scene) -> None:
        assert isinstance(mount.settings, GroundTruthSettings)
        self.settings = mount.settings
        vehicles = tuple(model.name for model in scene.models)
        people, obstacles = (tuple(model.name for model in group) for group in (PEDESTRIAN_MODELS, OBSTACLE_MODELS))
        self.names = dict.fromkeys(BodyKind, vehicles)
        self.names |= {BodyKind.PEDESTRIAN: people, BodyKind.OBSTACLE: obstacles}

    def read(self, sight: Sight) -> TruthReading:
        """Who is in the volume, the nearest first."""
        table = actors_of(sight.scene, sight.now)
        pose, settings = sight.map_from_sensor, self.settings
        middle = (table.centre - pose.position) @ pose.rotation
        found = is_within(settings, middle) & (table.id != sight.mount.actor)
        if settings.filter:
            found &= np.isin(_CODES[table.kind], settings.filter)
        rows = np.flatnonzero(found)
        distance = np.sqrt((middle[rows] ** 2).sum(axis=1))
        rows = rows[np.argsort(distance, kind="stable")]
        if settings.most:
            rows = rows[: settings.most]
        return self._reading(sight, table, rows)

    def _reading(self, sight: Sight, table: ActorTable, rows: NDArray[np.int64]) -> TruthReading:
        pose, kinds = sight.map_from_sensor, table.kind[rows]
        position, velocity, acceleration = table.position[rows], table.velocity[rows], table.acceleration[rows]
        nose = table.rotation[rows][:, :, 0] @ pose.rotation
        codes = zip(kinds.tolist(), table.model[rows].tolist(), strict=True)
        return TruthReading(
            sensor=sight.mount.id,
            time=sight.now.time,
            actor=table.id[rows],
            kind=_CODES[kinds],
            name=tuple(self.names[BodyKind(kind)][model] for kind, model in codes),
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


def make_truth(mount: Mount, scene: Scene) -> GroundTruth:
    """The ground truth of a mount."""
    return GroundTruth(mount, scene)


def is_within(settings: GroundTruthSettings, points: RealArray) -> NDArray[np.bool_]:
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
