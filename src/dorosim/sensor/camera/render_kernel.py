"""The kernel of the camera: rows of pixels, 16 rays at a time, from the ray to the three bytes.

No pixel depends on another, and arithmetic is IEEE: the same bytes whatever the rows that a call is given. The array
that the steps hand on to each other is laid out in `packet.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.air_volume_kernel import add_air_volumes
from dorosim.sensor.camera.cell_mark_kernel import marks_of
from dorosim.sensor.camera.clear_kernel import cast_all, leave_clear
from dorosim.sensor.camera.glint_kernel import FIRST_GLINT_BIT, add_glints
from dorosim.sensor.camera.glow_kernel import add_glow
from dorosim.sensor.camera.ground_cover_kernel import cover
from dorosim.sensor.camera.lamp_kernel import add_lamps
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.near_kernel import PICTURE_CELLS, SHADOW_CELLS, SIDE, Near
from dorosim.sensor.camera.pattern_kernel import add_pattern, has_pattern
from dorosim.sensor.camera.picture_weather import PictureWeather
from dorosim.sensor.camera.ray_packet import Aim, Plane, RayPacket, ShadingTables, Spots, Valid, Words
from dorosim.sensor.camera.reflection_kernel import add_mirrored, aim_mirrored
from dorosim.sensor.camera.shading_tables import TONE_BITS, TONE_HIGH, TONE_LOW
from dorosim.sensor.camera.shot import Shot
from dorosim.sensor.camera.sky_kernel import add_sky, expose, mirrors, redden_haze, whole_below
from dorosim.sensor.camera.streak_kernel import add_lit_veil, add_veil
from dorosim.sensor.camera.surface_kernel import count, differ, dress, find, gather, mark, pass_glass, share
from dorosim.sensor.scene.embree_kernel import NOTHING, SIMD_WIDTH, actor_mask, intersect16, occluded16
from dorosim.sensor.scene.instance import View

_F = np.float32
_0, _1, _2, _HALF = _F(0.0), _F(1.0), _F(2.0), _F(0.5)
_TINY = _F(1e-12)
_ENDLESS = _F(1e30)
_SHADOW_REACH = _F(600.0)
_OFFSET, _OFFSET_PER_METRE = _F(2.5e-2), _F(3e-5)
"""Shadow rays begin so far off the surface: more than float32 errs and lanes side by side differ, less than a kerb is
high."""
_ROUGH = _F(7.0)
"""How much more is mirrored at grazing angles than at right angles, at most: smooth surfaces have all of it (Schlick),
the film of water on a rough road does not."""
_TONE_SHIFT = np.uint32(23 - TONE_BITS)
_TONE_BASE = np.uint32((127 + TONE_LOW) << TONE_BITS)
_TONE_LEAST, _TONE_MOST = _F(2.0**TONE_LOW), _F(2.0**TONE_HIGH * (1.0 - 2.0**-20))
_ALL = np.uint32(NOTHING)
_SIDE, _SIDE_MASK = np.uint32(SIDE), np.uint32(SIDE - 1)
_PICTURE_CELLS, _SHADOW_CELLS = _F(PICTURE_CELLS), _F(SHADOW_CELLS)
_GLINTS, _VOLUMES = np.uint64(FIRST_GLINT_BIT), np.uint64(0xFFFFFFFF)
"""Of the marks of cells."""
_MAX_PANES = 3
"""Windows of its own vehicle that a camera looks through, one behind the other."""
CACHE_LINE = 16
"""Numbers of four bytes in a cache line."""


@kernel
def render_rows(  # noqa: C901 (a function made of a part of it would count references to all arrays, 16 pixels at a time)
    shot: Shot, plane: Plane, first: int, last: int, seen: NDArray[np.int32]
) -> None:
    """Render the rows `first` to `last - 1` of a picture.

    Args:
        shot: the picture.
        plane: written.
        first: row.
        last: row behind the last.
        seen: `(A,)` pixels of each row of the view but the static world; added to where `plane` has rows.
    """
    view, aim, light, near, clearance, lamps, glow, finish, weather = shot
    packet, words, spots, valid, shadow, shadow_words = _room()
    burning, glowing, marked, marks = len(lamps.source) > 0, len(glow.point) > 0, len(weather.cell) > 0, np.uint64(0)
    width, samples, drawn = plane.depth.shape[1], aim.rays.shape[0], len(clearance.height) > 0
    falling, coloured, counting = len(weather.veil) > 0, plane.rgb.shape[0] > 0, plane.row.shape[0] > 0
    for y in range(first, last):
        for x in range(0, width, SIMD_WIDTH):
            _clear(packet)
            for sample in range(samples if coloured else 1):
                _set_rays(packet, words, spots, valid, aim, sample, y, x)
                if coloured and marked:
                    marks = marks_of(spots, weather.cell)
                if coloured and glowing:
                    add_glow(packet, spots, glow, _1 / _F(samples))
                intersect16(view.static, view.top if is_near(spots, near.picture) else 0, view.arguments, packet, valid)
                if aim.through != 0:
                    _look_through(packet, words, valid, view, aim.through)
                hits, actors = find(words, spots, view)
                if sample == 0:
                    _write_geometry(packet, spots, aim, plane, y, x, min(SIMD_WIDTH, width - x))
                    count(spots, min(SIMD_WIDTH, width - x) if actors and counting else 0, seen)
                if coloured:
                    if hits:
                        _take_finish(packet, words, spots, finish)
                        if actors:
                            dress(packet, spots, view)
                        if weather.covers:
                            cover(packet, spots, weather, finish.noise)
                        _meet_sun(packet, words, spots, valid, light, finish, aim.own)
                        if light.shining:
                            if not drawn or leave_clear(packet, valid, clearance) > 0:
                                occluded16(view.static, 0, view.arguments, packet, valid)
                            _place_shadows(packet, spots, near)
                            if view.top != 0 and is_near(spots, near.shadow):
                                cast_all(packet, valid)
                                occluded16(view.top, 0, view.arguments, packet, valid)
                        if burning:
                            add_lamps(packet, spots, shadow, shadow_words, valid, lamps, view, aim.own)
                        _shade(packet, light)
                        if weather.reflects and aim_mirrored(packet, words, valid, finish, aim.own) > 0:
                            intersect16(view.static, view.top, view.scattered, packet, valid)
                            add_mirrored(packet, words, valid, view, light, finish)
                        if marks >> _GLINTS > np.uint64(0):
                            add_glints(packet, weather.glint, marks)
                    else:
                        _see_sky(packet)
                    if mirrors(packet):
                        add_sky(packet, spots, light, finish)
                    if marks & _VOLUMES > np.uint64(0):
                        add_air_volumes(packet, aim, weather.volume, marks)
                    expose(packet, light, _1 / _F(samples))
                    if light.low_sun:
                        redden_haze(packet, light, _1 / _F(samples))
            if coloured and falling:
                _add_fall(packet, weather, light.gain, y, x)
            if coloured:
                _write(packet, words, finish, plane, y, x, min(SIMD_WIDTH, width - x))


@inner_kernel
def _add_fall(packet: RayPacket, weather: PictureWeather, gain: np.float32, y: int, x: int) -> None:
    """Put drops and flakes before pixels, where any cover some of them."""
    if weather.veil_mark[y, x // SIMD_WIDTH] > 0:
        add_veil(packet, weather.veil, weather.veil_behind, weather.veil_light, gain, y, x)
        if len(weather.veil_lit) > 0:
            add_lit_veil(packet, weather.veil_lit, gain, y, x)


@inner_kernel
def _room() -> tuple[RayPacket, Words, Spots, Valid, RayPacket, Words]:
    """A packet, its memory as whole numbers, spots and lanes; and rays of shadows, likewise."""
    packet = _aligned(np.empty(at.RAY_PACKET + CACHE_LINE, np.float32), at.RAY_PACKET)
    packet[at.IR : at.WEIGHT] = _0
    valid = _aligned(np.empty(SIMD_WIDTH + CACHE_LINE, np.int32), SIMD_WIDTH)
    shadow = _aligned(np.empty(at.VX + CACHE_LINE, np.float32), at.VX)
    return packet, packet.view(np.uint32), np.empty(at.SPOTS, np.uint32), valid, shadow, shadow.view(np.uint32)


@inner_kernel
def _look_through(packet: RayPacket, words: Words, valid: Valid, view: View, through: int) -> None:
    """Cast rays that hit windows of one actor again behind them."""
    for _ in range(_MAX_PANES):
        if pass_glass(packet, words, valid, view, through) == 0:
            break
        intersect16(view.static, view.top, view.arguments, packet, valid)


@inner_kernel
def _take_finish(packet: RayPacket, words: Words, spots: Spots, finish: ShadingTables) -> None:
    """What shading asks of the materials; lanes that hit nothing are marked."""
    if differ(spots):
        gather(packet, spots, finish)
    else:
        share(packet, spots, finish)
    mark(packet, words)


@inner_kernel
def _write(packet: RayPacket, words: Words, finish: ShadingTables, plane: Plane, y: int, x: int, lanes: int) -> None:
    """Exposed radiance, or colours."""
    if plane.linear.shape[0] > 0:
        _write_linear(packet, plane, y, x, lanes)
    else:
        _write_colour(packet, words, finish, plane, y, x, lanes)


@inner_kernel
def _aligned(space: NDArray[Any], size: int) -> NDArray[Any]:
    """So many numbers of a longer array, from the beginning of a cache line on, where Embree wants its packets."""
    skip = (-np.int64(space.ctypes.data)) % (4 * CACHE_LINE) // 4
    return space[skip : skip + size]


@inner_kernel
def _clear(packet: RayPacket) -> None:
    """No light yet."""
    for k in range(at.SUM_R, at.SUM_B + SIMD_WIDTH):
        packet[k] = _0


@inner_kernel
def _set_rays(
    packet: RayPacket, words: Words, spots: Spots, valid: Valid, aim: Aim, sample: int, y: int, x: int
) -> None:
    """Rays whose length is 1 along the optical axis, so that distances are depths; and their cells in the picture."""
    rays, axes, place = aim.rays, aim.axes, aim.place
    rx, ry, rz = axes[0, 0], axes[0, 1], axes[0, 2]
    dx, dy, dz = axes[1, 0], axes[1, 1], axes[1, 2]
    fx, fy, fz = axes[2, 0], axes[2, 1], axes[2, 2]
    px, py, pz = place[0], place[1], place[2]
    near = aim.near
    mask = _ALL ^ np.uint32(actor_mask(aim.own)) if aim.own else _ALL
    start = np.uint64(x)
    for k in range(SIMD_WIDTH):
        column = start + np.uint64(k)
        u = rays[sample, 0, y, column]
        v = rays[sample, 1, y, column]
        packet[at.X + k] = px
        packet[at.Y + k] = py
        packet[at.Z + k] = pz
        packet[at.NEAR + k] = near
        packet[at.DX + k] = rx * u + dx * v + fx
        packet[at.DY + k] = ry * u + dy * v + fy
        packet[at.DZ + k] = rz * u + dz * v + fz
        packet[at.TIME + k] = _0
        packet[at.FAR + k] = _ENDLESS
        spots[at.COLUMN + k] = cell_of(u * _PICTURE_CELLS, v * _PICTURE_CELLS)
    for k in range(SIMD_WIDTH):
        words[at.MASK + k] = mask
        words[at.FLAGS + k] = 0
    for k in range(SIMD_WIDTH):
        words[at.GEOMETRY + k] = _ALL
        words[at.INSTANCE + k] = _ALL
    for k in range(SIMD_WIDTH):
        valid[k] = -1


@inner_kernel
def cell_of(p: np.float32, q: np.float32) -> np.uint32:
    """Place in a grid of `Near`."""
    return (np.uint32(whole_below(q)) & _SIDE_MASK) * _SIDE + (np.uint32(whole_below(p)) & _SIDE_MASK)


@inner_kernel
def is_near(spots: Spots, cells: NDArray[np.uint8]) -> bool:
    """Whether an actor can be in the cell of any lane."""
    marked = np.uint8(0)
    for k in range(SIMD_WIDTH):
        marked |= cells[spots[at.COLUMN + k]]
    return bool(marked > 0)


@inner_kernel
def _place_shadows(packet: RayPacket, spots: Spots, near: Near) -> None:
    """The cells of rays to the sun."""
    slope_x, slope_y = near.slope_x, near.slope_y
    for k in range(SIMD_WIDTH):
        z = packet[at.Z + k]
        spots[at.COLUMN + k] = cell_of(
            (packet[at.X + k] - z * slope_x) * _SHADOW_CELLS, (packet[at.Y + k] - z * slope_y) * _SHADOW_CELLS
        )


@inner_kernel
def _write_geometry(packet: RayPacket, spots: Spots, aim: Aim, plane: Plane, y: int, x: int, lanes: int) -> None:
    """Depth, class and row of the pixels, those that are wanted; rays that hit nothing end beyond `far`."""
    depth, semantic, row = plane.depth, plane.semantic, plane.row
    start, far = np.uint64(x), aim.far
    if depth.shape[0] > 0:
        for k in range(lanes):
            along = packet[at.FAR + k]
            depth[y, start + np.uint64(k)] = along if along <= far else _F(np.inf)
    if semantic.shape[0] > 0:
        for k in range(lanes):
            semantic[y, start + np.uint64(k)] = np.uint8(spots[at.LABEL + k])
    if row.shape[0] > 0:
        for k in range(lanes):
            row[y, start + np.uint64(k)] = np.uint16(spots[at.ROW + k])


@inner_kernel
def _see_sky(packet: RayPacket) -> None:
    """All that the sky needs, where no lane hit anything."""
    for k in range(SIMD_WIDTH):
        packet[at.HIT + k] = _0
        packet[at.R + k], packet[at.G + k], packet[at.B + k] = _0, _0, _0
        dx, dy, dz = packet[at.DX + k], packet[at.DY + k], packet[at.DZ + k]
        shrink = _1 / np.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx * shrink, dy * shrink, dz * shrink
        packet[at.VX + k], packet[at.VY + k], packet[at.VZ + k] = dx, dy, dz
        packet[at.SX + k], packet[at.SY + k], packet[at.SZ + k] = dx, dy, dz
        packet[at.MIRROR + k] = _1
        packet[at.LIT + k] = _1


@inner_kernel
def _meet_sun(
    packet: RayPacket, words: Words, spots: Spots, valid: Valid, light: SceneLight, finish: ShadingTables, own: int
) -> None:
    """Unit normals on the ray's side, cosines, patterns, and the rays to the sun."""
    sx, sy, sz = light.toward_sun[0], light.toward_sun[1], light.toward_sun[2]
    for k in range(SIMD_WIDTH):
        dx, dy, dz = packet[at.DX + k], packet[at.DY + k], packet[at.DZ + k]
        length = np.sqrt(dx * dx + dy * dy + dz * dz)
        along = packet[at.FAR + k]
        distance = along * length
        hx, hy, hz = packet[at.X + k] + along * dx, packet[at.Y + k] + along * dy, packet[at.Z + k] + along * dz
        shrink = _1 / length
        vx, vy, vz = dx * shrink, dy * shrink, dz * shrink
        nx, ny, nz = packet[at.NX + k], packet[at.NY + k], packet[at.NZ + k]
        scale = _1 / np.sqrt(nx * nx + ny * ny + nz * nz + _TINY * _TINY)
        facing = (nx * vx + ny * vy + nz * vz) * scale
        scale = -scale if facing > _0 else scale
        nx, ny, nz = nx * scale, ny * scale, nz * scale
        lit = nx * sx + ny * sy + nz * sz
        lit = lit * packet[at.HIT + k]
        off = _OFFSET + _OFFSET_PER_METRE * distance
        packet[at.X + k], packet[at.Y + k], packet[at.Z + k] = hx + nx * off, hy + ny * off, hz + nz * off
        packet[at.NEAR + k] = _0
        packet[at.DX + k], packet[at.DY + k], packet[at.DZ + k] = sx, sy, sz
        packet[at.FAR + k] = _SHADOW_REACH
        packet[at.VX + k], packet[at.VY + k], packet[at.VZ + k] = vx, vy, vz
        packet[at.NX + k], packet[at.NY + k], packet[at.NZ + k] = nx, ny, nz
        packet[at.RANGE + k] = distance
        packet[at.FACING + k] = abs(facing)
        packet[at.LIT + k] = lit if lit > _0 else _0
        flat = nz > _HALF
        p = hx if flat else hy * nx - hx * ny
        q = hy if flat else hz
        packet[at.U + k], packet[at.V + k] = p, q
    if has_pattern(packet):
        add_pattern(packet, words, spots, finish)
    for k in range(SIMD_WIDTH):
        valid[k] = -1 if packet[at.LIT + k] > _0 else 0
    mask = _ALL ^ np.uint32(actor_mask(own)) if own else _ALL  # what is not seen throws no shadow
    for k in range(SIMD_WIDTH):
        words[at.MASK + k] = mask


