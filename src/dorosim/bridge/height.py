"""Places that clients give: what is put far above or below the ground stays there, and they are told so."""

from __future__ import annotations

import math

from dorosim.world.command import Command, Vector
from dorosim.world.obstacle.command import PlaceObstacle, SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.scene import Scene
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import CreateVehicle, PlaceGhost

MAX_UNREMARKED_HEIGHT = 0.3
"""What is put into the air or into the ground by more is remarked [m]."""


def place_note(scene: Scene, command: Command) -> str:
    """A sentence on something that a command puts beyond the map, or far from the ground, where it stays; else "".

    People and vehicles come down to the ground by themselves.
    """
    position = place_of(command)
    if position is None or not all(map(math.isfinite, position[:2])):
        return ""
    if not scene.is_on_map(*position[:2]):
        return f"({position[0]:g}, {position[1]:g}) is beyond the edge of the map"
    settles = isinstance(command, (SpawnPedestrian, CreateVehicle, CreateNpc)) or (
        isinstance(command, SpawnObstacle) and command.drop
    )
    return "" if settles else off_ground_text(scene, position)


def place_of(command: Command) -> Vector | None:
    """Where a command puts an actor in map [m], its height NaN where the ground gives it; None of all others.

    What is only moved by a client that may command any place, such as a vehicle with full dynamics, is left out.
    """
    match command:
        case SpawnObstacle() | SpawnPedestrian() | CreateVehicle() | CreateNpc():
            return command.position
        case PlaceObstacle() | PlaceNpcGhost() | PlaceGhost():
            return command.position
    return None


def off_ground_text(scene: Scene, position: Vector) -> str:
    """A sentence on something that is put far from the ground; "" if it stands on it, or comes without a height.

    Args:
        scene: gives the ground.
        position: origin or middle of the base in map [m].
    """
    x, y, z = position
    if not all(map(math.isfinite, position)):
        return ""
    off = z - scene.ground_height(x, y, z)
    if abs(off) <= MAX_UNREMARKED_HEIGHT:
        return ""
    return f"it is {abs(off):.2f} m {'above' if off > 0.0 else 'below'} the ground; it stays there, as asked"
