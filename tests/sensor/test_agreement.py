"""A camera and a lidar on one vehicle see the same targets at the same places."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.mesh import Mesh
from dorosim.ground.noise import Noise
from dorosim.sensor.pose import motion_of, pose_from_angles
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import CameraImage, CameraSettings, Lidar3dSettings, LidarIntensity, LidarModel
from dorosim.world.snapshot import EGO
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from tests.sensor.scene.build import NO_LIGHTS, box, plane
from tests.world.world import CAR, street

SCENE = street(10.0)
EYE, LOOK = (1.5, 0.3, 1.6), (0.03, 0.06, -0.1)
LIDAR, TURN = (1.1, -0.2, 2.1), (-0.02, 0.04, 0.7)
WIDTH, HEIGHT, FOCUS = 640, 480, 320.0
CENTRE = np.array((325.0, 236.0))


@pytest.fixture(scope="module")
def seen():
    """Depth and actors `(H, W)` of a camera; points `(N, 3)` of a lidar in the optical frame, their actors `(N,)`."""
    lens = {"width": WIDTH, "height": HEIGHT, "focal_length": (FOCUS, FOCUS), "principal_point": tuple(CENTRE.tolist())}
    cameras = [CameraSettings(**lens, image=image) for image in (CameraImage.DEPTH, CameraImage.INSTANCE)]
    lidar = Lidar3dSettings(model=LidarModel.HDL_64E, intensity=LidarIntensity.INSTANCE, ideal=True)
    mounts = [AddSensor(EGO, settings=one, position=EYE, rotation=LOOK) for one in cameras]
    mounts.append(AddSensor(EGO, settings=lidar, position=LIDAR, rotation=TURN))
    cars = [CreateNpc(model="2015_Kia_K5", link=link, s=s, move_on=True) for link, s in ((1, 66.0), (0, 80.0))]
    before = first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])
    now = step(SCENE, before, (*mounts, *cars), Noise(1))
    assert not now.refusals
    walls = [box((0.2, 3.0, 2.0), (75.0, -6.0, 2.0)), box((15.0, 0.2, 4.0), (70.0, 9.0, 4.0))]
    world = StaticWorld(Mesh.joined((plane(half=300.0), *walls)), NO_LIGHTS)
    rig = Rig(SCENE, Noise(1), lambda: SensorScene.from_scene(SCENE, world))
    depth, instance, scan = rig.read_now(before, now)
    body = motion_of(now, EGO).pose
    eye, turning = body @ pose_from_angles(EYE, LOOK), body @ pose_from_angles(LIDAR, TURN)
    points = scan.points()
    place = np.stack([points[name] for name in "xyz"], axis=1).astype(float) @ turning.rotation.T + turning.position
    forward, left, up = ((place - eye.position) @ eye.rotation).T
    optical = np.stack((-left, -up, forward), axis=1)
    actors = points["intensity"].astype(int)  # 1 and on, 0 for the static world
    return depth.depth, instance.instance, optical, actors


def in_picture(optical):
    """Which points a picture holds, and their pixels `(M, 2)` in continuous coordinates."""
    ahead = optical[:, 2] > 1.0
    pixel = np.full((len(optical), 2), -1.0)
    pixel[ahead] = FOCUS * optical[ahead, :2] / optical[ahead, 2:] + CENTRE
    held = (pixel > 2.0).all(axis=1) & (pixel < (WIDTH - 2.0, HEIGHT - 2.0)).all(axis=1)
    return held, pixel[held]


def around(picture, pixel):
    """The four values `(M, 2, 2)` about each pixel, and its place `(M, 2)` between them."""
    column, row = np.floor(pixel - 0.5).astype(int).T
    four = np.stack([[picture[row + i, column + k] for k in (0, 1)] for i in (0, 1)])
    return np.moveaxis(four, -1, 0), pixel - 0.5 - np.stack((column, row), axis=1)


def compared(seen):
    """Of lidar points on parts of the picture without an edge: depth by lidar and by camera, actor by both."""
    depth, instance, optical, actors = seen
    held, pixel = in_picture(optical)
    four, part = around(depth, pixel)
    who, _ = around(instance, pixel)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / four  # of a plane it is linear over the picture
        x, y = part.T
        rows = inverse[:, :, 0] * (1.0 - x)[:, None] + inverse[:, :, 1] * x[:, None]
        found = 1.0 / (rows[:, 0] * (1.0 - y) + rows[:, 1] * y)
        bent = np.abs(inverse[:, 0, 0] + inverse[:, 1, 1] - inverse[:, 0, 1] - inverse[:, 1, 0]) * found
    smooth = (who == who[:, :1, :1]).all(axis=(1, 2)) & np.isfinite(four).all(axis=(1, 2)) & (bent < 1e-4)
    return optical[held, 2][smooth], found[smooth], actors[held][smooth], who[smooth, 0, 0]


def test_lidar_points_lie_on_the_depth_picture(seen):
    by_lidar, by_camera, _, _ = compared(seen)
    assert len(by_lidar) > 5_000
    hidden = by_lidar > by_camera + 0.3  # the lidar looks over what hides them from the camera
    assert hidden.mean() < 0.1
    error = np.abs(by_lidar - by_camera)[~hidden]
    assert np.percentile(error, 99) < 5e-3
    assert (by_lidar > by_camera - 0.05).mean() > 0.999, "nothing is before what the camera sees"


def test_they_name_the_same_actor(seen):
    by_lidar, by_camera, lidar_actor, camera_actor = compared(seen)
    there = np.abs(by_lidar - by_camera) < 0.02
    assert (lidar_actor[there] == camera_actor[there]).mean() > 0.999
    for actor in np.unique(seen[1])[1:]:
        assert (lidar_actor[there] == actor).sum() >= 20, f"both see actor {actor}"
    assert len(np.unique(lidar_actor[there])) == 3
