"""Sensors that visitors add, move and take off, windows with pictures, and how the points of lidars look."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.view.sensor import PointColour, box_colours, ramp_colours
from dorosim.endpoint.view.panel.mount import LIDAR_ROOF, SETTINGS
from dorosim.endpoint.view.panel.sensor import SensorsPart
from dorosim.sensor.pose import Pose
from dorosim.sensor.reading import CameraReading
from dorosim.sensor.scene.placement import ActorPlacement
from dorosim.sensor.scene.semantic import Semantic
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import CameraSettings, LidarIntensity
from dorosim.world.snapshot import EGO
from tests.endpoint.view.stage import VISITOR, change, click


@pytest.fixture
def part(page, monkeypatch):
    monkeypatch.setattr(page.context.server, "get_clients", lambda: {VISITOR: None})
    page.listened = []
    page.proxy.listen = page.listened.append
    return page.add(SensorsPart)


@pytest.mark.parametrize("kind", list(SETTINGS))
def test_each_kind_is_added_where_the_fields_say_and_is_listed(page, part, kind):
    folder = part._mounting
    change(folder._kind, kind)
    change(folder._rate, 8.0)
    change(folder._place, (1.0, -0.5, 2.0))
    change(folder._turn, (0.0, 10.0, 90.0))
    click(folder._add)
    page.show()
    mount = page.now.mounts.mount(0)
    assert mount.settings == SETTINGS[kind]()
    assert mount.actor == EGO
    assert mount.position == pytest.approx((1.0, -0.5, 2.0))
    assert mount.rotation == pytest.approx((0.0, math.radians(10.0), math.radians(90.0)))
    assert mount.period == 125_000_000
    assert page.context.notes == [f"Sensors: {kind} on vehicle {EGO}"]
    assert folder._which.options == (f"{kind} {mount.id}",)
    assert page.listened[-1] == frozenset({mount.id}), "a new one is shown"


def test_one_that_was_just_added_is_chosen_and_a_lidar_begins_above_the_roof(page, part):
    page.proxy.do(AddSensor(EGO, settings=CameraSettings(), sensor=4, position=(1.5, 0.0, 1.4)))
    page.show()
    folder = part._mounting
    change(folder._which, folder._which.options[0])
    change(folder._kind, "lidar")
    assert folder._place.value == LIDAR_ROOF
    click(folder._add)
    page.show()
    assert folder._which.value.startswith("lidar ")
    change(folder._which, folder._which.options[0])
    page.show()
    assert folder._which.value.startswith("camera "), "what a visitor chooses stays"


def test_a_sensor_is_moved_from_where_it_is_and_taken_off(page, part):
    page.proxy.do(AddSensor(EGO, settings=CameraSettings(), sensor=4, position=(1.5, 0.0, 1.4)))
    page.show()
    folder = part._mounting
    change(folder._which, folder._which.options[0])
    assert folder._place.value == pytest.approx((1.5, 0.0, 1.4))
    change(folder._place, (1.5, 0.0, 3.0))
    click(folder._move)
    assert page.now.mounts.mount(0).position == pytest.approx((1.5, 0.0, 3.0))
    click(folder._remove)
    page.show()
    assert len(page.now.mounts) == 0
    page.context.notes.clear()
    click(folder._move)
    assert "none is chosen" in page.context.notes[0]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("_place", (math.nan, 0.0, 0.0)),
        ("_place", (1e9, 0.0, 0.0)),
        ("_place", (0.0, 0.0)),
        ("_turn", (0.0, math.inf, 0.0)),
        ("_rate", math.nan),
        ("_rate", 1e12),
        ("_kind", "sonar"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(page, part, field, value):
    folder = part._mounting
    getattr(folder, field)._impl.value = value
    click(folder._add)
    assert len(page.now.mounts) == 0
    (note,) = page.context.notes
    assert note.startswith("Sensors: ")


def picture(page, part, sensor: int) -> None:
    """A picture comes."""
    image = np.zeros((20, 30, 3), np.uint8)
    part.hear((CameraReading(sensor=sensor, time=1, image=image),))


def test_pictures_are_in_the_tab_or_in_windows_of_their_own(page, part):
    for sensor in (4, 5):
        page.proxy.do(AddSensor(EGO, settings=CameraSettings(), sensor=sensor))
    page.show()
    panes = part._pictures
    for sensor in (4, 5):
        picture(page, part, sensor)
    assert [pane.window for pane in panes._panes.values()] == [None, None]
    panes.windowed = True
    for sensor in (4, 5):
        picture(page, part, sensor)
    windows = [pane.window for pane in panes._panes.values()]
    assert len({id(window) for window in windows}) == 2
    assert None not in windows
    change(part._boxes[4], False)
    page.show()
    assert list(panes._panes) == [5]
    panes.windowed = False
    picture(page, part, 5)
    assert panes._panes[5].window is None


def test_points_are_coloured_by_what_is_chosen(page, part):
    stage, points = part._stage, np.array([[50.0, 0.0, 0.5], [80.0, 3.0, 0.5]])
    pose = Pose(np.array([0.0, 0.0, 2.0]), np.eye(3))
    intensity = np.array([10.0, 200.0])

    def colours(choice: PointColour, told: LidarIntensity = LidarIntensity.REFLECTIVITY) -> np.ndarray:
        stage.set_colour(choice)
        return stage._colours(points, intensity, told, pose)

    assert np.array_equal(colours(PointColour.INTENSITY), ramp_colours(intensity, 0.0, 255.0))
    by_height = ramp_colours(np.array([-1.5, -1.5]), -3.0, 7.0)
    assert np.array_equal(colours(PointColour.HEIGHT), by_height)
    assert np.array_equal(colours(PointColour.USUAL), by_height)
    by_class = colours(PointColour.USUAL, LidarIntensity.SEMANTIC)
    assert not np.array_equal(by_class, by_height)
    assert np.array_equal(colours(PointColour.CLASS, LidarIntensity.SEMANTIC), by_class)
    assert np.array_equal(colours(PointColour.HEIGHT, LidarIntensity.SEMANTIC), by_height)
    assert colours(PointColour.CLASS).tolist() == [list(Semantic.SEDAN.rgb), [120, 120, 120]]


def test_who_stands_in_the_way_is_told_by_class_but_the_road_beneath_is_not(page):
    placed = ActorPlacement(page.run.scene, page.run.models).of(page.now)
    points = np.array([[60.0, -8.0, 1.0], [100.0, 0.0, 0.8], [51.0, 0.0, 0.01], [60.0, -8.0, 5.0]])
    found = box_colours(points, placed, page.run.models)
    label = int(page.run.models.label[page.run.models.person[0]])
    assert found[0].tolist() == next(list(one.rgb) for one in Semantic if one == label)
    assert found[1].tolist() != [120, 120, 120]
    assert found[2:].tolist() == [[120, 120, 120]] * 2
    assert len(box_colours(points[:0], placed, page.run.models)) == 0


def test_the_size_of_points_changes_at_once_and_must_be_one(page, part):
    part._stage.set_size(0.3)
    assert part._stage.point_size == 0.3
    for wrong in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="size"):
            part._stage.set_size(wrong)
    assert part._stage.point_size == 0.3
