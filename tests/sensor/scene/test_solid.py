"""What is hit is what is seen: rays of Embree against the solid parts of the scenery."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.app.store.scene import load_static_world
from dorosim.road.scenery.table import Scenery
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.view import SensorScene
from tests.road.scenery.maps import MAPS, built
from tests.sensor.scene.build import instances

AGREEMENT = 0.05
"""[m]"""
SOLID = (
    Material.TRUNK,
    Material.POLE,
    Material.BRICK,
    Material.PLASTER,
    Material.FACADE,
    Material.FACADE_WARM,
    Material.FACADE_DARK,
)


def gap_to_parts(scenery: Scenery, points: np.ndarray) -> np.ndarray:
    """Distance from points `(N, 3)` to the surface of the nearest part: the least over all boxes [m]."""
    parts = scenery.parts
    least = np.full(len(points), np.inf)
    for some in np.array_split(np.arange(len(points)), max(len(points) // 200, 1)):
        dx, dy = points[some, 0, None] - parts.x, points[some, 1, None] - parts.y
        c, s = np.cos(parts.yaw), np.sin(parts.yaw)
        out = np.stack(
            (
                np.abs(c * dx + s * dy) - parts.half_length,
                np.abs(c * dy - s * dx) - parts.half_width,
                np.abs(points[some, 2, None] - parts.z) - parts.half_height,
            )
        )
        outside = np.sqrt((np.maximum(out, 0.0) ** 2).sum(axis=0))
        inside = np.minimum(out.max(axis=0), 0.0)
        least[some] = np.abs(outside + inside).min(axis=1)
    return least


@pytest.mark.parametrize("name", MAPS)
def test_what_is_seen_is_hit(name):
    """Level rays towards solid objects at the heights of vehicles end on the surface of a part, within 5 cm."""
    made = built(name)
    scene, scenery = made.scene, made.scene.scenery
    static = load_static_world(made.map_files, scene.network)
    view = SensorScene.from_meshes(static.mesh).place(instances([]))
    rng = np.random.default_rng(3)
    part = rng.permutation(scenery.parts.rows)[:1500]
    parts, owner = scenery.parts, scenery.parts.object
    height = scenery.objects.z[owner[part]] + rng.uniform(0.3, 2.1, len(part))
    angle = rng.uniform(0.0, 2.0 * np.pi, len(part))
    reach = 1.5 + np.hypot(parts.half_length[part], parts.half_width[part])
    way = np.column_stack((np.cos(angle), np.sin(angle), np.zeros(len(part))))
    target = np.column_stack((parts.x[part], parts.y[part], height))
    distance, _, row, material = cast_rays(view, target - reach[:, None] * way, way, 2.0 * reach, 0)
    hit = (row >= 0) & np.isin(material, SOLID)
    # lights that a map puts into the path of vehicles are seen and not solid
    assert hit.sum() > 200
    place = target[hit] + (distance[hit] - reach[hit])[:, None] * way[hit]
    gap = gap_to_parts(scenery, place)
    assert gap.max() < AGREEMENT


@pytest.mark.parametrize("name", MAPS)
def test_what_is_hit_is_seen(name):
    """A ray against the side of a trunk, post, wall or parapet, a metre above its foot, meets it within 5 cm."""
    made = built(name)
    scene, parts = made.scene, made.scene.scenery.parts
    view = SensorScene.from_meshes(load_static_world(made.map_files, scene.network).mesh).place(instances([]))
    objects = scene.scenery.objects
    high = objects.z[parts.object] + 1.0
    stands = (parts.z - parts.half_height < high) & (parts.z + parts.half_height > high)
    rows = np.random.default_rng(4).permutation(np.flatnonzero(stands))[:800]
    middle = np.column_stack((parts.x[rows], parts.y[rows], np.zeros(len(rows))))
    middle[:, 2] = high[rows]
    out = np.column_stack((-np.sin(parts.yaw[rows]), np.cos(parts.yaw[rows]), np.zeros(len(rows))))
    # not through the axis, where triangles of a round post meet and a ray may slip through between them
    aside = 0.2 * parts.half_length[rows, None] * np.column_stack((out[:, 1], -out[:, 0], np.zeros(len(rows))))
    start = middle + aside + (parts.half_width[rows] + 0.3)[:, None] * out
    distance, _, row, _ = cast_rays(view, start, -out, np.full(len(rows), 2.0), 0)
    met = row >= 0
    assert met.mean() > 0.98
    assert (distance[met] < 0.3 + AGREEMENT).mean() > 0.98
    # what is met before it is another solid part
    place = (start - np.where(met, distance, 0.0)[:, None] * out)[met]
    assert (gap_to_parts(made.scene.scenery, place) < AGREEMENT).mean() > 0.98
