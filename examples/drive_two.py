#!/usr/bin/env python3
"""Drives two ego vehicles of one run, each by its own UDP ports, with nothing but Python's standard library.

Start the simulator in one terminal, then this in another:

    dorosim run --config examples/two_egos.toml
    python examples/drive_two.py

The first vehicle follows the lap of the built-in town, as examples/drive_lap.py does; the second one follows it, and
keeps two seconds behind. Ports of ego n are those of ego 1 plus 100 x (n - 1): its status comes to 1009, its Ego Ctrl
Cmd goes to 9193.
"""

import argparse
import math
import select
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from drive_lap import AUTO, CONTROL, DRIVE, MAX_STEER, PEDALS, STATUS, LapRow, Path2D, Pedals, read_path, steering
from lookout import Point
from run_ports import add_run_option, bound, control_port, run_event, sent_to

APART = 100
"""From the ports of one ego vehicle to those of the next."""
GAP, HEADWAY = 8.0, 2.0
"""What the second one keeps behind the first: metres at rest, and seconds."""


class Ego:
    """One ego vehicle: its sockets, and where it is on the lap."""

    def __init__(self, number: int, rows: list[LapRow], status_port: int, control_port: int) -> None:
        self.number, self.path = number, Path2D(rows)
        self.to = ("127.0.0.1", control_port + APART * (number - 1))
        self.socket = bound(status_port + APART * (number - 1), "--status-port")
        self.index: int | None = None
        self.last: Point | None = None
        self.speed, self.travelled = 0.0, 0.0
        self.pedals, self.time, self.elapsed = Pedals(), math.inf, 0.0

    def hear(self) -> float | None:
        """Take one status; the steering and the speed that the bends allow, None if it was none."""
        packet = self.socket.recv(65536)
        if not packet.startswith(b"#MoraiInfo$"):
            return None
        status = STATUS.unpack_from(packet)
        now = status[2] + status[3] * 1e-9
        self.elapsed, self.time = max(0.0, now - self.time), now
        wheelbase, (x, y), yaw = status[14], status[16:18], math.radians(status[21])
        self.index, self.speed = self.path.locate(x, y), status[6] / 3.6
        self.travelled += math.dist(self.last, (x, y)) if self.last else 0.0
        self.last = (x, y)
        return steering(self.path, self.index, x, y, yaw, self.speed, wheelbase)

    def drive(self, angle: float, wanted: float) -> None:
        """Send pedals and steering; positive steering is to the right (24.R2)."""
        accel, brake = self.pedals.set(self.speed, wanted, self.elapsed)
        steer = max(-1.0, min(1.0, -angle / MAX_STEER))
        head = (b"#MoraiCtrlCmd$", 23)
        command = CONTROL.pack(*head, AUTO, DRIVE, PEDALS, 0.0, 0.0, accel, brake, steer, b"\r\n")
        self.socket.sendto(command, self.to)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--path", default=Path(__file__).with_name("town_lap.csv"), help="CSV file with columns x,y")
    parser.add_argument("--metres", type=float, default=1000.0, help="how far")
    parser.add_argument("--top", type=float, default=50.0, help="highest speed [km/h]")
    add_run_option(parser)
    parser.add_argument("--status-port", type=int, help="of the first ego vehicle (909)")
    parser.add_argument("--control-port", type=int, help="of the first ego vehicle (9093)")
    options = parser.parse_args()

    event, rows = run_event(options.run), read_path(options.path)
    status_port = options.status_port or sent_to(event, "EgoVehicleStatus", 909)
    egos = [Ego(number, rows, status_port, options.control_port or control_port(event)) for number in (1, 2)]
    least = math.inf
    try:
        least = follow_lap(egos, options)
    except KeyboardInterrupt:
        pass
    finally:
        for ego in egos:  # both brake, whatever ended it
            ego.drive(0.0, -math.inf)
    if math.isfinite(least):
        print(f"both have driven {options.metres:.0f} m, at least {least:.0f} m apart")


def follow_lap(egos: list[Ego], options: argparse.Namespace) -> float:
    """Drive until the second one has come far enough; the least distance between both along the lap [m]."""
    first, second = egos
    least, told = math.inf, time.monotonic()
    while second.travelled < options.metres:
        ready, _, _ = select.select([ego.socket for ego in egos], [], [], 10.0)
        if not ready:
            sys.exit("nothing came for 10 s; is the simulator running with examples/two_egos.toml?")
        for ego in egos:
            angle = ego.hear() if ego.socket in ready else None
            if angle is None or ego.index is None:
                continue
            wanted = ego.path.allowed_speed(ego.index, options.top / 3.6)
            if ego is second and first.index is not None and second.index is not None:
                gap = (first.index - second.index) % second.path.count
                least = min(least, gap)
                wanted = max(0.0, min(wanted, first.speed + 0.3 * (gap - GAP - HEADWAY * second.speed)))
            ego.drive(angle, wanted)
        if time.monotonic() > told + 1.0:
            told += 1.0
            parts = (f"ego {ego.number} {ego.travelled:4.0f} m at {3.6 * ego.speed:4.1f} km/h" for ego in egos)
            print(", ".join(parts), flush=True)
    return least


if __name__ == "__main__":
    main()
