"""Turns of spinning lidars against bare Embree on the same rays, in the standard scene."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.noise import Noise
from dorosim.sensor.lidar.bare_kernel import cast_bare_rays
from dorosim.sensor.lidar.lidar import Lidar
from dorosim.sensor.lidar.model import MODELS
from dorosim.sensor.lidar.motion import SweepMotion
from dorosim.sensor.lidar.reading import LidarReading, points_from_returns
from dorosim.sensor.lidar.setting import LidarSetting
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.standard import ACTORS, TRIANGLES, StandardScene
from dorosim.wire.device.velodyne import HDL_32E, STRONGEST, VLP_16, encode_data, hdl_64e_status
from tools.bench.figure import Figure, least_seconds

MAX_RATIO = 1.6
_TURN = 100_000_000
_PLACE = np.array((3.0, -3.0, 2.2))
_CARRIER = 1
_FACTORY = {"VLP-16": (STRONGEST, VLP_16), "HDL-32E": (STRONGEST, HDL_32E)}


def figures() -> Iterator[Figure]:
    """A turn of each model with firing order, skew, noise and packets."""
    made = StandardScene()
    view = made.scene.place(made.placement(0.0))
    for model in MODELS:
        yield _turn(model, view)


def _turn(model: str, view: View) -> Figure:
    """One turn of a moving sensor with all that belongs to it, against its rays cast bare."""
    lidar = Lidar(1, LidarSetting(model=model), Noise(1))
    step, turn = np.array((1.0, 0.2, 0.0)), np.array(((1.0, -0.02, 0.0), (0.02, 1.0, 0.0), (0.0, 0.0, 1.0)))
    turn /= np.linalg.norm(turn, axis=0)
    motion = SweepMotion.between((_PLACE, np.eye(3)), (_PLACE + step, turn), 0, _TURN)
    rays = _rays(lidar.read(view, motion, 0, _TURN, own=_CARRIER), motion, view)
    distance = np.empty((len(rays), SIMD_WIDTH), np.float32)
    max_range = lidar.setting.range[1]

    def ours() -> None:
        packets_from_reading(lidar.read(view, motion, 0, _TURN, own=_CARRIER))

    def bare() -> None:
        cast_bare_rays(view.static, view.top, view.arguments, rays, max_range, distance)

    mine, floor = least_seconds(ours, bare)
    count = rays.shape[0] * SIMD_WIDTH
    return Figure(
        f"a turn of {model} with skew, noise and packets, to bare Embree",
        mine / floor,
        "x",
        MAX_RATIO,
        at_most=True,
        detail=f"{1e3 * mine:.2f} ms, bare {1e3 * floor:.2f} ms: {1e-6 * count / floor:.1f} M rays/s of {count}, "
        f"{TRIANGLES:,} static triangles, {ACTORS} actors",
    )


def packets_from_reading(reading: LidarReading) -> NDArray[np.uint8]:
    """(P, 1206) its data packets."""
    model = reading.setting.model
    factory = _FACTORY[model] if model in _FACTORY else hdl_64e_status(reading.number, (26, 1, 1, 0, 0, 0))
    return encode_data(
        reading.azimuth,
        reading.distance,
        reading.intensity,
        reading.start // 1000,
        factory,
        banks=reading.setting.kind.banks,
    )


def _rays(reading: LidarReading, motion: SweepMotion, view: View) -> NDArray[np.float32]:
    """(P, 6, 16) the rays of a reading, packed as the sensor packs them: a laser at 16 sequences in a row."""
    kind, setting = reading.setting.kind, reading.setting
    packets, groups = reading.firing.azimuth.shape
    packet, group, place = (one.ravel() for one in np.indices((packets, groups, kind.group)))
    laser, step = place % kind.lasers, reading.firing.azimuth_of(packet, group, place)
    near, far = (
        np.stack(points_from_returns(kind, setting.focus, laser, step, np.full(len(step), metres)), axis=1)
        for metres in (10.0, 11.0)
    )
    late = (
        kind.group_time * group + kind.sequence * (place // kind.lasers) + (1e3 * kind.lag_us[laser]).astype(np.int64)
    )
    frame = motion.frames(reading.start[packet] + late, view.origin)
    turn, where = frame[:9].reshape(3, 3, -1), frame[9:]
    direction = np.einsum("ijn,nj->in", turn, far - near)
    start = where + np.einsum("ijn,nj->in", turn, near - 10.0 * (far - near))
    rows = len(step) // kind.lasers // SIMD_WIDTH * SIMD_WIDTH * kind.lasers
    flat = np.concatenate((start, direction))[:, :rows].reshape(6, -1, SIMD_WIDTH, kind.lasers)
    return np.ascontiguousarray(flat.transpose(1, 3, 0, 2).reshape(-1, 6, SIMD_WIDTH), np.float32)
