#!/usr/bin/env python3
"""Drives laps with nothing but the documented bytes and Python's standard library.

Start the simulator in one terminal (make run), then this in another:

    python examples/drive_lap.py

It follows a path, stops at red lights, keeps speed limits and distances, and brakes when it ends, also at Ctrl-C. It
listens as MORAI SIM's example clients do: to the ego status on port 909, to the light ahead on 7502, to what is around
on 7505; it sends Ego Ctrl Cmd to port 9093: pedals and steering. A run with other ports is found by its id: --run ID.

The path is a CSV file with columns x and y in the map [m]; the built-in town's lap if none is given. Further columns
count where they are: limit [km/h]; light, the ids of the lights of a stop line there, and go, the lamps that let one
pass (16 is green). lookout.py beside it decides how fast lights and others allow it to be.
"""

import argparse
import csv
import math
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, NoReturn

sys.path.insert(0, str(Path(__file__).parent))
from lookout import VIEW, Car, LightWatch, Point, StopLine, Thing, Way, speed_by_things, things_of
from run_ports import add_run_option, bound, control_port, run_event, sent_to, stop

STATUS = struct.Struct("<11s i 12x 2i 2b f i 2f 3f 3f 3f 3f 3f 3f 3f f")
"""#MoraiInfo$: header, length, aux, stamp, mode, gear, speed, map, pedals, size, axles, pose, velocities, steering."""
CONTROL = struct.Struct("<14s i 12x 3b 5f 2s")
"""#MoraiCtrlCmd$: header, length, aux, mode, gear, type, velocity, acceleration, accel, brake, steer, tail."""
MAX_STEER = math.radians(36.25)
AUTO, DRIVE, PEDALS = 2, 4, 1
LIMIT_MARGIN = 0.6
"""So much [m/s] below limits, and below the highest speed, it drives."""
CREEP, CREEP_BRAKE = 2.0, 0.1
"""Up to this speed [m/s] an automatic pushes in D without any pedal, and the brake that holds it."""
HOLD_RANGE, HOLD_GAIN, MOST_HOLD = 1.0, 0.1, 0.5
"""How near to the wanted speed it learns [m/s], how fast [1/m], and the most of the accelerator that holds a speed."""
LOOK_PERIOD_S = 0.1
"""Simulated time between two looks around."""
PATIENCE_S = 10.0
"""Wall time without a status after which it gives up."""


class LapRow(NamedTuple):
    """A row of the CSV file: place in the map [m], limit [m/s], ids of lights, lamps that let one pass."""

    x: float
    y: float
    limit: float = math.inf
    lights: tuple[str, ...] = ()
    go: int = 0


class Path2D:
    """A closed path, as points about a metre apart with curvature and limit at each, and its stop lines."""

    def __init__(self, rows: Sequence[LapRow], step: float = 1.0) -> None:
        self.points: list[Point] = []
        self.limits: list[float] = []
        self.lines: list[StopLine] = []
        carry = 0.0
        for row, after in pairwise([*rows, rows[0]]):
            if row.lights:
                self.lines.append(StopLine(len(self.points), row.lights, row.go))
            length = math.dist(row[:2], after[:2])
            while carry < length:
                share = carry / length
                self.points.append((row.x + (after.x - row.x) * share, row.y + (after.y - row.y) * share))
                self.limits.append(row.limit)
                carry += step
            carry -= length
        self.count = len(self.points)
        self.curvature = [self._bend(i) for i in range(self.count)]
        self.nearest: int | None = None

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
        """The speed [m/s] that the bends and limits of the next 80 m allow."""
        speed = top - LIMIT_MARGIN
        for k in range(80):
            at = (index + k) % self.count
            allowed = self.limits[at] - LIMIT_MARGIN
            bend = abs(self.curvature[at])
            if bend > 1e-4:
                allowed = min(allowed, math.sqrt(lateral / bend))
            speed = min(speed, math.sqrt(max(allowed, 0.0) ** 2 + 2 * braking * k))
        return speed

    def way(self, index: int) -> Way:
        """The path ahead of a point, and the 40 m behind it."""
        ahead = [self.points[(index + k) % self.count] for k in range(VIEW)]
        return Way(ahead, [self.points[(index - k) % self.count] for k in range(1, 40)])


def steering(path: Path2D, index: int, x: float, y: float, yaw: float, speed: float, wheelbase: float) -> float:
    """Pure pursuit (Coulter 1992): the wheel angle [rad] of the arc through a point ahead."""
    px, py = path.ahead(index, 3.0 + 0.35 * speed)
    forward = (px - x) * math.cos(yaw) + (py - y) * math.sin(yaw)
    left = (py - y) * math.cos(yaw) - (px - x) * math.sin(yaw)
    return math.atan2(2 * wheelbase * left, forward * forward + left * left)


