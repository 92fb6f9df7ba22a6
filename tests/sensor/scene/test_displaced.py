"""A sign that has given way is seen where it lies, and no longer where it stood."""

from __future__ import annotations

import math

import numpy as np

from dorosim.road.scenery.table import ObjectKind, object_id
from dorosim.sensor.scene.displaced import poses_of
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.material import Material
from dorosim.world.collision.displaced import DisplacedTable
from dorosim.world.snapshot import STATE_FIELDS, Snapshot
from tests.sensor.scene.town import static_town, town, town_scene

DOWN = np.array([(0.0, 0.0, -1.0)])


def with_displaced(now: Snapshot, table: DisplacedTable) -> Snapshot:
    return Snapshot(**{name: getattr(now, name) for name in STATE_FIELDS} | {"displaced": table.freeze()})


def test_a_sign_that_has_fallen_is_seen_where_it_lies():
    scenery, first, stage = town().scene.scenery, town().first, town_scene()
    row = int(scenery.rows_of(ObjectKind.SIGN)[3])
    objects = scenery.objects
    assert row in static_town().loose[0]
    foot = np.array((objects.x[row], objects.y[row], objects.z[row]))
    fallen = DisplacedTable.zeros(1)
    fallen.x[:], fallen.y[:], fallen.z[:] = foot + np.array((0.0, 0.0, 30.0))
    fallen.heading[:], fallen.tilt[:], fallen.id[:] = objects.heading[row], 0.5 * math.pi, object_id(row)

    def seen(now: Snapshot, place: np.ndarray) -> bool:
        """Whether a ray from above meets steel or a plate within a metre."""
        aside = place + np.array((0.02, 0.013, 1.0))
        _, _, hit, material = cast_rays(
            stage.update(now), aside[None], np.array([(0.0, 0.0, -1.0)]), np.array([2.0]), 0
        )
        return bool(hit[0] >= 0 and material[0] in (Material.POLE, Material.SIGN_BACK, Material.SIGN_RED))

    top = foot + np.array((0.0, 0.0, float(objects.height[row])))
    lying = foot + np.array((0.5 * float(objects.height[row]), 0.0, 30.0))
    after = with_displaced(first, fallen)
    assert seen(first, top)
    assert not seen(after, top)
    assert seen(after, lying), "east of its foot"
    assert not seen(first, lying)
    assert seen(first, top), "a run that begins anew has it stand again"


def test_what_stands_upright_is_not_turned():
    table = DisplacedTable.zeros(2)
    table.heading[:], table.fall_heading[:] = 0.4, (1.0, 2.0)
    poses = poses_of(table)
    assert np.allclose(poses[0], poses[1])
    assert np.allclose(poses[0, :2, 0], (math.cos(0.4), math.sin(0.4)))
