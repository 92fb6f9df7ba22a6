#!/usr/bin/env python3
"""A small stack that drives straight on by UDP, keeps its speed, and brakes for what is ahead. Standard library only.

    dorosim scenario run examples/scenario/cut_in.xosc --ego udp --lockstep --no-collision &
    python examples/scenario/brake_stack.py --speed 20

It answers each status of the ego vehicle with one command, as `--lockstep` asks for: first it waits for what is around
the car at the same moment. With --blind it does not brake. It ends when no status has come for --patience seconds.
"""

import argparse
import math
import select
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from lookout import MAX_OBJECTS, OBJECT, OBJECTS
from run_ports import add_run_option, bound, control_port, run_event, sent_to

STATUS = struct.Struct("<11s i 12x 2i 2b f i 2f 3f 3f 3f 3f 3f 3f 3f f")
"""#MoraiInfo$: header, length, aux, stamp, mode, gear, speed, map, pedals, size, axles, pose, velocities, steering."""
CONTROL = struct.Struct("<14s i 12x 3b 5f 2s")
"""#MoraiCtrlCmd$: header, length, aux, mode, gear, type, velocity, acceleration, accel, brake, steer, tail."""
Fields = tuple[Any, ...]
AUTO, DRIVE, PEDALS = 2, 4, 1
SAME_MOMENT_S = 0.5
"""How long it waits for what is around at the moment of a status [wall s]."""
STANDSTILL_GAP = 5.0
"""What it keeps to others when it stands [m]."""
FIRM = 4.0
"""How hard it brakes for others [m/s2]."""
HALF_LANE = 1.6
"""Others nearer than this to the line ahead are in its way [m]."""
FRONT = 3.7
"""From the rear axle to the front bumper [m]."""


class Stack:
    """Decides how to drive.

    Args:
        speed: to keep [m/s].
        blind: whether it looks at nothing.
    """

    def __init__(self, speed: float, *, blind: bool) -> None:
        self.speed, self.blind = speed, blind
        self.heading: float | None = None
        self.line = (0.0, 0.0)

    def pedals(self, status: Fields, things: list[Fields]) -> tuple[float, float, float]:
        """Accelerator, brake, and steering to the left [-1 to 1].

        Args:
            status: fields of `STATUS`. things: fields of `OBJECT` of each.
        """
        x, y, heading = status[16], status[17], math.radians(status[21])
        speed = status[6] / 3.6
        if self.heading is None:
            self.heading, self.line = heading, (x, y)
        c, s = math.cos(self.heading), math.sin(self.heading)
        aside = c * (y - self.line[1]) - s * (x - self.line[0])
        steer = -0.05 * aside - 0.5 * math.remainder(heading - self.heading, math.tau)
        allowed = (self._allowed(x, y, c, s, one) for one in things if not self.blind)
        missing = min(self.speed, *allowed, self.speed) - speed
        return min(max(0.15 + 0.2 * missing, 0.0), 1.0), min(max(-0.3 * missing - 0.1, 0.0), 1.0), steer

    @staticmethod
    def _allowed(x: float, y: float, c: float, s: float, thing: Fields) -> float:
        """The speed from which one comes down to that of another one in time [m/s]; infinite for one not in the way."""
        dx, dy = thing[2] - x, thing[3] - y
        ahead, left = c * dx + s * dy, c * dy - s * dx
        heading, speed = math.radians(thing[5]), thing[12] / 3.6
        along = speed * (math.cos(heading) * c + math.sin(heading) * s)
        drift = speed * (math.sin(heading) * c - math.cos(heading) * s)
        # one that is beside the lane and comes into it is as good as in it
        near = min(abs(left), abs(left + drift)) < HALF_LANE + 0.5 * thing[7]
        if ahead < 0.0 or not near:
            return math.inf
        gap = ahead - thing[11] - FRONT - STANDSTILL_GAP
        return math.sqrt(max(along, 0.0) ** 2 + 2.0 * FIRM * gap) if gap > 0.0 else max(along - 1.0, 0.0)


def main() -> None:
    """Drive until the run is over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", type=float, default=20.0, help="to keep [m/s]")
    parser.add_argument("--blind", action="store_true", help="brake for nothing")
    parser.add_argument(
        "--patience", type=float, default=30.0, help="wall time without a status after which it ends [s]"
    )
    for name, port in (("status", 909), ("object", 7505), ("control", 9093)):
        parser.add_argument(f"--{name}-port", type=int, default=port, help=f"as the simulator has it; {port}")
    parser.add_argument("--mute-after", type=int, default=-1, help="say nothing more after so many commands")
    add_run_option(parser)
    options = parser.parse_args()
    event = run_event(options.run)
    ego, around = (
        bound(sent_to(event, "EgoVehicleStatus", options.status_port), "--status-port"),
        bound(sent_to(event, "ObjectInfo", options.object_port), "--object-port"),
    )
    target = ("127.0.0.1", control_port(event, options.control_port))
    stack = Stack(options.speed, blind=options.blind)
    with ego, around, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        print("waiting for a status", flush=True)
        stamp, things = (-1, -1), []
        left = options.mute_after
        while left and select.select((ego,), (), (), options.patience)[0]:
            status = STATUS.unpack_from(ego.recv(2048))
            asked, until = status[2:4], time.monotonic() + SAME_MOMENT_S
            while stamp < asked and select.select((around,), (), (), max(until - time.monotonic(), 0.0))[0]:
                data = around.recv(8192)
                head = OBJECTS.unpack_from(data)
                stamp = head[2:4]
                things = [OBJECT.unpack_from(data, OBJECTS.size + n * OBJECT.size) for n in range(MAX_OBJECTS)]
                things = [one for one in things if one[0]]
            accel, brake, steer = stack.pedals(status, things)
            command = (b"#MoraiCtrlCmd$", 23, AUTO, DRIVE, PEDALS, 0.0, 0.0, accel, brake, steer, b"\r\n")
            out.sendto(CONTROL.pack(*command), target)
            left -= 1


if __name__ == "__main__":
    main()
