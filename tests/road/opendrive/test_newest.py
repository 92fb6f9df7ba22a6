"""Files of OpenDRIVE written again: nothing that is read of them is lost, and lanes stay where they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dorosim.road.opendrive.export.newest import newest_form
from dorosim.road.opendrive.export.writer import write_opendrive
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.plan_record import Poly3Shape
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap
from tests.road.opendrive.sample import every_element, road, town
from tests.shared import shared

FILES = (
    "opendrive/Town01.xodr",
    "openscenario/resources/xodr/fabriksgatan_traffic_lights.xodr",
    "openscenario/resources/xodr/e6mini-lht.xodr",
    "openscenario/resources/xodr/soderleden.xodr",
    "openscenario/ncap/OpenDRIVE/NCAP/X-Intersection_NCAP.xodr",
)
POLY3 = '<geometry s="0" x="1" y="2" hdg="0.3" length="40"><poly3 a="0" b="0.1" c="0.004" d="-0.0001"/></geometry>'
CROSSFALL = '<lateralProfile><crossfall side="both" s="0" a="0.02" b="0" c="0" d="0"/></lateralProfile>'


def again(one: OpenDriveMap) -> OpenDriveMap:
    return read_opendrive(one.source, write_opendrive(one))


def with_words(road: OdrRoad) -> OdrRoad:
    """A road whose signals have the word for no type and no subtype, which the schema asks for."""
    signals = (replace(one, type=one.type or "none", subtype=one.subtype or "none") for one in road.signals)
    return replace(road, signals=tuple(signals))


def content_of(name: str) -> bytes:
    return every_element() if name == "every" else shared(name).read_bytes()


@pytest.mark.parametrize("name", ["every", *FILES])
def test_nothing_that_is_read_is_lost(name):
    one = read_opendrive(name, content_of(name))
    found = again(one)
    assert found == replace(one, unsupported={}, notices=found.notices, roads=tuple(map(with_words, one.roads)))


@pytest.mark.parametrize("name", ["every", *FILES])
def test_lanes_stay_where_they_are(name):
    one = read_opendrive(name, content_of(name))
    found = again(newest_form(one))
    assert found.header.rev_minor == (5 if any(road.crossfalls for road in one.roads) else 8)
    for before, after in zip(one.roads, found.roads, strict=True):
        lines = RoadLines(before), RoadLines(after)
        for section in range(len(before.lane_sections)):
            s = np.linspace(*lines[0].section_ends(section), 7)
            for lane, points in lines[0].lanes_at(section, s).items():
                assert np.allclose(points, lines[1].lanes_at(section, s)[lane], atol=1e-9, rtol=0.0), (before.id, lane)


def test_a_cubic_in_u_becomes_one_in_a_parameter():
    one = town(road(plan=POLY3, length=40))
    found = again(newest_form(one))
    assert isinstance(one.roads[0].geometries[0].shape, Poly3Shape)
    assert not isinstance(found.roads[0].geometries[0].shape, Poly3Shape)
    s = np.linspace(0.0, 40.0, 50)
    before, after = (RoadLines(each.roads[0]).reference.at(s) for each in (one, found))
    for name in ("x", "y", "heading", "curvature"):
        assert np.allclose(getattr(before, name), getattr(after, name), atol=1e-8, rtol=0.0)


def test_crossfall_stays_in_the_last_version_that_has_it():
    one = town(road(profiles=CROSSFALL))
    assert again(newest_form(one)).header.rev_minor == 5
    assert again(newest_form(one)).roads == one.roads
