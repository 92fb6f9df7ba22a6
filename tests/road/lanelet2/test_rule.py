"""Tags that say who may drive where, as Lanelet2's own rules take them (measured with its wheel, 1.2.3)."""

from __future__ import annotations

import pytest

from dorosim.road.lanelet2.rule import is_drivable, is_one_way, may_change, speed_from, usual_speed


@pytest.mark.parametrize(
    ("tags", "drivable"),
    [
        ({}, True),
        ({"subtype": "road"}, True),
        ({"subtype": "highway"}, True),
        ({"subtype": "play_street"}, True),
        ({"subtype": "exit"}, True),
        ({"subtype": "bus_lane"}, False),
        ({"subtype": "road_shoulder"}, False),
        ({"subtype": "walkway"}, False),
        ({"subtype": "walkway", "participant:vehicle": "yes"}, True),
        ({"subtype": "road", "participant:pedestrian": "yes"}, False),
        ({"subtype": "road", "participant:vehicle:bus": "yes"}, False),
        ({"subtype": "road", "participant:vehicle": "no"}, False),
        ({"subtype": "road", "participant": "yes"}, True),
        ({"subtype": "bus_lane", "participant:vehicle:car": "yes"}, True),
        ({"subtype": "road", "participant:vehicle": "no", "participant:vehicle:car": "yes"}, False),
        ({"subtype": "road", "participant:vehicle": "yes", "participant:vehicle:car": "no"}, True),
    ],
)
def test_who_drives(tags, drivable):
    assert is_drivable(tags) is drivable


def test_one_way():
    assert is_one_way({})
    assert is_one_way({"one_way": "maybe"})
    assert not is_one_way({"one_way": "no"})
    assert not is_one_way({"one_way": "yes", "one_way:vehicle": "no"})


@pytest.mark.parametrize(
    ("tags", "left", "right"),
    [
        ({"type": "line_thin", "subtype": "dashed"}, True, True),
        ({"type": "line_thick", "subtype": "dashed"}, True, True),
        ({"type": "line_thin", "subtype": "solid"}, False, False),
        ({"type": "line_thin", "subtype": "dashed_solid"}, False, True),
        ({"type": "line_thin", "subtype": "solid_dashed"}, True, False),
        ({"type": "virtual"}, False, False),
        ({"type": "curbstone", "subtype": "low"}, False, False),
        ({"subtype": "dashed"}, False, False),
        ({}, False, False),
        ({"type": "line_thin", "subtype": "solid", "lane_change": "yes"}, True, True),
        ({"type": "line_thin", "subtype": "dashed", "lane_change": "no"}, False, False),
        ({"type": "line_thin", "subtype": "dashed", "lane_change": "perhaps"}, False, False),
        ({"type": "line_thin", "subtype": "solid", "lane_change:left": "yes"}, True, False),
        ({"type": "line_thin", "subtype": "dashed", "lane_change:right": "yes"}, False, True),
    ],
)
def test_who_changes_lanes(tags, left, right):
    assert may_change(tags) == (left, right)


@pytest.mark.parametrize(
    ("text", "kmh"),
    [
        *(("50", 50.0), ("50 km/h", 50.0), ("50km/h", 50.0), (" 50 kmh ", 50.0), ("15 m/s", 54.0), ("15 mps", 54.0)),
        *(("30 mph", 48.28032), ("", None), ("fast", None), ("-3", None), ("0", None), ("nan", None), ("inf", None)),
        *(("1e9", None), ("50 knots", None)),
    ],
)
def test_speeds(text, kmh):
    found = speed_from(text)
    assert found is None if kmh is None else found * 3.6 == pytest.approx(kmh)


def test_usual_speeds():
    assert usual_speed({}) * 3.6 == pytest.approx(50.0)
    assert usual_speed({"location": "nonurban"}) * 3.6 == pytest.approx(100.0)
    assert usual_speed({"subtype": "highway"}) * 3.6 == pytest.approx(130.0)
