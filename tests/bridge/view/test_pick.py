"""Clicks: rays from the page's frame to the ground, its lane, and the actor under the cursor."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.view.pick import entry_distance
from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.world.snapshot import EGO
from tests.bridge.view.shown import NO_LIGHTS, ORIGIN, ShownRun, shown_street, world_on_street
from tests.sensor.scene.build import box, plane

DOWN = (0.0, 0.0, -3.0)


def in_page(x: float, y: float, z: float) -> tuple[float, float, float]:
    """A point of the map in the page's frame."""
    return (x - ORIGIN[0], y - ORIGIN[1], z - ORIGIN[2])


@pytest.fixture(scope="module")
def now():
    return world_on_street().now


@pytest.fixture(scope="module")
def picker():
    return shown_street().picker()


def test_a_point_on_a_lane_has_its_place_lane_and_direction(picker, now):
    found = picker.at(now, in_page(200.0, -3.2, 30.0), DOWN)
    assert found.point == pytest.approx((200.0, -3.2, 0.0), abs=1e-3)
    assert (found.link_id, found.actor) == ("E1", 0)
    assert (found.s, found.lateral, found.heading) == pytest.approx((200.0, 0.3, 0.0), abs=1e-3)
    other_way = picker.at(now, in_page(200.0, 3.5, 30.0), DOWN)
    assert (other_way.link_id, abs(other_way.heading)) == ("W2", pytest.approx(math.pi))
    assert other_way.s == pytest.approx(400.0, abs=1e-3)


def test_ground_beside_the_road_has_no_lane_and_the_direction_of_the_look(picker, now):
    found = picker.at(now, in_page(200.0, -60.0, 40.0), (0.0, -30.0, -40.0))
    assert found.point == pytest.approx((200.0, -90.0, 0.0), abs=1e-2)
    assert (found.link, found.link_id, found.actor) == (-1, "", 0)
    assert math.isnan(found.s)
    assert found.heading == pytest.approx(-0.5 * math.pi)


def test_the_actor_under_the_cursor_is_the_nearest_one(picker, now):
    npc, person = int(now.traffic.id[0]), int(now.people.state.id[0])
    assert picker.at(now, in_page(52.0, 0.0, 30.0), DOWN).actor == EGO
    assert picker.at(now, in_page(60.0, -8.0, 30.0), DOWN).actor == person
    behind = picker.at(now, in_page(30.0, 0.0, 0.8), (1.0, 0.0, 0.0))
    assert (behind.actor, behind.point) == (EGO, None), "the car in front hides the one beyond"
    ahead = picker.at(now, in_page(80.0, 0.0, 0.8), (1.0, 0.0, -0.01))
    assert ahead.actor == npc
    sky = picker.at(now, in_page(80.0, 0.0, 0.8), (0.0, 1.0, 1.0))
    assert (sky.point, sky.actor, sky.link, sky.heading) == (None, 0, -1, 0.5 * math.pi)


def test_who_is_behind_the_ground_is_not_picked(now):
    hill = Mesh.joined([plane(half=700.0), box((1.0, 50.0, 20.0), (40.0, 0.0, 0.0), Material.GRASS)])
    run = shown_street()
    picker = ShownRun(run.scene, StaticWorld(hill, NO_LIGHTS), run.models, ORIGIN).picker()
    found = picker.at(now, in_page(20.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    assert (found.actor, found.point) == (0, pytest.approx((39.0, 0.0, 1.0), abs=1e-3))


def test_houses_and_trees_hide_nothing_of_the_road(now):
    covered = Mesh.joined([plane(half=700.0), box((5.0, 5.0, 1.0), (200.0, 0.0, 9.0), Material.BRICK)])
    run = shown_street()
    picker = ShownRun(run.scene, StaticWorld(covered, NO_LIGHTS), run.models, ORIGIN).picker()
    assert picker.at(now, in_page(200.0, 0.0, 30.0), DOWN).point == pytest.approx((200.0, 0.0, 0.0), abs=1e-3)


@pytest.mark.parametrize(
    ("origin", "direction"),
    [
        ((math.nan, 0.0, 1.0), DOWN),
        ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0)),
        ((0.0, 0.0, 1.0), (math.inf, 0.0, 0.0)),
        ((0.0, 1.0), DOWN),
    ],
)
def test_what_is_no_ray_picks_nothing(picker, now, origin, direction):
    found = picker.at(now, origin, direction)
    assert (found.point, found.actor, found.link) == (None, 0, -1)


def test_boxes_begin_where_a_ray_enters_them():
    half = np.array([(1.0, 2.0, 3.0)] * 4)
    start = np.array([(-5.0, 0, 0), (0.5, 0, 0), (5.0, 0, 0), (-5.0, 2.5, 0)])
    along = np.tile((2.0, 0.0, 0.0), (4, 1))
    assert entry_distance(start, along, half).tolist() == [2.0, 0.0, math.inf, math.inf]
