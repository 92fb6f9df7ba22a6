"""Nothing floats: what stands beside the road touches the ground that is seen, by rays of Embree."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.app.store.scene import load_static_world
from dorosim.ground.mesh import Mesh
from dorosim.road.scenery.table import ObjectKind, Scenery
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.view import SensorScene, View
from tests.road.scenery.maps import MAPS, built
from tests.sensor.scene.build import box, cast_down, instances, plane, scene_of

GAP = 0.05
"""Between a foot and the ground at most [m]."""
BESIDE = 0.15
"""How far from a side the ground is looked at [m]."""
MAX_SIDES = 6000


def sides_of_feet(scenery: Scenery) -> tuple[np.ndarray, ...]:
    """Points at the sides of the lowest part of each object, three on each, the outward normals and the objects."""
    parts, of = scenery.parts, scenery.parts.object
    bottom = parts.z - parts.half_height
    lowest = np.full(scenery.objects.rows, np.inf)
    np.minimum.at(lowest, of, bottom)
    foot = np.flatnonzero(bottom <= lowest[of] + 0.01)
    places, normals = [], []
    for side in range(4):
        c, s = np.cos(parts.yaw[foot] + side * np.pi / 2), np.sin(parts.yaw[foot] + side * np.pi / 2)
        halves = (parts.half_length[foot], parts.half_width[foot])
        out, along = halves[side % 2], halves[1 - side % 2]
        for share in (-0.47, 0.03, 0.51):
            x, y = out * c - share * along * s, out * s + share * along * c
            places.append(np.column_stack((parts.x[foot] + x, parts.y[foot] + y)))
            normals.append(np.column_stack((c, s)))
    return np.concatenate(places), np.concatenate(normals), np.tile(of[foot], 12)


def passes_under(view: View, place: np.ndarray, normal: np.ndarray, height: np.ndarray) -> np.ndarray:
    """Where a level ray, `GAP` above the ground that is seen beside a side, goes on under it.

    Args:
        view: the scene.
        place: `(N, 2)` points at sides of feet in map [m].
        normal: `(N, 2)` of the sides, outward.
        height: `(N,)` about that of the ground there [m]; ground more than 1 m below it is no ground of the foot.
    """
    start = np.column_stack((place + BESIDE * normal, height))
    above, down, _, row, _ = cast_down(view, start, 1.5)
    seen = (row >= 0) & (down < 2.5)
    assert seen.mean() > 0.7, "there is ground beside most sides"
    origin = np.column_stack((start[:, :2], above[:, 2] - np.where(seen, down, 0.0) + GAP))
    inward = np.column_stack((-normal, np.zeros(len(normal))))
    distance, _, _, _ = cast_rays(view, origin, inward, np.full(len(origin), 4.0), 0)
    return seen & ~(distance < BESIDE + 0.3)


@pytest.mark.parametrize(("gap", "floats"), [(-0.1, False), (0.03, False), (0.08, True)])
def test_a_box_above_the_ground_floats(gap, floats):
    _, view = scene_of(Mesh.joined((plane(), box((0.5, 0.5, 0.5), (0.0, 0.0, 0.5 + gap)))))
    sides = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
    assert (passes_under(view, 0.5 * sides, sides, np.zeros(4)) == floats).all()


@pytest.mark.parametrize("name", MAPS)
def test_each_foot_touches_the_ground(name):
    made = built(name)
    scenery = made.scene.scenery
    view = SensorScene.from_meshes(load_static_world(made.map_files, made.scene.network).mesh).place(instances([]))
    place, normal, owner = sides_of_feet(scenery)
    others = np.flatnonzero(scenery.objects.kind[owner] != ObjectKind.PARAPET)
    some = np.random.default_rng(5).permutation(others)[:MAX_SIDES]
    owner = owner[some]
    passes = passes_under(view, place[some], normal[some], scenery.objects.z[owner])
    kinds, counts = np.unique(scenery.objects.kind[owner[passes]], return_counts=True)
    assert not passes.any(), "; ".join(f"{ObjectKind(kind).name} {n}" for kind, n in zip(kinds, counts, strict=True))


def test_parapets_stand_on_their_bridge():
    """On one side of a parapet is the bridge, behind it the edge: the higher ground is not below its foot."""
    made = built("town")
    objects = made.scene.scenery.objects
    view = SensorScene.from_meshes(load_static_world(made.map_files, made.scene.network).mesh).place(instances([]))
    place, normal, owner = sides_of_feet(made.scene.scenery)
    heading = objects.heading[owner]
    across = np.abs(normal[:, 0] * np.cos(heading) + normal[:, 1] * np.sin(heading)) < 0.5
    wall = across & (objects.kind[owner] == ObjectKind.PARAPET)
    above, down, _, row, _ = cast_down(
        view, np.column_stack((place + BESIDE * normal, objects.z[owner] + 0.3))[wall], 0.0
    )
    highest = np.full(objects.rows, -np.inf)
    np.maximum.at(highest, owner[wall], np.where(row >= 0, above[:, 2] - down, -np.inf))
    parapets = np.flatnonzero(objects.kind == ObjectKind.PARAPET)
    assert len(parapets) > 10
    assert (highest[parapets] - objects.z[parapets]).min() > -GAP
