"""What the page shows of sensors: real readings of a run, and single functions on numbers by hand."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from dorosim.bridge.sensor import drawing
from dorosim.bridge.sensor.kind import OUTPUTS
from dorosim.bridge.view import sensor as shown
from dorosim.sensor.camera.box import BoundingBoxes
from dorosim.sensor.lidar.reading import LidarReading
from dorosim.sensor.pose import Pose
from dorosim.sensor.reading import CameraReading, RadarReading, TruthReading
from dorosim.sensor.truth import is_within
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GroundTruthSettings, Lidar3dSettings, TruthShape
from dorosim.world.snapshot import EGO
from tests.system.rig import rig
from tests.system.sensing import Sensing

HIGH_UP = 50
"""Number of a lidar on the roof; those of `Sensing` lie on the ground."""


@pytest.fixture(scope="module")
def heard(tmp_path_factory):
    """Readings of all kinds, each with the snapshot that it shows, and the run."""
    run = rig(tmp_path_factory.mktemp("town"))
    sensing, found = Sensing(run, 1), []
    lidar = Lidar3dSettings(ideal=True)
    run.put(AddSensor(run.built.first.egos[0], settings=lidar, sensor=HIGH_UP, position=(1.2, 0.0, 1.9)))

    def hear(heard):
        found.extend((reading, heard.now) for reading in heard.readings)
        return ()

    sensing.station.listen(hear)
    for _ in range(30):
        sensing.station(run.loop.turn(), ())
    sensing.station.close()
    return found, run


def test_readings_of_all_kinds_are_small_and_travel(heard):
    found, _ = heard
    kinds = {type(reading).__name__ for reading, _ in found}
    assert len(kinds) == 8
    for reading, now in found:
        told = pickle.loads(pickle.dumps((shown.small_reading(reading), shown.sensor_pose(now, reading.sensor))))
        assert told[0].sensor == reading.sensor
        assert told[1] is not None
        assert isinstance(OUTPUTS[told[0].KIND].text(told[0]), str)
        if isinstance(told[0], CameraReading):
            assert told[0].depth is None
            assert shown.with_boxes(told[0]).shape == told[0].image.shape


def test_points_of_a_lidar_lie_on_the_ground_around_the_car(heard):
    found, run = heard
    placed = [
        drawing.in_map(shown.lidar_points(reading)[0], shown.sensor_pose(now, reading.sensor))
        for reading, now in found
        if reading.sensor == HIGH_UP
    ]
    points = np.concatenate(placed)
    now = run.loop.now
    row = now.row_of(EGO)
    place = np.array((now.vehicle.x[row], now.vehicle.y[row], now.vehicle.z[row]))
    away = np.linalg.norm(points[:, :2] - place[:2], axis=1)
    near = points[(away > 4.0) & (away < 12.0)]
    assert len(near) > 100
    assert abs(np.median(near[:, 2]) - place[2]) < 0.4
    assert away.max() > 20.0


def test_a_share_of_a_turn_keeps_all_lasers(heard):
    found, _ = heard
    whole = max((one for one, _ in found if isinstance(one, LidarReading)), key=lambda one: one.distance.size)
    points, intensity = shown.lidar_points(whole)
    few, _ = shown.lidar_points(whole, 0.1)
    assert len(points) == len(intensity)
    assert 0.05 * len(points) < len(few) < 0.2 * len(points)
    assert {tuple(point) for point in few.tolist()} <= {tuple(point) for point in points.tolist()}
    kept = np.zeros_like(whole.distance)
    kept.reshape(-1)[::11] = whole.distance.reshape(-1)[::11]
    assert len(np.unique(replace(whole, distance=kept).points()["ring"])) == len(np.unique(whole.points()["ring"]))


def test_a_picture_is_made_smaller_by_means():
    image = np.zeros((5, 8, 3), np.uint8)
    image[:2, :2] = 100, 200, 255
    image[0, 2] = 40
    small = shown.shrunk(image, 2)
    assert small.shape == (2, 4, 3)
    assert small[0, 0].tolist() == [100, 200, 255]
    assert small[0, 1].tolist() == [10, 10, 10]
    assert shown.shrunk(image, 1) is image


def test_a_wide_picture_shrinks_with_its_boxes():
    boxes = replace(
        BoundingBoxes.none(), actor=np.array([7]), label=np.array([1]), bounds=np.array([[300.0, 40.0, 1300.0, 90.0]])
    )
    wide = CameraReading(sensor=1, time=0, image=np.zeros((120, 1200, 3), np.uint8), boxes=boxes)
    small = shown.small_reading(wide)
    assert small.image.shape == (40, 400, 3)
    drawn = shown.with_boxes(small)
    assert drawn[13, 100:].any(axis=1).all()
    assert drawn[30, 100:].any(axis=1).all()
    assert not drawn[14:30, 101:399].any()
    assert not small.image.any()


def test_colours():
    heights = shown.ramp_colours(np.array([-99.0, shown.LOW, shown.HIGH, 99.0]), shown.LOW, shown.HIGH)
    assert heights[0].tolist() == heights[1].tolist() == [48, 18, 140]
    assert heights[2].tolist() == heights[3].tolist() == [180, 20, 20]
    near, still, away = drawing.rate_colours(np.array([-15.0, 0.0, 15.0])).tolist()
    assert near[0] == 255
    assert near[2] == 0
    assert still == [255, 255, 255]
    assert (away[0], away[2]) == (0, 255)
    assert shown.actor_colours(np.array([0.0, 1.0, 2.0]))[0].tolist() == [110, 110, 110]
    assert shown.class_colours(np.array([0.0, 255.0])).shape == (2, 3)


def test_strokes_of_detections_go_along_the_line_of_sight():
    none = np.zeros(1)
    reading = RadarReading(
        sensor=1, time=0, point=np.array([[30.0, 40.0, 0.0]]), distance=np.array([50.0]), azimuth=none,
        elevation=none, range_rate=np.array([-10.0]), cross_section=none, amplitude=none, actor=np.zeros(1, np.int64),
    )  # fmt: skip
    ((start, end),) = drawing.radar_edges(reading).tolist()
    assert start == [30.0, 40.0, 0.0]
    assert end == pytest.approx([24.0, 32.0, 0.0])
    turned = drawing.in_map(np.array([[1.0, 0.0, 0.0]]), Pose(np.array([5.0, 6.0, 7.0]), np.eye(3)[[1, 0, 2]]))
    assert turned.tolist() == [[5.0, 7.0, 7.0]]


def test_boxes_of_true_objects_stand_on_their_places(heard):
    found, _ = heard
    empty = next(one for one, _ in found if isinstance(one, TruthReading))
    one = replace(
        empty, size=np.array([[4.0, 2.0, 1.5]]), heading=np.array([np.pi / 2]), position=np.array([[10.0, 20.0, 3.0]])
    )
    edges = drawing.truth_edges(one)
    assert edges.shape == (12, 2, 3)
    assert edges.reshape(-1, 3).min(axis=0) == pytest.approx([9.0, 18.0, 3.0])
    assert edges.reshape(-1, 3).max(axis=0) == pytest.approx([11.0, 22.0, 4.5])


@pytest.mark.parametrize("shape", list(TruthShape))
@pytest.mark.parametrize("tall", [20.0, 60.0, 90.0, 180.0])
def test_the_lines_of_a_volume_lie_on_its_border(shape, tall):
    settings = GroundTruthSettings(
        shape=shape,
        range_min=5.0,
        range_max=40.0,
        fov=math.radians(80.0),
        vertical_fov=math.radians(tall),
        segments=12,
        resolution=4,
    )
    edges = shown.volume_edges(settings)
    assert edges.shape[1:] == (2, 3)
    assert np.isfinite(edges).all()
    points = edges.reshape(-1, 3)
    if shape is TruthShape.CYLINDER:
        points = points[np.hypot(points[:, 0], points[:, 1]) > 1.0]
        assert np.hypot(points[:, 0], points[:, 1]) == pytest.approx(40.0)
    else:
        assert {round(reach, 6) for reach in np.linalg.norm(points, axis=1)} == {5.0, 13.75, 22.5, 31.25, 40.0}
        points = points[(np.linalg.norm(points, axis=1) > 5.1) & (np.linalg.norm(points, axis=1) < 39.9)]
        assert is_within(settings, points).all()
        assert not is_within(settings, points @ np.diag((-1.0, -1.0, 1.0))).any() or tall == 180.0
    assert len(shown.volume_edges(msgspec.structs.replace(settings, segments=24))) > len(edges)
