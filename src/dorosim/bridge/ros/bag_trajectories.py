"""The trajectories of actors in a bag, ready to be looked up at any moment.

The ego vehicle comes from EgoVehicleStatus, the others from ObjectStatusList, or from ReplayInfo where there is none
(documents/ros-messages-ko.txt; facts/ros-grpc-mgeo.md, 1.5). Between two messages places are interpolated.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.command import Vector

EGO_TYPE, LIST_TYPE, REPLAY_TYPE = "morai_msgs/EgoVehicleStatus", "morai_msgs/ObjectStatusList", "morai_msgs/ReplayInfo"
TYPES: Mapping[str, str] = {EGO_TYPE: "/Ego_topic", LIST_TYPE: "/Object_topic", REPLAY_TYPE: "/ReplayInfo_topic"}
"""Message types that are read, and the topic that counts where a bag has several of a type."""
MAX_REPLAYED_SPEED = 150.0
"""A motion faster than this [m/s] between two messages is a jump: the actor stays where the first message has it."""


class Role(IntEnum):
    """The kind of an actor in a bag other than the ego vehicle."""

    NPC = 0
    PEDESTRIAN = 1
    OBSTACLE = 2


class BagActor(NamedTuple):
    """An actor in a bag.

    Attributes:
        role: what it is. id: unique_id in the bag.
    """

    role: Role
    id: int


class Placed(NamedTuple):
    """Where an actor is.

    Attributes:
        position: in map [m]. yaw: [rad]. velocity: east, north [m/s].
        size: length, width, height [m], zeros if it is not known. name: of its model.
    """

    position: Vector
    yaw: float
    velocity: tuple[float, float]
    size: Vector
    name: str


class EgoPlaced(NamedTuple):
    """Where the ego vehicle is.

    Attributes:
        position: in map [m]. rotation: roll, pitch, yaw [rad]. speed: along body x [m/s]. steer: left positive [rad].
    """

    position: Vector
    rotation: Vector
    speed: float
    steer: float


class Known(NamedTuple):
    """What does not change of an actor: its size as of `Placed`, and the name of its model."""

    actor: BagActor
    size: Vector
    name: str


Pose = Sequence[float]
"""x, y, z, yaw."""


@dataclass(frozen=True, slots=True, eq=False)
class BagTrajectories:
    """A bag as it can be replayed.

    Attributes:
        name: of its file. begin: its first moment [ns since 1970]. length: [ns].
        ego_time: `(n,)` moments of the ego vehicle [ns from the beginning].
        ego: `(n, 8)` x, y, z, roll, pitch, yaw without jumps, speed, steer.
        list_time: `(m,)` moments of the lists.
        part: `(m, 2)` first and last row of each list in `key` and `pose`, the last one not included.
        key: `(k,)` which actor. pose: `(k, 4)` x, y, z, yaw. known: all actors but the ego vehicle by key.
    """

    name: str
    begin: int
    length: int
    ego_time: NDArray[np.int64]
    ego: NDArray[np.float64]
    list_time: NDArray[np.int64]
    part: NDArray[np.int64]
    key: NDArray[np.int64]
    pose: NDArray[np.float64]
    known: Mapping[int, Known]
    _recent: dict[int, dict[int, Pose]] = field(default_factory=dict)

    def ego_at(self, moment: int) -> EgoPlaced | None:
        """The ego vehicle at a moment [ns from the beginning]; None if the bag has none."""
        if not len(self.ego_time):
            return None
        after = int(np.searchsorted(self.ego_time, moment, "right"))
        before = max(after - 1, 0)
        row = self.ego[before]
        if 0 < after < len(self.ego_time):
            span = int(self.ego_time[after] - self.ego_time[before])
            following = self.ego[after]
            if math.dist(row[:3], following[:3]) <= MAX_REPLAYED_SPEED * span * 1e-9:
                row = row + (following - row) * ((moment - int(self.ego_time[before])) / span)
        x, y, z, roll, pitch, yaw, speed, steer = row.tolist()
        return EgoPlaced((x, y, z), (roll, pitch, math.remainder(yaw, math.tau)), speed, steer)

    def others_at(self, moment: int) -> Iterator[tuple[BagActor, Placed]]:
        """Yields all actors but the ego vehicle at a moment [ns from the beginning], in the order of the bag."""
        after = int(np.searchsorted(self.list_time, moment, "right"))
        if after == 0:
            return
        before = after - 1
        start = int(self.list_time[before])
        following: Mapping[int, Pose] = self._list(after) if after < len(self.list_time) else {}
        span = (int(self.list_time[after]) - start) if following else 0
        for key, pose in self._list(before).items():
            known = self.known[key]
            yield known.actor, _between(known, pose, following.get(key), moment - start, span)

    def _list(self, row: int) -> dict[int, Pose]:
        """Returns the poses of a list by key. The last ones are kept: they are asked for again and again."""
        found = self._recent.get(row)
        if found is None:
            if len(self._recent) > 2:
                self._recent.clear()
            first, stop = self.part[row]
            found = dict(zip(self.key[first:stop].tolist(), self.pose[first:stop].tolist(), strict=True))
            self._recent[row] = found
        return found


def _between(known: Known, pose: Pose, following: Pose | None, passed: int, span: int) -> Placed:
    x, y, z, yaw = pose
    _, size, name = known
    if following is None or span <= 0:
        return Placed((x, y, z), yaw, (0.0, 0.0), size, name)
    dx, dy, dz = following[0] - x, following[1] - y, following[2] - z
    dt, share = span * 1e-9, passed / span
    if math.hypot(dx, dy, dz) > MAX_REPLAYED_SPEED * dt:
        return Placed((x, y, z), yaw, (0.0, 0.0), size, name)
    yaw += share * math.remainder(following[3] - yaw, math.tau)
    place = (x + share * dx, y + share * dy, z + share * dz)
    return Placed(place, math.remainder(yaw, math.tau), (dx / dt, dy / dt), size, name)


@dataclass(slots=True)
class _Stream:
    """Messages of a type: time at which they were recorded, stamp that they bear, what they say."""

    recorded: list[int] = field(default_factory=list)
    stamped: list[int] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    @property
    def has_good_stamps(self) -> bool:
        """Whether the stamps give the order of the messages: none is 0, and none is earlier than the one before."""
        return all(self.stamped) and all(a <= b for a, b in zip(self.stamped, self.stamped[1:], strict=False))

    def in_order(self, *, stamped: bool) -> tuple[NDArray[np.int64], list[Any]]:
        """Times `(N,)` [ns], ascending, no two equal, and the values at each."""
        times = self.stamped if stamped else self.recorded
        last = dict(sorted(zip(times, range(len(times)), strict=True)))
        return np.array(list(last), np.int64), [self.values[row] for row in last.values()]


class BagTrajectoryReader:
    """Makes `BagTrajectories` of the messages of a bag.

    Args:
        source: the bag, as errors shall name it.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._streams = {kind: _Stream() for kind in TYPES}
        self._key, self._pose = array("q"), array("d")
        self._known: dict[int, Known] = {}

    def add(self, kind: str, message: Any, time: int) -> None:
        """A message.

        Args:
            kind: one of `TYPES`.
            message: as it was decoded, of whichever generation.
            time: at which it was recorded [ns since 1970].

        Raises:
            InputError: it lacks a field that is needed, or says something that cannot be.
        """
        stream = self._streams[kind]
        try:
            values = _ego_row(message) if kind == EGO_TYPE else self._list(message)
            if kind == REPLAY_TYPE:
                values = (*values, *_tilt(message.orientation))
            stamp = message.header.stamp
            stream.stamped.append(int(stamp.sec) * 1_000_000_000 + int(stamp.nanosec))
        except (AttributeError, TypeError) as error:
            raise InputError(self._source, kind, f"is not as morai_msgs has it: {error}", "record it again") from None
        except ValueError as error:
            raise InputError(self._source, kind, str(error), "record it again") from None
        stream.recorded.append(time)
        stream.values.append(values)

    def trajectories(self, name: str) -> BagTrajectories:
        """Returns the trajectories of the messages that were added.

        Args:
            name: of the bag's file.

        Raises:
            InputError: there is nothing in it that can be replayed.
        """
        used = [stream for stream in self._streams.values() if stream.values]
        if not used:
            problem = f"holds no {', '.join(one.partition('/')[2] for one in TYPES)}"
            raise InputError(self._source, "", problem, "record /Ego_topic and /Object_topic of MORAI SIM or dorosim")
        stamped = all(stream.has_good_stamps for stream in used)
        ego_time, ego = self._streams[EGO_TYPE].in_order(stamped=stamped)
        tilt_time, replays = self._streams[REPLAY_TYPE].in_order(stamped=stamped)
        list_time, lists = self._streams[LIST_TYPE].in_order(stamped=stamped)
        if not lists:
            list_time, lists = tilt_time, [values[:2] for values in replays]
        rows = np.array(ego, np.float64).reshape(len(ego), 8)
        if replays and len(ego):
            for column in (0, 1):
                rows[:, 3 + column] = np.interp(ego_time, tilt_time, [values[2 + column] for values in replays])
        rows[:, 5] = np.unwrap(rows[:, 5])
        begin = min(int(times[0]) for times in (ego_time, list_time) if len(times))
        end = max(int(times[-1]) for times in (ego_time, list_time) if len(times))
        return BagTrajectories(
            name,
            begin,
            end - begin,
            ego_time - begin,
            rows,
            list_time - begin,
            np.array(lists, np.int64).reshape(len(lists), 2),
            np.frombuffer(self._key, np.int64),
            np.frombuffer(self._pose, np.float64).reshape(-1, 4),
            self._known,
        )

    def _list(self, message: Any) -> tuple[int, int]:
        """Store the actors of a list and their poses; returns its first row and the row behind its last."""
        first = len(self._key)
        lists = (message.npc_list, message.pedestrian_list, message.obstacle_list)
        for role, found in zip(Role, lists, strict=True):
            for one in found:
                number = int(one.unique_id)
                key = role << 32 | number & 0xFFFFFFFF
                if key not in self._known:
                    size = _sound((one.size.x, one.size.y, one.size.z))
                    self._known[key] = Known(BagActor(role, number), (size[0], size[1], size[2]), str(one.name))
                place = one.position
                self._key.append(key)
                self._pose.extend(_sound((place.x, place.y, place.z, math.radians(one.heading))))
        return first, len(self._key)


def _ego_row(message: Any) -> tuple[float, ...]:
    steer = message.wheel_angle if hasattr(message, "wheel_angle") else message.front_steer_angle
    place = message.position
    row = (place.x, place.y, place.z, 0.0, 0.0, math.radians(message.heading), message.velocity.x, math.radians(steer))
    return _sound(row)


def _tilt(turned: Any) -> tuple[float, float]:
    """Roll and pitch of a quaternion [rad], zeros of none."""
    x, y, z, w = _sound((turned.x, turned.y, turned.z, turned.w))
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if length < 1e-6:
        return 0.0, 0.0
    x, y, z, w = x / length, y / length, z / length, w / length
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    return roll, math.asin(min(max(2.0 * (w * y - z * x), -1.0), 1.0))


def _sound(numbers: tuple[float, ...]) -> tuple[float, ...]:
    if not all(abs(number) <= MAX_COORDINATE for number in numbers):
        raise ValueError("a number is not finite, or too large for a place on a map")
    return numbers
