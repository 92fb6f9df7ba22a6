#!/usr/bin/env python3
"""Drives laps with nothing but the documented bytes and Python's standard library.

Start the simulator in one terminal (make run), then this in another:

    python examples/drive_lap.py

It listens to the ego status on port 909, as MORAI SIM's example clients do, follows a path given as x,y,z lines in a
CSV file (the built-in town's lap if none is given), and sends Ego Ctrl Cmd to port 9093: pedals and steering.
"""

import argparse
import csv
import math
import socket
import struct
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

Point = tuple[float, float]

STATUS = struct.Struct("<11s i 12x 2i 2b f i 2f 3f 3f 3f 3f 3f 3f 3f f")
"""#MoraiInfo$: header, length, aux, stamp, mode, gear, speed, map, pedals, size, axles, pose, velocities, steering."""
CONTROL = struct.Struct("<14s i 12x 3b 5f 2s")
"""#MoraiCtrlCmd$: header, length, aux, mode, gear, type, velocity, acceleration, accel, brake, steer, tail."""
MAX_STEER = math.radians(36.25)
AUTO, DRIVE, PEDALS = 2, 4, 1


class Path2D:
    """A closed path, as points about a metre apart with the curvature at each."""

    def __init__(self, points: list[Point]) -> None:
        self.points = self._resampled(points, 1.0)
        self.count = len(self.points)
        self.curvature = [self._bend(i) for i in range(self.count)]
        self.nearest: int | None = None

    @staticmethod
    def _resampled(points: list[Point], step: float) -> list[Point]:
        points = [*points, points[0]]
        made: list[Point] = []
        carry = 0.0
        for (x0, y0), (x1, y1) in pairwise(points):
            length = math.hypot(x1 - x0, y1 - y0)
            while carry < length:
                made.append((x0 + (x1 - x0) * carry / length, y0 + (y1 - y0) * carry / length))
                carry += step
            carry -= length
        return made

    def _bend(self, i: int, reach: int = 4) -> float:
        """Curvature by the circle through a point and its neighbours."""
        (ax, ay), (bx, by), (cx, cy) = (self.points[(i + k) % self.count] for k in (-reach, 0, reach))
        twice_area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        sides = math.hypot(bx - ax, by - ay) * math.hypot(cx - bx, cy - by) * math.hypot(cx - ax, cy - ay)
        return 2 * twice_area / sides if sides else 0.0

    def locate(self, x: float, y: float) -> int:
        """Index of the nearest point; near the last one, once there was one."""
        if self.nearest is None:
            candidates: Sequence[int] = range(self.count)
        else:
            candidates = [(self.nearest + k) % self.count for k in range(-10, 60)]
        nearest = min(candidates, key=lambda i: math.dist(self.points[i], (x, y)))
        self.nearest = nearest
        return nearest

    def offset(self, index: int, x: float, y: float) -> float:
        """Distance from the path at the nearest point [m]."""
        (ax, ay), (bx, by) = (self.points[(index + k) % self.count] for k in (-1, 1))
        return abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / (math.hypot(bx - ax, by - ay) or 1.0)

    def ahead(self, index: int, metres: float) -> Point:
        return self.points[(index + max(1, round(metres))) % self.count]

    def allowed_speed(self, index: int, top: float, lateral: float = 2.0, braking: float = 1.5) -> float:
        """The speed [m/s] that the bends of the next 80 m allow."""
        speed = top
        for k in range(80):
            bend = abs(self.curvature[(index + k) % self.count])
            if bend > 1e-4:
                speed = min(speed, math.sqrt(lateral / bend + 2 * braking * k))
        return speed


def steering(path: Path2D, index: int, x: float, y: float, yaw: float, speed: float, wheelbase: float) -> float:
    """Pure pursuit (Coulter 1992): the wheel angle [rad] of the arc through a point ahead."""
    px, py = path.ahead(index, 3.0 + 0.35 * speed)
    forward = (px - x) * math.cos(yaw) + (py - y) * math.sin(yaw)
    left = (py - y) * math.cos(yaw) - (px - x) * math.sin(yaw)
    return math.atan2(2 * wheelbase * left, forward * forward + left * left)


def pedals(speed: float, wanted: float) -> tuple[float, float]:
    """Accelerator and brake by the speed error."""
    effort = 0.35 * (wanted - speed) + 0.02 * wanted
    return max(0.0, min(1.0, effort)), max(0.0, min(1.0, -0.4 * effort))


def read_path(name: str | Path) -> list[Point]:
    with Path(name).open(newline="") as file:
        return [(float(row["x"]), float(row["y"])) for row in csv.DictReader(file)]


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--path", default=Path(__file__).with_name("town_lap.csv"), help="CSV file with columns x,y")
    parser.add_argument("--laps", type=float, default=1.0)
    parser.add_argument("--top", type=float, default=60.0, help="highest speed [km/h]")
    parser.add_argument("--status-port", type=int, default=909)
    parser.add_argument("--control-port", type=int, default=9093)
    parser.add_argument("--steer-sign", type=int, default=-1, help="-1: positive is right (24.R2); 1: left (25.S4)")
    options = parser.parse_args()

    path = Path2D(read_path(options.path))
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        receiver.bind(("127.0.0.1", options.status_port))
    except PermissionError:
        sys.exit(
            f"port {options.status_port} needs a privilege here; start the simulator with "
            "--network examples/high_ports.toml, and this with --status-port 9909"
        )
    receiver.settimeout(10.0)
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    travelled, worst = 0.0, 0.0
    last: Point | None = None
    told = start = time.monotonic()
    try:
        while travelled < options.laps * path.count:
            try:
                packet = receiver.recv(65536)
            except TimeoutError:
                sys.exit(
                    f"nothing came to port {options.status_port} for 10 s; is the simulator running, does it send "
                    "EgoVehicleStatus there, and is it not paused?"
                )
            if not packet.startswith(b"#MoraiInfo$"):
                continue
            status = STATUS.unpack_from(packet)
            wheelbase, (x, y), yaw = status[14], status[16:18], math.radians(status[21])
            speed = status[6] / 3.6
            index = path.locate(x, y)
            if last is not None:
                travelled += math.dist(last, (x, y))
                worst = max(worst, path.offset(index, x, y))
            last = (x, y)
            if time.monotonic() > told + 1.0:
                told += 1.0
                print(f"{travelled:6.0f} m, {status[6]:4.1f} km/h", flush=True)
            angle = steering(path, index, x, y, yaw, speed, wheelbase)
            steer = max(-1.0, min(1.0, options.steer_sign * angle / MAX_STEER))
            accel, brake = pedals(speed, path.allowed_speed(index, options.top / 3.6))
            command = (b"#MoraiCtrlCmd$", 23, AUTO, DRIVE, PEDALS, 0.0, 0.0, accel, brake, steer, b"\r\n")
            sender.sendto(CONTROL.pack(*command), ("127.0.0.1", options.control_port))
    except KeyboardInterrupt:
        pass  # the car brakes
    sender.sendto(
        CONTROL.pack(b"#MoraiCtrlCmd$", 23, AUTO, DRIVE, PEDALS, 0.0, 0.0, 0.0, 1.0, 0.0, b"\r\n"),
        ("127.0.0.1", options.control_port),
    )
    seconds = time.monotonic() - start
    print(f"{travelled:.0f} m in {seconds:.1f} s, at most {worst:.2f} m beside the path")
    return 0


if __name__ == "__main__":
    sys.exit(main())
