"""Commands to obstacles. `SpawnObstacle` leaves its id open: the world gives it."""

from __future__ import annotations

from dorosim.world.command import ActorCommand, Vector
from dorosim.world.waypoint import Waypoint

MAX_OBSTACLE_SCALE = 100.0
"""An obstacle is made at most this many times larger, or smaller by the same factor."""
MAX_OBSTACLE_SPEED = 100.0
"""No obstacle can be commanded to move faster than this [m/s]."""


class SpawnObstacle(ActorCommand, frozen=True, tag=True):
    """Puts an obstacle into the world (gRPC page, ObstacleSpawn; scenario files, objectList).

    Attributes:
        model: row of `OBSTACLE_MODELS`.
        position: centre of the base in map [m].
        rotation: roll, pitch, yaw [rad].
        scale: of length, width and height.
        way: points that it goes along, in order.
        move_speed: along them [m/s].
        active_distance: it starts when an ego vehicle is nearer than this [m]; 0 means at once.
        fallback: whether the model is not the one that was asked for.
        drop: whether it is put on the ground, of several levels on that nearest below; so is one whose height is NaN.
    """

    model: int
    position: Vector
    rotation: Vector = (0.0, 0.0, 0.0)
    scale: Vector = (1.0, 1.0, 1.0)
    way: tuple[Waypoint, ...] = ()
    move_speed: float = 0.0
    active_distance: float = 0.0
    fallback: bool = False
    drop: bool = False


class PlaceObstacle(ActorCommand, frozen=True, tag=True):
    """Puts an obstacle elsewhere: centre of the base in map [m]; roll, pitch, yaw [rad]."""

    position: Vector
    rotation: Vector


class DriveObstacle(ActorCommand, frozen=True, tag=True):
    """Moves an obstacle until another command changes it (Standard API, ObstacleCtrlCmd); zeros let it stand.

    Attributes:
        velocity: forward and to the left [m/s].
        yaw_rate: counter-clockwise [rad/s].
        height: z of its base in map [m], None leaves it.
    """

    velocity: tuple[float, float]
    yaw_rate: float = 0.0
    height: float | None = None


class ReleaseObstacle(ActorCommand, frozen=True, tag=True):
    """Ends what `DriveObstacle` asked for (Standard API, ObjectControlModeType): it stands, or goes along its points.

    Attributes:
        go: whether it goes along its points now, from where it is; if it has come to the end, all of them again.
        speed: along them [m/s]; 0 leaves that which it has.
    """

    go: bool = False
    speed: float = 0.0


class ScaleObstacle(ActorCommand, frozen=True, tag=True):
    """Changes the size of an obstacle: length, width and height over those of its model (Standard API, SetScale)."""

    scale: Vector


class PauseObstacle(ActorCommand, frozen=True, tag=True):
    """Stops an obstacle on the spot, or lets it go on (gRPC page, ObjectPause)."""

    paused: bool
