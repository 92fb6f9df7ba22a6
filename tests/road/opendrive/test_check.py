"""What `check_opendrive` finds in files that can be read."""

from __future__ import annotations

import pytest

from dorosim.road.check import Severity
from dorosim.road.opendrive.check import check_opendrive, left_out_of
from dorosim.road.opendrive.reader import read_opendrive
from tests.road.opendrive.sample import LANES, LINE, every_element, road, town
from tests.shared import shared

GAP = """
<geometry s="0" x="0" y="0" hdg="0" length="50"><line/></geometry>
<geometry s="50" x="50" y="{}" hdg="0" length="50"><line/></geometry>
"""


def link(end, kind, number):
    return f'<link><{end} elementType="{kind}" elementId="{number}" contactPoint="start"/></link>'


def lane_link(end, number):
    return LANES.replace(
        '<lane id="-1" type="driving" level="false">', f'<lane id="-1"><link><{end} id="{number}"/></link>'
    )


def junction(content):
    return f'<junction id="9">{content}</junction>'


FOUND = {
    "unknown road": ([road(more=link("successor", "road", 5))], "error", "unknown-road"),
    "unknown junction": ([road(more=link("predecessor", "junction", 5))], "error", "unknown-junction"),
    "junction of a road": ([road(attributes='id="1" junction="5"')], "error", "unknown-junction"),
    "incoming road": ([road(), junction('<connection id="0" incomingRoad="7"/>')], "error", "unknown-road"),
    "controller": ([road(), junction('<controller id="7"/>')], "warning", "unknown-controller"),
    "signal": ([road(), '<controller id="7"><control signalId="8"/></controller>'], "warning", "unknown-signal"),
    "signals of one id": (
        [road(more='<signals><signal id="1" s="1" t="0"/><signal id="1" s="2" t="0"/></signals>')],
        "warning",
        "duplicate-id",
    ),
    "gap": ([road(plan=GAP.format(0.1))], "warning", "gap"),
    "wide gap": ([road(plan=GAP.format(3))], "error", "gap"),
    "length": ([road(length=99.0)], "warning", "length"),
    "no lanes": ([road(lanes="")], "warning", "no-lanes"),
    "lane numbers": ([road(lanes=LANES.replace('id="1"', 'id="2"'))], "warning", "lane-numbers"),
    "unknown lane": (
        [road(lanes=lane_link("successor", -2) + LANES.replace('s="0"', 's="50"', 1))],
        "warning",
        "unknown-lane",
    ),
    "unknown lane of the next road": (
        [road(lanes=lane_link("successor", -2), more=link("successor", "road", 2)), road(attributes='id="2"')],
        "warning",
        "unknown-lane",
    ),
}


@pytest.mark.parametrize(("parts", "severity", "kind"), FOUND.values(), ids=FOUND)
def test_it_is_found(parts, severity, kind):
    assert [(one.severity.value, one.kind) for one in check_opendrive(town(*parts))] == [(severity, kind)]


def test_a_sound_file_has_no_problem():
    joined = road(lanes=lane_link("successor", -1), more=link("successor", "road", 2))
    assert check_opendrive(town(joined, road(plan=GAP.format(0), attributes='id="2"'))) == []
    assert check_opendrive(town(road(plan=LINE))) == []


def test_a_map_of_the_shared_material_has_no_error():
    town = read_opendrive("Town01.xodr", shared("opendrive/Town01.xodr").read_bytes())
    assert [one for one in check_opendrive(town) if one.severity is Severity.ERROR] == []


def test_what_is_not_supported_is_named_with_its_count():
    lines = left_out_of(read_opendrive("every.xodr", every_element()))
    assert "every.xodr: 2 x road/railroad: not supported" in lines
    assert "every.xodr: 1 x surface/CRG: not supported" in lines
