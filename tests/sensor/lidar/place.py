"""A room whose walls have formulas, and a lidar in it."""

from __future__ import annotations

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.sensor.lidar.lidar import Lidar
from dorosim.sensor.lidar.motion import SweepMotion
from dorosim.sensor.lidar.setting import LidarSetting
from dorosim.wire.device.velodyne import DUAL, HDL_32E, LAST, STRONGEST, VLP_16, encode_data, hdl_64e_status
from tests.sensor.scene.build import box, pose, scene_of

HALF = np.array((40.0, 30.0, 12.0))
"""Half size of the room, whose middle is the map's origin."""
PILLAR = np.array((1.0, 1.0, 12.0))
PILLARS = np.array([(10.0, 5.0, 0.7), (-6.0, 9.0, 0.2), (4.0, -8.0, -1.0), (-12.0, -6.0, 0.0)])
"""x, y and yaw of boxes that reach from the floor to the ceiling."""
POSITION = np.array((1.3, -2.1, 0.4))
SECOND = 1_000_000_000


def turned(yaw: float, pitch: float = 0.0) -> np.ndarray:
    c, s, e, f = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
    return np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)]) @ np.array([(e, 0, f), (0, 1, 0), (-f, 0, e)])


def room():
    """The scene (keep it) and its view: a box seen from inside, and four pillars as instances."""
    poses = [pose(x, y, 0.0, yaw) for x, y, yaw in PILLARS]
    return scene_of(box(HALF), [box(PILLAR)], poses)


def distance_to_walls(points: np.ndarray) -> np.ndarray:
    """How far each point of the map is from the nearest surface of the room."""

    def to_box(local, half):
        beyond = np.abs(local) - half
        outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
        return np.abs(outside + np.minimum(beyond.max(axis=1), 0.0))

    nearest = to_box(points, HALF)
    for x, y, yaw in PILLARS:
        local = (points - (x, y, 0.0)) @ turned(yaw)
        nearest = np.minimum(nearest, to_box(local, PILLAR))
    return nearest


def quiet(model: str, **more) -> LidarSetting:
    """A setting without noise and losses."""
    return LidarSetting(**{"model": model, "noise": 0.0, "drop_out": False, **more})


def standing(setting: LidarSetting, rotation: np.ndarray, since: int, until: int, position=POSITION):
    """What a lidar at rest reads in the room."""
    scene, view = room()
    assert scene
    motion = SweepMotion.at_rest(position, rotation, since, until)
    return Lidar(7, setting, Noise(1)).read(view, motion, since, until)


def packets_of(reading) -> list[bytes]:
    """Its datagrams."""
    setting = reading.setting
    mode = {"strongest": STRONGEST, "last": LAST, "dual": DUAL}[setting.return_mode]
    banks = setting.model == "HDL-64E"
    factory = (mode, {"VLP-16": VLP_16, "HDL-32E": HDL_32E}.get(setting.model, 0))
    rows = encode_data(
        reading.azimuth,
        reading.distance,
        reading.intensity,
        reading.start // 1000,
        hdl_64e_status(reading.number, (26, 1, 2, 3, 4, 5)) if banks else factory,
        banks=banks,
    )
    return [row.tobytes() for row in rows]
