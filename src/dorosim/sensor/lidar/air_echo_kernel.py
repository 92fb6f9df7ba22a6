"""Echoes of what is in the air: fog, flakes, drops, smoke and spray, which lidars take for points."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.lidar.aim_kernel import Bytes, Real, Reals, Whole
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH

_X, _Y, _Z, _DX, _DY, _DZ = (np.uint64(row * SIMD_WIDTH) for row in (0, 1, 2, 4, 5, 6))
_LANES = np.uint64(SIMD_WIDTH)
_UNIT = np.float64(2.0**-53)
_SHIFT, _GOLDEN = np.uint64(11), np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_BITS_27, _BITS_30, _BITS_31 = np.uint64(27), np.uint64(30), np.uint64(31)
_AIR = np.uint64(0xA1C0E5)
"""What sets this stream of draws apart from that of ranges."""
MAX_AIR_INTENSITY = 5.0
"""Brightest byte of what is in the air."""
FOUND_EXTINCTION = 2.0
"""How many echoes of a volume of smoke or spray are found in the depth that takes light down to 1/e."""


@inner_kernel
def _draw(key: Whole, number: Whole) -> Real:
    """A number above 0 and not above 1 of a counter (SplitMix64: Steele et al., OOPSLA 2014)."""
    bits = (key ^ _AIR) + number * _GOLDEN
    bits = (bits ^ (bits >> _BITS_30)) * _MIX_1
    bits = (bits ^ (bits >> _BITS_27)) * _MIX_2
    return ((bits ^ (bits >> _BITS_31)) >> _SHIFT) * _UNIT + _UNIT


@inner_kernel
def way_through(volume: NDArray[np.float64], k: int, flat: Reals, lane: Whole) -> tuple[float, float]:
    """Where a ray enters an ellipsoid and where it leaves it [m], both 0 where it does not meet it.

    Args:
        volume: as of `Sweep`.
        k: which.
        flat: the packet of rays.
        lane: which.
    """
    c, s = volume[k, 3], volume[k, 4]
    x, y, z = flat[_X + lane] - volume[k, 0], flat[_Y + lane] - volume[k, 1], flat[_Z + lane] - volume[k, 2]
    dx, dy, dz = flat[_DX + lane], flat[_DY + lane], flat[_DZ + lane]
    px, py, pz = (c * x + s * y) / volume[k, 5], (c * y - s * x) / volume[k, 6], z / volume[k, 7]
    qx, qy, qz = (c * dx + s * dy) / volume[k, 5], (c * dy - s * dx) / volume[k, 6], dz / volume[k, 7]
    square, half, rest = qx * qx + qy * qy + qz * qz, px * qx + py * qy + pz * qz, px * px + py * py + pz * pz - 1.0
    root = half * half - square * rest
    if root <= 0.0 or square <= 0.0:
        return 0.0, 0.0
    width = sqrt(root)
    return max((-half - width) / square, 0.0), max((-half + width) / square, 0.0)


@inner_kernel
def dim_through_volumes(volume: NDArray[np.float64], flat: Reals, reach: Reals, bright: Reals) -> None:
    """Take from what the rays hit what volumes of smoke and spray take on the way there and back."""
    for k in range(volume.shape[0]):
        for lane in range(_LANES):
            begin, end = way_through(volume, k, flat, lane)
            end = min(end, reach[lane])
            if end > begin:
                bright[lane] *= np.float32(exp(-2.0 * volume[k, 8] * (end - begin)))


@inner_kernel
def find_air_echoes(
    flat: Reals,
    reach: Reals,
    key: Whole,
    number: int,
    stride: int,
    chance: Reals,
    strength: Reals,
    step: float,
    volume: NDArray[np.float64],
    detection: Real,
    full_gain: float,
    nearest: Real,
    far: Reals,
    signal: Reals,
) -> None:
    """The first echo of the air on each ray.

    Args:
        flat: the packet of rays.
        reach: (16,) what they hit [m], -1 for nothing.
        key: of the noise.
        number: of the first ray.
        stride: to the next.
        chance: as of `LidarWeather`.
        strength: the same.
        step: between their places [m].
        volume: as of `Sweep`.
        detection: as of `Optics`.
        full_gain: range nearer than which the receiver is no more sensitive [m].
        nearest: as of `Optics`.
        far: (16,) distance [m], 0 for none; written.
        signal: (16,) over what is found half of the times; written.
    """
    for lane in range(_LANES):
        far[lane], signal[lane] = np.float32(0.0), np.float32(0.0)
        draw = np.uint64(2) * (np.uint64(number) + lane * np.uint64(stride))
        end = np.float64(reach[lane]) if reach[lane] > 0.0 else 1e9
        places = chance.shape[0]
        if places > 0:
            wanted = -log(_draw(key, draw))
            if wanted < chance[places - 1]:
                low, high = 0, places - 1
                while high - low > 1:
                    middle = (low + high) // 2
                    if chance[middle] < wanted:
                        low = middle
                    else:
                        high = middle
                found = (low + (wanted - chance[low]) / max(chance[high] - chance[low], 1e-9)) * step
                if nearest <= found < end:
                    end, far[lane], signal[lane] = found, np.float32(found), strength[high]
        for k in range(volume.shape[0]):
            begin, finish = way_through(volume, k, flat, lane)
            if finish <= begin:
                continue
            rate = FOUND_EXTINCTION * volume[k, 8]
            way = -log(_draw(key, draw + np.uint64(1) + np.uint64(k << 40)))
            found = max(begin, nearest) + way / rate
            if found < min(finish, end):
                ratio = detection / max(found, full_gain)
                power = 10.0 * volume[k, 9] * ratio * ratio * exp(-2.0 * volume[k, 8] * (found - begin))
                if power >= 1.0:
                    end, far[lane], signal[lane] = found, np.float32(found), np.float32(power)


@inner_kernel
def store_air_echoes(
    distance: NDArray[np.uint16],
    intensity: NDArray[np.uint8],
    mode: int,
    start: int,
    rays: int,
    laser: int,
    far: Reals,
    signal: Reals,
    hard: Reals,
    offset: Real,
    byte_per_signal: Bytes,
) -> None:
    """Write echoes of the air down where they are what the sensor reports.

    Args:
        distance: as of `scan`; written.
        intensity: the same; written.
        mode: 0 strongest, 1 last, 2 dual.
        start: the first sequence of the packet of rays.
        rays: how many of its rays count.
        laser: their laser.
        far: (16,) distance of the echo [m], 0 for none.
        signal: (16,) its strength.
        hard: (16,) strength of what was hit.
        offset: distance that a reader adds [m].
        byte_per_signal: (1,) 1 where the intensity is what is thrown back, 0 where it stands for classes.
    """
    column = np.uint64(laser)
    for lane in range(np.uint64(rays)):
        if far[lane] <= 0.0:
            continue
        steps = (far[lane] - offset) * np.float32(500.0) + np.float32(0.5)
        if not 1.0 <= steps < 65536.0:
            continue
        word = np.uint16(steps)
        value = np.uint8(min(signal[lane], MAX_AIR_INTENSITY)) if byte_per_signal[0] else np.uint8(0)
        j = np.uint64(start) + lane
        alone = distance[0, j, column] == 0
        if alone or (mode == 0 and signal[lane] > hard[lane]):
            distance[0, j, column], intensity[0, j, column] = word, value
        if mode == 2 and (alone or distance[1, j, column] == distance[0, j, column]):
            distance[1, j, column], intensity[1, j, column] = word, value
