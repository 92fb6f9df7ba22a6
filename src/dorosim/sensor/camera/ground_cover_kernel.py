"""Water and snow on what rays hit: albedo, gloss and grain of the surface under them.

Snow lies on what faces up, in patches while it is thin, and thinner where wheels run (decision 0064). Water makes
surfaces mirror: thin films at grazing angles, since they leave the texture rough, and pools as smooth water does
(J. Lekner and M. C. Dorf, Applied Optics 27 (1988) 1278, for why what is below gets darker). Pools stand in hollows, by
a pattern that lies still on the map, the more the deeper the film is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.ray_packet import RayPacket, Spots
from dorosim.sensor.camera.shading_tables import NOISE_SIDE
from dorosim.sensor.camera.sky_kernel import between, whole_below
from dorosim.sensor.camera.wheel_track import TRACKS_PER_METRE
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH
from dorosim.sensor.scene.semantic import Semantic

_F = np.float32
_0, _1 = _F(0.0), _F(1.0)
_PERSON = np.uint32(Semantic.PEDESTRIAN)
_PATCHES, _HOLLOWS = _F(8.0), _F(5.0)
"""Texels per metre of the patterns of thin snow and of hollows: the largest are 8 and 13 m wide."""
_FULL_SNOW = _F(1.0 / 0.015)
"""One over the depth from which on snow hides the ground everywhere [1/m]."""
_TRACK_SHARE = _F(0.8)
"""Of the snow that wheels take from their track."""
_SNOW_RED, _SNOW_GREEN, _SNOW_BLUE = _F(0.84), _F(0.86), _F(0.9)
"""Albedo of new snow (S. G. Warren, Rev. Geophys. 20 (1982) 67: 0.8 to 0.9)."""
_SNOW_GRAIN = _F(0.1)
_WATER_MIRROR = _F(0.02)
"""Of water at right angles."""
_MASK = np.uint32(NOISE_SIDE - 1)
_NOISE_SIDE = np.uint32(NOISE_SIDE)
_NOISE_MASK = np.uint32(NOISE_SIDE * NOISE_SIDE - 1)
_ONE = np.uint32(1)


@inner_kernel
def cover(
    packet: RayPacket,
    spots: Spots,
    coat: NDArray[np.float32],
    track: NDArray[np.uint8],
    laid: tuple[np.float32, np.float32, np.float32, np.float32],
    noise: NDArray[np.float32],
) -> None:
    """Lay water and snow on what was hit; after it the materials of the spots are lost.

    Args:
        packet: rays that hit, normals, and finish of what they hit; rows `WET` and `SMOOTH` are written: how wet the
            surface is, 0 to 1, and how much of its mirror is smooth.
        spots: with materials and classes; overwritten.
        coat: of `PictureWeather`.
        track: of it.
        laid: `track_left`, `track_low`, `snow` and `film` of it.
        noise: of `ShadingTables`.
    """
    left, low, snow, film = laid
    for k in range(SIMD_WIDTH):
        material = spots[at.MATERIAL + k]
        person = spots[at.LABEL + k] == _PERSON
        packet[at.WET + k] = coat[material, 0]
        packet[at.SMOOTH + k] = _0 if person else coat[material, 1]
    _find_place(packet)
    if snow > _0:
        _look_up(packet, spots, noise, _PATCHES)
        _lay_snow(packet, track, left, low, snow)
    if film > _0:
        _look_up(packet, spots, noise, _HOLLOWS)
        _lay_water(packet, film)
    else:
        for k in range(SIMD_WIDTH):
            packet[at.WET + k] = _0


@inner_kernel
def _find_place(packet: RayPacket) -> None:
    """Where rays hit, into `SX`, `SY`, `SZ`; how the surface faces the ray and the sky, into `FACING` and `MIRROR`."""
    for k in range(SIMD_WIDTH):
        dx, dy, dz = packet[at.DX + k], packet[at.DY + k], packet[at.DZ + k]
        along = packet[at.FAR + k]
        packet[at.SX + k] = packet[at.X + k] + along * dx
        packet[at.SY + k] = packet[at.Y + k] + along * dy
        packet[at.SZ + k] = packet[at.Z + k] + along * dz
        nx, ny, nz = packet[at.NX + k], packet[at.NY + k], packet[at.NZ + k]
        scale = _1 / np.sqrt((nx * nx + ny * ny + nz * nz) + _F(1e-24))
        facing = (nx * dx + ny * dy + nz * dz) * scale / np.sqrt(dx * dx + dy * dy + dz * dz)
        up = nz * scale
        packet[at.MIRROR + k] = -up if facing > _0 else up
        packet[at.FACING + k] = abs(facing)


@inner_kernel
def _look_up(packet: RayPacket, spots: Spots, noise: NDArray[np.float32], scale: np.float32) -> None:
    """The broad noise at the place, between its points, into `U`."""
    for k in range(SIMD_WIDTH):
        p, q = packet[at.SX + k] * scale, packet[at.SY + k] * scale
        left, low = whole_below(p), whole_below(q)
        packet[at.U + k], packet[at.V + k] = p - _F(left), q - _F(low)
        spots[at.COLUMN + k], spots[at.LINE + k] = np.uint32(left) & _MASK, (np.uint32(low) & _MASK) * _NOISE_SIDE
    for k in range(SIMD_WIDTH):
        along, across = packet[at.U + k], packet[at.V + k]
        column, row = spots[at.COLUMN + k], spots[at.LINE + k]
        right, above = (column + _ONE) & _MASK, (row + _NOISE_SIDE) & _NOISE_MASK
        lower = noise[row + column] + (noise[row + right] - noise[row + column]) * along
        upper = noise[above + column] + (noise[above + right] - noise[above + column]) * along
        packet[at.U + k] = lower + (upper - lower) * across


@inner_kernel
def _lay_snow(packet: RayPacket, track: NDArray[np.uint8], left: np.float32, low: np.float32, snow: np.float32) -> None:
    """Whiten what faces up; `SMOOTH` becomes how much of the surface snow hides."""
    side = track.shape[0]
    reach = snow * _FULL_SNOW
    reach = reach if reach < _F(2.0) else _F(2.0)
    for k in range(SIMD_WIDTH):
        packet[at.LIT + k] = _0
    if side > 0:
        for k in range(SIMD_WIDTH):
            i = whole_below((packet[at.SX + k] - left) * _F(TRACKS_PER_METRE))
            j = whole_below((packet[at.SY + k] - low) * _F(TRACKS_PER_METRE))
            if packet[at.WET + k] > _0 and 0 <= i < side and 0 <= j < side:
                packet[at.LIT + k] = _F(track[j, i]) * _F(1.0 / 255.0)
    for k in range(SIMD_WIDTH):
        hidden = between((reach * _F(1.3) - packet[at.U + k]) * _F(4.0))
        hidden *= between((packet[at.MIRROR + k] - _F(0.2)) * _F(2.2)) * packet[at.SMOOTH + k]
        hidden *= _1 - packet[at.LIT + k] * (_TRACK_SHARE + (packet[at.U + k] - _F(0.5)) * _F(0.4))
        packet[at.SMOOTH + k] = hidden
        rest = _1 - hidden
        packet[at.R + k] = packet[at.R + k] * rest + _SNOW_RED * hidden
        packet[at.G + k] = packet[at.G + k] * rest + _SNOW_GREEN * hidden
        packet[at.B + k] = packet[at.B + k] * rest + _SNOW_BLUE * hidden
        packet[at.GLOSS + k] = packet[at.GLOSS + k] * rest
        packet[at.GRAIN + k] = packet[at.GRAIN + k] * rest + _SNOW_GRAIN * hidden
        packet[at.WET + k] = packet[at.WET + k] * rest if hidden > _F(0.05) else packet[at.WET + k]


@inner_kernel
def _lay_water(packet: RayPacket, film: np.float32) -> None:
    """Give wet surfaces their mirror."""
    deep = between(film * _F(1000.0))
    shore = _F(0.78) - _F(100.0) * (film if film < _F(4e-3) else _F(4e-3))
    damp = between(film * _F(1.0 / 0.3e-3))
    for k in range(SIMD_WIDTH):
        wet = packet[at.WET + k]
        pool = between((packet[at.U + k] - shore) * _F(14.0))
        pool = _1 if wet > _1 else pool
        wet = (wet if wet < _1 else _1) * damp * between((packet[at.MIRROR + k] - _F(0.7)) * _F(5.0))
        thin = _F(0.12) + _F(0.5) * deep
        smooth = thin + (_1 - thin) * pool
        rest = _1 - packet[at.FACING + k]
        fifth = rest * rest
        fifth = fifth * fifth * rest
        mirror = wet * (_WATER_MIRROR + (_F(0.98) * smooth) * fifth)
        # shading asks for the gloss at right angles, which it raises sevenfold to grazing ones but at most to 1
        few = mirror / (_1 + _F(6.0) * fifth)
        many = (mirror - fifth) / (_1 - fifth + _F(1e-6))
        gloss = few if few < _F(1.0 / 7.0) else many
        packet[at.GLOSS + k] = gloss if wet > _0 else packet[at.GLOSS + k]
        dark = _1 - _F(0.4) * wet * pool
        packet[at.R + k] *= dark
        packet[at.G + k] *= dark
        packet[at.B + k] *= dark
        packet[at.WET + k] = wet
        packet[at.SMOOTH + k] = smooth
