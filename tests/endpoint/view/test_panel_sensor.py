"""Sensors that visitors choose, and what is shown of them."""

from __future__ import annotations

import pickle

import msgspec
import numpy as np
import pytest

from dorosim.endpoint.view.panel.sensor import SensorsPart
from dorosim.sensor.pose import Pose
from dorosim.sensor.reading import GpsReading
from dorosim.world.mount.command import AddSensor, SetSensor
from dorosim.world.mount.setting import GpsSettings, GroundTruthSettings
from dorosim.world.snapshot import EGO
from tests.endpoint.view.stage import VISITOR, change

GPS = 5


@pytest.fixture
def part(page, monkeypatch):
    monkeypatch.setattr(page.context.server, "get_clients", lambda: {VISITOR: None})
    page.listened = []
    page.proxy.listen = page.listened.append
    page.proxy.do(AddSensor(EGO, settings=GpsSettings(), sensor=GPS))
    return page.add(SensorsPart)


def hear(page, part, seconds, east):
    """A fix comes, as the run tells of it."""
    page.context.poses = {GPS: Pose(np.array([east, 0.0, 0.0]), np.eye(3))}
    part.hear(pickle.loads(pickle.dumps((GpsReading(sensor=GPS, time=round(seconds * 1e9), east=east),))))


def line(part):
    """The line of the track; None where none is shown."""
    return part._stage._handles.get(GPS, [None])[0]


def length(handle) -> float:
    return float(np.linalg.norm(np.diff(handle.points, axis=1), axis=2).max())


def test_a_track_begins_anew_with_the_run(page, part):
    for second, east in enumerate((50.0, 51.0, 52.0), 1):
        hear(page, part, second, east)
    assert length(line(part)) == pytest.approx(1.0)
    hear(page, part, 0.1, 0.0)
    assert line(part) is None, "there is one fix of the new track"
    hear(page, part, 0.2, 1.0)
    assert length(line(part)) == pytest.approx(1.0), "no line leads from the old place to the new one"


def test_what_is_chosen_no_longer_goes_and_does_not_come_back(page, part):
    assert page.listened == [frozenset({GPS})]
    for second in (1, 2):
        hear(page, part, second, 50.0 + second)
    shown = line(part)
    change(part._boxes[GPS], False)
    assert page.listened[-1] == frozenset()
    assert line(part) is shown, "a reading may be in hand on the other thread: it goes with the next snapshot"
    hear(page, part, 3, 53.0)
    page.show()
    assert line(part) is None
    hear(page, part, 4, 54.0)
    assert line(part) is None, "one that was on its way"
    change(part._boxes[GPS], True)
    for second in (5, 6):
        hear(page, part, second, 50.0 + second)
    assert line(part) is not None


def test_the_volume_of_ground_truth_is_drawn_while_it_is_wanted(page, part, monkeypatch):
    """Under the frame of its vehicle, so that it comes along."""
    drawn, add = [], page.context.server.scene.add_line_segments
    monkeypatch.setattr(
        page.context.server.scene,
        "add_line_segments",
        lambda name, *given, **how: drawn.append((name, given[0])) or add(name, *given, **how),
    )
    truth = GroundTruthSettings(range_max=20.0, segments=8)
    page.proxy.do(AddSensor(EGO, settings=truth, sensor=9))
    page.show()
    assert drawn == []
    page.proxy.do(SetSensor(9, settings=msgspec.structs.replace(truth, drawn=True)))
    page.show()
    ((name, edges),) = drawn
    assert name == f"/sensors/on_{EGO}/9/range"
    assert np.hypot(edges[..., 0], edges[..., 1]).max() == pytest.approx(20.0)
    page.proxy.do(SetSensor(9, settings=truth))
    page.show()
    assert len(drawn) == 1