@inner_kernel
def _shade(packet: RayPacket, light: SceneLight) -> None:
    """Radiance of matt surfaces, and which way and how much they mirror the sky."""
    sun0, sun1, sun2 = light.sun[0], light.sun[1], light.sun[2]
    up0, up1, up2 = light.above[0], light.above[1], light.above[2]
    low0, low1, low2 = light.below[0], light.below[1], light.below[2]
    for k in range(SIMD_WIDTH):
        lit = packet[at.LIT + k] if packet[at.FAR + k] >= _0 else _0
        upward = _HALF + _HALF * packet[at.NZ + k]
        facing, gloss, hit = packet[at.FACING + k], packet[at.GLOSS + k], packet[at.HIT + k]
        rest = _1 - facing
        rest = rest * rest
        rest = rest * rest * (_1 - facing)
        most = gloss * _ROUGH if gloss * _ROUGH < _1 else _1
        mirror = gloss + (most - gloss) * rest
        mirror = mirror if hit > _0 else _1
        matt = _1 - mirror
        red = sun0 * lit + low0 + (up0 - low0) * upward + packet[at.IR + k]
        green = sun1 * lit + low1 + (up1 - low1) * upward + packet[at.IG + k]
        blue = sun2 * lit + low2 + (up2 - low2) * upward + packet[at.IB + k]
        packet[at.R + k] = packet[at.R + k] * matt * red + packet[at.ER + k]
        packet[at.G + k] = packet[at.G + k] * matt * green + packet[at.EG + k]
        packet[at.B + k] = packet[at.B + k] * matt * blue + packet[at.EB + k]
        twice = _2 * facing * hit
        packet[at.MIRROR + k] = mirror
        packet[at.SX + k] = packet[at.VX + k] + twice * packet[at.NX + k]
        packet[at.SY + k] = packet[at.VY + k] + twice * packet[at.NY + k]
        packet[at.SZ + k] = packet[at.VZ + k] + twice * packet[at.NZ + k]
        packet[at.LIT + k] = lit + (_1 - hit)


