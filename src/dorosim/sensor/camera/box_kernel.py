"""How many pixels an actor would have if nothing stood in front of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera.ray_packet import Aim, Plane
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH, is_occluded, new_packet, new_valid, occluded16, set_ray
from dorosim.sensor.scene.instance import View


@kernel
def count_covered(
    view: View,
    aim: Aim,
    plane: Plane,
    rows: NDArray[np.int64],
    window: NDArray[np.int64],
    reach: NDArray[np.float32],
    part: int,
    parts: int,
) -> NDArray[np.int64]:
    """Count the pixels in which each actor is hidden by others, in one of several parts of the picture.

    A pixel that shows something behind the actor's box cannot hide the actor. For the others a ray is cast into the
    actor's model alone: a few triangles, and only where something stands in front.

    Args:
        view: the scene.
        aim: the camera.
        plane: what it saw; depths are taken up to `aim.far`.
        rows: `(N,)` rows of the view.
        window: `(N, 4)` first column and row, and those behind the last, that hold the actor.
        reach: `(N, 2)` least and greatest depth of the actor's box [m].
        part: 0 to `parts - 1`: which lines of a window are counted, each `parts`-th.
        parts: 1 or more.

    Returns:
        `(N,)`.
    """
    hidden = np.zeros(len(rows), np.int64)
    packet, valid = new_packet(), new_valid()
    words = packet.view(np.uint32)
    back, eye = np.empty((3, 3)), np.empty(3)
    for i in range(len(rows)):
        row = rows[i]
        _camera_in_model(view, aim, row, back, eye)
        lane = 0
        farthest, left, right = reach[i, 1], np.uint64(window[i, 0]), np.uint64(window[i, 2])
        for line in range(window[i, 1] + part, window[i, 3], parts):
            y = np.uint64(line)
            for x in range(left, right):
                if plane.depth[y, x] > farthest or plane.row[y, x] == row:
                    continue
                u, v = aim.rays[0, 0, y, x], aim.rays[0, 1, y, x]
                dx = back[0, 0] * u + back[0, 1] * v + back[0, 2]
                dy = back[1, 0] * u + back[1, 1] * v + back[1, 2]
                dz = back[2, 0] * u + back[2, 1] * v + back[2, 2]
                set_ray(packet, words, lane, eye[0], eye[1], eye[2], dx, dy, dz, np.inf)
                packet[3, lane] = aim.near
                lane += 1
                if lane == SIMD_WIDTH:
                    hidden[i] += _hits(view, row, packet, valid, lane)
                    lane = 0
        if lane:
            hidden[i] += _hits(view, row, packet, valid, lane)
    return hidden


@inner_kernel
def _hits(view: View, row: int, packet: NDArray[np.float32], valid: NDArray[np.int32], lanes: int) -> int:
    """How many of the first rays of a packet hit the model of an instance."""
    for k in range(SIMD_WIDTH):
        valid[k] = -1 if k < lanes else 0
    occluded16(view.model[row], 0, view.arguments, packet, valid)
    count = 0
    for k in range(lanes):
        count += is_occluded(packet, k)
    return count


@inner_kernel
def _camera_in_model(view: View, aim: Aim, row: int, back: NDArray[np.float64], eye: NDArray[np.float64]) -> None:
    """The camera in the frame of an instance's model: its axes as columns of `back`, and its place.

    Distances stay depths, since rays are turned and scaled together with what they hit.
    """
    m = view.transform[row].astype(np.float64)
    turn = np.empty((3, 3))
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            c, d = (j + 1) % 3, (j + 2) % 3
            turn[j, i] = m[a, c] * m[b, d] - m[a, d] * m[b, c]
    scale = 1.0 / (m[0, 0] * turn[0, 0] + m[0, 1] * turn[1, 0] + m[0, 2] * turn[2, 0])
    for i in range(3):
        eye[i] = 0.0
        for j in range(3):
            eye[i] += turn[i, j] * (np.float64(aim.place[j]) - m[j, 3]) * scale
            back[i, j] = 0.0
            for k in range(3):
                back[i, j] += turn[i, k] * np.float64(aim.axes[j, k]) * scale
