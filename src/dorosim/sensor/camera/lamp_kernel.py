"""What lamps add to the light on a surface: 16 pixels at a time, with shadows of the strongest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.beam_kernel import HIGH, LOW, PANE, STREET, high_beam, low_beam, street_beam
from dorosim.sensor.camera.lamp_grid_kernel import GRID_CELL, GRID_SIDE
from dorosim.sensor.camera.ray_packet import RayPacket, Spots, Valid, Words
from dorosim.sensor.scene.embree_kernel import NOTHING, SIMD_WIDTH, actor_mask, occluded16

_F = np.float32
_0, _1 = _F(0.0), _F(1.0)
_ALL = np.uint32(NOTHING)
_PER_METRE = _F(1.0 / GRID_CELL)
_SIDE = _F(GRID_SIDE)
_OUTSIDE = np.uint32(GRID_SIDE * GRID_SIDE)
MAX_SHADOWS = 2
"""Lamps of a square that cast shadows."""
_MIN_SHADOW = _F(4e-5)
"""Light whose shadow one would see: 3 lx."""
_EDGE_ON, _ENDLESS = _F(1e-3), _F(1e30)
"""What faces away by more than that [m] from something up to 120 m away does so in float32, too."""
_ROUGH_DIRECT, _ROUGH_BACK = _F(0.78), _F(0.33)
"""A and B of rough matt surfaces at a roughness of 0.5 (M. Oren and S. K. Nayar, SIGGRAPH 1994): they throw back more
towards the lamp, which is why one sees a road in one's own beams."""


@inner_kernel
def add_lamps(
    packet: RayPacket,
    spots: Spots,
    shadow: RayPacket,
    words: Words,
    valid: Valid,
    lamps: NDArray[np.float32],
    cells: NDArray[np.int32],
    corner: tuple[np.float32, np.float32],
    static: int,
    top: int,
    arguments: int,
    own: int,
) -> None:
    """Add the light of lamps to the rows `IR`, `IG`, `IB` of the packet: irradiance, in that of a radiance of 1.

    Args:
        packet: with places, normals and directions of view.
        spots: squares of the lanes are written.
        shadow: room for rays.
        words: the same memory as whole numbers.
        valid: room for lanes that are cast.
        lamps: `source` of the picture's `LampGrid`.
        cells: `cell` of it.
        corner: `left` and `low` of it.
        static: of the view.
        top: of the view.
        arguments: of the view.
        own: actor that is left out; 0 for none.
    """
    mask = _ALL ^ np.uint32(actor_mask(own)) if own else _ALL
    for place in range(at.IR, at.IB + SIMD_WIDTH):
        packet[place] = _0
    _find_squares(packet, spots, corner[0], corner[1])
    cell = _OUTSIDE
    for k in range(SIMD_WIDTH):
        here = spots[at.COLUMN + k]
        if here in (_OUTSIDE, cell):
            continue
        seen = False
        for before in range(k):
            seen |= spots[at.COLUMN + before] == here
        if seen:
            continue
        cell = here
        for lane in range(SIMD_WIDTH):
            packet[at.MEMBER + lane] = _1 if spots[at.COLUMN + lane] == cell else _0
        cast = 0
        for n in range(cells[np.uint64(cell), 0]):
            source = np.uint64(cells[np.uint64(cell), 1 + n])
            if not _is_reached(packet, lamps, source):
                continue
            _weigh(packet, lamps, source)
            _shape(packet, lamps, source)
            if cast < MAX_SHADOWS and _is_brighter(packet, lamps[source, 13], _MIN_SHADOW):
                cast += 1
                _aim_at_lamp(packet, shadow, words, valid, lamps, source, mask)
                occluded16(static, top, arguments, shadow, valid)
                for lane in range(SIMD_WIDTH):
                    packet[at.WEIGHT + lane] = packet[at.WEIGHT + lane] if shadow[at.FAR + lane] >= _0 else _0
            red, green, blue = lamps[source, 12], lamps[source, 13], lamps[source, 14]
            for lane in range(SIMD_WIDTH):
                weight = packet[at.WEIGHT + lane]
                packet[at.IR + lane] += weight * red
                packet[at.IG + lane] += weight * green
                packet[at.IB + lane] += weight * blue


