"""The glow around lamps: what a lens scatters of a bright point, and fog around it.

A camera that sees a lamp shows more than the lamp: a point of an illuminance E at the lens gets a veil of radiance
that falls with the square of the angle (CIE 146:2002 for eyes; lenses scatter a fraction of that). Lamps that a body
hides have none.
"""

from __future__ import annotations

from math import floor
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.beam_kernel import STREET, shape_of_beam
from dorosim.sensor.camera.lamp_grid_kernel import UNIT_ILLUMINANCE
from dorosim.sensor.camera.near_kernel import PICTURE_CELLS, SIDE
from dorosim.sensor.camera.ray_packet import Aim, RayPacket, Spots
from dorosim.sensor.scene.embree_kernel import (
    NOTHING,
    SIMD_WIDTH,
    actor_mask,
    is_occluded,
    new_packet,
    new_valid,
    occluded16,
    set_ray,
)
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.light_source import Beam

MAX_GLOWS: Final = 8
"""Glows of a cell."""
_SCATTER: Final = 2.0e-3
"""Radiance around a point that gives an illuminance of 1 at the lens, at an angle of 1 rad."""
_FOG_SCATTER: Final = 60.0
"""How much more that is for each 1/m of extinction."""
_MAX_ANGLE: Final = 0.12
"""Where the glow ends [tangent of the angle]."""
_MIN_GLOW: Final = 3e-4
"""Radiance of a glow, times the gain, that one sees at a hundredth."""
_MAX_DISTANCE: Final = 600.0
_SIDE_MASK: Final = SIDE - 1
_NO_CELL: Final = np.uint32(SIDE * SIDE)
_F = np.float32
_0, _1 = _F(0.0), _F(1.0)


class Glow(NamedTuple):
    """The glows of a picture.

    Attributes:
        point: `(G, 8)` direction with a length of 1 along the optical axis, in map; radiance of red, green and blue at
            an angle of 1, times the gain; square of the angle where it ends; square of the angle within which it is
            even.
        cell: `(SIDE * SIDE, 1 + MAX_GLOWS)` how many glows each cell of the picture has (`near_kernel`), and their
            rows.
    """

    point: NDArray[np.float32]
    cell: NDArray[np.int16]


NO_GLOW: Final = Glow(np.zeros((0, 8), np.float32), np.zeros((0, 1 + MAX_GLOWS), np.int16))


def glow_of(view: View, aim: Aim, gain: float, extinction: float) -> Glow:
    """The glows of one picture; by day none."""
    if not len(view.fixed_light) and not len(view.moving_light):
        return NO_GLOW
    source = np.concatenate((view.moving_light, view.fixed_light))
    gap = source[:, :3] - aim.place
    ahead = gap @ aim.axes[2]
    source = np.ascontiguousarray(source[(ahead > 0.5) & (ahead < _MAX_DISTANCE) & (source[:, 15] != Beam.PANE)])
    pixel = float(aim.rays[0, 0, 0, 1] - aim.rays[0, 0, 0, 0]) if aim.rays.shape[3] > 1 else 1e-3
    point = np.zeros((2 * len(source), 8), np.float32)
    cell = np.zeros((SIDE * SIDE, 1 + MAX_GLOWS), np.int16)
    count = find_glows(view, aim, source, gain / UNIT_ILLUMINANCE, extinction, pixel, point)
    point = point[:count]
    order = np.argsort(-point[:, 3:6].max(axis=1), kind="stable")  # where cells are full, the weakest are left out
    point = np.ascontiguousarray(point[order])
    mark_glows(aim, point, cell)
    return Glow(point, cell)


