"""Places where the air holds smoke or spray, as sensors look through them: one list for lidars and cameras."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.sensor.actor import ActorTable, actors_of
from dorosim.world.collision.body import BodyKind
from dorosim.world.environment.atmosphere import (
    NEAR_INFRARED,
    SMOKE_LIDAR_RATIO,
    WATER_LIDAR_RATIO,
    smoke_extinction,
)
from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS, MapObjectTable
from dorosim.world.environment.spray import MIN_SPRAY_FILM, spray_behind
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

COLUMNS = 10
NO_VOLUMES: FloatArray = np.zeros((0, COLUMNS))
MAX_VOLUMES = 32
"""As many are looked at, the nearest."""
PULSE_DEPTH = 0.9
"""Depth of air that sends back at once [m]: half of what light goes in the 6 ns of a pulse."""
_SMOKE = np.array([model.smoke for model in MAP_OBJECT_MODELS])
_WHEELED = (int(BodyKind.EGO), int(BodyKind.NPC), int(BodyKind.GHOST))


def volumes_near(
    scene: Scene, now: Snapshot, position: FloatArray, reach: float, wavelength: float = NEAR_INFRARED
) -> FloatArray:
    """Ellipsoids of smoke and spray around a place, evenly filled; `(V, 10)`.

    Columns: middle in map [m] (3); cosine and sine of the yaw; half lengths along it, across and up [m] (3); extinction
    [1/m]; and the diffuse reflectivity that has the echo of a lidar's pulse in it.

    Args:
        scene: of the run.
        now: the snapshot.
        position: `(3,)` of the sensor in map [m].
        reach: how far it sees [m].
        wavelength: of its light [m].
    """
    film = float(now.environment.water_depth[0])
    found = [_smoke(now.friction.objects, wavelength)] if now.friction.objects.rows else []
    if film > MIN_SPRAY_FILM:
        found.append(_spray(actors_of(scene, now), film))
    if not found:
        return NO_VOLUMES
    volumes = np.concatenate(found)
    away = np.hypot(volumes[:, 0] - position[0], volumes[:, 1] - position[1])
    near = np.flatnonzero(away < reach + volumes[:, 5:8].max(axis=1, initial=0.0))
    return volumes[near[np.argsort(away[near], kind="stable")[:MAX_VOLUMES]]]


def _smoke(objects: MapObjectTable, wavelength: float) -> FloatArray:
    """Volumes of the map objects that smoke."""
    smoking = np.flatnonzero(_SMOKE[objects.model] > 0.0)
    made = np.zeros((len(smoking), COLUMNS))
    made[:, 0], made[:, 1], made[:, 2] = objects.x[smoking], objects.y[smoking], objects.z[smoking]
    made[:, 3], made[:, 4] = np.cos(objects.yaw[smoking]), np.sin(objects.yaw[smoking])
    made[:, 5], made[:, 6] = objects.vertical_radius[smoking], objects.horizontal_radius[smoking]
    made[:, 7] = objects.height[smoking]
    made[:, 8] = smoke_extinction(1.0, wavelength) * _SMOKE[objects.model[smoking]]
    made[:, 9] = _reflectivity(made[:, 8], SMOKE_LIDAR_RATIO)
    return made[(made[:, 5:8] > 0.0).all(axis=1)]


def _spray(table: ActorTable, film: float) -> FloatArray:
    """Volumes behind the vehicles that throw water up."""
    on_wheels = np.flatnonzero(np.isin(table.kind, _WHEELED))
    velocity, size = table.velocity[on_wheels], table.size[on_wheels]
    forward = table.rotation[on_wheels, :, 0]
    speed = np.maximum((velocity * forward).sum(axis=1), 0.0)
    spray = spray_behind(speed, size[:, 1], size[:, 2], film)
    length = spray.length
    made = np.zeros((len(on_wheels), COLUMNS))
    rear = table.centre[on_wheels] - 0.5 * (size[:, :1] + length[:, None]) * forward
    made[:, :2], made[:, 2] = rear[:, :2], table.position[on_wheels, 2]
    made[:, 3], made[:, 4] = np.cos(table.heading[on_wheels]), np.sin(table.heading[on_wheels])
    made[:, 5], made[:, 6], made[:, 7] = 0.5 * length, 0.5 * spray.width, spray.height
    made[:, 8] = spray.extinction
    made[:, 9] = _reflectivity(made[:, 8], WATER_LIDAR_RATIO)
    return made[length > 0.0]


def _reflectivity(extinction: FloatArray, lidar_ratio: float) -> FloatArray:
    """Reflectivity of a diffuse surface whose echo is as strong as that of a pulse's depth of air."""
    found: FloatArray = np.pi * PULSE_DEPTH * extinction / lidar_ratio
    return found
