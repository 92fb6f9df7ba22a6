"""Smoke and spray in the air of a picture: they hide what is behind, and are lit by the sky, the sun and lamps."""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.beam_kernel import shape_of_beam
from dorosim.sensor.camera.cell_mark_kernel import mark_ball
from dorosim.sensor.camera.lamp_grid_kernel import UNIT_ILLUMINANCE
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.ray_packet import Aim, RayPacket
from dorosim.sensor.camera.sky_kernel import power_of_two
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH
from dorosim.sensor.scene.instance import View

NO_AIR_VOLUMES: Final = np.zeros((0, 13), np.float32)
"""Columns: middle [m from the scene's origin]; cosine and sine of the yaw; one over the half lengths along it, across
and up [1/m]; extinction [1/m]; albedo; radiance of red, green and blue where it is thick."""
_SMOKE_ALBEDO, _SPRAY_ALBEDO = 0.55, 0.95
"""Share of light that is scattered, not taken: of the smoke of fires, and of drops."""
_SUN_IN_AIR: Final = 0.2
"""Of the sun's light, what a cloud scatters to any side, over what a white surface does that faces it."""
_LAMP_REACH: Final = 60.0
_F = np.float32
_0, _1 = _F(0.0), _F(1.0)
_LOG2E = _F(1.4426950408889634)
_FAR = _F(1e9)


def air_volumes_in_view(
    view: View, aim: Aim, light: SceneLight, volumes: FloatArray, cell: NDArray[np.uint64]
) -> NDArray[np.float32]:
    """The volumes of a picture, `(V, 13)`, as `NO_AIR_VOLUMES` says, nearest first.

    Args:
        view: the scene.
        aim: the camera.
        light: of the surroundings.
        volumes: `(V, 10)` of `dorosim.sensor.aerosol.volumes_near`, at most 32; extinctions of green light.
        cell: of the picture; marked.
    """
    made = np.zeros((len(volumes), 13), np.float32)
    made[:, :3] = volumes[:, :3] - view.origin
    made[:, 3:5] = volumes[:, 3:5]
    made[:, 5:8] = 1.0 / volumes[:, 5:8]
    made[:, 8] = volumes[:, 8]
    # by what they send back: spray is of drops, which send back more for what they take
    spray = volumes[:, 9] > 0.1 * volumes[:, 8]
    made[:, 9] = np.where(spray, _SPRAY_ALBEDO, _SMOKE_ALBEDO)
    around = 0.5 * (light.above + light.below) + _SUN_IN_AIR * light.sun
    made[:, 10:13] = made[:, 9:10] * around
    sources = np.concatenate((view.moving_light, view.fixed_light))
    light_and_mark(aim, np.ascontiguousarray(sources), volumes[:, 5:8].max(axis=1), made, cell)
    return made


@kernel
def light_and_mark(
    aim: Aim,
    source: NDArray[np.float32],
    radius: FloatArray,
    volume: NDArray[np.float32],
    cell: NDArray[np.uint64],
) -> None:
    """Add the light of lamps to volumes, by what reaches their middle, and mark the cells in which they are seen.

    Args:
        aim: the camera.
        source: lamps.
        radius: `(V,)` of balls that hold the volumes [m].
        volume: `(V, 13)`; written.
        cell: of the picture; written.
    """
    for v in range(len(volume)):
        x, y = volume[v, 0], volume[v, 1]
        z = volume[v, 2] + 0.4 / volume[v, 7]
        for s in range(len(source)):
            row = source[s]
            dx, dy, dz = x - row[0], y - row[1], z - row[2]
            square = dx * dx + dy * dy + dz * dz
            if square > _LAMP_REACH * _LAMP_REACH:
                continue
            length = sqrt(square) + 1e-3
            shape = shape_of_beam(
                row[15],
                _F((row[3] * dx + row[4] * dy + row[5] * dz) / length),
                _F((row[6] * dx + row[7] * dy + row[8] * dz) / length),
                _F((row[9] * dx + row[10] * dy + row[11] * dz) / length),
            )
            share = 0.25 * max(float(shape), 0.0) * volume[v, 9] / (UNIT_ILLUMINANCE * max(square, 4.0))
            for colour in range(3):
                volume[v, 10 + colour] += share * row[12 + colour]
        mark_ball(aim, x, y, volume[v, 2], radius[v], np.uint64(1) << np.uint64(v), cell)


@inner_kernel
def add_air_volumes(packet: RayPacket, aim: Aim, volume: NDArray[np.float32], marks: np.uint64) -> None:
    """Put smoke and spray before what is seen, the farthest first.

    Args:
        packet: with radiances, distances and unit vectors of view.
        aim: the camera.
        volume: of `PictureWeather`.
        marks: bits of those that can be seen here.
    """
    for number in range(len(volume)):
        v = len(volume) - 1 - number
        if marks >> np.uint64(v) & np.uint64(1) == np.uint64(0):
            continue
        ox, oy, oz = aim.place[0] - volume[v, 0], aim.place[1] - volume[v, 1], aim.place[2] - volume[v, 2]
        c, s = volume[v, 3], volume[v, 4]
        a, b, h = volume[v, 5], volume[v, 6], volume[v, 7]
        px, py, pz = (c * ox + s * oy) * a, (c * oy - s * ox) * b, oz * h
        rate = volume[v, 8] * _LOG2E
        red, green, blue = volume[v, 10], volume[v, 11], volume[v, 12]
        inside = px * px + py * py + pz * pz - _1
        for k in range(SIMD_WIDTH):
            vx, vy, vz = packet[at.VX + k], packet[at.VY + k], packet[at.VZ + k]
            qx, qy, qz = (c * vx + s * vy) * a, (c * vy - s * vx) * b, vz * h
            square = qx * qx + qy * qy + qz * qz
            half = px * qx + py * qy + pz * qz
            root = half * half - square * inside
            deep = np.sqrt(root if root > _0 else _0)
            start, end = (-half - deep) / square, (-half + deep) / square
            # volumes lie above their middle
            steep = qz if abs(qz) > _F(1e-6) else _F(1e-6)
            floor = -pz / steep
            start = floor if steep > _0 and floor > start else start
            end = floor if steep < _0 and floor < end else end
            reach = packet[at.RANGE + k] if packet[at.HIT + k] > _0 else _FAR
            start = start if start > _0 else _0
            end = end if end < reach else reach
            way = end - start if root > _0 and end > start else _0
            clear = power_of_two(-way * rate)
            packet[at.R + k] = red + (packet[at.R + k] - red) * clear
            packet[at.G + k] = green + (packet[at.G + k] - green) * clear
            packet[at.B + k] = blue + (packet[at.B + k] - blue) * clear
