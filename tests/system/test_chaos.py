"""The whole system over a transport that drops, doubles, reorders, truncates and delays, with random legal commands.

What must hold is checked after every tick. A failure prints its seed.
"""

from __future__ import annotations

import math
import random
import struct

import numpy as np
import pytest

from dorosim.app.settings import EgoSettings
from dorosim.world.command.traffic import CreateNpc
from dorosim.world.obstacle import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import Snapshot
from tests import packet
from tests.system.rig import Rig, rig

EGOS = ["2016_Hyundai_Ioniq", "2018_Hyundai_ElecCity", "2015_Kia_K5"]


class Transport:
    """Carries datagrams badly."""

    def __init__(self, noise: random.Random) -> None:
        self.noise = noise
        self.under_way: list[tuple[int, bytes]] = []

    def send(self, tick: int, data: bytes) -> None:
        fate = self.noise.random()
        if fate < 0.1:
            return
        if fate < 0.2:
            data = data[: self.noise.randrange(len(data))]
        for _ in range(2 if fate > 0.9 else 1):
            self.under_way.append((tick + self.noise.choice([0, 0, 0, 1, 5, 20]), data))

    def arrived(self, tick: int) -> list[bytes]:
        here = [data for due, data in self.under_way if due <= tick]
        self.under_way = [entry for entry in self.under_way if entry[0] > tick]
        self.noise.shuffle(here)
        return here


def command(noise: random.Random, lights: list[str]) -> bytes:
    """A legal command, gentle or at the limit of what the wire can say."""
    huge = noise.choice([1.0, 1.0, 1.0, 1e35])
    place = [noise.uniform(-600, 600) for _ in range(2)]
    kinds = [
        lambda: packet.control(
            accel=noise.random(),
            brake=noise.choice([0.0, noise.random()]),
            steer=noise.uniform(-1, 1),
            velocity_kmh=noise.uniform(-80, 200) * huge,
            acceleration=noise.uniform(-9, 9) * huge,
            mode=noise.choice([0, 1, 2, 2, 2, 4]),
            gear=noise.randrange(6),
            kind=noise.randrange(4),
        ),
        lambda: packet.ghost(*place, noise.uniform(-50, 50), noise.uniform(-400, 400) * huge, 30.0 * huge, 10.0 * huge),
        lambda: packet.trajectory(
            [(*place, 0.0, noise.uniform(-5, 30))] * noise.randrange(1, 4)
            + [(noise.uniform(-600, 600), noise.uniform(-600, 600), 0.0, 10.0) for _ in range(noise.randrange(27))]
        ),
        lambda: packet.multi_ego(
            (noise.randrange(1, 4), *place, noise.uniform(-360, 360), noise.uniform(-99, 99) * huge)
        ),
        lambda: packet.ground_state(noise.uniform(-3, 3) * huge, noise.uniform(-3, 3) * huge),
        lambda: packet.ground_direct(noise.randrange(1, 4), noise.uniform(-1, 1), 0.5, (0.1, 0.2)),
        lambda: packet.lamps(noise.randrange(4), noise.randrange(2)),
        lambda: packet.npc_ghosts(
            *[
                (noise.randrange(-128, 128), "2015_Kia_K5", place[0] + x, place[1], noise.uniform(-9, 20), 30.0 * x)
                for x in range(noise.randrange(8))
            ]
        ),
        lambda: packet.light(noise.choice([*lights, "no such light"]), noise.choice([-1, 0, 1, 4, 16, 32, 48, 777])),
        lambda: packet.intersection(noise.randrange(-1, 12), noise.randrange(-1, 8), noise.uniform(0, 50)),
        lambda: packet.save_sensors("..", ".."),
        lambda: packet.move_sensor(noise.randrange(-2, 3)),
    ]
    return noise.choices(kinds, weights=[12, 1, 1, 1, 1, 1, 1, 3, 3, 3, 1, 1])[0]()


