"""What stands between and behind things: the sky with its clouds and its sun, and the haze."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.ray_packet import RayPacket, Spots
from dorosim.sensor.camera.shading_tables import NOISE_SIDE
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH

_F = np.float32
_0, _1, _HALF = _F(0.0), _F(1.0), _F(0.5)
_CLOUD_SCALE, _CLOUD_DRIFT = _F(17.0), _F(96.0)
_CLOUD_EDGE = _F(3.2)
_LOG2E = _F(1.4426950408889634)
_MIN_HALO, _MIN_LOBE = _F(6e-3), _F(0.93)
"""Below which the powers of a cosine do not go on to fall: they are nothing beside other light long before, and numbers
below 1e-38 cost a processor a hundred times what others do."""
_AIR_HEIGHT, _MAX_HAZE_LENGTH = _F(1500.0), _F(60_000.0)
"""Thickness of the hazy layer, and the way of a level ray through it [m]."""
_MASK_SIDE = np.uint32(NOISE_SIDE - 1)
_SIDE = np.uint32(NOISE_SIDE)
_MASK_ALL = np.uint32(NOISE_SIDE * NOISE_SIDE - 1)
_ONE = np.uint32(1)


@inner_kernel
def texel(p: np.float32, q: np.float32) -> np.uint32:
    """Place in the noise table, which repeats for ever."""
    return (np.uint32(whole_below(q)) & _MASK_SIDE) * _SIDE + (np.uint32(whole_below(p)) & _MASK_SIDE)


@inner_kernel
def whole_below(value: np.float32) -> np.int32:
    """The greatest whole number below; unlike `np.floor`, no call."""
    whole = np.int32(value)
    return np.int32(whole - (1 if _F(whole) > value else 0))


@inner_kernel
def mirrors(packet: RayPacket) -> bool:
    """Whether any lane sees or mirrors the sky.

    The caller of `add_sky` checks this, not `add_sky`: a function that returns early counts references to all arrays of
    the light.
    """
    lanes = 0
    for k in range(SIMD_WIDTH):
        lanes += 1 if packet[at.MIRROR + k] > _0 else 0
    return lanes > 0


@inner_kernel
def add_sky(packet: RayPacket, light: SceneLight) -> None:
    """The sky, seen or mirrored: a gradient, redder below a low sun, clouds, and the sun with its glow.

    After `look_up_clouds`.
    """
    sx, sy, sz = light.toward_sun[0], light.toward_sun[1], light.toward_sun[2]
    zenith0, zenith1, zenith2 = light.zenith[0], light.zenith[1], light.zenith[2]
    rise0, rise1, rise2 = light.horizon[0] - zenith0, light.horizon[1] - zenith1, light.horizon[2] - zenith2
    cloud0, cloud1, cloud2 = light.cloud[0], light.cloud[1], light.cloud[2]
    ground0, ground1, ground2 = light.ground[0], light.ground[1], light.ground[2]
    sun0, sun1, sun2 = light.sun[0], light.sun[1], light.sun[2]
    red0, red1, red2 = light.glow[0], light.glow[1], light.glow[2]
    sparse = _sparseness(light.cover)
    for k in range(SIMD_WIDTH):
        z = packet[at.SZ + k]
        low = _1 - (z if z > _0 else _0)
        low = low * low
        low = low * low
        veil = between((packet[at.U + k] - sparse) * _CLOUD_EDGE) * between(z * _F(9.0))
        below = between(z * _F(-10.0))
        toward = packet[at.SX + k] * sx + packet[at.SY + k] * sy + z * sz
        side = _HALF + _HALF * toward
        side = side * side * low
        glow = _glow(toward)
        lit, hit = packet[at.LIT + k], packet[at.HIT + k]
        shines = hit if lit > _0 else _0
        glow = glow * (_1 - veil) * (_1 - below) * (_1 if lit > _0 else _F(0.1))
        glow += _highlight(toward) * shines
        red, green, blue = zenith0 + rise0 * low, zenith1 + rise1 * low, zenith2 + rise2 * low
        red, green, blue = red + red0 * side, green + red1 * side, blue + red2 * side
        red, green, blue = red + (cloud0 - red) * veil, green + (cloud1 - green) * veil, blue + (cloud2 - blue) * veil
        red += (ground0 - red) * below
        green += (ground1 - green) * below
        blue += (ground2 - blue) * below
        mirror = packet[at.MIRROR + k]
        packet[at.R + k] += mirror * (red + sun0 * glow)
        packet[at.G + k] += mirror * (green + sun1 * glow)
        packet[at.B + k] += mirror * (blue + sun2 * glow)


@inner_kernel
def _sparseness(cover: np.float32) -> np.float32:
    """The noise above which there is a cloud: the noise has few places above 0.8 and fewer below 0.2."""
    clear = _1 - cover
    eighth = clear * clear
    eighth = eighth * eighth
    return clear * (_F(0.72) + _F(0.28) * eighth * eighth)


@inner_kernel
def _glow(toward: np.float32) -> np.float32:
    """Light around the sun, by the cosine to it: two halos, and the disk of 1 degree, twice as wide as it is."""
    glow = toward if toward > _HALF else _HALF
    glow = glow * glow
    glow = glow * glow
    glow = glow * glow
    wide = glow * _F(0.10)
    glow = glow if glow > _MIN_HALO else _MIN_HALO
    glow = glow * glow
    glow = glow * glow
    glow = glow * glow
    glow = glow * glow
    return wide + glow * _F(0.35) + (_F(30.0) if toward > _F(0.99996) else _0)


@inner_kernel
def _highlight(toward: np.float32) -> np.float32:
    """What a smooth surface mirrors of the sun itself, by the cosine from the mirrored ray to it.

    Paint and glass are not quite even: the disk of half a degree is spread over 4 degrees, and all of its light is in
    it. (A surface that faces the sun sends its light into a half space; this lobe is 2 pi / 1025 sr wide.)
    """
    lobe = toward if toward > _MIN_LOBE else _MIN_LOBE
    for _ in range(10):
        lobe = lobe * lobe
    return lobe * _F(1025.0 / 2.0)


@inner_kernel
def look_up_clouds(packet: RayPacket, spots: Spots, noise: NDArray[np.float32]) -> None:
    """The noise, between its places, where each ray meets the layer of clouds; into row U.

    Only the look-up itself goes lane by lane.
    """
    for k in range(SIMD_WIDTH):
        z = packet[at.SZ + k]
        spread = _CLOUD_SCALE / ((z if z > _0 else _0) + _F(0.12))
        p, q = packet[at.SX + k] * spread + _CLOUD_DRIFT, packet[at.SY + k] * spread + _CLOUD_DRIFT
        left, low = whole_below(p), whole_below(q)
        packet[at.U + k], packet[at.V + k] = p - _F(left), q - _F(low)
        spots[at.COLUMN + k], spots[at.LINE + k] = np.uint32(left) & _MASK_SIDE, np.uint32(low) & _MASK_SIDE
    for k in range(SIMD_WIDTH):
        along, across = packet[at.U + k], packet[at.V + k]
        column, row = spots[at.COLUMN + k], spots[at.LINE + k] * _SIDE
        right = (column + _ONE) & _MASK_SIDE
        above = (row + _SIDE) & _MASK_ALL
        lower = noise[row + column] + (noise[row + right] - noise[row + column]) * along
        upper = noise[above + column] + (noise[above + right] - noise[above + column]) * along
        packet[at.U + k] = lower + (upper - lower) * across


@inner_kernel
def between(value: np.float32) -> np.float32:
    """The nearest number from 0 to 1."""
    value = value if value > _0 else _0
    return value if value < _1 else _1


@inner_kernel
def expose(packet: RayPacket, light: SceneLight, share: np.float32) -> None:
    """Haze between the surface and the camera (Koschmieder), and the exposure."""
    air0, air1, air2 = light.air[0], light.air[1], light.air[2]
    rate = light.extinction * _LOG2E
    gain = light.gain * share
    for k in range(SIMD_WIDTH):
        path = _air_path(packet[at.RANGE + k], packet[at.HIT + k], packet[at.VZ + k])
        clear = power_of_two(-path * rate)
        veil = (_1 - clear) * gain
        clear = clear * gain
        packet[at.SUM_R + k] += packet[at.R + k] * clear + air0 * veil
        packet[at.SUM_G + k] += packet[at.G + k] * clear + air1 * veil
        packet[at.SUM_B + k] += packet[at.B + k] * clear + air2 * veil


@inner_kernel
def redden_haze(packet: RayPacket, light: SceneLight, share: np.float32) -> None:
    """What haze on the side of a low sun has beyond that of the rest of it; beside `expose`, and like it."""
    sx, sy, sz = light.toward_sun[0], light.toward_sun[1], light.toward_sun[2]
    red0, red1, red2 = light.glow[0], light.glow[1], light.glow[2]
    rate = light.extinction * _LOG2E
    gain = light.gain * share
    for k in range(SIMD_WIDTH):
        path = _air_path(packet[at.RANGE + k], packet[at.HIT + k], packet[at.VZ + k])
        side = _HALF + _HALF * (packet[at.VX + k] * sx + packet[at.VY + k] * sy + packet[at.VZ + k] * sz)
        veil = (_1 - power_of_two(-path * rate)) * gain * side * side
        packet[at.SUM_R + k] += red0 * veil
        packet[at.SUM_G + k] += red1 * veil
        packet[at.SUM_B + k] += red2 * veil


@inner_kernel
def _air_path(distance: np.float32, hit: np.float32, rise: np.float32) -> np.float32:
    """How far a ray goes through haze [m]: to what it hits, or, of the sky, to the top of the air that holds haze."""
    rise = rise if rise > _F(0.025) else _F(0.025)
    path = distance if hit > _0 else _AIR_HEIGHT / rise
    return path if path < _MAX_HAZE_LENGTH else _MAX_HAZE_LENGTH


@inner_kernel
def power_of_two(x: np.float32) -> np.float32:
    """2**x for x <= 0, with an error below 1e-6, by squaring a polynomial of x / 64: no table and no call."""
    y = (x if x > _F(-40.0) else _F(-40.0)) * _F(0.6931471805599453 / 64.0)
    near = _1 + y * (_1 + y * (_HALF + y * (_F(1.0 / 6.0) + y * (_F(1.0 / 24.0) + y * _F(1.0 / 120.0)))))
    near = near * near
    near = near * near
    near = near * near
    near = near * near
    near = near * near
    return near * near