@inner_kernel
def _find_squares(packet: RayPacket, spots: Spots, left: np.float32, low: np.float32) -> None:
    """The square of each lane."""
    for k in range(SIMD_WIDTH):
        i, j = (packet[at.X + k] - left) * _PER_METRE, (packet[at.Y + k] - low) * _PER_METRE
        inside = (i >= _0) & (j >= _0) & (i < _SIDE) & (j < _SIDE) & (packet[at.HIT + k] > _0)
        i, j = i if inside else _0, j if inside else _0
        number = np.uint32(j) * np.uint32(GRID_SIDE) + np.uint32(i)
        spots[at.COLUMN + k] = number if inside else _OUTSIDE


@inner_kernel
def _is_reached(packet: RayPacket, lamps: NDArray[np.float32], source: np.uint64) -> bool:
    """Whether a lamp can light any lane of a square: its light goes so far, and each faces the other.

    It needs no root and no division, which half of all lamps of a square are spared by it. Where lane and lamp are
    edge-on to each other, it does not decide.
    """
    sx, sy, sz = lamps[source, 0], lamps[source, 1], lamps[source, 2]
    fx, fy, fz = lamps[source, 3], lamps[source, 4], lamps[source, 5]
    per_reach = _1 / (lamps[source, 17] * lamps[source, 17])
    behind = _ENDLESS if lamps[source, 15] == PANE else _EDGE_ON
    lanes = 0
    for k in range(SIMD_WIDTH):
        tx, ty, tz = sx - packet[at.X + k], sy - packet[at.Y + k], sz - packet[at.Z + k]
        square = tx * tx + ty * ty + tz * tz + _F(0.01)
        cosine = packet[at.NX + k] * tx + packet[at.NY + k] * ty + packet[at.NZ + k] * tz
        ahead = fx * tx + fy * ty + fz * tz
        faces = (cosine > -_EDGE_ON) & (ahead < behind)
        lanes += 1 if faces & (_1 - square * per_reach > _0) & (packet[at.MEMBER + k] > _0) else 0
    return lanes > 0


@inner_kernel
def _weigh(packet: RayPacket, lamps: NDArray[np.float32], source: np.uint64) -> None:
    """What each lane of a square gets of a lamp of intensity 1 that shines evenly, and how far it lies ahead of it."""
    sx, sy, sz = lamps[source, 0], lamps[source, 1], lamps[source, 2]
    fx, fy, fz = lamps[source, 3], lamps[source, 4], lamps[source, 5]
    per_reach = _1 / (lamps[source, 17] * lamps[source, 17])
    for k in range(SIMD_WIDTH):
        tx, ty, tz = sx - packet[at.X + k], sy - packet[at.Y + k], sz - packet[at.Z + k]
        square = tx * tx + ty * ty + tz * tz + _F(0.01)
        shrink = _1 / np.sqrt(square)
        tx, ty, tz = tx * shrink, ty * shrink, tz * shrink
        cosine = packet[at.NX + k] * tx + packet[at.NY + k] * ty + packet[at.NZ + k] * tz
        cosine = cosine if cosine > _0 else _0
        facing = packet[at.FACING + k]
        back = -(packet[at.VX + k] * tx + packet[at.VY + k] * ty + packet[at.VZ + k] * tz) - cosine * facing
        back = back if back > _0 else _0
        steeper = cosine if cosine > facing else facing
        rough = cosine * (_ROUGH_DIRECT + _ROUGH_BACK * back / (steeper + _F(1e-3)))
        fade = _1 - square * per_reach
        fade = fade if fade > _0 else _0
        packet[at.WEIGHT + k] = rough * fade * fade * shrink * shrink * packet[at.MEMBER + k]
        packet[at.AHEAD + k] = -(fx * tx + fy * ty + fz * tz)


