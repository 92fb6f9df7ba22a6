"""What comes back to spinning lidars: what rays hit, and what becomes of it in the packet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.lidar.aim_kernel import Bytes, Codes, Real, Reals, Whole
from dorosim.sensor.scene.embree_kernel import NOTHING, SIMD_WIDTH, Valid, Words

ECHO_GAP = np.float32(1.0)
"""Echoes of one beam that are nearer together than this melt into one [m] (pulses of some 6 ns)."""
_DX, _DY, _DZ, _FAR = (np.uint64(row * SIMD_WIDTH) for row in (4, 5, 6, 8))
_NX, _NY, _NZ, _FACE, _GEOMETRY, _INSTANCE = (np.uint64(row * SIMD_WIDTH) for row in (12, 13, 14, 17, 18, 19))
_LANES = np.uint64(SIMD_WIDTH)
_NONE, _HALF, _ONE, _TWICE, _TEN = (np.float32(value) for value in (0.0, 0.5, 1.0, 2.0, 10.0))
_STEPS_PER_METRE, _HUNDRED, _FULL = np.float32(500.0), np.float32(100.0), np.float32(65536.0)
_UNIT_OF_24_BITS, _UNIT_OF_20_BITS = np.float32(2.0**-24), np.float32(2.0**-20)
_GOLDEN, _MIX_1, _MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_BITS_27, _BITS_30, _BITS_31, _BITS_32, _BITS_52 = (np.uint64(count) for count in (27, 30, 31, 32, 52))
_ZERO, _NEXT, _LOW_20, _LOW_24 = np.uint64(0), np.uint64(1), np.uint64(0xFFFFF), np.uint64(0xFFFFFF)


@inner_kernel
def _random(key: Whole, number: Whole) -> Whole:
    """64 random bits of a counter (SplitMix64: Steele et al., OOPSLA 2014)."""
    bits = key + number * _GOLDEN
    bits = (bits ^ (bits >> _BITS_30)) * _MIX_1
    bits = (bits ^ (bits >> _BITS_27)) * _MIX_2
    return bits ^ (bits >> _BITS_31)


@inner_kernel
def _normal(quantile: Reals, bits: Whole) -> Real:
    """A normal variate of the upper half of some random bits, by the inverse of its distribution."""
    place = bits >> _BITS_52
    rest = np.float32(np.int32((bits >> _BITS_32) & _LOW_20)) * _UNIT_OF_20_BITS
    low = quantile[place]
    return low + rest * (quantile[place + _NEXT] - low)


@inner_kernel
def _turn(flat: Reals, lane: Whole, normal: Reals, row: Whole) -> None:
    """Turn the normal that a ray found from the frame of the instance's model into the map."""
    x, y, z = flat[_NX + lane], flat[_NY + lane], flat[_NZ + lane]
    flat[_NX + lane] = normal[row, 0, 0] * x + normal[row, 0, 1] * y + normal[row, 0, 2] * z
    flat[_NY + lane] = normal[row, 1, 0] * x + normal[row, 1, 1] * y + normal[row, 1, 2] * z
    flat[_NZ + lane] = normal[row, 2, 0] * x + normal[row, 2, 1] * y + normal[row, 2, 2] * z


WET_DARKNESS = np.float32(0.55)
"""Reflectivity of a wet rough surface over that of the dry one: 0.3 to 0.7, the less the darker (J. Lekner and M. C.
Dorf, Applied Optics 27 (1988) 1278)."""
SNOW_REFLECTIVITY = np.float32(0.85)
"""Of new snow at 905 nm (S. G. Warren, Rev. Geophys. 20 (1982) 67)."""
_MIRRORED, _FIVE = np.float32(0.02), np.int32(5)


@inner_kernel
def wet_share(cosine: Real) -> Real:
    """Reflectivity of a surface under a film of water over that of the dry one.

    The film mirrors away what it meets flat, on the way in and out (C. Schlick, Computer Graphics Forum 13 (1994) 233).
    """
    flat = _ONE - cosine
    passed = _ONE - _MIRRORED - (_ONE - _MIRRORED) * flat * flat * flat * flat * flat
    return WET_DARKNESS * passed * passed


