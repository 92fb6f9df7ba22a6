"""Ground made of a profile across the x axis, and vehicles that drive on it without a map."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dorosim.ground.mesh import Mesh, strip_mesh
from dorosim.road.network import network_from_mgeo
from dorosim.road.terrain.ground_part import GroundPart
from dorosim.road.terrain.land import Land
from dorosim.road.terrain.terrain import Terrain, terrain_of
from dorosim.world.scene import Scene
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.road.small_map import map_of, straight
from tests.world.world import CAR, World, scene_of

Profile = Sequence[tuple[float, float, GroundPart]]
"""From the left to the right: y and height [m], and what lies from there to the next."""
FLAT: Profile = ((60.0, 0.0, GroundPart.ROAD), (-200.0, 0.0, GroundPart.ROAD))
HALF = 400.0
NO_LAND = Land(np.zeros((0, 0)), np.zeros(2))


def bank(height: float) -> Profile:
    """A road to the left of y = 0, and a grass bank of 1:1.5 to its right that falls so far."""
    return (
        (60.0, 0.0, GroundPart.ROAD),
        (0.0, 0.0, GroundPart.VERGE),
        (-1.5 * height, -height, GroundPart.VERGE),
        (-200.0, -height, GroundPart.VERGE),
    )


def kerb(height: float, beyond: GroundPart = GroundPart.PAVEMENT) -> Profile:
    """A road to the left of y = 0, and a kerb of a height with a level pavement to its right."""
    return (
        (60.0, 0.0, GroundPart.ROAD),
        (0.0, 0.0, GroundPart.KERB),
        (-0.03, height, beyond),
        (-200.0, height, beyond),
    )


def terrain_across(profile: Profile) -> Terrain:
    """The ground of a profile, 800 m long."""
    bands = []
    for (y0, z0, part), (y1, z1, _) in pairwise(profile):
        rows = np.array([[(x, y1, z1), (x, y0, z0)] for x in (-HALF, HALF)])
        bands.append(strip_mesh(rows, part))
    return terrain_of(Mesh.joined(bands), NO_LAND)


def scene_across(profile: Profile) -> Scene:
    """A scene with a straight lane along y = 10 m, and the ground of a profile."""
    lane = straight("L", "a", "b", (-HALF, 10.0, 0.0), (HALF, 10.0, 0.0))
    return dataclasses.replace(scene_of(network_from_mgeo(map_of(lane))), terrain=terrain_across(profile))


def world_across(profile: Profile, y: float, degrees: float, model: str = CAR) -> World:
    """A vehicle at x = 0, at a heading to the right of the x axis, on a profile."""
    return World(scene_across(profile), [(model, (0.0, y, math.nan), -math.radians(degrees))])


def rolling(profile: Profile, y: float, degrees: float, speed: float, model: str = CAR) -> World:
    """The same, at a speed [m/s] with its pedals released."""
    world = world_across(profile, y, degrees, model)
    yaw = -math.radians(degrees)
    world.do(
        PlaceVehicle(1, (0.0, y, 0.0), (0.0, 0.0, yaw), speed, Gear.N),
        DriveVehicle(1, ControlKind.PEDALS, ControlMode.AUTO, Gear.N),
    )
    return world
