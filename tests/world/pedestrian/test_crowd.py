"""Thousands of people in one place: each is pushed by so many, and all of them come apart."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.jit import kernel
from dorosim.ground.search_kernel import first_beyond
from dorosim.world.collision.body import BodyTable
from dorosim.world.pedestrian import avoidance_kernel as look_kernel
from dorosim.world.pedestrian.avoidance_kernel import MAX_NEAR_BODIES
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.crowd_kernel import MAX_PUSHING_NEIGHBOURS
from dorosim.world.pedestrian.state import PedestrianState
from tests.world.pedestrian.rig import Street


@kernel
def places_of(member, begin, count, i, most):
    """The places of a bucket from which one is pushed, as `push_of_all` takes them."""
    shift = first_beyond(member, begin, begin + count, i) - begin
    found = np.empty(most, np.int64)
    for n in range(most):
        found[n] = begin + (shift + n) % count
    return found


@kernel
def near_of(body, rows, near):
    """How many stand, and how many move, to whom one at the origin pays attention."""
    standing, moving = look_kernel.find_near(body, rows, 0.0, 0.0, 0.0, 1.8, 3.3, near)
    return standing, near.shape[0] - moving


def test_those_who_follow_push_one():
    """Members 0, 3, 6, ... of a bucket: row 30 is pushed by those behind it, and the last by the first again."""
    member = np.arange(0, 3000, 3)
    behind = places_of(member, 0, 1000, 30, MAX_PUSHING_NEIGHBOURS)
    assert behind.tolist() == list(range(11, 11 + MAX_PUSHING_NEIGHBOURS))
    assert places_of(member, 0, 1000, 2997, 3).tolist() == [0, 1, 2]


@pytest.mark.parametrize("speed", [0.0, 5.0])
def test_so_many_bodies_are_looked_at(speed):
    bodies = BodyTable.zeros(4000)
    bodies.half_length[:], bodies.half_width[:], bodies.half_height[:], bodies.z[:] = 0.5, 0.5, 0.9, 0.9
    bodies.x[:], bodies.velocity_x[:] = 1.0, speed
    near = np.empty(2 * MAX_NEAR_BODIES, np.int64)
    standing, moving = near_of(bodies.floats, np.arange(4000), near)
    assert (standing, moving) == ((0, MAX_NEAR_BODIES) if speed else (MAX_NEAR_BODIES, 0))
    assert near[-1 if speed else 0] == 0, "those that come first in the table"


def test_a_crowd_in_one_place_comes_apart():
    """600 people on one spot stand apart from each other after half a minute, and nobody is thrown."""
    street = Street(tick=0.02)
    for number in range(1, 601):
        place = (0.0, 300.0, 0.0)
        walks = SpawnPedestrian(actor=number, model=0, position=place, yaw=0.0, speed=1.2, start=True)
        assert not street.ask(walks)
    state: PedestrianState = street.people.state
    fastest = 0.0
    for _ in range(15):
        street.run(2.0)
        state = street.people.state
        fastest = max(fastest, float(np.hypot(state.velocity_x, state.velocity_y).max()))
    places = {(round(x, 2), round(y, 2)) for x, y in zip(state.x.tolist(), state.y.tolist(), strict=True)}
    assert len(places) > 590
    assert fastest < 5.0
