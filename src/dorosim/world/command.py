"""What can be asked of the world. A peer, a scenario, a replay and the live page all speak in commands.

A command waits for the next tick. Commands of one tick are applied in the order of (source rank, arrival); the
last one that drives an actor wins and holds until it is replaced (design/seams.md, Who drives).
All values are in SI, angles in rad, positions in the map frame, steering left positive.
"""

from __future__ import annotations

from collections import deque
from enum import IntEnum

import msgspec

from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, SteerType

Vector = tuple[float, float, float]


class Source(IntEnum):
    """Who sends a command; its value is the rank, and a higher rank is applied later in a tick."""

    SCENARIO = 0
    REPLAY = 1
    PEER = 2
    PAGE = 3


class ActorCommand(msgspec.Struct, frozen=True, tag=True):
    """A command to one actor. `actor` is its internal id."""

    actor: int


class DriveVehicle(ActorCommand, frozen=True, tag=True):
    """Drives a vehicle from outside.

    Attributes:
        mode: who drives from now on; KEEP leaves it.
        gear: None leaves it.
        kind: PEDALS, VELOCITY or ACCELERATION: which of the numbers count.
        accelerator, brake: pedals, 0 to 1.
        velocity: target along body x [m/s]. acceleration: target along body x [m/s^2].
        steer, rear_steer: wheel angles [rad], left positive.
    """

    kind: ControlKind
    mode: ControlMode = ControlMode.KEEP
    gear: Gear | None = None
    accelerator: float = 0.0
    brake: float = 0.0
    velocity: float = 0.0
    acceleration: float = 0.0
    steer: float = 0.0
    rear_steer: float = 0.0


class DriveGroundVehicle(ActorCommand, frozen=True, tag=True):
    """Drives a ground vehicle by fractions of its throttle.

    Attributes:
        throttle: -1 to 1, forward positive; with ZERO_TURN rotation, left positive.
        rotation: -1 to 1 with SKID, left positive.
        axle_steer: wheel angle of each axle from the front with ACKERMANN [rad], left positive.
    """

    steer_type: SteerType
    throttle: float
    rotation: float = 0.0
    axle_steer: tuple[float, ...] = ()


class DriveGroundState(ActorCommand, frozen=True, tag=True):
    """Gives a ground vehicle a target velocity [m/s] and yaw rate [rad/s, left positive]."""

    velocity: float
    yaw_rate: float


class PlaceGhost(ActorCommand, frozen=True, tag=True):
    """Puts a vehicle at a pose without physics, and lets it report a speed [m/s] and wheel angle [rad].

    Attributes:
        position: body origin in the map [m].
        rotation: roll, pitch, yaw [rad].
    """

    position: Vector
    rotation: Vector
    speed: float
    steer: float


class PlaceVehicle(ActorCommand, frozen=True, tag=True):
    """Puts a vehicle with physics at a pose, with a speed along body x [m/s]; it goes on from there.

    Attributes:
        position: body origin in the map [m]; it settles on the ground below.
        rotation: roll, pitch, yaw [rad]; roll and pitch follow the ground.
    """

    position: Vector
    rotation: Vector
    speed: float
    gear: Gear
    mode: ControlMode = ControlMode.KEEP


class FollowTrajectory(ActorCommand, frozen=True, tag=True):
    """Lets the built-in driver follow a trajectory until it ends.

    Attributes:
        points: (x, y, z, speed) in the map [m, m/s], at most 30.
    """

    points: tuple[tuple[float, float, float, float], ...]


class SelectCamera(ActorCommand, frozen=True, tag=True):
    """Lets the viewer's camera follow an actor."""


Command = (
    DriveVehicle | DriveGroundVehicle | DriveGroundState | PlaceGhost | PlaceVehicle | FollowTrajectory | SelectCamera
)
"""Every command. The union is what recordings are read with."""


class Inbox:
    """Commands that wait for the next tick. Endpoints on other threads may put while the loop takes."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Source, Command]] = deque()

    def put(self, source: Source, command: Command) -> None:
        """Add a command; arrival is the order of calls."""
        self._waiting.append((source, command))

    def take(self) -> tuple[Command, ...]:
        """All commands in the order of (source rank, arrival), and an empty inbox again."""
        waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
        waiting.sort(key=_rank)
        return tuple([command for _, command in waiting])


def _rank(entry: tuple[Source, Command]) -> int:
    return entry[0]
