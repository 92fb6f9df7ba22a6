"""Scenery that stands is hit by vehicles, people and obstacles, by the rules of rigid bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.scenery.pole import BREAKAWAY_SPEED
from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.impact import CAR_BODIES
from tests.world.collision.standing import changed, deepest, motion_energy, scenery_of, world_among

WALL = (20.0, 0.0, 0.5 * math.pi, 30.0, 0.3)
"""A wall across the street at x = 20 m."""
THROUGH = 0.1
"""No vehicle is deeper than this inside of what stands [m]."""


def test_a_car_alone_in_the_world_that_runs_into_a_wall_stops_there():
    world = world_among(scenery_of([WALL]), (0.0, 0.0, 0.0))
    world.now = changed(world.now, velocity_x=10.0)
    speeds = []
    world.run(3.0, lambda now: speeds.append(float(now.vehicle.velocity_x[0])))
    assert min(speeds) < -0.3, "it bounces a little"
    front = world.now.vehicle.x + world.now.parameter.wheelbase + world.now.parameter.front_overhang
    assert 17.0 < front[0] < 19.86
    assert abs(world.now.vehicle.y[0]) < 0.05


def test_the_contact_says_where_and_with_what_by_an_id_that_no_actor_has():
    world = world_among(scenery_of([(200.0, 0.0, 0.0, 1.0, 1.0), WALL]), (0.0, 0.0, 0.0))
    world.now = changed(world.now, velocity_x=10.0)
    while not world.now.contact.rows:
        world.run(0.01)
    contact = world.now.contact
    assert contact.rows == 1
    assert (contact.first_id[0], contact.second_id[0], contact.second_kind[0]) == (1, -2, BodyKind.SCENERY)
    assert contact.x[0] == pytest.approx(20.0 - 0.15, abs=0.1)
    assert contact.y[0] == pytest.approx(0.0, abs=0.1)
    assert (contact.normal_x[0], contact.normal_y[0]) == pytest.approx((1.0, 0.0), abs=1e-3)
    speed, mass = contact.closing_speed[0], world.now.parameter.mass[0]
    law = CAR_BODIES
    restitution = law.restitution + (law.soft_restitution - law.restitution) * math.exp(-speed / law.soft_speed)
    assert contact.normal_impulse[0] == pytest.approx(mass * speed * (1.0 + restitution), rel=0.01)


def test_a_car_scrapes_along_a_wall():
    """At a small angle friction takes speed along the wall: no more than its coefficient times what is lost across."""
    world = world_among(scenery_of([(40.0, 2.0, 0.0, 80.0, 0.3)]), (10.0, 0.0, 0.1))
    world.now = changed(world.now, velocity_x=15.0)
    world.run(2.0)
    now = world.now
    assert now.vehicle.x[0] > 30.0
    assert deepest(now, world.scene.scenery) < THROUGH
    assert 8.0 < now.vehicle.velocity_x[0] < 15.0
    assert now.vehicle.y[0] < 1.2


@pytest.mark.parametrize("seed", range(6))
def test_nothing_tunnels_at_any_speed_or_spin_and_energy_never_rises_in_a_contact(seed):
    """Cars thrown at 60 m/s among thin walls that shut in a yard, spinning."""
    rng = np.random.default_rng(seed)
    yard = [(20.0, 0.0, 0.5 * math.pi, 40.0, 0.1), (-20.0, 0.0, 0.5 * math.pi, 40.0, 0.1)]
    yard += [(0.0, 20.0, 0.0, 40.0, 0.1), (0.0, -20.0, 0.0, 40.0, 0.1), (6.0, 5.0, 0.7, 5.0, 0.05)]
    world = world_among(scenery_of(yard), (-4.0, 3.0, 0.0), (3.0, -6.0, 2.0))
    angle, spin = rng.uniform(0, 2 * np.pi, 2), rng.uniform(-15.0, 15.0, 2)
    vehicle = world.now.vehicle
    turn = np.zeros_like(vehicle.angular_velocity)
    turn[2] = spin
    world.now = changed(
        world.now, velocity_x=60.0 * np.cos(angle), velocity_y=60.0 * np.sin(angle), angular_velocity=turn
    )
    before, hits = motion_energy(world.now), 0
    for _ in range(300):
        world.run(0.01)
        now = world.now
        assert deepest(now, world.scene.scenery) < THROUGH
        assert np.abs(now.vehicle.x).max() < 20.0
        assert np.abs(now.vehicle.y).max() < 20.0
        after = motion_energy(now)
        if now.contact.rows and (now.contact.last == now.time).any():
            hits += 1
            assert after <= before * 1.0001 + 1.0
        before = after
    assert hits > 2


def test_a_thin_post_gives_way_above_its_speed_and_stands_below_it():
    post = scenery_of([(20.0, 0.0, 0.0, 0.06, 0.06)], BREAKAWAY_SPEED, 25.0)
    slow = world_among(post, (14.0, 0.0, 0.0))
    slow.now = changed(slow.now, velocity_x=BREAKAWAY_SPEED - 1.0)
    slow.run(3.0)
    assert not slow.now.displaced.rows
    assert slow.now.vehicle.x[0] < 17.0
    fast = world_among(post, (14.0, 0.0, 0.0))
    fast.now = changed(fast.now, velocity_x=BREAKAWAY_SPEED + 2.0)
    first = motion_energy(fast.now)
    fast.run(0.3)
    assert fast.now.displaced.id.tolist() == [-1]
    assert motion_energy(fast.now) < first
    assert fast.now.vehicle.velocity_x[0] > BREAKAWAY_SPEED, "a post of 25 kg hardly slows a car"
    fast.run(8.0)
    lying = fast.now.displaced
    assert lying.tilt[0] == pytest.approx(0.5 * math.pi)
    assert (lying.velocity_x[0], lying.velocity_y[0]) == (0.0, 0.0)
    assert lying.x[0] > 21.0
    assert fast.now.vehicle.x[0] > 24.0, "the car has gone on over it"
