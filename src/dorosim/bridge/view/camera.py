"""Cameras of visitors: where they look from when they follow an actor, whatever the visitor does with the mouse."""

from __future__ import annotations

import math
from collections import deque
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.bridge.actor_state import ActorState

FloatArray = NDArray[np.float64]


class Mode(Enum):
    """What a camera does."""

    CHASE = "chase"
    TOP = "top"
    DRIVER = "driver"
    FREE = "free"


class CameraPose(NamedTuple):
    """A camera in the page's frame: where it is and where it looks, `(3,)` each [m].

    Attributes:
        position: None to leave it where its visitor has it. look_at: what is in the middle of the picture.
    """

    position: FloatArray | None
    look_at: FloatArray


_TURNING = 0.4
"""Time constant with which a camera turns after its vehicle [s]."""
GLIDING = 0.25
"""Time constant with which it comes to another vehicle [s]."""
_MAX_GLIDE_DISTANCE = 120.0
"""A camera jumps at once to another vehicle that is farther away than this [m]."""
_TOP_DISTANCE = 85.0
_TOP_ELEVATION = math.radians(89.5)
_ELEVATION = math.radians(17.0)
_HOLD = 0.4
"""How long a camera that the visitor moves waits for the visitor's next move [s]."""
_REMEMBERED = 90
"""Poses that are remembered: the visitor's browser reports each with some delay."""
_SAME = 3e-3
"""Poses that differ by less than this, over their distance, are the same."""
_AIMED = 0.05
"""A camera that a browser reports is one that was sent to it if it looks this near to the point that was sent [m]."""
_MIN_DISTANCE, _MAX_DISTANCE = 1.0, 2500.0


class CameraRig:
    """The camera of one visitor. It is for one thread at a time.

    Attributes:
        mode: what it does.
    """

    def __init__(self, mode: Mode = Mode.CHASE) -> None:
        self.mode = mode
        self._heading = math.nan
        self._target = np.zeros(3)
        self._lag = np.zeros(3)
        self._followed = 0
        self._orbit: dict[Mode, FloatArray] = {}
        self._sent: deque[FloatArray] = deque(maxlen=_REMEMBERED)
        self._aims: deque[FloatArray] = deque(maxlen=_REMEMBERED)
        self._held, self._held_at = 0.0, np.zeros(3)
        self._arrived = True

    def set_mode(self, mode: Mode) -> None:
        """Change the mode; the camera looks as it was left in that mode."""
        self._arrived = self._arrived and mode is self.mode
        self.mode = mode
        self._sent.clear()
        self._aims.clear()
        self._held = 0.0

    def follow(self, actor: ActorState, origin: ArrayLike, elapsed: float) -> CameraPose | None:
        """Returns where the camera is now; None to leave it alone. While the visitor moves it, `position` is None.

        Args:
            actor: that it follows.
            origin: `(3,)` of the page's frame in the map [m].
            elapsed: wall time since the last call [s].
        """
        place, heading, height = np.subtract(actor.position, origin), actor.rotation[2], actor.size[2]
        ahead = np.array((math.cos(heading), math.sin(heading), 0.0))
        target = place + actor.middle * ahead + (0.0, 0.0, 0.6 * height)
        self._move(actor.id, target, heading, elapsed)
        if self.mode is Mode.FREE:
            return None
        if self.mode is Mode.DRIVER:
            eye = place + (actor.middle + 0.25 * actor.size[0]) * ahead + (0.0, 0.0, 0.86 * height)
            down = math.tan(actor.rotation[1] + 0.04)
            return CameraPose(eye, eye + 12.0 * (ahead - (0.0, 0.0, down)))
        look_at = self._target + self._lag
        self._aims.append(look_at)
        if self._held > 0.0:
            self._held -= elapsed
            return CameraPose(None, look_at)
        offset = self._offset(actor)
        self._sent.append(offset)
        return CameraPose(look_at + offset, look_at)

    def take_report(self, position: ArrayLike, look_at: ArrayLike) -> None:
        """Take the camera that the browser reports: keep a move of the visitor, ignore a pose that was sent to it."""
        if self.mode not in (Mode.CHASE, Mode.TOP):
            return
        place, target = np.array(position, np.float64), np.array(look_at, np.float64)
        offset = place - target
        size = float(np.linalg.norm(offset))
        if not math.isfinite(size) or size < 1e-3:
            return
        if not any(np.linalg.norm(target - one) < _AIMED for one in self._aims):
            return  # it looks elsewhere: the browser has not received this camera yet
        sent = any(np.linalg.norm(offset - one) < _SAME * size for one in self._sent)
        if not self._arrived:  # the browser tells of the last mode until it has received a camera of this one
            self._arrived = sent
            return
        if self._held > 0.0:
            offset = place - self._held_at
        elif sent or not self._sent:
            return
        else:
            self._held_at = target
        self._held = _HOLD
        self._sent.clear()
        self._keep(offset)

    def _keep(self, offset: FloatArray) -> None:
        """Keep this offset relative to the vehicle's heading from now on; from above, only the distance is kept."""
        distance = min(max(float(np.linalg.norm(offset)), _MIN_DISTANCE), _MAX_DISTANCE)
        if self.mode is Mode.TOP:
            self._orbit[Mode.TOP] = np.array((distance, 0.0, 0.0))
            return
        azimuth = math.atan2(offset[1], offset[0]) - self._heading
        elevation = math.asin(max(-1.0, min(offset[2] / float(np.linalg.norm(offset)), 1.0)))
        self._orbit[Mode.CHASE] = np.array((distance, azimuth, max(elevation, 0.02)))

    def _move(self, followed: int, target: FloatArray, heading: float, elapsed: float) -> None:
        """Move target and heading smoothly to those of the actor."""
        if followed != self._followed or math.isnan(self._heading):
            jump = self._target + self._lag - target
            near = self._followed and float(np.linalg.norm(jump)) < _MAX_GLIDE_DISTANCE
            self._lag = jump if near else np.zeros(3)
            self._heading = self._heading if near and not math.isnan(self._heading) else heading
            self._followed = followed
        self._lag = self._lag * math.exp(-elapsed / GLIDING)
        turn = math.remainder(heading - self._heading, math.tau)
        self._heading += turn * (1.0 - math.exp(-elapsed / _TURNING))
        self._target = target

    def _offset(self, actor: ActorState) -> FloatArray:
        """Returns the vector `(3,)` from the point that the camera looks at to the camera [m]."""
        if self.mode is Mode.TOP:
            kept = self._orbit.get(Mode.TOP)
            distance, azimuth, elevation = (_TOP_DISTANCE if kept is None else kept[0]), -0.5 * math.pi, _TOP_ELEVATION
        else:
            kept = self._orbit.get(Mode.CHASE)
            distance, azimuth, elevation = (
                (_usual_distance(actor), math.pi, _ELEVATION) if kept is None else kept.tolist()
            )
            azimuth += self._heading
        level = distance * math.cos(elevation)
        return np.array((level * math.cos(azimuth), level * math.sin(azimuth), distance * math.sin(elevation)))


def _usual_distance(actor: ActorState) -> float:
    """Returns how far behind an actor the camera shows it and the road before it [m]."""
    return 4.0 + 1.8 * max(actor.size[0], actor.size[2])


def first_pose(actor: ActorState, origin: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Where a visitor's camera begins, behind the actor, and where it looks: `(3,)` each [m]."""
    pose = CameraRig().follow(actor, origin, 0.0)
    assert pose is not None
    assert pose.position is not None
    return pose.position, pose.look_at
