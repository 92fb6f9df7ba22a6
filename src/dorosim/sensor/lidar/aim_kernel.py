"""Where the rays of spinning lidars begin and go.

A reader rebuilds a point from azimuth and distance by the sensor's calibration. For each laser and azimuth, what it
rebuilds lies on a straight line, `offset + distance * direction`: that line is the ray that is cast, so the point lies
on the surface that the ray hit, whatever the corrections are. The two-point correction holds absolute values of the
coordinates; their signs are taken from the direction, which errs by less than 0.05 mm, since the coordinates have the
other sign only within the horizontal offset of 26 mm.

A packet of Embree is written as one row of numbers after the other, by indices without sign: so the compiler sees that
nothing overlaps and works on many lanes at once.
"""

from __future__ import annotations

from math import cos, sin
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.scene.embree_kernel import NOTHING, SIMD_WIDTH, Words

Real = Any  # a float32, or a 64-bit word without sign: numba distinguishes scalars of numpy from those of Python
Whole = Any
Reals = NDArray[np.float32]
Codes = NDArray[np.int64]
Bytes = NDArray[np.int32]

_X, _Y, _Z, _DX, _DY, _DZ, _FAR = (np.uint64(row * SIMD_WIDTH) for row in (0, 1, 2, 4, 5, 6, 8))
_GEOMETRY, _INSTANCE = np.uint64(18 * SIMD_WIDTH), np.uint64(19 * SIMD_WIDTH)
_F1, _F2, _F3, _F4, _F5, _F6, _F7, _F8, _F9, _F10, _F11 = (np.uint64(row * SIMD_WIDTH) for row in range(1, 12))
_LANES = np.uint64(SIMD_WIDTH)  # as the limit of a range it makes indices that numba need not check for being negative
_NEXT, _TWO = np.uint64(1), np.uint64(2)
_SINE, _VERSINE = np.uint64(SIMD_WIDTH), np.uint64(2 * SIMD_WIDTH)
_NONE, _HALF, _ONE = (np.float32(value) for value in (0.0, 0.5, 1.0))


class Sweep(NamedTuple):
    """The firings of a scan: P packets of G groups, all in all S sequences of L lasers.

    Attributes:
        rows: S.
        slots: sequences of a packet.
        sequence: time of a sequence [ns].
        azimuth: (P, G) of each group [0.01 degree].
        turning: (P, G) its change, as readers work it out (`Firing.turning`).
        begin: (P,) first firing of each packet [ns].
        since: time at which the path starts [ns].
        span: how long it takes [ns]; 0 for a sensor at rest.
        path: (12, 4) as of `Motion.path`.
        angle: as of `Motion`.
        drift: (6,) velocity in map [m/ns], and turning rate in the sensor's frame [rad/ns].
        first: number of the first sequence since the sensor started.
        own: actor that carries the sensor, which it does not see; 0 for none.
        haze: what weather takes away on the way, beyond what clear air does [1/m].
        spread: deviation of a range by weather, over the range.
        chance: (K,) as of `LidarWeather`, none in clear air.
        strength: (K,) the same.
        volume: (V, 10) places of smoke and spray, as of `dorosim.sensor.aerosol`, from the scene's origin.
    """

    rows: int
    slots: int
    sequence: int
    azimuth: Reals
    turning: Reals
    begin: Codes
    since: int
    span: int
    path: NDArray[np.float64]
    angle: float
    drift: Reals
    first: int
    own: int
    haze: np.float32
    spread: np.float32
    chance: Reals
    strength: Reals
    volume: NDArray[np.float64]


@inner_kernel
def _line(
    s: Real,
    c: Real,
    cosine: Real,
    sine: Real,
    lift: Real,
    rise: Real,
    side: Real,
    slope_x: Real,
    rest_x: Real,
    slope_y: Real,
    rest_y: Real,
) -> tuple[Real, Real, Real, Real, Real, Real]:
    """Offset and direction of a laser's line in the sensor's frame (x forward, y left).

    `s` and `c` are of the corrected azimuth; the others are columns of `LidarModel.beam`.
    """
    along_s, along_c = cosine * s, cosine * c
    right = -lift * s - side * c
    ahead = side * s - lift * c
    grow_x = _ONE + slope_x * abs(along_s)
    grow_y = _ONE + slope_y * abs(along_c)
    near_y = slope_y * ahead if c >= _NONE else -slope_y * ahead
    x = ahead * grow_y + rest_y * along_c
    y = right * grow_x + rest_x * along_s
    z = rise + sine * (near_y + rest_y)
    return x, -y, z, along_c * grow_y, -along_s * grow_x, sine * grow_y


