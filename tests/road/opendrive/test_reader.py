"""Records of OpenDRIVE files, and what is refused."""

from __future__ import annotations

import re

import pytest

from dorosim.ground.error import InputError
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.record import ArcShape, ParamPoly3Shape, Poly3Shape, SpiralShape, StraightShape
from tests.road.opendrive.sample import LANES, LINE, document, every_element, road, town


@pytest.fixture(scope="module")
def everything():
    return read_opendrive("every.xodr", every_element())


def test_header(everything):
    header = everything.header
    assert (header.rev_major, header.rev_minor, header.north, header.west) == (1, 8, 1.0, -2.0)
    assert header.geo_reference == "+proj=tmerc +lat_0=37 +lon_0=127"
    assert header.offset is not None
    assert (header.offset.x, header.offset.y, header.offset.z, header.offset.hdg) == (100.0, 200.0, 3.0, 0.5)


def test_plan_view(everything):
    shapes = [one.shape for one in everything.roads[0].geometries]
    kinds = [StraightShape, SpiralShape, ArcShape, Poly3Shape, ParamPoly3Shape, ParamPoly3Shape]
    assert [type(one) for one in shapes] == kinds
    assert shapes[1] == SpiralShape(curv_start=0.0, curv_end=0.02)
    assert [shapes[4].p_range, shapes[5].p_range] == ["arcLength", "normalized"]


def test_road(everything):
    one, other = everything.roads
    assert (one.id, one.rule, other.rule, other.junction) == ("1", "RHT", "LHT", "10")
    assert one.predecessor.element_type == "junction"
    assert (one.successor.element_id, one.successor.contact_point) == ("2", "start")
    assert one.types[0].max_speed == pytest.approx(26.8224)
    assert [one.a for one in one.elevations] == [1.0, 1.5]
    assert [(one.s, one.t) for one in one.shapes] == [(0.0, -8.0), (0.0, 0.0), (60.0, -8.0)]
    assert one.crossfalls[0].side == "both"


def test_lanes(everything):
    section, single = everything.roads[0].lane_sections
    assert [lane.id for lane in section.lanes] == [2, 1, 0, -1, -2]
    assert single.single_side
    walk, left, centre, right, parking = section.lanes
    assert walk.level
    assert walk.heights[0].outer == 0.15
    assert (left.direction, left.predecessors, left.successors) == ("reversed", (1,), (1,))
    assert [one.s for one in right.widths] == [0.0, 30.0]
    assert right.speeds[0].max_speed == pytest.approx(13.888889)
    assert right.speeds[1].max_speed is None
    assert [(one.rule, one.restrictions) for one in right.accesses] == [
        ("allow", ("bus",)),
        ("deny", ("trucks", "bicycle")),
    ]
    assert (right.materials[0].friction, right.road_marks[0].lane_change) == (0.9, "increase")
    mark = centre.road_marks[0]
    assert (mark.type, mark.color, mark.type_name, mark.lines[0].t_offset) == ("solid solid", "yellow", "double", 0.1)
    assert (mark.explicit_lines[0].s_offset, mark.sways[0].a) == (1.0, 0.1)
    assert parking.borders[0].a == -7.0


def test_objects(everything):
    one = everything.roads[0]
    crosswalk, pole, space = one.objects
    assert [corner.local for corner in crosswalk.outlines[0].corners] == [True, False]
    assert crosswalk.markings[0].corner_references == ("1", "2")
    assert (crosswalk.borders[0].outline_id, crosswalk.validities[0].from_lane) == ("1", -2)
    assert (pole.radius, pole.length, pole.repeats[0].t_end, pole.repeats[0].width_start) == (0.2, None, 7.0, None)
    assert len(pole.outlines) == 1
    assert space.parking_space.access == "women"
    assert (one.object_references[0].id, one.tunnels[0].lighting, one.bridges[0].type) == ("8", 0.3, "steel")


def test_signals(everything):
    light, sign = everything.roads[0].signals
    assert (light.dynamic, sign.dynamic, light.value, sign.value) == (True, False, None, 50.0)
    assert (light.dependencies[0].id, light.references[0].element_id) == ("s2", "8")
    assert (light.map_position.x, sign.road_position.road_id) == (91.0, "2")
    assert everything.roads[0].signal_references[0].id == "s1"
    assert everything.controllers[0].signals[0].signal_id == "s1"


def test_junctions(everything):
    plain, virtual, crossed, direct = everything.junctions
    (path,) = crossed.cross_paths
    assert (path.crossing_road, path.road_at_start, path.road_at_end) == ("2", "1", "1")
    assert (path.start.s, path.start.from_lane, path.end.to_lane) == (5.0, 2, -1)
    assert [one.type for one in everything.junctions] == ["default", "virtual", "virtual", "direct"]
    link = plain.connections[0].lane_links[0]
    assert (link.from_lane, link.to_lane, plain.priorities[0].high, plain.controllers[0].id) == (-1, -1, "2", "c")
    assert (virtual.main_road, virtual.s_start, virtual.s_end) == ("1", 3.0, 9.0)
    assert (direct.connections[0].linked_road, direct.connections[0].contact_point) == ("2", "end")


