"""The kernel of the camera: rows of pixels, 16 rays at a time, from the ray to the three bytes.

To take an array out of a tuple counts a reference to it, and the compiler leaves out the counting only where nothing
branches. So parts that branch are given arrays, not the tuples that hold them, and `render_rows` branches itself.

No pixel depends on another, and arithmetic is IEEE: the same bytes whatever the rows that a call is given. The array
that the steps hand on to each other is laid out in `packet.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.bare_kernel import bare
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.air_volume_kernel import add_air_volumes
from dorosim.sensor.camera.cell_mark_kernel import marks_of
from dorosim.sensor.camera.clear_kernel import GRAZING, SHADOW_REACH, Clearance, cast_all, leave_clear
from dorosim.sensor.camera.glint_kernel import FIRST_GLINT_BIT, add_glints
from dorosim.sensor.camera.glow_kernel import Glow, add_glow
from dorosim.sensor.camera.ground_cover_kernel import cover
from dorosim.sensor.camera.lamp_grid_kernel import LampGrid
from dorosim.sensor.camera.lamp_kernel import add_lamps
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.near_kernel import PICTURE_CELLS, SHADOW_CELLS, SHADOW_SIDE, SIDE, Near
from dorosim.sensor.camera.pattern_kernel import add_pattern, find_pattern, has_pattern
from dorosim.sensor.camera.picture_weather import PictureWeather
from dorosim.sensor.camera.pixel_write_kernel import write_colour, write_geometry, write_linear
from dorosim.sensor.camera.ray_packet import Aim, Plane, RayPacket, ShadingTables, Spots, Valid, Words
from dorosim.sensor.camera.reflection_kernel import add_mirrored, aim_mirrored
from dorosim.sensor.camera.shot import Shot
from dorosim.sensor.camera.sky_kernel import add_sky, expose, look_up_clouds, mirrors, redden_haze, whole_below
from dorosim.sensor.camera.streak_kernel import add_lit_veil, add_veil
from dorosim.sensor.camera.surface_kernel import count, differ, dress, find, gather, mark, pass_glass, share
from dorosim.sensor.scene.embree_kernel import NOTHING, SIMD_WIDTH, actor_mask, intersect16, occluded16
from dorosim.sensor.scene.instance import View

_F = np.float32
_0, _1, _2, _HALF = _F(0.0), _F(1.0), _F(2.0), _F(0.5)
_TINY = _F(1e-12)
_ENDLESS = _F(1e30)
_OFFSET, _OFFSET_PER_METRE = _F(2.5e-2), _F(3e-5)
"""Shadow rays begin so far off the surface: more than float32 errs and lanes side by side differ, less than a kerb is
high."""
_ROUGH = _F(7.0)
"""How much more is mirrored at grazing angles than at right angles, at most: smooth surfaces have all of it (Schlick),
the film of water on a rough road does not."""
_ALL = np.uint32(NOTHING)
_SIDE, _SHADOW_SIDE = np.uint32(SIDE), np.uint32(SHADOW_SIDE)
_ONE = np.uint32(1)
_PICTURE_CELLS, _SHADOW_CELLS = _F(PICTURE_CELLS), _F(SHADOW_CELLS)
_GLINTS, _VOLUMES = np.uint64(FIRST_GLINT_BIT), np.uint64(0xFFFFFFFF)
"""Of the marks of cells."""
_MAX_PANES = 3
"""Windows of its own vehicle that a camera looks through, one behind the other."""
CACHE_LINE = 16
"""Numbers of four bytes in a cache line."""


# all steps are here: a function made of a part of it would count references to all arrays, 16 pixels at a time
@kernel
def render_rows(shot: Shot, plane: Plane, first: int, last: int, seen: NDArray[np.int32]) -> None:  # noqa: C901
    """Render the rows `first` to `last - 1` of a picture.

    Args:
        shot: the picture.
        plane: written.
        first: row.
        last: row behind the last.
        seen: `(A,)` pixels of each row of the view but the static world; added to where `plane` has rows.
    """
    view, aim, light, near, clearance, lamps, glow, finish, weather = shot
    packet, words, spots, valid, rays, bits = _room()
    static, top, way, drawn, width, samples = _numbers(view, plane, aim, clearance)
    source, grid, corner, texels = lamps.source, lamps.cell, (lamps.left, lamps.low), bare(finish.tile)
    laid = weather.track_left, weather.track_low, weather.snow, weather.film
    coloured, counting, exposing, burning, glowing, falling = _wanted(plane, lamps, glow, weather)
    for y in range(first, last):
        for x in range(0, width, SIMD_WIDTH):
            lanes = min(SIMD_WIDTH, width - x)
            for sample in range(samples if coloured else 1):
                _set_rays(packet, words, spots, valid, aim, sample, y, x)
                marks = marks_of(spots, weather.cell)
                if glowing:
                    add_glow(packet, spots, glow.point, glow.cell, _1 / _F(samples))
                intersect16(static, top if is_near(spots, at.COLUMN, near.picture) else 0, way, packet, valid)
                _look_through(packet, words, valid, view, aim.through)
                hits, actors = find(words, spots, view)
                write_geometry(packet, spots, aim, plane, y, x, lanes if sample == 0 else 0)
                count(spots, lanes if sample == 0 and actors and counting else 0, seen)
                if coloured:
                    if hits:
                        _take_finish(packet, words, spots, finish.material)
                        if actors:
                            dress(packet, spots, view)
                        if weather.covers:
                            cover(packet, spots, weather.coat, weather.track, laid, finish.noise)
                        sunny = _meet_surface(packet, words, valid, light.toward_sun, aim.own)
                        patterned = has_pattern(packet) and find_pattern(packet, words, spots, texels, finish.pixel)
                        if light.shining and sunny > 0:
                            if not drawn or leave_clear(packet, valid, clearance) > 0:
                                occluded16(static, 0, way, packet, valid)
                            _place_shadows(packet, spots, near)
                            if top != 0 and is_near(spots, at.LINE, near.shadow):
                                cast_all(packet, valid)
                                occluded16(top, 0, way, packet, valid)
                        if patterned:
                            add_pattern(packet, words, spots, finish.tile)
                        if burning:
                            add_lamps(packet, spots, rays, bits, valid, source, grid, corner, static, top, way, aim.own)
                        _shade(packet, light)
                        if weather.reflects and aim_mirrored(packet, words, valid, finish, aim.own) > 0:
                            _mirror(packet, words, valid, view, light, finish)
                        if marks >> _GLINTS > np.uint64(0):
                            add_glints(packet, weather.glint, marks)
                    else:
                        _see_sky(packet)
                    if mirrors(packet):
                        look_up_clouds(packet, spots, finish.noise)
                        add_sky(packet, light)
                    if marks & _VOLUMES > np.uint64(0):
                        add_air_volumes(packet, aim, weather.volume, marks)
                    expose(packet, light, _1 / _F(samples))
                    if light.low_sun:
                        redden_haze(packet, light, _1 / _F(samples))
            if falling:
                _add_fall(packet, weather, light.gain, y, x)
            write_linear(packet, plane.linear, y, x, lanes if exposing else 0)
            write_colour(packet, words, finish.tone, plane.rgb, y, x, lanes if coloured and not exposing else 0)


@inner_kernel
def _numbers(view: View, plane: Plane, aim: Aim, clearance: Clearance) -> tuple[int, int, int, bool, int, int]:
    """Scenes and arguments of queries, whether there is a clearance, width, and samples of a pixel."""
    drawn = len(clearance.height) > 0
    return view.static, view.top, view.arguments, drawn, plane.depth.shape[1], aim.rays.shape[0]


@inner_kernel
def _wanted(
    plane: Plane, lamps: LampGrid, glow: Glow, weather: PictureWeather
) -> tuple[bool, bool, bool, bool, bool, bool]:
    """Whether there are colours, counts of actors, exposed radiance, light of lamps, their glow, and what falls."""
    coloured = plane.rgb.shape[0] > 0
    return (
        coloured,
        plane.row.shape[0] > 0,
        plane.linear.shape[0] > 0,
        len(lamps.source) > 0,
        coloured and len(glow.point) > 0,
        coloured and len(weather.veil) > 0,
    )


@inner_kernel
def _mirror(
    packet: RayPacket, words: Words, valid: Valid, view: View, light: SceneLight, finish: ShadingTables
) -> None:
    """Cast mirrored rays, which go about the same way, and add what they hit."""
    intersect16(view.static, view.top, view.arguments, packet, valid)
    add_mirrored(packet, words, valid, view, light, finish)


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
    for _ in range(_MAX_PANES if through != 0 else 0):
        if pass_glass(packet, words, valid, view, through) == 0:
            break
        intersect16(view.static, view.top, view.arguments, packet, valid)


@inner_kernel
def _take_finish(packet: RayPacket, words: Words, spots: Spots, finish: NDArray[np.float32]) -> None:
    """What shading asks of the materials; lanes that hit nothing are marked."""
    if differ(spots):
        gather(packet, spots, finish)
    else:
        share(packet, spots, finish)
    mark(packet, words)


@inner_kernel
def _aligned(space: NDArray[Any], size: int) -> NDArray[Any]:
    """So many numbers of a longer array, from the beginning of a cache line on, where Embree wants its packets."""
    skip = (-np.int64(space.ctypes.data)) % (4 * CACHE_LINE) // 4
    return space[skip : skip + size]


@inner_kernel
def _set_rays(
    packet: RayPacket, words: Words, spots: Spots, valid: Valid, aim: Aim, sample: int, y: int, x: int
) -> None:
    """Rays whose length is 1 along the optical axis, so that distances are depths; their cells; no light yet."""
    if sample == 0:
        for k in range(at.SUM_R, at.SUM_B + SIMD_WIDTH):
            packet[k] = _0
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
        spots[at.COLUMN + k] = cell_of(u * _PICTURE_CELLS, v * _PICTURE_CELLS, _SIDE)
    for k in range(SIMD_WIDTH):
        words[at.MASK + k] = mask
        words[at.FLAGS + k] = 0
    for k in range(SIMD_WIDTH):
        words[at.GEOMETRY + k] = _ALL
        words[at.INSTANCE + k] = _ALL
    for k in range(SIMD_WIDTH):
        valid[k] = -1


@inner_kernel
def cell_of(p: np.float32, q: np.float32, side: np.uint32) -> np.uint32:
    """Place in a grid of `Near` with so many cells along each axis."""
    mask = np.uint32(side - _ONE)
    return (np.uint32(whole_below(q)) & mask) * side + (np.uint32(whole_below(p)) & mask)


@inner_kernel
def is_near(spots: Spots, place: int, cells: NDArray[np.uint8]) -> bool:
    """Whether an actor can be in the cell of any lane; the cells are in the row `place` of the spots."""
    marked = np.uint8(0)
    for k in range(SIMD_WIDTH):
        marked |= cells[spots[place + k]]
    return bool(marked > 0)


@inner_kernel
def _place_shadows(packet: RayPacket, spots: Spots, near: Near) -> None:
    """The cells of rays to the sun, into `LINE`."""
    slope_x, slope_y = near.slope_x, near.slope_y
    for k in range(SIMD_WIDTH):
        z = packet[at.Z + k]
        spots[at.LINE + k] = cell_of(
            (packet[at.X + k] - z * slope_x) * _SHADOW_CELLS,
            (packet[at.Y + k] - z * slope_y) * _SHADOW_CELLS,
            _SHADOW_SIDE,
        )


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
def _meet_surface(packet: RayPacket, words: Words, valid: Valid, toward_sun: NDArray[np.float32], own: int) -> int:
    """Unit normals on the ray's side, cosines, places of patterns, and the rays to the sun; how many are to be cast."""
    sx, sy, sz = toward_sun[0], toward_sun[1], toward_sun[2]
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
        packet[at.FAR + k] = SHADOW_REACH
        packet[at.VX + k], packet[at.VY + k], packet[at.VZ + k] = vx, vy, vz
        packet[at.NX + k], packet[at.NY + k], packet[at.NZ + k] = nx, ny, nz
        packet[at.RANGE + k] = distance
        packet[at.FACING + k] = abs(facing)
        packet[at.LIT + k] = lit if lit > _0 else _0
        flat = nz > _HALF
        p = hx if flat else hy * nx - hx * ny
        q = hy if flat else hz
        packet[at.U + k], packet[at.V + k] = p, q
    sunny = 0
    for k in range(SIMD_WIDTH):
        valid[k] = -1 if packet[at.LIT + k] > GRAZING else 0
        sunny -= valid[k]
    mask = _ALL ^ np.uint32(actor_mask(own)) if own else _ALL  # what is not seen throws no shadow
    for k in range(SIMD_WIDTH):
        words[at.MASK + k] = mask
    return sunny


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
