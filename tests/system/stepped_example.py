"""Runs an example beside a simulator in lockstep: a slow machine gets the same drive as a quick one.

The example is a program of its own that speaks UDP. Its commands go through a socket of the test, which steps the
simulator when a command has come.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dorosim.app.analyse.trace.lane import lanes_along
from dorosim.app.analyse.trace.mark import MarkReader
from dorosim.app.analyse.trace.recorded import Recorded, open_recording
from dorosim.client import connect
from dorosim.testing.program import SimulatorProgram
from dorosim.world.signal.permission import Permission
from dorosim.world.snapshot import EGO

EXAMPLES = Path(__file__).parents[2] / "examples"
PERIOD_S = 0.02
"""Of a step, in which the ego status comes once."""
PATIENCE_S = 120.0
"""Wall time for an answer of the simulator, and for the end of the example [s]."""
COMMAND_WAIT_S, FIRST_WAIT_S = 5.0, 0.1
"""Wall time for a command of the example, and for the first one, before which it may not listen yet [s]."""
OFFSET = 20_000
"""First port offset that is tried: other tests send sensors' packets to the usual ports, and claim none of them."""
AFTER_S = 6.0
"""Simulated time after the end of the example [s]: its last command holds."""


@dataclass(frozen=True, slots=True)
class SteppedDrive:
    """What an example did: what it printed, and the recording of the run."""

    output: str
    recorded: Recorded


def stepped(
    name: str, arguments: Sequence[str], run: Sequence[str], folder: Path, limit_s: float, period: float = PERIOD_S
) -> SteppedDrive:
    """Run an example to its end.

    Args:
        name: of its file. arguments: of it, besides those for its run and where its commands go.
        run: arguments of `dorosim run`. folder: for what is written.
        limit_s: simulated time in which it must end. period: of a step, after which it sends a command [s].
    """
    options = ("--no-view", "--ros-server", "off", "--port-offset", str(OFFSET), *run)
    program = SimulatorProgram(options, folder)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as relay:
            relay.bind(("127.0.0.1", 0))
            relay.settimeout(0.1)
            command = [sys.executable, str(EXAMPLES / name), *arguments, "--run", program.run.id]
            command += ["--control-port", str(relay.getsockname()[1])]
            example = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                _step(program, relay, example, limit_s, period)
                output, _ = example.communicate(timeout=PATIENCE_S)
            finally:
                example.kill()
    finally:
        program.end()
    assert example.returncode == 0, output
    return SteppedDrive(output, open_recording(program.data / "Recording" / "drive.rec", None, program.data))


def _step(
    program: SimulatorProgram, relay: socket.socket, example: subprocess.Popen[str], limit_s: float, period: float
) -> None:
    """Step until the example ends: it answers each step with a command; before it listens it sends nothing."""
    to, begun = ("127.0.0.1", program.run.port(9093)), False
    with connect(program.run.grpc, timeout=PATIENCE_S) as client:
        client.set_synchronous(True, period=period)
        client.start()
        client.set_synchronous(True, period=period)
        client.start_recording("drive")
        for _ in range(round(limit_s / period)):
            client.tick()
            end = time.monotonic() + (COMMAND_WAIT_S if begun else FIRST_WAIT_S)
            packet = None
            while packet is None and example.poll() is None and time.monotonic() < end:
                packet = _received(relay)
            if packet is not None:
                relay.sendto(packet, to)
                begun = True
            elif example.poll() is not None:
                break
        client.tick(round(AFTER_S / period))
        client.stop_recording()


def _received(relay: socket.socket) -> bytes | None:
    try:
        return relay.recv(65536)
    except TimeoutError:
        return None


@dataclass(frozen=True, slots=True)
class Manners:
    """How the first ego vehicle drove in a recording.

    Attributes:
        distance: driven [m]. collisions: with whom it was in contact. reds: links that it drove onto at red.
        lights: links with lights that it drove onto. beside: at most beside the middle of its lane [m].
        over_limit: by how much it was faster than allowed [m/s].
        stood: simulated time at rest before the end [s]. last_speed: at the end [m/s].
    """

    distance: float
    collisions: list[str]
    reds: list[str]
    lights: list[str]
    beside: float
    over_limit: float
    stood: float
    last_speed: float


def manners(recorded: Recorded) -> Manners:
    """Watch the first ego vehicle in a recording, by the state of the world and the map alone."""
    scene, marks = recorded.ready.scene, MarkReader(EGO)
    rows, permissions = [], []
    for now in recorded.snapshots():
        marks.add(now)
        vehicle, row = now.vehicle, now.row_of(EGO)
        model = scene.models[int(vehicle.model[row])]
        x, y, z, yaw, speed = (
            float(column[row]) for column in (vehicle.x, vehicle.y, vehicle.z, vehicle.yaw, vehicle.velocity_x)
        )
        rows.append((now.time * 1e-9, x, y, z, yaw, speed, model.wheelbase + model.front_overhang))
        permissions.append(now.signal.link)
    time, x, y, z, yaw, speed, reach = np.array(rows).T
    network = scene.network
    rear = lanes_along(network, np.stack((x, y, z), axis=1), yaw)
    tip = np.stack((x + reach * np.cos(yaw), y + reach * np.sin(yaw), z), axis=1)
    front = lanes_along(network, tip, yaw).link
    onto = [
        k for k in range(1, len(front)) if front[k] != front[k - 1] and network.signals.lights_of_link.of(front[k]).size
    ]
    reds = [k for k in onto if permissions[k].entry[front[k]] == Permission.STOP]
    return Manners(
        distance=float(np.hypot(np.diff(x), np.diff(y)).sum()),
        collisions=[f"{hit.kind} {hit.other} at {hit.time:.2f} s" for hit in marks.collisions],
        reds=[f"{network.link_ids[front[k]]} at {time[k]:.2f} s" for k in reds],
        lights=[network.link_ids[front[k]] for k in onto],
        beside=float(np.nanmax(np.abs(rear.error))),
        over_limit=float(np.nanmax(speed - rear.limit)),
        stood=float((np.diff(time) * (np.abs(speed[1:]) < 0.05)).sum()),
        last_speed=float(speed[-1]),
    )