@inner_kernel
def place_sensor(
    azimuth: Reals,
    turning: Reals,
    slot: Codes,
    frame: Reals,
    along: NDArray[np.float64],
    start: int,
    sweep: Sweep,
) -> None:
    """Where the sensor is and points at 16 sequences, which follow each other evenly.

    Args:
        azimuth: (16,) of each sequence's group; written.
        turning: (16,) written.
        slot: (16,) place of each sequence in its packet; written.
        frame: (192,) 12 rows of pose for 16 sequences; written.
        along: (48,) for its use.
        start: the first of them; lanes behind the last of the sweep repeat it.
        sweep: the firings.
    """
    rows, slots, sequence, group_azimuth, packet_turning, begin, since, span, path, angle = sweep[:10]
    per_group = slots // group_azimuth.shape[1]
    packet, place = divmod(start, slots)
    group, member = divmod(place, per_group)
    scale = 1.0 / span if span > 0 else 0.0
    share = (begin[packet] + sequence * place - since) * scale
    grow = sequence * scale
    s, c, turn_s, turn_c = sin(angle * share), cos(angle * share), sin(angle * grow), cos(angle * grow)
    for lane in range(_LANES):
        slot[lane], azimuth[lane], turning[lane] = place, group_azimuth[packet, group], packet_turning[packet, group]
        along[lane], along[lane + _SINE], along[lane + _VERSINE] = share, s, 1.0 - c
        share += grow
        s, c = s * turn_c + c * turn_s, c * turn_c - s * turn_s
        if start + np.int64(lane) + 1 < rows:
            place, member = place + 1, member + 1
            if member == per_group:
                group, member = group + 1, 0
            if place == slots:
                packet, place, group, member = packet + 1, 0, 0, 0
    for row in range(np.uint64(12)):
        fixed, straight, sine, versine = path[row, 0], path[row, 1], path[row, 2], path[row, 3]
        for lane in range(_LANES):
            turned = sine * along[lane + _SINE] + versine * along[lane + _VERSINE]
            frame[row * _LANES + lane] = fixed + straight * along[lane] + turned


@inner_kernel
def aim_rays(
    flat: Reals,
    words: Words,
    laser: int,
    beam: Reals,
    lag: Reals,
    span: Real,
    whole: Real,
    circle: Reals,
    azimuth: Reals,
    turning: Reals,
    slot: Codes,
    frame: Reals,
    drift: Reals,
    aside: Reals,
    point_c: Reals,
    point_s: Reals,
    farthest: Real,
) -> None:
    """Set up the rays of a laser at 16 sequences; `aside` turns each to the right [rad]; points are for its use."""
    cosine, sine, turn_c, turn_s = beam[laser, 0], beam[laser, 1], beam[laser, 2], beam[laser, 3]
    lift, rise, side, late = beam[laser, 4], beam[laser, 5], beam[laser, 6], beam[laser, 12]
    slope_x, rest_x, slope_y, rest_y = beam[laser, 7], beam[laser, 8], beam[laser, 9], beam[laser, 10]
    px, py, pz = drift[0] * late, drift[1] * late, drift[2] * late
    a, b, c = drift[3] * late, drift[4] * late, drift[5] * late
    for lane in range(_LANES):
        step = np.int32(azimuth[lane] + turning[lane] * lag[laser, slot[lane]] / span + whole + _HALF)
        step -= np.int32(0) if step < 36000 else np.int32(36000) if step < 72000 else np.int32(72000)
        place = _TWO * np.uint64(np.uint32(step))
        point_c[lane], point_s[lane] = circle[place], circle[place + _NEXT]
    for lane in range(_LANES):
        turned_s = point_s[lane] * turn_c - point_c[lane] * turn_s
        turned_c = point_c[lane] * turn_c + point_s[lane] * turn_s
        x, y, z, dx, dy, dz = _line(
            turned_s, turned_c, cosine, sine, lift, rise, side, slope_x, rest_x, slope_y, rest_y
        )
        dx, dy = dx + aside[lane] * dy, dy - aside[lane] * dx
        dx, dy, dz = dx + b * dz - c * dy, dy + c * dx - a * dz, dz + a * dy - b * dx
        flat[_X + lane] = frame[lane + _F9] + px + frame[lane] * x + frame[lane + _F1] * y + frame[lane + _F2] * z
        flat[_Y + lane] = (
            frame[lane + _F10] + py + frame[lane + _F3] * x + frame[lane + _F4] * y + frame[lane + _F5] * z
        )
        flat[_Z + lane] = (
            frame[lane + _F11] + pz + frame[lane + _F6] * x + frame[lane + _F7] * y + frame[lane + _F8] * z
        )
        flat[_DX + lane] = frame[lane] * dx + frame[lane + _F1] * dy + frame[lane + _F2] * dz
        flat[_DY + lane] = frame[lane + _F3] * dx + frame[lane + _F4] * dy + frame[lane + _F5] * dz
        flat[_DZ + lane] = frame[lane + _F6] * dx + frame[lane + _F7] * dy + frame[lane + _F8] * dz
        flat[_FAR + lane] = farthest
    for lane in range(_LANES):
        words[_GEOMETRY + lane] = NOTHING
        words[_INSTANCE + lane] = NOTHING
