"""The ground beside the road: kerbs, medians and the land, without holes."""

import numpy as np

from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground import KERB_HEIGHT
from dorosim.road.terrain.refine import refined
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.material import Material
from tests.sensor.scene.build import cast_down
from tests.sensor.scene.town import records, town, town_scene

STRIPE = np.array((0.6, 0.8))
"""Across a stripe that lies at an angle to the squares; the stripe's middle is 7 m from the origin along it."""


def stripe(points):
    """Distance from two roads with a stripe of 1 m between them [m]."""
    return 0.5 - np.abs(points @ STRIPE - 7.0)


def squares(count, side):
    corner = np.array([(i, j) for i in range(count + 1) for j in range(count + 1)]) * side
    first = np.array([i * (count + 1) + j for i in range(count) for j in range(count)])
    around = first[:, None] + (0, count + 1, count + 2, 1)
    return corner, around[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)


def test_squares_are_refined_along_a_narrow_stripe_and_no_gap_opens():
    node, triangle = squares(6, 2.0)
    assert not (stripe(node) > 0.45).any()
    points, corners, distance = refined(node, triangle, stripe, -0.3, 3.0)
    assert (points[: len(node)] == node).all()
    assert np.abs(distance - stripe(points)).max() < 1e-12
    a, b, c = points[corners].transpose(1, 0, 2)
    area = 0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    assert (area > 0.0).all()
    assert abs(area.sum() - 144.0) < 1e-9
    inner = np.random.default_rng(2).dirichlet((1.0, 1.0, 1.0), 20)
    spots = np.einsum("ij,tjk->tik", inner, points[corners]).reshape(-1, 2)
    linear = (distance[corners] @ inner.T).ravel()
    exact = stripe(spots)
    assert np.abs(linear - exact)[exact > 0.0].max() < 0.12
    sides, count = np.unique(np.sort(corners[:, [(0, 1), (1, 2), (2, 0)]].reshape(-1, 2)), axis=0, return_counts=True)
    at_border = [any((points[side, k] == value).all() for k in (0, 1) for value in (0.0, 12.0)) for side in sides]
    assert (count == np.where(at_border, 1, 2)).all()
    assert len(corners) < 8 * len(triangle)


def test_squares_far_from_the_range_stay():
    node, triangle = squares(6, 2.0)
    points, corners, _ = refined(node, triangle, lambda spots: stripe(spots) + 40.0, -0.3, 3.0)
    assert len(points) == len(node)
    assert (corners == triangle).all()


def median_middles(field):
    """Points `(N, 3)` in the middle of strips between carriageways that are about 3 m wide, a few metres apart."""
    network = field.network
    lines = network.lines
    used = np.flatnonzero(network.link_drivable[lines.line] & ~field.bridge)
    normal = np.column_stack((-lines.tangent[used, 1], lines.tangent[used, 0]))
    edge = lines.points[used, :2] + network.left_width[used, None] * normal
    middle = edge + 1.5 * normal
    found = field.distance(middle) > 1.0
    for side in (0.2, 0.9, 2.1, 2.8):
        found &= np.abs(field.distance(edge + side * normal) - min(side, 3.0 - side) + 0.35) < 0.1
    return np.column_stack((middle[found], field.height(middle[found])))


def test_medians_are_whole():
    points = median_middles(RoadField(town().scene.network, records()))
    assert len(points) > 300
    _, distance, _, _, material = cast_down(town_scene().update(town().first), points, 2.0)
    assert np.isin(material, (Material.PAVEMENT, Material.KERB)).all()
    assert np.abs(2.0 - distance - KERB_HEIGHT).max() < 0.1


def test_nothing_of_the_ground_is_seen_from_below():
    field = RoadField(town().scene.network, records())
    view = town_scene().update(town().first)
    random = np.random.default_rng(7)
    low, high = field.network.lines.points.min(axis=0), field.network.lines.points.max(axis=0)
    spots = random.uniform(low[:2] - 15.0, high[:2] + 15.0, (60_000, 2))
    away = field.distance(spots)
    spots = spots[(away > 6.0) & (away < 14.0)]
    start, distance, *_ = cast_down(view, np.column_stack((spots, field.height(spots))), 20.0)
    eye = start - np.column_stack((np.zeros((len(start), 2)), distance - 1.2))
    eye = eye[np.isfinite(eye).all(axis=1)]
    turn = random.uniform(0.0, 2.0 * np.pi, len(eye))
    ahead = np.column_stack((np.cos(turn), np.sin(turn), np.full(len(eye), 0.08)))
    ahead /= np.hypot(1.0, 0.08)
    _, normal, _, material = cast_rays(view, eye, ahead, np.full(len(eye), 60.0), 0)
    ground = np.isin(material, (Material.ASPHALT, Material.KERB, Material.PAVEMENT, Material.GRASS, Material.SOIL))
    assert ground.sum() > 200
    assert not (normal[ground, 2] < -0.1).any()
