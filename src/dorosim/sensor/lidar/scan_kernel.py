"""The kernel of the spinning lidars: rays set up, cast and turned into what the packet holds, in one pass.

A packet of Embree holds one laser at 16 firings in a row, whose rays go about the same way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.lidar.aim_kernel import Bytes, Codes, Reals, Sweep, aim_rays, place_sensor
from dorosim.sensor.lidar.air_echo_kernel import dim_through_volumes, find_air_echoes, store_air_echoes
from dorosim.sensor.lidar.return_kernel import ECHO_GAP, find_edges, look_at_hits, tell_distances
from dorosim.sensor.lidar.weather import ECHO_STEP, FULL_GAIN_RANGE
from dorosim.sensor.scene.embree_kernel import (
    NOTHING,
    SIMD_WIDTH,
    Valid,
    Words,
    actor_mask,
    intersect16,
    new_packet,
    new_valid,
    set_ray,
)

_STRONGEST, _LAST, _DUAL = 0, 1, 2
SUB_RAY = np.float32(0.35)
"""Where the second ray of a beam lies, in full widths from the middle."""
_NEAR, _MASK = 3, 9
_NONE = np.float32(0.0)


class Surface(NamedTuple):
    """What is known of what rays hit, of one `View`.

    Attributes:
        static, top, arguments, normal, first_face, material: as of `View`.
        reflectivity: (M,) of each material.
        row_value: (A,) intensity byte of each instance, -1 where its material decides.
        material_value: (M,) intensity byte of each material, -1 where its reflectivity and the incidence decide.
        wet: (M,) how much of each material is under a film of water, 0 to 1; none where all is dry.
        snow: how much of what faces up is white, 0 to 1.
    """

    static: int
    top: int
    arguments: int
    normal: Reals
    first_face: Codes
    material: NDArray[np.uint16]
    reflectivity: Reals
    row_value: Bytes
    material_value: Bytes
    wet: Reals
    snow: np.float32


class Optics(NamedTuple):
    """What stays the same between scans.

    Attributes:
        beam: (L, 13) of `LidarModel.beam`.
        lag: (L, Q) time of each return of a packet after its group's first firing; span and whole: as of `Firing`.
        circle: (72000,) cosine and sine of each azimuth in turns.
        quantile: (4097,) of the normal distribution at k / 4096.
        return_mode: STRONGEST, LAST or DUAL.
        nearest, farthest: range [m]. noise: standard deviation of the range [m].
        detection: range of a 10 % surface at which half of the returns are lost [m]; 0 if none get lost.
        divergence: width of the beam [rad].
        key: of the sensor's noise.
        fades: (1,) 1 where the intensity byte is what comes back, 0 where it stands for classes.
    """

    beam: Reals
    lag: Reals
    span: np.float32
    whole: np.float32
    circle: Reals
    quantile: Reals
    return_mode: int
    nearest: np.float32
    farthest: np.float32
    noise: np.float32
    detection: np.float32
    divergence: np.float32
    key: np.uint64
    fades: Bytes


@kernel
def scan(
    surface: Surface,
    optics: Optics,
    sweep: Sweep,
    begin: int,
    end: int,
    distance: NDArray[np.uint16],
    intensity: NDArray[np.uint8],
) -> None:
    """Fire all lasers at some sequences.

    With one return, `distance` and `intensity` are (1, S, L); with two, row 0 is the last echo, row 1 the strongest or,
    if that is the last, the second strongest (VLP-16 manual, "Dual return mode").

    Args:
        surface: of the scene.
        optics: of the sensor.
        sweep: the firings.
        begin: first sequence to fire, a multiple of 16.
        end: the one after the last.
        distance: in steps of 2 mm, 0 for no return; written.
        intensity: 0 to 255; written.
    """
    static, top, arguments, normal, first_face, material, reflectivity, row_value, material_value, wet, snow = surface
    beam, lag, span, whole, circle, quantile, mode, nearest, farthest, noise, detection, divergence, key, fades = optics
    drift, first_row, own, haze, spread, air_chance, air_strength, volume = sweep[10:]
    airy = detection > _NONE and (air_chance.shape[0] > 0 or volume.shape[0] > 0)
    packet, valid = new_packet(), new_valid()
    flat, words = packet.reshape(-1), packet.view(np.uint32)
    _ready(packet, words, nearest, own)
    marks = words.reshape(-1)
    reach, cosine, bright, first, turning = _scratch(), _scratch(), _scratch(), _scratch(), _scratch()
    aside, point_c, point_s, chance, error = _scratch(), _scratch(), _scratch(), _scratch(), _scratch()
    azimuth, signal, air_far, air_signal, hard = _scratch(), _scratch(), _scratch(), _scratch(), _scratch()
    slot = np.zeros(SIMD_WIDTH, np.int64)
    frame = np.zeros(12 * SIMD_WIDTH, np.float32)
    along = np.zeros(3 * SIMD_WIDTH)
    word, value = np.zeros(SIMD_WIDTH, np.int32), np.zeros(SIMD_WIDTH, np.int32)
    stride = 2 * len(beam)
    for start in range(begin, min(end, sweep.rows), SIMD_WIDTH):
        rays = min(SIMD_WIDTH, sweep.rows - start)
        place_sensor(azimuth, turning, slot, frame, along, start, sweep)
        for laser in range(len(beam)):
            number = (first_row + start) * stride + 2 * laser
            for lane in range(SIMD_WIDTH):
                valid[lane], aside[lane] = -1 if lane < rays else 0, _NONE
            for echo in range(1 if mode == _STRONGEST else 2):
                if echo == 1 and not find_edges(valid, aside, first, rays, SUB_RAY * divergence):
                    break
                aim_rays(
                    flat, marks, laser, beam, lag, span, whole, circle, azimuth, turning, slot, frame,
                    drift, aside, point_c, point_s, farthest,
                )  # fmt: skip
                intersect16(static, top, arguments, packet, valid)
                look_at_hits(
                    flat, marks, normal, first_face, material, reflectivity, row_value, material_value, wet, snow,
                    reach, cosine, bright, value,
                )  # fmt: skip
                dim_through_volumes(volume, flat, reach, bright)
                tell_distances(
                    word, reach, cosine, bright, chance, error, key, number + echo, stride, quantile, detection, noise,
                    beam[laser, 11], haze, spread, value, fades[0] != 0, signal,
                )  # fmt: skip
                _store(distance, intensity, mode, echo, start, rays, laser, word, value, reach, first, valid)
                if airy and echo == 0:
                    find_air_echoes(
                        flat, reach, key, number, stride, air_chance, air_strength, ECHO_STEP, volume, detection,
                        FULL_GAIN_RANGE, nearest, air_far, air_signal,
                    )  # fmt: skip
                    hard[:] = signal
            if airy:
                far, offset = air_far, beam[laser, 11]
                store_air_echoes(distance, intensity, mode, start, rays, laser, far, air_signal, hard, offset, fades)


@inner_kernel
def _ready(packet: Reals, words: Words, nearest: np.float32, own: int) -> None:
    """Write what all rays of a scan have in common: where they begin to see, and the mask that leaves out `own`."""
    mask = np.uint32(NOTHING) ^ np.uint32(actor_mask(own)) if own else np.uint32(NOTHING)
    for lane in range(SIMD_WIDTH):
        set_ray(packet, words, lane, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0)
        packet[_NEAR, lane], words[_MASK, lane] = nearest, mask


@inner_kernel
def _scratch() -> Reals:
    """Room for one number of each ray."""
    return np.zeros(SIMD_WIDTH, np.float32)


@inner_kernel
def _store(
    distance: NDArray[np.uint16],
    intensity: NDArray[np.uint8],
    mode: int,
    echo: int,
    start: int,
    rays: int,
    laser: int,
    word: Bytes,
    value: Bytes,
    reach: Reals,
    first: Reals,
    valid: Valid,
) -> None:
    """Write echoes down: the farther one first; a single one stands in both places of a dual return.

    `first` is the distance of the first rays: written with them, and what second rays are compared with.
    """
    column = np.uint64(laser)
    for lane in range(np.uint64(rays)):
        j = np.uint64(start) + lane
        if echo == 0:
            first[lane] = reach[lane]
            distance[0, j, column], intensity[0, j, column] = word[lane], value[lane]
            if mode == _DUAL:
                distance[1, j, column], intensity[1, j, column] = word[lane], value[lane]
        elif valid[lane] != 0 and word[lane] > 0 and abs(reach[lane] - first[lane]) > ECHO_GAP:
            farther = word[lane] > distance[0, j, column]
            if mode == _DUAL and not farther:
                distance[1, j, column], intensity[1, j, column] = word[lane], value[lane]
            if farther:
                distance[0, j, column], intensity[0, j, column] = word[lane], value[lane]