class Pedals:
    """Sets accelerator and brake by the speed error, and learns how much of the accelerator holds a speed."""

    def __init__(self) -> None:
        self._hold = 0.0

    def set(self, speed: float, wanted: float, elapsed: float) -> tuple[float, float]:
        """Accelerator and brake; at rest the brake holds.

        Args:
            speed: the present one [m/s]. wanted: the one to be had [m/s]. elapsed: since the last call [s].
        """
        if wanted < 0.3 and speed < 0.5:
            return 0.0, 0.5
        error = wanted - speed
        if abs(error) < HOLD_RANGE:  # else it would learn what speeding up takes
            self._hold = max(0.0, min(MOST_HOLD, self._hold + HOLD_GAIN * error * elapsed))
        against = CREEP_BRAKE if wanted < min(speed, CREEP) else 0.0
        brake = max(0.0, min(1.0, 0.25 * (-error - 0.3) + against))
        return (0.0 if brake else max(0.0, min(1.0, 0.35 * error + self._hold))), brake


def read_path(name: str | Path) -> list[LapRow]:
    """The rows of a CSV file; ends the program where it is none."""
    try:
        with Path(name).open(newline="") as file:
            rows = [
                LapRow(
                    float(row["x"]),
                    float(row["y"]),
                    float(row.get("limit") or math.inf) / 3.6,
                    tuple((row.get("light") or "").split()),
                    int(row.get("go") or 0),
                )
                for row in csv.DictReader(file)
            ]
    except (OSError, KeyError, ValueError, UnicodeDecodeError) as error:
        stop(f"{name}: is not a path: {error!r}; give a CSV file with columns x and y")
    if len(rows) < 3 or not all(math.isfinite(row.x + row.y) for row in rows):
        stop(f"{name}: is not a path: it needs at least three points, all of finite numbers")
    return rows


@dataclass
class Status:
    """What the ego status says [SI]."""

    time: float
    x: float
    y: float
    yaw: float
    wheelbase: float
    car: Car

    @classmethod
    def from_packet(cls, packet: bytes) -> "Status":
        row = STATUS.unpack_from(packet)
        width, overhang, wheelbase, rear = row[11], row[13], row[14], row[15]
        car = Car(max(row[6], 0.0) / 3.6, wheelbase + overhang, rear, width / 2)
        return cls(row[2] + row[3] * 1e-9, row[16], row[17], math.radians(row[21]), wheelbase, car)


class Driver:
    """Drives the ego vehicle along a path: its sockets, and what it knows.

    Args:
        path: to follow. options: of the command line, with all ports.
    """

    def __init__(self, path: Path2D, options: argparse.Namespace) -> None:
        self.path, self.options = path, options
        self.status_socket = bound(options.status_port, "--status-port")
        self.light_socket = bound(options.light_port, "--light-port")
        self.object_socket = bound(options.object_port, "--object-port")
        self.sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.lights = LightWatch(path.lines, path.count, lambda line: print(line, flush=True))
        self.things: list[Thing] = []
        self.looked, self.by_things = -math.inf, math.inf
        self.status: Status | None = None
        self.travelled = self.worst = 0.0
        self.pedals, self._driven = Pedals(), -math.inf

    def hear(self, patience: float) -> bool:
        """Take what has come; whether there is a new status, which it waits for."""
        end = time.monotonic() + patience
        sockets = [self.status_socket, self.light_socket, self.object_socket]
        while True:
            ready, _, _ = select.select(sockets, [], [], max(end - time.monotonic(), 0.0))
            if not ready:
                return False
            for one in (self.light_socket, self.object_socket):
                if one in ready:
                    self._take(_newest(one))
            if self.status_socket in ready and self._take(_newest(self.status_socket)):
                return True

    def _take(self, packet: bytes) -> bool:
        """Read a packet; whether it was a status."""
        if packet.startswith(b"#TrafficLight$") and len(packet) >= 48:
            self.lights.hear(packet)
        elif packet.startswith(b"#MoraiObjInfo$"):
            self.things = things_of(packet)
        elif packet.startswith(b"#MoraiInfo$") and len(packet) >= STATUS.size:
            before, self.status = self.status, Status.from_packet(packet)
            index = self.path.locate(self.status.x, self.status.y)
            if before is not None:
                self.travelled += math.dist((before.x, before.y), (self.status.x, self.status.y))
                self.worst = max(self.worst, self.path.offset(index, self.status.x, self.status.y))
            return True
        return False

    def wanted_speed(self, now: Status, index: int) -> float:
        """The speed that bends, limits, lights and others allow [m/s]."""
        if abs(now.time - self.looked) >= LOOK_PERIOD_S - 1e-3:
            self.looked = now.time
            self.by_things = speed_by_things(self.path.way(index), now.car, self.things)
        allowed = self.path.allowed_speed(index, self.options.top / 3.6)
        return max(0.0, min(allowed, self.lights.speed(index, now.car), self.by_things))

    def drive(self, wanted: float | None = None) -> None:
        """Send a command by the last status: towards a speed, by default the one that all allow."""
        now = self.status
        if now is None or self.path.nearest is None:
            return
        index = self.path.nearest
        angle = steering(self.path, index, now.x, now.y, now.yaw, now.car.speed, now.wheelbase)
        elapsed, self._driven = max(0.0, min(now.time - self._driven, 0.5)), now.time
        aim = self.wanted_speed(now, index) if wanted is None else wanted
        accel, brake = self.pedals.set(now.car.speed, aim, elapsed)
        self.send(accel, min(brake, 0.6) if wanted == 0.0 else brake, self.options.steer_sign * angle / MAX_STEER)

    def send(self, accel: float, brake: float, steer: float) -> None:
        """Send Ego Ctrl Cmd; steering is a share of the largest wheel angle."""
        command = (b"#MoraiCtrlCmd$", 23, AUTO, DRIVE, PEDALS, 0.0, 0.0, accel, brake, max(-1.0, min(1.0, steer)))
        self.sender.sendto(CONTROL.pack(*command, b"\r\n"), ("127.0.0.1", self.options.control_port))

    def halt(self) -> None:
        """Brake to rest along the path; where no status comes any more, brake."""
        end = time.monotonic() + PATIENCE_S
        try:
            while self.hear(0.5) and self.status and self.status.car.speed > 0.1 and time.monotonic() < end:
                self.drive(0.0)
        finally:
            self.send(0.0, 1.0, 0.0)  # the last command holds


