"""The whole system over a transport that drops, doubles, reorders, truncates and delays, with random legal commands.

What must hold is checked after every tick. A failure prints its seed.
"""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest

from dorosim.app.settings import EgoSettings
from dorosim.world.snapshot import Snapshot
from tests import packet
from tests.system.rig import rig

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


def command(noise: random.Random) -> bytes:
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
            mode=noise.choice([0, 1, 2, 2, 2]),
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
    ]
    return noise.choices(kinds, weights=[12, 1, 1, 1, 1, 1])[0]()


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


@pytest.mark.parametrize("seed", range(4))
def test_what_must_hold_holds_after_every_tick(tmp_path, seed):
    print(f"seed {seed}")
    noise = random.Random(seed)
    run = rig(tmp_path, egos=[EgoSettings(vehicle=name) for name in EGOS])
    transport = Transport(noise)
    for tick in range(1500):
        if noise.random() < 0.4:
            transport.send(tick, command(noise))
        run.send(*transport.arrived(tick))
        before = run.now
        now = run.turn()
        check(now, before)
        status = run.endpoint.outgoing["EgoVehicleStatus"]
        numbers = struct.unpack_from("<24f", status, 45)
        assert np.isfinite(numbers).all()
    assert run.journal.counts["received"] > 100
    assert run.journal.counts["bad size"] > 10
