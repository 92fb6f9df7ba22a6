"""What dorosim keeps in a file for itself may be broken or out of date: then the file is read as any other."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.export.writer import write_opendrive
from dorosim.road.opendrive.own_data import profile_of, profile_text
from dorosim.road.opendrive.reader import read_opendrive
from tests.road.opendrive.exported import two_lanes, written_map

BROKEN = (
    "",
    "nan",
    "-1",
    "999999999999999999999",
    "[[[[",
    "[1, null, {}]",
    '{"states": [[1, 2, 3], 4]}',
    "0 1 0 2",
    "x",
)
VALUE = re.compile(r'(<userData code="([a-z.]+)" value=")[^"]*"')


@cache
def part_of_town() -> str:
    """The roads of the town that have lights, and a few more, as a file."""
    town = written_map("town").read
    lights = [road for road in town.roads if any(signal.dynamic for signal in road.signals)]
    others = [road for road in town.roads if road.objects and road not in lights]
    roads = (*lights[:50], *others[:20])
    return write_opendrive(replace(town, roads=roads, junctions=())).decode()


def back(content: str):
    found = map_from_opendrive(read_opendrive("own.xodr", content.encode()), "own")
    return found, network_from_mgeo(found)


def codes() -> list[str]:
    return sorted({match[2] for match in VALUE.finditer(part_of_town())})


def test_all_of_it_is_tried():
    assert len(codes()) > 15
    found, network = back(part_of_town())
    assert found.traffic_lights
    assert found.intersection_controllers
    assert network.link_count > 60


@pytest.mark.parametrize("value", BROKEN)
def test_what_is_broken_is_passed_over(value):
    """All of it at once, and each code alone, with one of the values in turn."""
    shown = value.replace('"', "&quot;")
    _, network = back(VALUE.sub(rf'\g<1>{shown}"', part_of_town()))
    assert network.link_count > 60
    for code in codes()[BROKEN.index(value) :: len(BROKEN)]:
        changed = re.sub(rf'(<userData code="{re.escape(code)}" value=")[^"]*"', rf'\g<1>{shown}"', part_of_town())
        assert back(changed)[1].link_count > 60


def test_two_lanes_of_one_name_have_names_of_their_own():
    content = two_lanes().content.decode().replace('value="right"', 'value="left"')
    assert back(content)[1].link_ids == ("0_0_-1", "0_0_-2")


def test_lanes_that_somebody_makes_wider_are_wider():
    """Rooms beside lanes are kept apart from their widths, so what is changed in the file counts."""
    one = two_lanes()
    road = one.read.roads[0]
    section = road.lane_sections[0]
    lanes = [
        replace(lane, widths=tuple(replace(width, a=width.a + 0.4) for width in lane.widths)) if lane.id else lane
        for lane in section.lanes
    ]
    changed = replace(one.read, roads=(replace(road, lane_sections=(replace(section, lanes=tuple(lanes)),)),))
    _, network = back(write_opendrive(changed).decode())
    assert network.link_ids == ("left", "right")
    assert network.width_at(0, 30.0)[0] == pytest.approx(one.network.width_at(0, 30.0)[0] + 0.4, abs=0.01)


def test_a_road_cut_in_two_is_read_as_it_is():
    one = two_lanes()
    road = one.read.roads[0]
    section = road.lane_sections[0]
    cut = replace(road, lane_sections=(section, replace(section, s=30.0)))
    assert all("_" in name for name in back(write_opendrive(replace(one.read, roads=(cut,))).decode())[1].link_ids)


def test_a_profile_is_what_it_was():
    share = np.linspace(0.0, 1.0, 101)
    value = np.where(share < 0.5, 0.1, 0.1 + 3.0 * (share - 0.5))
    s, found = profile_of(profile_text(share, value, 0.002), 50.0)
    assert len(s) < 6
    assert np.abs(np.interp(share * 50.0, s, found) - value).max() <= 0.0021
    assert profile_text(share, 0.001 * share, 0.002) == ""
    for text in ("", "1", "0 nan", "0.5 1 0.4 2", "0 1 2 3", "a b", "0 1e30"):
        assert not len(profile_of(text, 10.0)[0])
