"""Bridges: the road on them goes on, and so does the road below."""

import functools

import numpy as np
import pytest

from dorosim.mapmaking.plan import Size
from dorosim.mapmaking.town import generate_town
from dorosim.road.network import network_from_mgeo
from dorosim.road.terrain.bridge import abutment_height
from dorosim.road.terrain.deck import parapets
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.terrain import Terrain, terrain_from_map


@functools.cache
def small_town(seed: int) -> tuple[RoadField, Terrain]:
    town = generate_town(seed, Size.SMALL)
    field = RoadField(network_from_mgeo(town), town)
    return field, terrain_from_map(town, field.network, field)


def along(field: RoadField, segments: np.ndarray, offset: float) -> np.ndarray:
    """Points every half metre along segments of lanes, so far to the left of the centre line."""
    lines = field.network.lines
    share = np.tile(np.linspace(0.0, 1.0, 9)[:, None], (len(segments), 1))
    row = np.repeat(segments, 9)
    left = np.column_stack((-lines.tangent[row, 1], lines.tangent[row, 0], np.zeros(len(row))))
    return lines.points[row] * (1.0 - share) + lines.points[row + 1] * share + offset * left


@pytest.mark.parametrize("seed", [3, 11])
def test_nothing_stands_across_a_road_where_a_bridge_begins(seed):
    field, surface = small_town(seed)
    lines = field.network.lines
    assert field.bridge.any()
    deck = lines.points[field.bridge, :2]
    near = np.array([np.hypot(*(deck - point).T).min() < 30.0 for point in lines.points[:, :2]])
    inside = np.append(lines.line[1:] == lines.line[:-1], False)
    for offset in (-1.4, -0.5, 0.1, 0.5, 1.4):
        points = along(field, np.flatnonzero(near & inside & field.network.link_drivable[lines.line]), offset)
        above = surface.height(points) - points[:, 2]
        assert above.max() < 0.1, points[above.argmax()]


def test_a_bridge_has_parapets_from_end_to_end():
    field, _ = small_town(3)
    network, top = field.network, parapets(field).reshape(-1, 3)
    # the outermost lane over the street at the west: its right edge is the side of the bridge
    lane = np.flatnonzero(field.bridge & (network.lines.points[:, 0] < -316.0))
    points = (
        along(field, lane, -(float(network.right_width[lane[0]]) + 0.3)).reshape(-1, 9, 3)[:, (0, -1)].reshape(-1, 3)
    )
    assert len(lane) >= 5
    for point in points:
        gap = top - point
        assert (np.hypot(gap[:, 0], gap[:, 1])[abs(gap[:, 2] - 1.0) < 0.05] < 0.1).any(), point


def test_pavements_below_a_bridge_are_level():
    field, _ = small_town(3)
    beside = np.column_stack((np.arange(-325.0, -295.0, 0.5), np.full(60, -0.6)))  # the street's kerb is at y = -2.75
    low = field.height(np.column_stack((beside[:, 0], np.full(60, -4.4))))
    assert (field.height(beside) - low).max() < 0.5
    assert abutment_height(0.0) == abutment_height(3.0) < abutment_height(6.0)