def test_what_is_not_supported_is_counted(everything):
    assert everything.unsupported == {"junction/boundary": 1, "road/railroad": 2, "surface/CRG": 1}


def test_a_namespace_changes_nothing():
    plain = document(road())
    space = b'<OpenDRIVE xmlns="http://code.asam.net/simulation/standard/opendrive_schema">'
    assert read_opendrive("a", plain.replace(b"<OpenDRIVE>", space)) == read_opendrive("a", plain)


def test_geometries_without_length_are_left_out():
    tiny = '<geometry s="0" x="0" y="0" hdg="0" length="1e-14"><arc curvature="3"/></geometry>'
    found = town(road(plan=tiny + LINE))
    assert len(found.roads[0].geometries) == 1
    assert found.notices == ("road 1: 1 geometries without length are left out",)


def geometry(shape, length="100"):
    return f'<geometry s="0" x="0" y="0" hdg="0" length="{length}">{shape}</geometry>'


REFUSED = {
    "no XML": (b"{}", "is not well-formed XML"),
    "nothing": (b"", "is not well-formed XML"),
    "another root": (b"<osm/>", "the root is <osm>, not <OpenDRIVE>"),
    "a document type": (b'<!DOCTYPE a [<!ENTITY b "c">]><OpenDRIVE/>', "has a document type"),
    "a document type in UTF-16": (
        '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><OpenDRIVE/>'.encode("utf-16"),
        "type",
    ),
    "no road": (document(), "has no road"),
    "another version": (document(road(), header='<header revMajor="2" revMinor="0"/>'), "OpenDRIVE 2 is not supported"),
    "two roads of an id": (document(road(), road()), "road 1: two roads have this id"),
    "no id": (document(road(attributes="")), "line 2, <road>, attribute 'id': is missing"),
    "no geometry": (document(road(plan="")), "line 2, road 1, <road>: has no geometry"),
    "no shape": (document(road(plan=geometry(""))), "<geometry>: has no shape"),
    "not a number": (document(road(plan=geometry("<arc curvature='NaN'/>"))), "road 1, <arc>, attribute 'curvature'"),
    "infinity": (document(road(plan=geometry("<line/>", "inf"))), "attribute 'length': expected a finite number"),
    "a word": (document(road(plan=geometry("<arc curvature='left'/>"))), "expected a finite number, found 'left'"),
    "no curvature": (document(road(plan=geometry("<arc/>"))), "attribute 'curvature': is missing"),
    "enormous": (document(road(plan=geometry("<arc curvature='1e300'/>"))), "1e+300 is beyond any map"),
    "a wound road": (document(road(plan=geometry("<arc curvature='1000'/>"))), "the road turns by 100000 rad"),
    "a point": (
        document(road(plan=geometry("<paramPoly3 aU='0' bU='0' cU='0' dU='0' aV='1' bV='0' cV='0' dV='0'/>"))),
        "the curve is a point",
    ),
    "a negative length": (document(road(plan=geometry("<line/>", "-5"))), "-5 is less than 0"),
    "a road of no length": (document(road(length=0.0)), "attribute 'length': 0 is not a length of a road"),
    "a road of too much length": (document(road(length=200.0)), "its geometries end at 100 m"),
    "another side": (document(road(attributes='id="1" rule="UK"')), "attribute 'rule': expected one of RHT, LHT"),
    "a lane on the wrong side": (document(road(lanes=LANES.replace('"-1"', '"2"'))), "2 cannot be in <right>"),
    "a lane of no number": (document(road(lanes=LANES.replace('"-1"', '"x"'))), "expected a whole number, found 'x'"),
    "a huge lane": (document(road(lanes=LANES.replace('"-1"', '"-9e9"'))), "expected a whole number"),
    "a lane twice": (
        document(road(lanes=LANES.replace("</left>", '<lane id="1"/></left>'))),
        "two lanes of the section have the id 1",
    ),
    "a wrong flag": (
        document(road(lanes=LANES.replace('"false"', '"maybe"'))),
        "expected true or false, found 'maybe'",
    ),
    "another unit": (
        document(road(more='<type s="0" type="town"><speed max="5" unit="knots"/></type>')),
        "attribute 'unit': expected one of m/s, km/h, mph",
    ),
}


@pytest.mark.parametrize(("content", "message"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused_with_its_place(content, message):
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read_opendrive("bad.xodr", content)
    assert str(caught.value).startswith("bad.xodr: ")
    assert "\n" not in str(caught.value)


def test_entities_are_not_expanded_and_files_not_included(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    include = f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="{secret}"/>'
    found = town(road(), header=f'<header revMajor="1" revMinor="8"><geoReference>{include}</geoReference></header>')
    assert "secret" not in found.header.geo_reference
    assert found.unsupported == {"geoReference/include": 1}


def test_lines_are_named_beyond_65535():
    found = document("\n" * 70_000, road(plan=geometry("\n<arc/>\n")))
    with pytest.raises(InputError, match=r"line 700\d\d, road 1"):
        read_opendrive("long.xodr", found)