@inner_kernel
def look_at_hits(
    flat: Reals,
    words: Words,
    normal: Reals,
    first_face: Codes,
    material: NDArray[np.uint16],
    reflectivity: Reals,
    row_value: Bytes,
    material_value: Bytes,
    wet: Reals,
    snow: Real,
    reach: Reals,
    cosine: Reals,
    bright: Reals,
    value: Bytes,
) -> None:
    """What the rays hit.

    Args:
        flat: the packet after it was cast, row after row.
        words: the same as words.
        normal: as of `Surface`.
        first_face: the same.
        material: the same.
        reflectivity: the same.
        row_value: the same.
        material_value: the same.
        wet: the same.
        snow: the same.
        reach: (16,) distance [m], -1 for none; written.
        cosine: (16,) of incidence; written.
        bright: (16,) reflectivity; written.
        value: (16,) intensity byte; written.
    """
    kinds = np.zeros(SIMD_WIDTH, np.int64)
    for lane in range(_LANES):
        if words[_GEOMETRY + lane] == NOTHING:
            reach[lane], bright[lane], value[lane] = -_ONE, _NONE, 0
            flat[_NX + lane] = _ONE
            continue
        instance = words[_INSTANCE + lane]
        row = _ZERO if instance == NOTHING else np.uint64(instance)  # the static world is no instance
        if row > _ZERO:
            _turn(flat, lane, normal, row)
        kind = np.uint64(material[np.uint64(first_face[row]) + np.uint64(words[_FACE + lane])])
        reach[lane], bright[lane], kinds[lane] = flat[_FAR + lane], reflectivity[kind], kind
        byte = row_value[row]
        value[lane] = byte if byte >= 0 else material_value[kind]
    for lane in range(_LANES):
        x, y, z = flat[_NX + lane], flat[_NY + lane], flat[_NZ + lane]
        along = x * flat[_DX + lane] + y * flat[_DY + lane] + z * flat[_DZ + lane]
        size = np.sqrt(x * x + y * y + z * z)
        cosine[lane] = abs(along) / size
        if snow > _NONE and abs(z) > _HALF * size:
            bright[lane] += snow * (SNOW_REFLECTIVITY - bright[lane])
    if wet.shape[0] > 0:
        for lane in range(_LANES):
            if reach[lane] > _NONE:
                bright[lane] *= _ONE - wet[kinds[lane]] * (_ONE - wet_share(cosine[lane]))
    for lane in range(_LANES):
        byte = np.int32(_HUNDRED * bright[lane] * cosine[lane] + _HALF)
        value[lane] = value[lane] if value[lane] >= 0 else byte


@inner_kernel
def tell_distances(
    word: Bytes,
    reach: Reals,
    cosine: Reals,
    bright: Reals,
    chance: Reals,
    error: Reals,
    key: Whole,
    number: int,
    stride: int,
    quantile: Reals,
    detection: Real,
    noise: Real,
    offset: Real,
    haze: Real,
    spread: Real,
    value: Bytes,
    fades: bool,
    signals: Reals,
) -> None:
    """The distance word of each ray.

    The signal over that of a 10 % surface at right angles at the range of detection falls with the square of the range;
    it is found with probability s^4 / (1 + s^4). Weather takes its part on the way there and back (Beer and Lambert).

    Args:
        word: (16,) in steps of 2 mm, 0 for no return; written.
        reach: of `_look`.
        cosine: the same.
        bright: the same; what weather takes is taken from it.
        chance: (16,) for its use.
        error: the same.
        key: of the noise.
        number: of the first ray.
        stride: to the next.
        quantile: as of `Optics`.
        detection: the same.
        noise: the same.
        offset: distance that a reader adds [m].
        haze: as of `Sweep`.
        spread: the same.
        value: (16,) intensity byte; written where weather takes from it.
        fades: whether the byte is what comes back, and not a class.
        signals: (16,) what came back, over what is found half of the times, 0 where it is not found; written.
    """
    for lane in range(_LANES):
        bits = _random(key, np.uint64(number) + lane * np.uint64(stride))
        chance[lane] = np.float32(np.int32(bits & _LOW_24)) * _UNIT_OF_24_BITS
        error[lane] = _normal(quantile, bits)
    if haze > _NONE:
        for lane in range(_LANES):
            left = np.exp(-_TWICE * haze * max(reach[lane], _NONE))
            bright[lane] *= left
            value[lane] = np.int32(value[lane] * left + _HALF) if fades else value[lane]
    for lane in range(_LANES):
        distance = reach[lane]
        blur = noise if spread <= _NONE else np.sqrt(noise * noise + spread * spread * distance * distance)
        steps = (distance + blur * error[lane] - offset) * _STEPS_PER_METRE + _HALF
        ratio = detection / distance
        signal = _TEN * bright[lane] * cosine[lane] * ratio * ratio
        power = signal * signal * signal * signal
        kept = (chance[lane] * (power + _ONE) < power) | (detection <= _NONE)
        signals[lane] = signal if kept else _NONE
        told = (distance > _NONE) & (steps >= _ONE) & (steps < _FULL) & kept
        word[lane] = np.int32(steps if told else _NONE)


@inner_kernel
def find_edges(some: Valid, aside: Reals, reach: Reals, rays: int, shift: Real) -> bool:
    """Which beams stand on an edge: where the next firing hits something much nearer or farther; whether any does.

    Args:
        some: -1 for those; written.
        aside: where their second ray goes [rad]; written.
        reach: (16,) distance that each ray hit [m], -1 for none.
        rays: how many count.
        shift: of second rays [rad].
    """
    found = False
    for lane in range(SIMD_WIDTH):
        some[lane], aside[lane], widest = 0, _NONE, ECHO_GAP
        for step in (-1, 1):
            other = lane + step
            if lane < rays and 0 <= other < rays and reach[lane] >= _NONE and reach[other] >= _NONE:
                gap = abs(reach[other] - reach[lane])
                if gap > widest:
                    some[lane], aside[lane], widest, found = -1, np.float32(step) * shift, gap, True
    return found
