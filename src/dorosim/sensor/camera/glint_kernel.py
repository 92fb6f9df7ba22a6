"""Lamps that wet ground mirrors: long streaks towards the camera.

The film on a road follows its texture, so it mirrors as a surface of small facets does: GGX (B. Walter et al., EGSR
2007) with the visibility of C. Kelemen and L. Szirmay-Kalos (Eurographics 2001) and Schlick's Fresnel of water.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.beam_kernel import STREET, shape_of_beam
from dorosim.sensor.camera.cell_mark_kernel import mark_ball
from dorosim.sensor.camera.lamp_grid_kernel import UNIT_ILLUMINANCE
from dorosim.sensor.camera.ray_packet import Aim, RayPacket
from dorosim.sensor.scene.embree_kernel import (
    NOTHING,
    SIMD_WIDTH,
    actor_mask,
    hit_distance,
    intersect16,
    is_occluded,
    new_packet,
    new_valid,
    occluded16,
    set_ray,
)
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.light_source import Beam, brightest_colour

MAX_GLINTS: Final = 32
"""Lamps whose streaks are drawn, the strongest."""
FIRST_GLINT_BIT: Final = 32
"""Of the cells of a picture."""
NO_GLINTS: Final = np.zeros((0, 6), np.float32)
_MAX_DISTANCE: Final = 250.0
_MIN_STRENGTH: Final = 0.02
"""Of a glint that is seen: its intensity over the square of its distance, times the gain."""
_STEPS: Final = 24
_F = np.float32
_0, _1 = _F(0.0), _F(1.0)
_ROUGH, _SMOOTH = _F(0.3), _F(0.06)
"""Roughness of a damp road, and of a pool in wind and rain."""


def glints_of(view: View, aim: Aim, gain: float, cell: NDArray[np.uint64]) -> NDArray[np.float32]:
    """The lamps that wet ground mirrors towards the camera, `(G, 6)`: place and intensity; none by day.

    Args:
        view: the scene.
        aim: the camera.
        gain: of the exposure.
        cell: of the picture; marked.
    """
    if not len(view.fixed_light) and not len(view.moving_light):
        return NO_GLINTS
    source = np.concatenate((view.moving_light, view.fixed_light))
    gap = source[:, :3] - aim.place
    ahead, away = gap @ aim.axes[2], np.sqrt((gap * gap).sum(axis=1))
    strength = brightest_colour(source) / UNIT_ILLUMINANCE / np.maximum(away, 1.0) ** 2 * gain
    chosen = (ahead > 0.5) & (away < _MAX_DISTANCE) & (source[:, 15] != Beam.PANE) & (strength > _MIN_STRENGTH)
    rows = np.flatnonzero(chosen)
    rows = rows[np.argsort(-strength[rows], kind="stable")[:64]]
    point = np.zeros((MAX_GLINTS, 6), np.float32)
    count = find_glints(view, aim, np.ascontiguousarray(source[rows]), gain, point, cell)
    return point[:count]


@kernel
def find_glints(
    view: View,
    aim: Aim,
    source: NDArray[np.float32],
    gain: float,
    point: NDArray[np.float32],
    cell: NDArray[np.uint64],
) -> int:
    """Follow the light of lamps over the ground to the camera.

    Args:
        view: the scene.
        aim: the camera.
        source: lamps, the strongest first.
        gain: of the exposure.
        point: `(MAX_GLINTS, 6)`; written.
        cell: of the picture; marked.

    Returns:
        how many there are.
    """
    packet, valid = new_packet(), new_valid()
    words = packet.view(np.uint32)
    mask = np.uint32(NOTHING) ^ np.uint32(actor_mask(aim.own)) if aim.own else np.uint32(NOTHING)
    for lane in range(SIMD_WIDTH):
        valid[lane] = -1 if lane == 0 else 0
    cx, cy, cz = aim.place[0], aim.place[1], aim.place[2]
    set_ray(packet, words, 0, cx, cy, cz, 0.0, 0.0, -1.0, 50.0)
    intersect16(view.static, 0, view.scattered, packet, valid)
    if words[18, 0] == NOTHING:
        return 0
    ground = cz - hit_distance(packet, 0)
    high, count = cz - ground, 0
    for s in range(len(source)):
        row = source[s]
        for half in range(2 if row[16] > 0.0 else 1):
            over = row[16] * (1.0 - 2.0 * half)
            x, y, z = row[0] + over * row[6], row[1] + over * row[7], row[2] + over * row[8]
            lift = z - ground
            if count >= len(point) or lift < 0.1:
                continue
            share = lift / (lift + high)  # of the way from the lamp to the camera, where a level mirror has it
            mx, my = x + share * (cx - x), y + share * (cy - y)
            dx, dy, dz = mx - x, my - y, ground + 0.1 - z
            length = sqrt(dx * dx + dy * dy + dz * dz)
            ahead = (row[3] * dx + row[4] * dy + row[5] * dz) / length
            side = (row[6] * dx + row[7] * dy + row[8] * dz) / length
            rise = (row[9] * dx + row[10] * dy + row[11] * dz) / length
            shape = shape_of_beam(row[15], _F(ahead), _F(side), _F(rise))
            shape = max(shape, 0.1 * ahead) if row[15] == STREET else shape
            shape *= 0.5 if row[16] > 0.0 else 1.0
            brightest = max(row[12], row[13], row[14]) * shape / UNIT_ILLUMINANCE / (length * length) * gain
            if ahead <= 0.0 or brightest < _MIN_STRENGTH:
                continue
            set_ray(packet, words, 0, x, y, z, dx, dy, dz, 0.97)
            packet[3, 0] = 0.1 / length
            words[9, 0] = mask
            occluded16(view.static, view.top, view.scattered, packet, valid)
            if is_occluded(packet, 0):
                continue
            point[count, 0], point[count, 1], point[count, 2] = x, y, z
            for colour in range(3):
                point[count, 3 + colour] = row[12 + colour] * shape / UNIT_ILLUMINANCE
            bit = np.uint64(1) << np.uint64(FIRST_GLINT_BIT + count)
            for number in range(1, _STEPS):
                part = number / _STEPS
                px, py = x + part * (cx - x), y + part * (cy - y)
                away = sqrt((px - cx) ** 2 + (py - cy) ** 2)
                step = sqrt((x - cx) ** 2 + (y - cy) ** 2) / _STEPS
                mark_ball(aim, px, py, ground, min(0.6 * step, 0.7 * away) + 0.06 * away + 0.2, bit, cell)
            count += 1
    return count


@inner_kernel
def add_glints(packet: RayPacket, glint: NDArray[np.float32], marks: np.uint64) -> None:
    """Add what wet surfaces mirror of lamps to their radiance.

    Args:
        packet: with places, normals, wetness and directions of view.
        glint: of `PictureWeather`.
        marks: bits of those that can be seen here.
    """
    wet_lanes = 0
    for k in range(SIMD_WIDTH):
        wet_lanes += 1 if packet[at.WET + k] > _0 else 0
    for g in range(len(glint) if wet_lanes > 0 else 0):
        if marks >> np.uint64(FIRST_GLINT_BIT + g) & np.uint64(1) == np.uint64(0):
            continue
        gx, gy, gz = glint[g, 0], glint[g, 1], glint[g, 2]
        red, green, blue = glint[g, 3], glint[g, 4], glint[g, 5]
        for k in range(SIMD_WIDTH):
            lx, ly, lz = gx - packet[at.X + k], gy - packet[at.Y + k], gz - packet[at.Z + k]
            square = lx * lx + ly * ly + lz * lz + _F(1e-4)
            per = _1 / np.sqrt(square)
            lx, ly, lz = lx * per, ly * per, lz * per
            hx, hy, hz = lx - packet[at.VX + k], ly - packet[at.VY + k], lz - packet[at.VZ + k]
            nx, ny, nz = packet[at.NX + k], packet[at.NY + k], packet[at.NZ + k]
            per_half = _1 / np.sqrt(hx * hx + hy * hy + hz * hz + _F(1e-9))
            steep = (nx * hx + ny * hy + nz * hz) * per_half
            half = (lx * hx + ly * hy + lz * hz) * per_half
            lit = nx * lx + ny * ly + nz * lz
            wet = packet[at.WET + k] if lit > _0 else _0
            smooth = packet[at.SMOOTH + k]
            rough = _ROUGH + (_SMOOTH - _ROUGH) * smooth
            rough = rough * rough + _F(1e-4)
            steep = steep * steep
            spread = steep * (rough - _1) + _1
            half = half if half > _F(0.02) else _F(0.02)
            rest = _1 - half
            fifth = rest * rest
            fifth = fifth * fifth * rest
            mirror = wet * (_F(0.3) + _F(0.7) * smooth) * (_F(0.02) + _F(0.98) * fifth)
            light = mirror * rough * lit / (spread * spread * _F(4.0) * half * half * square)
            packet[at.R + k] += light * red
            packet[at.G + k] += light * green
            packet[at.B + k] += light * blue
