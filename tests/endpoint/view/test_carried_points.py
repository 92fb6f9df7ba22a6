"""Points of lidars on the page: those on a vehicle go with it, and none is shown before the picture of its stamp."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.endpoint.view.panel.sensor import SensorsPart
from dorosim.sensor.lidar.planar import PlanarReading
from dorosim.sensor.pose import Pose
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import Lidar2dSettings
from dorosim.world.snapshot import EGO
from tests.endpoint.view.stage import VISITOR, change

LIDAR = 4
AHEAD = 1.0
"""How far the point lies before the rear axle of the other vehicle [m]."""
POINT = np.array((AHEAD, 0.0, 0.8))


@pytest.fixture
def part(page, monkeypatch):
    monkeypatch.setattr(page.context.server, "get_clients", lambda: {VISITOR: None})
    page.proxy.listen = lambda _: None
    made = page.add(SensorsPart)
    page.proxy.do(AddSensor(EGO, settings=Lidar2dSettings(range=10.0), sensor=LIDAR, position=(1.0, 0.0, 1.0)))
    page.proxy.run(1.0)
    page.show()
    return made


def other(page) -> np.ndarray:
    """Where the other vehicle is, in the page's frame [m]."""
    traffic = page.now.traffic
    return np.array((traffic.x[0], traffic.y[0], traffic.z[0])) - page.run.origin


def hear(page, part) -> None:
    """The lidar reads one point on the other vehicle, and others behind it, where the run is now."""
    distance = np.full(360, 0, np.uint16)
    distance[0] = round(1000 * (4.0 + AHEAD))
    place = np.add(other(page), page.run.origin) + np.array((-4.0, 0.0, 0.8))
    page.context.poses = {LIDAR: Pose(place, np.eye(3))}
    intensity = np.full(360, 99, np.uint8)
    part.hear((PlanarReading(sensor=LIDAR, time=page.now.time, distance_mm=distance, intensity=intensity),))


def points(part, slot: int) -> np.ndarray:
    """What is shown of those that stand (0), and of those on vehicles (1), in the page's frame [m]."""
    handle = part._stage._handles[LIDAR][slot]
    return handle.points.astype(float) + handle.position


def test_a_point_on_a_vehicle_goes_with_it_and_what_stands_stays(page, part):
    hear(page, part)
    page.show()
    before, still = other(page), points(part, 0)
    assert points(part, 1)[0] == pytest.approx(before + POINT, abs=0.02)
    assert part._stage.points_of(LIDAR) == 360
    page.proxy.run(0.5)
    page.show()
    after = other(page)
    assert after[0] - before[0] > 0.3, "it drives"
    assert points(part, 1)[0] == pytest.approx(after + POINT, abs=0.02)
    assert np.array_equal(points(part, 0), still)
    part._stage.set_size(0.3)
    assert [handle.point_size for handle in part._stage._handles[LIDAR]] == [0.3, 0.3]


def test_a_reading_that_comes_before_its_picture_waits_for_it(page, part):
    page.proxy.run(0.3)
    hear(page, part)
    assert part._stage.points_of(LIDAR) == 0
    page.show()
    assert part._stage.points_of(LIDAR) == 360
    assert points(part, 1)[0] == pytest.approx(other(page) + POINT, abs=0.02)


def test_a_waiting_reading_of_a_sensor_that_is_chosen_no_longer_is_not_shown(page, part):
    page.proxy.run(0.3)
    hear(page, part)
    change(part._boxes[LIDAR], False)
    page.show()
    assert part._stage.points_of(LIDAR) == 0
    page.show()
    assert LIDAR not in part._stage._handles
