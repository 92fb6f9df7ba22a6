"""Commands to pedestrians. `SpawnPedestrian` leaves its id open: the world gives it."""

from __future__ import annotations

import msgspec

from dorosim.world.command import ActorCommand, Vector
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.waypoint import Waypoint

MAX_WAYPOINTS = 10_000
"""Points that a route has at most."""
MAX_PEDESTRIAN_SPEED = 12.5
"""Highest speed that a command may give a pedestrian [m/s], about the fastest sprint ever run."""
MAX_LED_SPEED = 100.0
"""Highest speed at which a command may lead a pedestrian [m/s]: a fast replay leads it faster than it can walk."""
LED_TIMEOUT = 1.0
"""A pedestrian that was led stands after this time without another command to lead it [s]."""


class WalkProgress(msgspec.Struct, frozen=True):
    """How far a pedestrian has come on its way; with it a saved pedestrian goes on from where it was.

    Attributes:
        begin: where its way began, in map [m].
        yaw: direction of a way straight ahead [rad]; the pedestrian may be on its way back.
        waypoint: the point that it goes to: 0 where its way began, then those of the way.
        back: whether it goes its way backwards.
        walked: way behind it [m].
    """

    begin: Vector
    yaw: float = 0.0
    waypoint: int = 1
    back: bool = False
    walked: float = 0.0


class SpawnPedestrian(ActorCommand, frozen=True, tag=True):
    """Puts a pedestrian into the world (gRPC page, PedestrianSpawn).

    Attributes:
        model: row of `PEDESTRIAN_MODELS`.
        position: centre of the base in map [m]; it settles on the ground below.
        yaw: direction of view in map [rad].
        speed: at which it walks [m/s]; 0 means that of its model.
        active_distance: it starts when an ego vehicle is nearer than this [m].
        move_distance: how far it walks straight ahead [m], if `way` is empty.
        start: whether it walks at once.
        way: places to go to, in order.
        mode: what it does at the end of its way.
        leaves: whether it leaves the world where its way ends.
        origin: id of the spawn point that spawned it, 0 for none.
        progress: how far it has come, None for one that has not begun.
    """

    model: int
    position: Vector
    yaw: float
    speed: float = 0.0
    active_distance: float = 0.0
    move_distance: float = 0.0
    start: bool = False
    way: tuple[Waypoint, ...] = ()
    mode: CharacterMode = CharacterMode.ONCE
    leaves: bool = False
    origin: int = 0
    progress: WalkProgress | None = None


class StartPedestrian(ActorCommand, frozen=True, tag=True):
    """Lets a pedestrian start to walk (gRPC page, SendStartPedestrian); one that has arrived walks its way again.

    It goes to the first place of its way from where it stands, or as far straight ahead as it did before.
    """


class RoutePedestrian(ActorCommand, frozen=True, tag=True):
    """Gives a pedestrian another way from where it is, and starts it (Standard API, SetPedestrianWaypoint)."""

    way: tuple[Waypoint, ...]
    mode: CharacterMode = CharacterMode.ONCE


class DrivePedestrian(ActorCommand, frozen=True, tag=True):
    """Lets a pedestrian go in a direction until another command (Standard API, ControlPedestrian).

    It keeps out of the way of others but heeds no lights.

    Attributes:
        direction: in map; its length does not matter, nor does its part along z.
        speed: [m/s]; 0 lets it stand.
    """

    direction: Vector
    speed: float


class LeadPedestrian(ActorCommand, frozen=True, tag=True):
    """Puts a pedestrian where it is at the end of the tick; it does nothing of itself until a command starts it.

    Replays move pedestrians this way, tick by tick. A pedestrian stands LED_TIMEOUT after its last such command.

    Attributes:
        position: centre of the base in map [m]; it follows the ground.
        yaw: direction of view [rad].
        velocity: east, north [m/s].
    """

    position: Vector
    yaw: float
    velocity: tuple[float, float] = (0.0, 0.0)


class PausePedestrian(ActorCommand, frozen=True, tag=True):
    """Stops a pedestrian on the spot, or lets it go on (gRPC page, ObjectPause)."""

    paused: bool