def check(now: Snapshot, before: Snapshot) -> None:
    """Finite numbers, bounded speeds, ids that stay, time that passes, codes that exist."""
    vehicle = now.vehicle
    assert np.isfinite(vehicle.real).all()
    assert np.abs(vehicle.velocity_x).max() < 1e39
    driven = vehicle.control_mode != 4
    assert np.abs(vehicle.velocity_x[driven]).max(initial=0.0) <= 200.0
    assert np.abs(vehicle.velocity_y[driven]).max(initial=0.0) <= 200.0
    assert (vehicle.id == before.vehicle.id).all()
    assert len(set(vehicle.id.tolist())) == len(vehicle)
    assert now.time == before.time + 10_000_000
    assert set(vehicle.gear.tolist()) <= set(range(6))
    assert (np.abs(vehicle.steer[driven]) <= now.parameter.max_steer[driven] + 1e-9).all()
    assert ((vehicle.brake >= 0) & (vehicle.brake <= 1)).all()


def check_packets(run: Rig) -> None:
    """Finite numbers, slots in order and without holes, lights that burn as lights do."""
    sent = run.endpoint.outgoing
    assert np.isfinite(struct.unpack_from("<24f", sent["EgoVehicleStatus"], 45)).all()
    here = struct.unpack_from("<3f", sent["EgoVehicleStatus"], 77)
    slots = packet.object_slots(sent["ObjectInfo"])
    assert sent["ObjectInfo"][38 + 106 * len(slots) : 2158] == bytes(106 * (20 - len(slots)))
    assert len({slot.id for slot in slots} - {0, 1}) == len(slots)
    gaps = [math.dist(slot.position, here) for slot in slots]
    assert gaps == pytest.approx(sorted(gaps), rel=1e-5, abs=1e-3)
    hit = [slot for slot, _ in packet.collision_slots(sent["CollisionData"])]
    pairs = packet.collision_pairs(sent["NpcVehicleCollisionData"])
    told = [*slots, *hit, *(half for pair in pairs for half in pair)]
    for slot in told:
        assert slot.id > 1
        assert slot.type in {0, 1, 2}
        numbers = (*slot.position, slot.heading, *slot.size, *slot.axles, *slot.velocity, *slot.acceleration)
        assert np.isfinite(numbers).all()
    assert struct.unpack_from("<h", sent["GetTrafficLightStatus"], 44)[0] in {-1, 1, 4, 5, 16, 20, 32, 36, 48}
    assert struct.unpack_from("<f", sent["GetIntersectionStatus"], 31)[0] >= 0.0


def populate(run: Rig) -> list[str]:
    """NPC vehicles, people and obstacles near the start; returns the ids of some lights."""
    network = run.built.scene.network
    x, y, z = (float(run.now.vehicle.real[k, 0]) for k in range(3))
    for link in np.flatnonzero(network.link_drivable)[::9].tolist():
        run.put(CreateNpc(model="2015_Kia_K5", link=link, s=5.0, speed=5.0, move_on=True))
    for n in range(6):
        run.put(SpawnPedestrian(actor=0, model=n, position=(x + 7 * n, y + 6, z), yaw=n, start=True, move_distance=40))
        run.put(SpawnObstacle(actor=0, model=n, position=(x - 9 * n - 9, y - 3, z)))
    return [light.id for light in network.signals.lights[::7]]


@pytest.mark.parametrize("seed", range(4))
def test_what_must_hold_holds_after_every_tick(tmp_path, seed):
    print(f"seed {seed}")
    noise = random.Random(seed)
    run = rig(tmp_path, egos=[EgoSettings(vehicle=name) for name in EGOS])
    transport, lights = Transport(noise), populate(run)
    for tick in range(1000):
        if noise.random() < 0.4:
            transport.send(tick, command(noise, lights))
        run.send(*transport.arrived(tick))
        before = run.now
        now = run.turn()
        check(now, before)
        if now.time % run.endpoint.period == 0:
            check_packets(run)
    assert run.journal.counts["received"] > 100
    assert run.journal.counts["bad size"] > 10
