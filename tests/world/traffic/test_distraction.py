"""Drivers make rare mistakes by option: for some seconds they look elsewhere and go on as before."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.world.traffic.command import CreateNpc
from tests.world.world import CAR, World, street, town_world

AWAY = (CAR, (-400.0, 900.0, 0.0), 0.0)
RATE = 0.05
MEAN_DURATION = 2.0


def town_of(mistakes: float, seed: int = 1) -> World:
    world = town_world(50.0, seed)
    scene, now = world.scene, world.now
    world.do(*population(scene, now, Noise(seed), 60, 0, mistakes=3600.0 * mistakes))
    return world


def test_drivers_look_elsewhere_as_often_and_as_long_as_asked_for():
    world, shares = town_of(RATE), []
    for _ in range(200):
        now = world.run(0.5)
        shares.append((now.traffic.distraction > 0.0).mean())
        assert now.traffic.distraction.max() <= 3.0
    assert np.mean(shares) == pytest.approx(RATE * MEAN_DURATION / (1.0 + RATE * MEAN_DURATION), rel=0.15)


def test_who_looks_elsewhere_keeps_its_acceleration():
    world = town_of(RATE)
    world.run(20.0)
    seen = 0
    for _ in range(100):
        before, now = world.now.traffic, world.run(0.1).traffic
        kept = (before.distraction > 0.2) & (before.speed > 1.0) & (before.present == 1) & (now.present == 1)
        seen += kept.sum()
        np.testing.assert_array_equal(now.acceleration[kept], before.acceleration[kept])
    assert seen > 20


def hits(mistakes: float) -> int:
    """How many of some drivers run into a car that stands 35 m ahead, at 14 m/s at first."""
    found = 0
    for seed in range(8):
        world = World(street(50.0), [AWAY], seed)
        link = int(world.scene.network.link_drivable.argmax())
        world.do(
            CreateNpc(model=CAR, link=link, s=50.0, speed=0.0, paused=True),
            CreateNpc(model=CAR, link=link, s=15.0, speed=14.0, mistakes=mistakes, lane_change=False),
        )
        contacts = 0
        for _ in range(60):
            contacts += world.run(0.1).contact.rows
        found += contacts > 0
    return found


def test_drivers_that_look_elsewhere_run_into_cars_that_stand():
    assert hits(0.0) == 0
    assert hits(1.0) >= 1


def test_the_same_seed_gives_the_same_mistakes_and_another_one_others():
    first, again, other = (town_of(RATE, seed) for seed in (1, 1, 2))
    for world in (first, again, other):
        world.run(20.0)
    assert first.now.digest() == again.now.digest() != other.now.digest()


@pytest.mark.parametrize("wrong", [-1.0, 2.0, np.nan])
def test_rates_that_cannot_be_are_refused(wrong):
    world = World(street(50.0), [AWAY])
    link = int(world.scene.network.link_drivable.argmax())
    assert "mistakes: 0 to 1 1/s" in world.refuse(CreateNpc(model=CAR, link=link, s=60.0, mistakes=wrong))
