"""Processors that cast eight rays at a time: packets go to Embree in two halves, and come back whole."""

from __future__ import annotations

import numpy as np

from dorosim.ground.jit import kernel
from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.embree_kernel import (
    NOTHING,
    SIMD_WIDTH,
    cast_halves,
    intersect16,
    new_packet,
    new_valid,
    occluded16,
    set_ray,
)
from tests.sensor.scene.build import box, plane, pose, scene_of

GEOMETRY, INSTANCE, FAR = 18, 19, 8
SET = [GEOMETRY, INSTANCE]
"""Rows that have a meaning in every lane, hit or not."""


@kernel
def packets_of(static, top, arguments, origin, direction, far, lanes, halves, flat):
    """Packets after both kinds of query, `(N, 2, 21, 16)`; only the first lanes are cast."""
    found = np.empty((len(direction) // SIMD_WIDTH, 2, 21, SIMD_WIDTH), np.float32)
    packet, valid = new_packet(), new_valid()
    words, line = packet.view(np.uint32), packet.reshape(-1)
    for n in range(len(found)):
        for query in range(2):
            for lane in range(SIMD_WIDTH):
                way = direction[n * SIMD_WIDTH + lane]
                set_ray(packet, words, lane, origin[0], origin[1], origin[2], way[0], way[1], way[2], far)
                valid[lane] = -1 if lane < lanes else 0
            if halves and query == 0:
                if flat:
                    cast_halves(static, top, arguments, line, valid, False)
                else:
                    cast_halves(static, top, arguments, packet, valid, False)
            elif halves:
                cast_halves(static, top, arguments, packet, valid, True)
            elif query == 0:
                intersect16(static, top, arguments, packet, valid)
            else:
                occluded16(static, top, arguments, packet, valid)
            found[n, query] = packet
    return found


def both_ways(lanes: int, top: bool, flat: bool = False):
    boxes = [pose(8.0, y, 0.0, 0.3 * y) for y in (-4.0, 0.0, 4.0)]
    scene, view = scene_of(
        Mesh.joined((plane(), box((0.2, 9.0, 2.0), (20.0, 0.0, 2.0)))), [box((1.0, 0.5, 1.0))], boxes
    )
    assert scene
    way = np.random.default_rng(5).normal((1.0, 0.0, -0.05), 0.25, (64 * SIMD_WIDTH, 3)).astype(np.float32)
    given = (
        view.static,
        view.top if top else 0,
        view.arguments,
        np.array((0.0, 0.0, 1.0), np.float32),
        way,
        100.0,
        lanes,
    )
    return packets_of(*given, False, flat), packets_of(*given, True, flat)


def test_halves_hit_what_whole_packets_hit():
    for top in (True, False):
        whole, halves = both_ways(SIMD_WIDTH, top)
        words, others = whole.view(np.uint32), halves.view(np.uint32)
        assert (words[:, :, SET] == others[:, :, SET]).all()
        assert np.allclose(whole[:, 0, FAR], halves[:, 0, FAR], rtol=1e-5)
        assert (np.isinf(whole[:, 1, FAR]) == np.isinf(halves[:, 1, FAR])).all()
        hits = words[:, 0, INSTANCE][words[:, 0, GEOMETRY] != NOTHING]
        assert set(np.unique(hits)) == ({NOTHING, 1, 2, 3} if top else {NOTHING})


def test_lanes_that_are_not_cast_stay_as_they_are():
    _, halves = both_ways(5, top=True)
    assert (halves.view(np.uint32)[:, 0, GEOMETRY, 5:] == NOTHING).all()
    assert (halves[:, :, FAR, 5:] == 100.0).all()


def test_a_packet_may_lie_in_one_line():
    two, one = both_ways(SIMD_WIDTH, top=True)[1], both_ways(SIMD_WIDTH, top=True, flat=True)[1]
    rows = [FAR, *SET]
    assert two[:, :, rows].tobytes() == one[:, :, rows].tobytes()
