"""Vehicles that leave the road at random: finite, on the ground, and with no speed that no force explains."""

from __future__ import annotations

import pytest

from tests.road.real_map import SUBURB, TRACK
from tests.world.vehicle.careless import CarelessDrives
from tests.world.whole_map import whole_map


def drive(map_name: str, count: int, seconds: float, seed: int) -> CarelessDrives:
    """Check drives in every tick, and that they go the same way again."""
    scene = whole_map(map_name, 20.0)
    drives = CarelessDrives(scene, count, seed)
    assert CarelessDrives(scene, count, seed).run(seconds, check=False) == drives.run(seconds)
    return drives


def test_some_drives_off_the_road():
    drives = drive("town", 40, 12.0, 7)
    assert drives.left.any()
    assert drives.rolled.any()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("map_name", "seed"),
    [*(("town", seed) for seed in range(4)), *((name, seed) for name in (SUBURB, TRACK) for seed in range(3))],
)
def test_a_hundred_drives_of_a_minute_off_the_road(map_name, seed):
    drives = drive(map_name, 100, 60.0, seed)
    assert drives.left.sum() >= 20
