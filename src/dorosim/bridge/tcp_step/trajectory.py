"""Trajectories with times: at each place exactly at its time, or driven along them.

The player looks at each snapshot and gives the commands of the next tick, which are recorded like those of any client:
a replay needs no player. Where clients step the run, it depends on simulated time alone.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dorosim.bridge.actor import ActorKind, kind_of
from dorosim.world.actor.command import PlaceActor
from dorosim.world.command import Command, Vector
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import FollowTrajectory, PlaceGhost
from dorosim.world.vehicle.driver import TRAJECTORY_POINTS
from dorosim.world.vehicle.mode import ControlKind

NANOSECONDS = 1_000_000_000
MAX_WAIT = NANOSECONDS
"""A part that the driver has not taken after this simulated time was refused [ns]."""
MIN_WAY = 1e-3
"""Places nearer to each other than this have no direction [m]."""


class Stop(NamedTuple):
    """A place of a trajectory: in map [m], and when [s from its beginning]."""

    position: Vector
    time: float


class TrajectoryPose(NamedTuple):
    """Where an actor is on its trajectory: in map [m], roll, pitch, yaw [rad], and how fast [m/s]."""

    position: Vector
    rotation: Vector
    speed: float


@dataclass(slots=True)
class _Played:
    """A trajectory that goes on.

    Attributes:
        stops: its places. begin: simulated time of its beginning [ns]. exact: whether at its places at their times.
        yaw: heading where a place gives none [rad]. sent: first point of the part that the driver has now.
        since: simulated time at which that part was given [ns]. taken: whether the driver is in its first half.
    """

    stops: Sequence[Stop]
    begin: int
    exact: bool
    yaw: float
    sent: int = 0
    since: int = 0
    taken: bool = False


class TrajectoryPlayer:
    """Moves actors along trajectories. The thread of the loop calls `commands`; others begin and end them.

    A trajectory ends when its last place is reached, when its actor is gone, or when another command takes the actor.
    """

    def __init__(self) -> None:
        self._played: dict[int, _Played] = {}
        self._time = -1
        self._begun = False

    @property
    def plays(self) -> bool:
        """Whether an actor is on a trajectory that needs commands; while none is, `commands` need not be called."""
        return bool(self._played)

    def begin(self, now: Snapshot, actor: int, stops: Sequence[Stop], yaw: float, *, exact: bool) -> Sequence[Command]:
        """Begin a trajectory, in place of the one that the actor is on.

        Args:
            now: the last snapshot.
            actor: its id; to be driven along it, that of a vehicle with full dynamics.
            stops: in order of their times, two at least.
            yaw: its heading now [rad].
            exact: whether it is at the places at their times, without physics; else its driver goes along them.

        Returns:
            The commands of the next tick.
        """
        played = _Played(stops, now.time, exact, yaw, since=now.time)
        self._begun = True
        if not self._played:
            self._time = now.time  # of what was played before, the run may have begun again since
        if exact:
            self._played[actor] = played
            return (_placing(now, actor, pose_at(stops, 0.0, yaw)),)
        if len(stops) > TRAJECTORY_POINTS:
            self._played[actor] = played
        else:
            self._played.pop(actor, None)
        return (_following(actor, stops, 0),)

    def end(self, actor: int) -> None:
        """End the trajectory of an actor: another command takes it."""
        self._played.pop(actor, None)

    def commands(self, now: Snapshot, tick: int) -> list[Command]:
        """The commands of the tick after a snapshot.

        Args:
            now: the snapshot.
            tick: simulated time of a tick [ns].
        """
        if now.time < self._time:  # the run began again, and what moved in it is gone
            self._played.clear()
        stands, self._time = now.time == self._time, now.time
        begun, self._begun = self._begun, False
        if not self._played or now.paused or (stands and not begun):
            return []  # what the next tick needs was given when time last passed
        found = []
        for actor, played in tuple(self._played.items()):
            command = self._exact(now, actor, played, tick) if played.exact else self._driven(now, actor, played)
            if command is not None:
                found.append(command)
        return found

    def _exact(self, now: Snapshot, actor: int, played: _Played, tick: int) -> Command | None:
        if kind_of(now, actor) is ActorKind.NONE:
            self.end(actor)
            return None
        moment = (now.time + tick - played.begin) / NANOSECONDS
        if moment >= played.stops[-1].time:
            self.end(actor)
        return _placing(now, actor, pose_at(played.stops, moment, played.yaw))

    def _driven(self, now: Snapshot, actor: int, played: _Played) -> Command | None:
        """The next part, once the driver is in the second half of the present one."""
        row = now.row_of(actor)
        follows = row >= 0 and now.vehicle.control_kind[row] == ControlKind.TRAJECTORY
        passed = int(now.vehicle.trajectory_index[row]) if follows else 0
        if follows and passed < TRAJECTORY_POINTS // 2:
            played.taken = True
        elif not follows and (played.taken or now.time > played.since + MAX_WAIT):
            self.end(actor)  # it is driven otherwise, or is gone
        elif follows and played.taken:
            played.sent, played.since, played.taken = played.sent + passed, now.time, False
            if played.sent + TRAJECTORY_POINTS >= len(played.stops):
                self.end(actor)
            return _following(actor, played.stops, played.sent)
        return None


def pose_at(stops: Sequence[Stop], moment: float, yaw: float) -> TrajectoryPose:
    """Where an actor is at a moment [s]: between two places in a straight line, and at the ends beyond them.

    Args:
        stops: in order of their times, two at least.
        moment: from the beginning [s].
        yaw: heading where no two places differ [rad].
    """
    last = len(stops) - 1
    after = min(max(bisect_right([one.time for one in stops], moment), 1), last)
    first, second = stops[after - 1], stops[after]
    span = second.time - first.time
    share = min(max((moment - first.time) / span, 0.0), 1.0)
    position = _between(first.position, second.position, share)
    way = math.dist(first.position, second.position)
    moves = first.time <= moment < second.time
    roll_pitch_yaw = _heading(stops, after, yaw)
    return TrajectoryPose(position, roll_pitch_yaw, way / span if moves else 0.0)


def _between(first: Vector, second: Vector, share: float) -> Vector:
    x, y, z = (a + share * (b - a) for a, b in zip(first, second, strict=True))
    return x, y, z


def _heading(stops: Sequence[Stop], after: int, yaw: float) -> Vector:
    """Roll, pitch, yaw of the part of the way that ends at a place, or of the last one before it that goes anywhere."""
    for end in range(after, 0, -1):
        (x, y, z), (to_x, to_y, to_z) = stops[end - 1].position, stops[end].position
        level = math.hypot(to_x - x, to_y - y)
        if level > MIN_WAY:
            return 0.0, -math.atan2(to_z - z, level), math.atan2(to_y - y, to_x - x)
    return 0.0, 0.0, yaw


def _placing(now: Snapshot, actor: int, pose: TrajectoryPose) -> Command:
    if now.row_of(actor) >= 0:
        return PlaceGhost(actor, pose.position, pose.rotation, pose.speed, 0.0)
    return PlaceActor(actor, pose.position, pose.rotation)


def _following(actor: int, stops: Sequence[Stop], first: int) -> Command:
    """The driver's part of a trajectory from a place on, with the speeds that the times ask for."""
    part = stops[first : first + TRAJECTORY_POINTS]
    points = []
    for number, one in enumerate(part):
        before, after = (number, number + 1) if number + 1 < len(part) else (number - 1, number)
        span = part[after].time - part[before].time
        points.append((*one.position, math.dist(part[before].position, part[after].position) / span))
    return FollowTrajectory(actor, tuple(points))