@inner_kernel
def _look_aside(packet: RayPacket, lamps: NDArray[np.float32], source: np.uint64) -> None:
    """Where each lane lies to the left of a lamp and above it, for beams that differ there."""
    sx, sy, sz = lamps[source, 0], lamps[source, 1], lamps[source, 2]
    lx, ly, lz = lamps[source, 6], lamps[source, 7], lamps[source, 8]
    ux, uy, uz = lamps[source, 9], lamps[source, 10], lamps[source, 11]
    for k in range(SIMD_WIDTH):
        tx, ty, tz = sx - packet[at.X + k], sy - packet[at.Y + k], sz - packet[at.Z + k]
        square = tx * tx + ty * ty + tz * tz + _F(0.01)
        shrink = _1 / np.sqrt(square)
        tx, ty, tz = tx * shrink, ty * shrink, tz * shrink
        packet[at.SIDE + k] = -(lx * tx + ly * ty + lz * tz)
        packet[at.RISE + k] = -(ux * tx + uy * ty + uz * tz)


@inner_kernel
def _shape(packet: RayPacket, lamps: NDArray[np.float32], source: np.uint64) -> None:
    """Weigh the lanes by how the lamp spreads its light; one loop each, which stays free of branches."""
    beam = lamps[source, 15]
    if beam == LOW:
        _look_aside(packet, lamps, source)
        for k in range(SIMD_WIDTH):
            packet[at.WEIGHT + k] *= low_beam(packet[at.AHEAD + k], packet[at.SIDE + k], packet[at.RISE + k])
    elif beam == HIGH:
        _look_aside(packet, lamps, source)
        for k in range(SIMD_WIDTH):
            packet[at.WEIGHT + k] *= high_beam(packet[at.AHEAD + k], packet[at.SIDE + k], packet[at.RISE + k])
    elif beam == STREET:
        for k in range(SIMD_WIDTH):
            packet[at.WEIGHT + k] *= street_beam(packet[at.AHEAD + k])
    elif beam == PANE:
        for k in range(SIMD_WIDTH):
            packet[at.WEIGHT + k] *= abs(packet[at.AHEAD + k])
    else:
        for k in range(SIMD_WIDTH):
            ahead = packet[at.AHEAD + k]
            packet[at.WEIGHT + k] *= ahead if ahead > _0 else _0


@inner_kernel
def _is_brighter(packet: RayPacket, intensity: np.float32, least: np.float32) -> bool:
    """Whether any lane gets more than so much of a lamp; counting is a vector instruction, a maximum is not."""
    lanes = 0
    for k in range(SIMD_WIDTH):
        lanes += 1 if packet[at.WEIGHT + k] * intensity > least else 0
    return lanes > 0


@inner_kernel
def _aim_at_lamp(
    packet: RayPacket,
    shadow: RayPacket,
    words: Words,
    valid: Valid,
    lamps: NDArray[np.float32],
    source: np.uint64,
    mask: np.uint32,
) -> None:
    """Rays from the surface to a lamp, of lanes that it lights enough."""
    sx, sy, sz = lamps[source, 0], lamps[source, 1], lamps[source, 2]
    least = _F(0.2) * _MIN_SHADOW / lamps[source, 13]
    for k in range(SIMD_WIDTH):
        x, y, z = packet[at.X + k], packet[at.Y + k], packet[at.Z + k]
        shadow[at.X + k], shadow[at.Y + k], shadow[at.Z + k] = x, y, z
        shadow[at.NEAR + k], shadow[at.TIME + k] = _0, _0
        shadow[at.DX + k], shadow[at.DY + k], shadow[at.DZ + k] = sx - x, sy - y, sz - z
        shadow[at.FAR + k] = _F(0.995)
        valid[k] = -1 if packet[at.WEIGHT + k] > least else 0
    for k in range(SIMD_WIDTH):
        words[at.MASK + k] = mask
        words[at.FLAGS + k] = np.uint32(0)
