"""How fast the world steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from dorosim.app.run.build import Build, build
from dorosim.app.setting.settings import EgoSettings, Settings
from dorosim.app.store.folder import data_folder
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.network import UdpNetwork, default_publications
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.noise import Noise
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.command import Source
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle
from dorosim.world.vehicle.kernel import step_vehicles
from dorosim.world.vehicle.mode import ControlKind, Gear
from tools.bench.figure import Figure, best_seconds, least_seconds, seconds_of

EGOS = 1000
ROLLING, SAMPLES, RUNS = 6.0, 15, 40
"""Speed of the egos at first [m/s], the steps of a run, in which no vehicle meets another, and the runs, of which the
best counts."""
NPCS = 100
STEPS = 200
"""Of the ego in a round."""
DRIVE = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, accelerator=0.3, steer=0.05)


def figures() -> Iterator[Figure]:
    """One ego with all that a run does, the cost of a message about a hundred others, and a thousand egos."""
    yield _one_step()
    yield _one_ego()
    yield _object_info()
    yield from _many_egos()


def ready(egos: int = 1) -> Build:
    """A run on the built-in town."""
    settings = msgspec.structs.replace(Settings(), ego=(EgoSettings(),) * egos)
    return build(settings, data_folder(None))


def udp_endpoint(made: Build, network: UdpNetwork, journal: Journal, **rest: Any) -> UdpEndpoint:
    """The UDP endpoint of a run."""
    receiver, publisher = Receiver(DEFAULT_REVISION, made.scene), Publisher(made.scene, DEFAULT_REVISION, 0)
    return UdpEndpoint(network, receiver, publisher, journal, **rest)


def _one_step() -> Figure:
    """A step of one ego that drives, its snapshot and one read of its pose, to a bare call of its dynamics kernel."""
    made, noise = ready(), Noise(0)
    get_ready()
    now = step(made.scene, made.first, (DRIVE,), noise)
    for _ in range(STEPS):
        now = step(made.scene, now, (), noise)
    vehicle, parameter = now.vehicle.copy(), now.parameter
    arguments = (parameter.floats, parameter.ints, vehicle.floats, vehicle.ints, 0.01, 1)

    def steps() -> None:
        nonlocal now
        for _ in range(STEPS):
            now = step(made.scene, now, (), noise)
            now.vehicle.x[0]

    def bare() -> None:
        for _ in range(STEPS):
            step_vehicles(*arguments)

    ours, floor = least_seconds(steps, bare)
    detail = f"{ours / STEPS * 1e6:.2f} us, with one read of its pose; {floor / STEPS * 1e6:.2f} us"
    return Figure("step of one ego, to a call of its kernel", ours / floor, "x", 10.0, at_most=True, detail=detail)


def _one_ego() -> Figure:
    """The loop as `dorosim run --speed max` runs it: sockets open, all status messages sent, no other actor."""
    made = ready()
    network = UdpNetwork((Address("127.0.0.1", 0),), default_publications())
    journal = Journal(silent)
    endpoint = udp_endpoint(made, network, journal)
    loop = Loop(made.scene, made.first, Noise(0), PacedClock(None), endpoint, (), journal)
    loop.put(Source.PEER, DRIVE)
    loop.run(2_000_000_000)
    best = best_seconds(lambda: loop.run(10_000_000_000), 3)
    endpoint.close()
    factor = 10.0 / best
    detail = f"{best * 1e3:.1f} us a tick of 10 ms, all status messages sent"
    return Figure("one ego, no peers, 100 Hz, to real time", factor, "x", 100.0, detail=detail)


def _object_info() -> Figure:
    """From a snapshot of the town to the bytes of its nearest twenty objects."""
    made = ready()
    links = np.flatnonzero(made.scene.network.link_drivable)
    places = links[np.linspace(0, len(links) - 1, NPCS).astype(np.int64)].tolist()
    npcs = [CreateNpc(model="2016_Hyundai_Ioniq", link=link, s=1.0, speed=8.0, move_on=True) for link in places]
    now = step(made.scene, made.first, npcs, Noise(0))
    build = Publisher(made.scene, DEFAULT_REVISION, 0).builder("ObjectInfo")
    microseconds = seconds_of(lambda: build(now)) * 1e6
    detail = f"{len(now.traffic)} NPC vehicles in the town"
    return Figure("object info, from snapshot to bytes", microseconds, "us", 15.0, at_most=True, detail=detail)


def _many_egos() -> Iterator[Figure]:
    made = ready(EGOS)
    noise = Noise(0)
    now = step(made.scene, made.first, _rolling(made.first), noise)
    for _ in range(2):  # after commands a step or two also find what stays as it is from then on
        now = step(made.scene, now, (), noise)
    first = now

    def run() -> None:
        nonlocal now
        now = first
        for _ in range(SAMPLES):
            now = step(made.scene, now, (), noise)

    whole_step = best_seconds(run, RUNS) / SAMPLES
    rate = EGOS / whole_step / 1e6
    detail = f"{whole_step * 1e6:.0f} us a step: copy, ground, dynamics, collisions, freeze"
    yield Figure(f"{EGOS:,} egos stepped at once", rate, "M vehicle-steps/s", 2.0, detail=detail)
    vehicle, parameter = now.vehicle.copy(), now.parameter
    arguments = (parameter.floats, parameter.ints, vehicle.floats, vehicle.ints, 0.01, 1)
    best = best_seconds(lambda: step_vehicles(*arguments), 200)
    yield Figure("  of it the dynamics alone", EGOS / best / 1e6, "M vehicle-steps/s", detail=f"{best * 1e6:.0f} us")


def _rolling(first: Snapshot) -> list[DriveVehicle | PlaceVehicle]:
    """Commands by which all vehicles drive ahead where they stand: for some seconds no vehicle meets another."""
    commands: list[DriveVehicle | PlaceVehicle] = []
    vehicle = first.vehicle
    for row, actor in enumerate(first.egos):
        position = (float(vehicle.x[row]), float(vehicle.y[row]), float(vehicle.z[row]))
        rotation = (0.0, 0.0, float(vehicle.yaw[row]))
        commands += [
            PlaceVehicle(actor=actor, position=position, rotation=rotation, speed=ROLLING, gear=Gear.D),
            DriveVehicle(actor=actor, kind=ControlKind.PEDALS, gear=Gear.D, accelerator=0.3),
        ]
    return commands