@inner_kernel
def _write_linear(packet: RayPacket, plane: Plane, y: int, x: int, lanes: int) -> None:
    """Exposed radiance, for an image sensor."""
    linear, place = plane.linear, np.uint64(3 * x)
    for k in range(lanes):
        linear[y, place] = packet[at.SUM_R + k]
        linear[y, place + np.uint64(1)] = packet[at.SUM_G + k]
        linear[y, place + np.uint64(2)] = packet[at.SUM_B + k]
        place += np.uint64(3)


@inner_kernel
def _write_colour(
    packet: RayPacket, words: Words, finish: ShadingTables, plane: Plane, y: int, x: int, lanes: int
) -> None:
    """Tone mapping by table: the leading bits of a float32 are its logarithm."""
    for i in range(at.SUM_R, at.SUM_B + SIMD_WIDTH):
        value = packet[i]
        value = value if value > _TONE_LEAST else _TONE_LEAST
        packet[i] = value if value < _TONE_MOST else _TONE_MOST
    for i in range(at.SUM_R, at.SUM_B + SIMD_WIDTH):
        words[i] = (words[i] >> _TONE_SHIFT) - _TONE_BASE
    tone, rgb = finish.tone, plane.rgb
    byte = np.uint64(3 * x)
    for k in range(lanes):
        rgb[y, byte] = tone[words[at.SUM_R + k]]
        rgb[y, byte + np.uint64(1)] = tone[words[at.SUM_G + k]]
        rgb[y, byte + np.uint64(2)] = tone[words[at.SUM_B + k]]
        byte += np.uint64(3)
