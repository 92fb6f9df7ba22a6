"""Heights about a wheel from the faces that were gathered once, beside those of the whole ground."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from dorosim.batch import WorldMap
from dorosim.ground.bare_kernel import bare
from dorosim.road.terrain.near_face_kernel import NEAR_ROOM, gather_faces, height_near
from dorosim.road.terrain.query_kernel import ROUGH_CELLS, TerrainNumber, query_ground
from tests.world.vehicle.slope import kerb, terrain_across

RADIUS = 0.35


@njit
def heights_near(terrain, place, offset, found, top):
    """Write the heights at offsets from places with guesses of theirs; how many places have gathered faces."""
    ground, near, complete = bare(terrain), np.empty(NEAR_ROOM, np.int64), 0
    for n in range(len(place)):
        faces = gather_faces(ground, place[n, 0], place[n, 1], RADIUS, bare(near))
        complete += faces.complete
        top[n] = faces.top
        for k in range(len(offset)):
            x, y = place[n, 0] + offset[k, 0], place[n, 1] + offset[k, 1]
            found[n, k] = height_near(ground, faces, bare(near), x, y, place[n, 2])
    return complete + 0 * near[0]


def rough_places(terrain, stream, count):
    """Places by chance in and about cells in which the ground has a step, a few far from all ground among them."""
    cells = np.argwhere(terrain.rough != 0)
    number = terrain.number
    side = number[TerrainNumber.CELL] / ROUGH_CELLS
    corner = number[TerrainNumber.ORIGIN_X : TerrainNumber.ORIGIN_Y + 1]
    corner = corner + number[TerrainNumber.GRID_X : TerrainNumber.GRID_Y + 1]
    place = corner + (cells[stream.integers(len(cells), size=count)] + stream.uniform(-1.0, 2.0, (count, 2))) * side
    place[::40] = corner + stream.uniform(-9.0, 9.0, (len(place[::40]), 2))
    return np.column_stack((place, stream.uniform(-1.0, 3.0, count)))


@pytest.fixture(scope="module", params=["town", "motorway", "kerb"])
def ground(request):
    if request.param == "kerb":
        return terrain_across(kerb(0.2)).arrays
    return WorldMap.open(request.param).scene.terrain.arrays


def test_heights_are_those_of_the_whole_ground(ground):
    stream = np.random.default_rng(3)
    place = rough_places(ground, stream, 2000)
    angle, far = stream.uniform(0.0, 2.0 * np.pi, 40), RADIUS * np.sqrt(stream.uniform(0.0, 1.0, 40))
    offset = np.stack((far * np.cos(angle), far * np.sin(angle)), axis=1)
    found, top = np.empty((len(place), len(offset))), np.empty(len(place))
    complete = heights_near(ground, place, offset, found, top)
    points = np.concatenate([np.column_stack((one[:2] + offset, np.full(len(offset), one[2]))) for one in place])
    height, slope, surface = np.empty(len(points)), np.empty((len(points), 2)), np.empty(len(points), np.int64)
    query_ground(ground, points, height, slope, surface)
    assert np.array_equal(found, height.reshape(found.shape))
    assert (found.max(axis=1) <= top).all()
    assert complete > 0.95 * len(place)
    assert np.ptp(found) > 0.1
