"""Points of lidars on actors are drawn where the actor is in the picture, and not where it was when they were read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dorosim.bridge.view.carried import MEMORY, CarriedPoints, PlaceHistory, carried_by, places_of
from dorosim.sensor.scene.actor.catalogue import ActorModels
from dorosim.sensor.scene.instance import Placement
from dorosim.sensor.scene.placement import ActorPlacement
from dorosim.world.snapshot import EGO
from tests.bridge.view.shown import shown_street, world_on_street

SECOND = 1_000_000_000


@pytest.fixture(scope="module")
def shown() -> tuple[Placement, ActorModels]:
    world, models = world_on_street(), shown_street().models
    return ActorPlacement(world.scene, models).of(world.now), models


def moved(placed: Placement, by: tuple[float, float, float], turn: float = 0.0) -> Placement:
    """The same actors, all turned about themselves by an angle [rad] and moved [m]."""
    pose = placed.pose.copy()
    cos, sin = np.cos(turn), np.sin(turn)
    pose[:, :, :3] = pose[:, :, :3] @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    pose[:, :, 3] += by
    return replace(placed, pose=pose)


def test_points_on_an_actor_go_with_it_and_others_stay(shown):
    placed, models = shown
    row = int(np.flatnonzero(placed.actor == EGO)[0])
    place, side = placed.pose[row, :, 3], placed.pose[row, :, 1]
    points = np.add(place, [(0.5, 0.0, 0.8), np.add(0.6 * side, (0.0, 0.0, 0.7)), (0.0, 0.0, 90.0)])
    on, carried = carried_by(points, placed, models)
    assert on.tolist() == [True, True, False]
    assert carried.actor.tolist() == [EGO, EGO]
    there, again = places_of(carried, placed)
    assert there.all()
    assert again == pytest.approx(points[:2])
    _, gone_on = places_of(carried, moved(placed, (3.0, -1.0, 0.2)))
    assert gone_on == pytest.approx(np.add(points[:2], (3.0, -1.0, 0.2)))
    _, turned = places_of(carried, moved(placed, (0.0, 0.0, 0.0), np.pi))
    assert turned[:, :2] == pytest.approx(2.0 * place[:2] - points[:2, :2])


def test_points_on_an_actor_that_has_left_are_left_out(shown):
    placed, _ = shown
    carried = CarriedPoints(np.array([EGO, 10**6]), np.ones((2, 3)))
    there, places = places_of(carried, placed)
    assert there.tolist() == [True, False]
    assert len(places) == 1
    there, places = places_of(carried, Placement.zeros(0))
    assert (there.tolist(), places.shape) == ([False, False], (0, 3))


def test_no_point_is_on_nobody(shown):
    placed, models = shown
    on, carried = carried_by(np.zeros((0, 3)), placed, models)
    assert (len(on), len(carried.actor), carried.point.shape) == (0, 0, (0, 3))
    assert not carried_by(np.ones((4, 3)), Placement.zeros(0), models)[0].any()


def test_places_between_two_pictures_are_between_them(shown):
    placed, _ = shown
    history = PlaceHistory()
    assert history.at(0) is None
    assert not history.is_before(SECOND)
    history.note(0, placed)
    history.note(SECOND // 10, moved(placed, (2.0, 0.0, 0.0)))
    assert history.is_before(SECOND // 10 + 1)
    assert not history.is_before(SECOND // 10)
    between = history.at(SECOND // 40)
    assert between.actor.tolist() == sorted(placed.actor.tolist())
    order = np.argsort(placed.actor)
    assert between.pose[:, :, 3] == pytest.approx(placed.pose[order, :, 3] + (0.5, 0.0, 0.0))
    assert between.model.tolist() == placed.model[order].tolist()
    assert history.at(SECOND) is history.at(SECOND // 10), "after the last picture, where they are there"
    history.note(2 * SECOND, placed)
    assert history.at(SECOND // 10) is None, "it keeps no more than it needs"
    assert 2 * SECOND - SECOND // 10 > MEMORY
    history.note(SECOND, placed)
    assert history.at(SECOND // 2) is None
    assert history.at(3 * SECOND) is placed, "an earlier time begins anew"
