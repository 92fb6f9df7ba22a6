"""The search for parts near bodies against a comparison of every body with every part."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.column import FloatArray
from dorosim.road.scenery.table import ObjectTable, PartTable, Scenery
from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.collision.scenery import parts_near, with_parts

PARTS, BODIES, SIDE = 400, 60, 150.0
"""How many, and the side of the square in which they are [m]."""
NOT_GONE = np.zeros(0, np.int64)


def scenery(random: np.random.Generator) -> Scenery:
    """Poles, and some walls."""
    parts, wall = PartTable.zeros(PARTS), random.uniform(size=PARTS) < 0.1
    parts.x[:], parts.y[:] = random.uniform(0.0, SIDE, (2, PARTS))
    parts.yaw[:], parts.half_height[:] = random.uniform(-3.0, 3.0, PARTS), random.uniform(0.2, 3.0, PARTS)
    parts.half_length[:] = np.where(wall, random.uniform(1.0, 12.0, PARTS), 0.1)
    parts.half_width[:] = np.where(wall, 0.3, 0.1)
    parts.object[:] = np.arange(PARTS)
    objects = ObjectTable.zeros(PARTS)
    objects.mass[:], objects.breakaway_speed[:] = random.uniform(1.0, 100.0, (2, PARTS))
    return Scenery(objects.freeze(), parts.freeze())


def bodies(random: np.random.Generator) -> BodyTable:
    """Vehicles and people, some of them beyond all parts."""
    table, person = BodyTable.zeros(BODIES), random.uniform(size=BODIES) < 0.3
    table.x[:], table.y[:] = random.uniform(-20.0, SIDE + 20.0, (2, BODIES))
    table.z[:], table.half_height[:] = random.uniform(-4.0, 4.0, BODIES), random.uniform(0.5, 2.0, BODIES)
    table.yaw[:] = random.uniform(-4.0, 4.0, BODIES)
    table.half_length[:] = np.where(person, 0.25, random.uniform(1.5, 8.0, BODIES))
    table.half_width[:] = np.where(person, 0.3, random.uniform(0.7, 1.3, BODIES))
    table.velocity_x[:], table.velocity_y[:] = random.normal(0.0, 15.0, (2, BODIES))
    table.movable[:] = 1
    return table


def corners(x: float, y: float, yaw: float, half_length: float, half_width: float) -> FloatArray:
    """`(4, 2)` of a box from above."""
    along, across = np.array([np.cos(yaw), np.sin(yaw)]), np.array([-np.sin(yaw), np.cos(yaw)])
    signs = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    return np.array([(x, y) + a * half_length * along + b * half_width * across for a, b in signs])


def overlap(one: FloatArray, other: FloatArray) -> bool:
    """Whether two boxes overlap: no edge normal of either has them apart."""
    for box in (one, other):
        for axis in (box[1] - box[0], box[2] - box[1]):
            a, b = one @ axis, other @ axis
            if a.max() <= b.min() or b.max() <= a.min():
                return False
    return True


def met(table: BodyTable, parts: PartTable, way: FloatArray) -> set[int]:
    """Rows of the parts that any body overlaps with that is larger by its way."""
    found = set()
    for i in range(BODIES):
        length, width = table.half_length[i] + way[i], table.half_width[i] + way[i]
        body = corners(table.x[i], table.y[i], table.yaw[i], length, width)
        for p in range(PARTS):
            if abs(table.z[i] - parts.z[p]) > table.half_height[i] + parts.half_height[p]:
                continue
            box = corners(parts.x[p], parts.y[p], parts.yaw[p], parts.half_length[p], parts.half_width[p])
            if overlap(body, box):
                found.add(p)
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("dt", "margin"), [(0.01, 0.0), (0.0, 0.4), (0.0, 3.5)])
def test_every_part_that_a_body_may_touch_is_found(seed: int, dt: float, margin: float) -> None:
    random = np.random.default_rng(seed)
    world, table = scenery(random), bodies(random)
    way = np.hypot(table.velocity_x, table.velocity_y) * dt + margin
    found = parts_near(world, table, NOT_GONE, dt, margin=margin)
    assert found.tolist() == sorted(set(found.tolist()))
    # a corner that is moved out by 0.7 of the way to either side is moved by less than the way
    assert met(table, world.parts, 0.7 * way) <= set(found.tolist()) <= met(table, world.parts, way)
    assert len(found) > 4
    gone = found[::2].copy()
    assert parts_near(world, table, gone, dt, margin=margin).tolist() == found[1::2].tolist()


def test_bodies_of_parts_come_after_the_others_and_have_the_numbers_of_their_objects() -> None:
    random = np.random.default_rng(1)
    world, table = scenery(random), bodies(random)
    rows = np.array([3, 7, 200])
    made = with_parts(table, world, rows)
    assert np.array_equal(made.floats[:, :BODIES], table.floats)
    assert np.array_equal(made.ints[:, :BODIES], table.ints)
    for column in ("x", "y", "z", "yaw", "half_length", "half_width", "half_height"):
        assert getattr(made, column)[BODIES:].tolist() == getattr(world.parts, column)[rows].tolist()
    for column in ("mass", "breakaway_speed"):
        assert getattr(made, column)[BODIES:].tolist() == getattr(world.objects, column)[rows].tolist()
    assert made.id[BODIES:].tolist() == [-4, -8, -201]
    assert set(made.kind[BODIES:].tolist()) == {BodyKind.SCENERY}
    assert not made.movable[BODIES:].any()
