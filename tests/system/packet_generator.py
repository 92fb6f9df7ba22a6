"""A generator for every datagram to the simulator: what the wire can say, gentle or at its limits."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from dorosim.wire.udp.catalogue import CATALOGUE
from dorosim.wire.udp.control import EgoCtrlCmd, GhostCtrlCmd, LampControl, NpcGhostCmd, TrajectoryTrackingCmd
from dorosim.wire.udp.ground_vehicle import GroundVehicleDirectCtrlCmd, GroundVehicleStateCtrlCmd
from dorosim.wire.udp.signal import SetIntersectionStatus, SetTrafficLightCtrl
from dorosim.wire.udp.simulator import MultiEgoSetting, SaveSensorData, ScenarioLoad, SensorControl, UserDefinedValue
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests import packet
from tests.system.chooser import Chooser

COMMAND_PACKETS = tuple(message for message in CATALOGUE if message.table.to == "simulator")
"""Every message to the simulator."""
SCENARIOS = ("everything", "nothing", "broken")
"""Names of scenarios that the run can find."""


def _far(c: Chooser) -> float:
    return c.one_of((1.0, 1.0, 1.0, 1.0, 1e3, 1e35))


def _control(c: Chooser) -> bytes:
    return packet.control(
        accel=c.number(0.0, 1.0) * _far(c),
        brake=c.one_of((0.0, c.number(0.0, 1.0))),
        steer=c.number(-1.0, 1.0) * _far(c),
        velocity_kmh=c.number(-80.0, 200.0) * _far(c),
        acceleration=c.number(-9.0, 9.0) * _far(c),
        mode=c.one_of((0, 1, 2, 2, 2, 3, 4, 6, 16)),
        gear=c.whole(0, 5),
        kind=c.whole(0, 3),
    )


def _ghost(c: Chooser) -> bytes:
    x, y, z = c.place()
    return packet.ghost(x, y, z, c.number(-400.0, 400.0), c.number(-300.0, 300.0) * _far(c), c.number(-90.0, 90.0))


def _trajectory(c: Chooser) -> bytes:
    x, y, z = c.place()
    points = []
    for _ in range(c.whole(0, 30)):
        x, y = x + c.number(-5.0, 20.0), y + c.number(-9.0, 9.0)
        points.append((x, y, z, c.number(-5.0, 30.0) * _far(c)))
    return packet.trajectory(points)


def _multi_ego(c: Chooser) -> bytes:
    egos = []
    for _ in range(c.whole(0, 3)):
        x, y, _ = c.place()
        egos.append((c.whole(-1, 5), x, y, c.number(-360.0, 360.0), c.number(-99.0, 99.0) * _far(c)))
    return packet.multi_ego(*egos, camera=c.whole(-1, 5))


def _npc_ghosts(c: Chooser) -> bytes:
    ghosts = []
    for _ in range(c.whole(0, 20)):
        x, y, z = c.place()
        ghosts.append((c.whole(-128, 127), c.one_of(VEHICLE_MODELS).name[:25], x, y, z, c.number(-360.0, 360.0)))
    return packet.npc_ghosts(*ghosts)


def _light(c: Chooser) -> bytes:
    names = [light.id for light in c.scene.network.signals.lights]
    return packet.light(c.one_of((c.one_of(names)[:12], "no such one")), c.one_of((-1, 0, 1, 4, 16, 32, 48, 777)))


def _scenario(c: Chooser) -> bytes:
    name = c.one_of((*SCENARIOS, "..", "no such file"))
    # a run that is paused by a scenario is not let go on by any datagram
    return packet.scenario_load(name, *(c.happens() for _ in range(6)), False)


def _save(c: Chooser) -> bytes:
    name = c.one_of(("name", "n" * 30, ".n")) if c.happens(0.7) else c.one_of(("", "..", "a/b", "C:n", "a\tb"))
    bad = ("f" * 60, "..", "/", "/tmp", "a/../..", "C:\\", "a\0b", "name_gps_8.json")
    folder = c.one_of(("", "run 1", "run\\2")) if c.happens(0.7) else c.one_of(bad)
    return packet.save_sensors(name, folder, custom=c.happens(0.8))


def _sensor(c: Chooser) -> bytes:
    far = 1.0 if c.happens(0.9) else _far(c)
    position = c.number(-5.0, 5.0) * far, c.number(-2.0, 2.0), c.number(-1.0, 3.0)
    return packet.move_sensor(c.whole(-2, 12), position, tuple(c.number(-400.0, 400.0) * _far(c) for _ in range(3)))


PACKETS: dict[type[Any], Callable[[Chooser], bytes]] = {
    EgoCtrlCmd: _control,
    GhostCtrlCmd: _ghost,
    TrajectoryTrackingCmd: _trajectory,
    GroundVehicleDirectCtrlCmd: lambda c: packet.ground_direct(
        c.whole(0, 4), c.number(-1.0, 1.0) * _far(c), c.number(-1.0, 1.0), (c.number(-1.0, 1.0), c.number(-1.0, 1.0))
    ),
    GroundVehicleStateCtrlCmd: lambda c: packet.ground_state(c.number(-9.0, 9.0) * _far(c), c.number(-3.0, 3.0)),
    LampControl: lambda c: packet.lamps(c.whole(0, 4), c.whole(0, 2)),
    NpcGhostCmd: _npc_ghosts,
    MultiEgoSetting: _multi_ego,
    ScenarioLoad: _scenario,
    UserDefinedValue: lambda c: packet.envelope(
        "UserDefinedValue", c.one_of((b"a", b"", b"b c")).ljust(60) + c.one_of((b"1", b"x")).ljust(60)
    ),
    SaveSensorData: _save,
    SensorControl: _sensor,
    SetTrafficLightCtrl: _light,
    SetIntersectionStatus: lambda c: packet.intersection(c.whole(-1, 12), c.whole(-1, 8), c.number(0.0, 50.0)),
}
"""How the datagram of each message is made."""
SELDOM: dict[type[Any], float] = {EgoCtrlCmd: 8.0, NpcGhostCmd: 2.0, ScenarioLoad: 0.3, SaveSensorData: 2.0}
"""How often a message comes, over the others, where that is not 1."""


def any_packet(c: Chooser) -> bytes:
    """A datagram of any message; now and then noise, or a number that is none in its place."""
    if c.happens(0.02):
        return c.rng.bytes(c.whole(1, 700))
    weights = [SELDOM.get(message, 1.0) for message in COMMAND_PACKETS]
    total = sum(weights)
    message = COMMAND_PACKETS[int(c.rng.choice(len(COMMAND_PACKETS), p=[weight / total for weight in weights]))]
    data = PACKETS[message](c)
    if c.happens(0.03):
        at = c.whole(0, max(len(data) - 4, 0))
        data = data[:at] + struct.pack("<f", c.one_of((float("nan"), float("inf"), -float("inf")))) + data[at + 4 :]
    return data