@kernel
def find_glows(
    view: View,
    aim: Aim,
    source: NDArray[np.float32],
    gain: float,
    extinction: float,
    pixel: float,
    point: NDArray[np.float32],
) -> int:
    """Look at every lamp from the camera.

    Args:
        view: the scene.
        aim: the camera.
        source: lamps in front of it.
        gain: of the exposure, for intensities in candela.
        extinction: [1/m].
        pixel: width of a pixel at a length of 1.
        point: as of `Glow`; written.

    Returns:
        how many glows there are.
    """
    packet, valid = new_packet(), new_valid()
    words = packet.view(np.uint32)
    mask = np.uint32(NOTHING) ^ np.uint32(actor_mask(aim.own)) if aim.own else np.uint32(NOTHING)
    count = 0
    for s in range(len(source)):
        row = source[s]
        for half in range(2 if row[16] > 0.0 else 1):
            over = row[16] * (1.0 - 2.0 * half)
            x, y, z = row[0] + over * row[6], row[1] + over * row[7], row[2] + over * row[8]
            dx, dy, dz = x - aim.place[0], y - aim.place[1], z - aim.place[2]
            depth = aim.axes[2, 0] * dx + aim.axes[2, 1] * dy + aim.axes[2, 2] * dz
            square = dx * dx + dy * dy + dz * dz
            length = np.sqrt(square)
            # from the lamp to the camera
            ahead = -(row[3] * dx + row[4] * dy + row[5] * dz) / length
            side = -(row[6] * dx + row[7] * dy + row[8] * dz) / length
            rise = -(row[9] * dx + row[10] * dy + row[11] * dz) / length
            shape = shape_of_beam(row[15], _F(ahead), _F(side), _F(rise))
            shape = max(shape, _F(0.1) * _F(ahead)) if row[15] == STREET else shape  # the housing's edge is seen lit
            lens = shape * (0.5 if row[16] > 0.0 else 1.0) * np.exp(-extinction * length) / square
            strength = gain * lens * _SCATTER * (1.0 + _FOG_SCATTER * extinction)
            if depth < 0.5 or strength * max(row[12], row[13], row[14]) < _MIN_GLOW * 1e-4 or ahead <= 0.0:
                continue
            for lane in range(SIMD_WIDTH):
                valid[lane] = -1 if lane == 0 else 0
            share = 1.0 - 0.04 / length
            set_ray(packet, words, 0, aim.place[0], aim.place[1], aim.place[2], dx, dy, dz, share)
            words[9, 0] = mask
            occluded16(view.static, view.top, view.scattered, packet, valid)
            if is_occluded(packet, 0):
                continue
            point[count, 0], point[count, 1], point[count, 2] = dx / depth, dy / depth, dz / depth
            brightest = 0.0
            for colour in range(3):
                point[count, 3 + colour] = strength * row[12 + colour]
                brightest = max(brightest, strength * row[12 + colour])
            wide = min(np.sqrt(brightest / _MIN_GLOW) * (1.0 + 20.0 * extinction), _MAX_ANGLE)
            point[count, 6] = max(wide, 3.0 * pixel) ** 2
            point[count, 7] = max(1.2 * pixel, 0.03 / length) ** 2
            count += 1
    return count


@kernel
def mark_glows(aim: Aim, point: NDArray[np.float32], cell: NDArray[np.int16]) -> None:
    """Enter glows into the cells of the picture that they touch; the arguments are as of `Glow`."""
    axes = aim.axes
    for g in range(len(point)):
        dx, dy, dz = point[g, 0], point[g, 1], point[g, 2]
        right = axes[0, 0] * dx + axes[0, 1] * dy + axes[0, 2] * dz
        down = axes[1, 0] * dx + axes[1, 1] * dy + axes[1, 2] * dz
        wide = np.sqrt(point[g, 6])
        left, low = floor((right - wide) * PICTURE_CELLS), floor((down - wide) * PICTURE_CELLS)
        across = min(floor((right + wide) * PICTURE_CELLS) - left + 1, SIDE)
        up = min(floor((down + wide) * PICTURE_CELLS) - low + 1, SIDE)
        for j in range(up):
            for i in range(across):
                row = cell[((low + j) & _SIDE_MASK) * SIDE + ((left + i) & _SIDE_MASK)]
                if row[0] < MAX_GLOWS:
                    row[1 + row[0]] = g
                    row[0] += 1


@inner_kernel
def add_glow(
    packet: RayPacket, spots: Spots, point: NDArray[np.float32], cell: NDArray[np.int16], share: np.float32
) -> None:
    """Add glows to the sum of a sample; the rays' directions and cells are as they begin."""
    last = _NO_CELL
    for k in range(SIMD_WIDTH):
        here = spots[at.COLUMN + k]
        if here == last or cell[np.uint64(here), 0] == 0:
            continue
        last = here
        done = False
        for before in range(k):
            done |= spots[at.COLUMN + before] == here
        if done:
            continue
        for n in range(cell[np.uint64(here), 0]):
            g = np.uint64(cell[np.uint64(here), 1 + n])
            gx, gy, gz, end, even = point[g, 0], point[g, 1], point[g, 2], point[g, 6], point[g, 7]
            red, green, blue = point[g, 3] * share, point[g, 4] * share, point[g, 5] * share
            per_end = _1 / end
            for lane in range(SIMD_WIDTH):
                dx, dy, dz = packet[at.DX + lane] - gx, packet[at.DY + lane] - gy, packet[at.DZ + lane] - gz
                square = dx * dx + dy * dy + dz * dz
                fade = _1 - square * per_end
                fade = fade if fade > _0 else _0
                weight = fade * fade / (square + even)
                weight = weight if spots[at.COLUMN + lane] == here else _0
                packet[at.SUM_R + lane] += weight * red
                packet[at.SUM_G + lane] += weight * green
                packet[at.SUM_B + lane] += weight * blue
