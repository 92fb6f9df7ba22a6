"""No solid part is in the way of vehicles on lanes, by another library's geometry."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from dorosim.road.scenery.clearance import SWEPT_HEIGHT, SWEPT_LENGTH, SWEPT_WIDTH
from dorosim.world.traffic.move_kernel import GUIDE_POINT_SHARE
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.road.scenery.maps import MAPS, built


def boxes(x, y, yaw, half_length, half_width):
    c, s = np.cos(yaw), np.sin(yaw)
    ring = [
        (x + u * half_length * c - v * half_width * s, y + u * half_length * s + v * half_width * c)
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return shapely.polygons(np.stack([np.stack(point, axis=-1) for point in ring], axis=1))


def bodies_on_lanes(network):
    """Every 3.1 m a bus as wide as the widest model, both its guide points on lanes that follow one another."""
    inset = GUIDE_POINT_SHARE * SWEPT_LENGTH
    rod = SWEPT_LENGTH - 2.0 * inset
    pairs = []
    for link in np.flatnonzero(network.link_drivable).tolist():
        for front in np.arange(0.0, float(network.link_length[link]), 3.1).tolist():
            behind, rear = link, front - rod
            while rear < 0.0 and len(network.predecessors.of(behind)):
                behind = int(network.predecessors.of(behind)[0])
                rear += float(network.link_length[behind])
            pairs.append((link, front, behind, max(rear, 0.0)))
    front_link, front_s, rear_link, rear_s = map(np.array, zip(*pairs, strict=True))
    ahead, back = network.point_at(front_link, front_s), network.point_at(rear_link, rear_s)
    way = ahead - back
    good = np.hypot(way[:, 0], way[:, 1]) > 0.5 * rod
    middle, yaw = (0.5 * (ahead + back))[good], np.arctan2(way[:, 1], way[:, 0])[good]
    return boxes(middle[:, 0], middle[:, 1], yaw, 0.5 * SWEPT_LENGTH, 0.5 * SWEPT_WIDTH), middle[:, 2]


@pytest.mark.parametrize("name", MAPS)
def test_nothing_solid_is_in_the_path_of_the_widest_vehicle(name):
    scene = built(name).scene
    parts = scene.scenery.parts
    assert parts.rows > 300
    body, floor = bodies_on_lanes(scene.network)
    solid = boxes(parts.x, parts.y, parts.yaw, parts.half_length, parts.half_width)
    tree = shapely.STRtree(solid)
    which, part = tree.query(body, predicate="intersects")
    low, high = parts.z[part] - parts.half_height[part], parts.z[part] + parts.half_height[part]
    hit = (high > floor[which] + 0.1) & (low < floor[which] + SWEPT_HEIGHT - 0.2)
    assert not hit.any(), sorted(set(parts.object[part[hit]].tolist()))


def test_the_path_is_that_of_the_largest_models():
    assert max(model.length for model in VEHICLE_MODELS) <= SWEPT_LENGTH
    assert max(model.width for model in VEHICLE_MODELS) <= SWEPT_WIDTH
    assert max(model.height for model in VEHICLE_MODELS) < SWEPT_HEIGHT
