"""A driver as students write it for MORAI SIM: decodes the ego status at documented offsets, follows a path by pure
pursuit with a look-ahead of 5 to 30 m, and keeps a speed planned from the path's curvature with a P controller on the
pedals. Shares no code with dorosim. Commands go out at 30 Hz.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from itertools import pairwise

MAX_STEER_DEG = 36.25
WHEELBASE = 2.7
LOOK_AHEAD_GAIN, LEAST_AHEAD, MOST_AHEAD = 0.78, 5.0, 30.0
ROAD_FRICTION = 0.15


class PathFollower:
    """Args: points: the path, (x, y) a step of half a metre to two apart. top_kmh: highest speed."""

    def __init__(self, points: Sequence[tuple[float, float]], top_kmh: float = 60.0) -> None:
        self.points = list(points)
        self.speeds = self._planned(top_kmh / 3.6)
        self.at = 0
        self.travelled = 0.0
        self.worst = 0.0
        self._last: tuple[float, float] | None = None

    def _planned(self, top: float) -> list[float]:
        """Speed at each point by the radius of the path around it, as the public example plans it."""
        speeds = []
        for i in range(len(self.points)):
            near = self.points[max(0, i - 12) : i + 13]
            speeds.append(min(top, math.sqrt(9.8 * ROAD_FRICTION * _radius(near))))
        return speeds

    def command(self, status: bytes) -> bytes:
        """The control datagram that answers a status datagram."""
        assert status.startswith(b"#MoraiInfo$")
        assert len(status) == 229
        speed = struct.unpack_from("<f", status, 101)[0] / 3.6
        x, y = struct.unpack_from("<2f", status, 77)
        yaw = math.radians(struct.unpack_from("<f", status, 97)[0])
        self._track(x, y)
        steer = self._steer(x, y, yaw, speed)
        effort = 0.3 * (self.speeds[min(self.at, len(self.speeds) - 1)] - speed)
        accel, brake = (min(effort, 1.0), 0.0) if effort > 0 else (0.0, min(-effort, 1.0))
        payload = struct.pack("<3b5f", 2, 4, 1, 0.0, 0.0, accel, brake, -steer / math.radians(MAX_STEER_DEG))
        return b"#MoraiCtrlCmd$" + struct.pack("<i3i", len(payload), 0, 0, 0) + payload + b"\r\n"

    def _track(self, x: float, y: float) -> None:
        window = range(self.at, min(self.at + 60, len(self.points)))
        self.at = min(window, key=lambda i: math.dist(self.points[i], (x, y)))
        near = self.points[max(0, self.at - 3) : self.at + 4]
        self.worst = max(self.worst, min(_distance((x, y), a, b) for a, b in pairwise(near)))
        if self._last is not None:
            self.travelled += math.dist(self._last, (x, y))
        self._last = (x, y)

    def _steer(self, x: float, y: float, yaw: float, speed: float) -> float:
        ahead = min(max(LOOK_AHEAD_GAIN * speed, LEAST_AHEAD), MOST_AHEAD)
        for px, py in self.points[self.at :]:
            forward = (px - x) * math.cos(yaw) + (py - y) * math.sin(yaw)
            left = (py - y) * math.cos(yaw) - (px - x) * math.sin(yaw)
            if forward > 0 and math.hypot(forward, left) >= ahead:
                return math.atan2(2 * WHEELBASE * math.sin(math.atan2(left, forward)), ahead)
        return 0.0


def _distance(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    length2 = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    if length2 == 0:
        return math.dist(p, a)
    t = min(1.0, max(0.0, ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / length2))
    return math.dist(p, (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))


def _radius(points: Sequence[tuple[float, float]]) -> float:
    """Radius of the circle through the first, middle and last point."""
    (ax, ay), (bx, by), (cx, cy) = points[0], points[len(points) // 2], points[-1]
    twice_area = abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
    if twice_area < 1e-6:
        return 1e6
    return (
        math.dist((ax, ay), (bx, by)) * math.dist((bx, by), (cx, cy)) * math.dist((cx, cy), (ax, ay)) / (2 * twice_area)
    )
