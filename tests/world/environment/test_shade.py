"""Areas without satellite reception come, move and go; they are boxes, turned any way."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.sensor.pose import pose_from_angles
from dorosim.world.environment.command import PlaceShade, RemoveShades
from dorosim.world.environment.effect import MAX_DENIED_AREAS
from dorosim.world.environment.gnss_denied_area import ShadeTable
from tests.world.effect import changed

NONE = ShadeTable.zeros(0).freeze()


def with_areas(*areas: PlaceShade) -> ShadeTable:
    shades = NONE
    for area in areas:
        shades, problem = changed("shade", shades, area)
        assert not problem
    return shades


def covered(shades: ShadeTable, *point: float) -> bool:
    return shades.covers(np.array(point))


def test_an_area_of_the_same_id_moves():
    shades = with_areas(
        PlaceShade(alias=5, position=(0.0, 0.0, 0.0), size=(2.0, 2.0, 2.0)),
        PlaceShade(alias=3, position=(9.0, 0.0, 0.0), size=(2.0, 2.0, 2.0)),
        PlaceShade(alias=5, position=(50.0, 0.0, 0.0), size=(2.0, 2.0, 2.0)),
    )
    assert shades.alias.tolist() == [5, 3]
    assert [covered(shades, x, 0.5, 0.5) for x in (0.0, 9.0, 50.0)] == [False, True, True]
    assert not changed("shade", shades, RemoveShades())[0].rows


def test_an_area_without_height_reaches_from_the_ground_to_the_sky():
    shades = with_areas(PlaceShade(alias=1, position=(0.0, 0.0, 0.0), size=(2.0, 4.0, 0.0)))
    assert covered(shades, 0.9, 1.9, 500.0)
    assert not covered(shades, 1.1, 0.0, 0.0)


def test_turned_areas_are_those_of_poses():
    """The corners of a box, by the pose that turns everything else, drawn in a little are inside, and out outside."""
    place, angles, size = (3.0, -4.0, 5.0), (0.3, -0.5, 2.0), (10.0, 4.0, 3.0)
    shades = with_areas(PlaceShade(alias=1, position=place, rotation=angles, size=size))
    pose = pose_from_angles(place, angles)
    for signs in np.ndindex(2, 2, 2):
        corner = (np.array(signs) - 0.5) * size
        assert shades.covers(pose.position + pose.rotation @ (0.999 * corner))
        assert not shades.covers(pose.position + pose.rotation @ (1.001 * corner))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"size": (1.0, -1.0, 1.0)}, "negative"),
        ({"size": (1.0, math.nan, 1.0)}, "not finite"),
        ({"position": (math.inf, 0.0, 0.0)}, "not finite"),
        ({"position": (2e6, 0.0, 0.0)}, "farther"),
    ],
)
def test_what_is_no_area_is_refused(change, reason):
    values = {"alias": 1, "position": (0.0, 0.0, 0.0), "size": (1.0, 1.0, 1.0)} | change
    shades, problem = changed("shade", NONE, PlaceShade(**values))
    assert reason in problem
    assert shades is NONE


def test_there_is_a_most():
    full = ShadeTable.zeros(MAX_DENIED_AREAS)
    full.alias[:] = range(MAX_DENIED_AREAS)
    area = PlaceShade(alias=MAX_DENIED_AREAS, position=(0.0, 0.0, 0.0), size=(1.0, 1.0, 1.0))
    assert "already" in changed("shade", full.freeze(), area)[1]
