"""The ground beside lanes for people slopes down from their sides, and does not end in the air."""

from __future__ import annotations

import numpy as np

from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground import LEVEL
from dorosim.road.terrain.road import walkway_sides
from tests.road.real_map import SUBURB, real_map
from tests.world.whole_map import whole_map


def test_ground_slopes_down_from_the_sides_of_walkways():
    scene = whole_map(SUBURB, 50.0)
    sides, ways = walkway_sides(RoadField(scene.network, real_map(SUBURB)), LEVEL)
    edge, way = sides.mean(axis=1), ways.mean(axis=1)
    beside = np.column_stack((edge[:, :2] + 0.1 * way, edge[:, 2]))
    drop = edge[:, 2] - scene.terrain.height(beside)
    assert len(drop) > 100
    assert drop.max() < 0.2