def _newest(one: socket.socket) -> bytes:
    """The newest packet of a socket at which at least one waits."""
    packet = one.recv(65536)
    while select.select([one], [], [], 0.0)[0]:
        packet = one.recv(65536)
    return packet


def drive_laps(driver: Driver, metres: float) -> None:
    """Drive so far along the path."""
    told = time.monotonic()
    while driver.travelled < metres:
        if not driver.hear(PATIENCE_S):
            stop(
                f"nothing came to port {driver.options.status_port} for {PATIENCE_S:g} s; is the simulator running, "
                "does it send EgoVehicleStatus there, and is it not paused? A run with other ports is found by --run ID"
            )
        driver.drive()
        if time.monotonic() > told + 1.0 and driver.status is not None:
            told = time.monotonic()
            print(f"{driver.travelled:6.0f} m, {3.6 * driver.status.car.speed:4.1f} km/h", flush=True)


def options_of(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of the command line, with all ports."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--path", default=Path(__file__).with_name("town_lap.csv"), help="CSV file with columns x,y")
    parser.add_argument("--laps", type=float, default=1.0)
    parser.add_argument("--top", type=float, default=60.0, help="highest speed [km/h]")
    add_run_option(parser)
    parser.add_argument("--status-port", type=int, help="where the ego status comes (909)")
    parser.add_argument("--light-port", type=int, help="where the light ahead comes (7502)")
    parser.add_argument("--object-port", type=int, help="where object info comes (7505)")
    parser.add_argument("--control-port", type=int, help="where commands go (9093)")
    parser.add_argument("--steer-sign", type=int, default=-1, help="-1: positive is right (24.R2); 1: left (25.S4)")
    options = parser.parse_args(arguments)
    event = run_event(options.run)
    options.status_port = options.status_port or sent_to(event, "EgoVehicleStatus", 909)
    options.light_port = options.light_port or sent_to(event, "GetTrafficLightStatus", 7502)
    options.object_port = options.object_port or sent_to(event, "ObjectInfo", 7505)
    options.control_port = options.control_port or control_port(event)
    return options


def main() -> int:
    """Drive, and brake at the end, whatever ends it."""
    options = options_of()
    path = Path2D(read_path(options.path))
    if not path.lines:
        print("the path names no lights: it does not stop at red")
    driver = Driver(path, options)
    signal.signal(signal.SIGTERM, _interrupt)
    start = time.monotonic()
    try:
        drive_laps(driver, options.laps * path.count)
    except KeyboardInterrupt:
        print("braking", flush=True)
    finally:
        driver.halt()
    seconds = time.monotonic() - start
    print(f"{driver.travelled:.0f} m in {seconds:.1f} s, at most {driver.worst:.2f} m beside the path")
    return 0


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
