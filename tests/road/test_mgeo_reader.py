"""The reader against two real maps, the quirks of every generation of files, and files that are broken."""

import json
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.ground.error import InputError
from dorosim.road.check import check_map
from dorosim.road.mgeo import record
from dorosim.road.mgeo.reader import read_mgeo
from dorosim.road.network import network_from_mgeo
from tests.road.real_map import SUBURB, TRACK, real_files, real_map

NODES = [{"idx": "A", "point": [0, 0, 0]}, {"idx": "B", "point": [10, 0, 0]}]
LINK = {"idx": "L", "from_node_idx": "A", "to_node_idx": "B", "points": [[0, 0, 0], [10, 0, 0]]}


def read(nodes=NODES, links=(LINK,), **files):
    """A map from Python values; `lane_node_set=[...]` stands for lane_node_set.json."""
    content = {"node_set": nodes, "link_set": links if isinstance(links, bytes) else list(links), **files}
    return read_mgeo("M", {name if "." in name else f"{name}.json": to_bytes(v) for name, v in content.items()})


def to_bytes(value):
    return value if isinstance(value, bytes) else json.dumps(value).encode()


# --- real maps ---------------------------------------------------------------------------------------------------


def test_suburb_has_the_records_that_its_files_hold():
    m = real_map(SUBURB)
    counts = {
        "nodes": 304,
        "links": 450,
        "lane_nodes": 992,
        "lane_boundaries": 742,
        "traffic_lights": 68,
        "synced_traffic_lights": 26,
        "intersection_controllers": 8,
        "intersection_programmes": 8,
    }
    assert {name: len(getattr(m, name)) for name in counts} == counts
    assert sum(link.lazy_init for link in m.links) == 132
    assert (m.info.major, m.info.minor) == (2, 9)
    assert m.info.coordinate_system.startswith("+proj=tmerc")
    assert m.info.license == "MORAI Inc."


def test_suburb_keeps_every_value_of_a_record():
    raw = {item["idx"]: item for item in json.loads(real_files(SUBURB)["link_set.json"])}
    for link in real_map(SUBURB).links:
        item = raw[link.idx]
        assert link.points.tolist() == item["points"]
        assert link.max_speed == item["max_speed"]
        assert link.related_signal == item["related_signal"]
        assert link.lane_ch_link_path == item["lane_ch_link_path"]
        assert link.opp_traffic == item["oppTraffic"]


def test_of_suburbs_two_programme_files_the_one_that_fits_the_controllers_is_taken():
    m = real_map(SUBURB)
    groups = {controller.idx: len(controller.TL) for controller in m.intersection_controllers}
    for programme in m.intersection_programmes:
        assert {len(state.lightcolor) for state in programme.TLState} == {groups[programme.idx]}
    assert any("synced_traffic_light_state.json: left out" in notice for notice in m.notices)


def test_track_without_global_info_is_read_with_a_notice():
    m = real_map(TRACK)
    assert (len(m.nodes), len(m.links)) == (212, 212)
    assert m.info.coordinate_system == ""
    assert any("global_info.json" in notice for notice in m.notices)


# --- generations -------------------------------------------------------------------------------------------------


def test_a_link_of_version_2_5_gets_the_defaults():
    link = read().links[0]
    assert (link.max_speed, link.width_start, link.width_end, link.lazy_init) == (50.0, 3.5, 3.5, False)


def test_without_permission_keys_a_named_neighbour_may_be_changed_into():
    link = read(links=[LINK | {"left_lane_change_dst_link_idx": "L"}]).links[0]
    assert link.can_move_left_lane
    assert not link.can_move_right_lane


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [("oppTraffic", "opp_traffic", True), ("opp_traffic", "opp_traffic", True)],
)
def test_links_are_read_by_old_and_new_names(old, new, value):
    assert getattr(read(links=[LINK | {old: value}]).links[0], new) == value


def test_lane_boundaries_are_read_by_old_and_new_names():
    line = {"idx": "1", "points": [[0, 0, 0], [1, 0, 0]], "lane_color": "white", "lane_shape": ["Solid", "Broken"]}
    old = {"lane_code": 501, "lane_code_def": "NGII", "passRestr": "both", "lane_type_start": [0]}
    new = {"lane_type": [501], "lane_type_def": "NGII", "pass_restr": "both", "lane_type_offset": [0]}
    for keys in (old, new):
        boundary = read(lane_boundary_set=[line | keys]).lane_boundaries[0]
        assert boundary.lane_type == [501]
        assert boundary.lane_type_def == "NGII"
        assert boundary.pass_restr == "both"
        assert boundary.lane_type_offset == [0.0]
        assert boundary.lane_color == ["white"]
        assert boundary.lane_shape == ["Solid Broken"]


def test_a_boundary_that_changes_along_its_way_keeps_one_entry_for_each_stretch():
    line = {"idx": "1", "points": [[0, 0, 0], [1, 0, 0]], "lane_type": 503, "lane_color": "white", "lane_shape": []}
    lists = {
        "lane_type_list": [503, 505],
        "lane_color_list": ["white", "yellow"],
        "lane_shape_list": ["Solid", "Broken"],
        "lane_type_start": [0, 0.5],
        "lane_type_end": [0.5, 1],
    }
    boundary = read(lane_boundary_set=[line | lists]).lane_boundaries[0]
    assert boundary.lane_type == [503, 505]
    assert boundary.lane_color == ["white", "yellow"]
    assert boundary.lane_shape == ["Solid", "Broken"]
    assert boundary.lane_type_offset == [0.0, 0.5]


def test_lane_marking_set_is_preferred_and_the_other_told_of():
    def line(idx):
        return [{"idx": idx, "points": [[0, 0, 0], [1, 0, 0]]}]

    m = read(lane_marking_set=line("marking"), lane_boundary_set=line("boundary"))
    assert [boundary.idx for boundary in m.lane_boundaries] == ["marking"]
    assert any(notice.startswith("lane_boundary_set.json: left out") for notice in m.notices)
    assert [b.idx for b in read(lane_boundary_set=line("boundary")).lane_boundaries] == ["boundary"]


def test_numbers_and_coordinates_may_be_strings():
    link = LINK | {"points": [["0.5", "1", "2"], ["10", "1", "2"]], "max_speed": "60", "ego_lane": "-1"}
    found = read(links=[link]).links[0]
    assert found.points.tolist() == [[0.5, 1, 2], [10, 1, 2]]
    assert (found.max_speed, found.ego_lane) == (60.0, -1)


def test_a_junction_may_be_a_single_value_and_lane_marks_a_string_or_null():
    nodes = [NODES[0] | {"junction": "J1"}, NODES[1] | {"junction": ["J1", "J2"]}]
    links = [LINK | {"lane_mark_left": "B1", "lane_mark_right": None}]
    m = read(nodes, links)
    assert [node.junction for node in m.nodes] == [["J1"], ["J1", "J2"]]
    assert (m.links[0].lane_mark_left, m.links[0].lane_mark_right) == (["B1"], [])


def test_nodes_that_do_not_exist_become_none_with_a_notice():
    m = read(links=[LINK | {"to_node_idx": "nowhere"}])
    assert m.links[0].to_node_idx is None
    assert any("nowhere" in notice for notice in m.notices)


def test_programmes_filed_as_synced_lights_are_taken_as_programmes():
    """The K-City copy of 2021 does so."""
    programme = {"idx": "IntTL0", "TLState": [{"duration": 30, "lightcolor": ["R"]}], "yelloduration": [3]}
    m = read(synced_traffic_light_set=[programme])
    assert m.synced_traffic_lights == []
    assert m.intersection_programmes[0].TLState[0].lightcolor == ["R"]
    assert any("synced_traffic_light_set.json" in notice for notice in m.notices)


def test_an_mprj_file_stands_for_global_info():
    m = read(**{"map.mprj": {"maj_ver": 2, "min_ver": 8, "global_coordinate_system": "UTM52N"}})
    assert (m.info.coordinate_system, m.info.minor) == ("UTM52N", 8)


def test_what_is_left_out_is_told():
    m = read(links=[LINK | {"colour": "blue"}], junction_set=[{"idx": "J"}], global_info={"maj_ver": 4, "min_ver": 1})
    assert "link_set.json: keys left out: colour" in m.notices
    assert "files left out: junction_set.json" in m.notices
    assert any("version 4.1" in notice for notice in m.notices)


def test_a_byte_order_mark_and_missing_optional_files_do_no_harm():
    m = read(nodes=b"\xef\xbb\xbf" + json.dumps(NODES).encode())
    assert len(m.nodes) == 2
    assert m.traffic_lights == []


def test_an_empty_map_can_be_read():
    m = read([], [])
    assert m.nodes == []
    assert m.links == []


# --- broken files ------------------------------------------------------------------------------------------------

LIGHT = {"idx": "T", "point": [0, 0, 5]}
PROGRAMME = {"idx": "C", "TLState": [{"duration": 30, "lightcolor": ["R"]}]}

BROKEN = {
    "broken JSON": ({"links": b'[{"idx": "L",'}, "M/link_set.json", "line 1"),
    "not UTF-8": ({"links": '[{"idx": "도로"}]'.encode("cp949")}, "M/link_set.json", "UTF-8"),
    "nested without end": ({"links": b"[" * 100_000}, "M/link_set.json", "nested"),
    "an object instead of a list": ({"links": b'{"idx": 1}'}, "M/link_set.json", "expected a list"),
    "a number instead of a record": ({"nodes": [1]}, "M/node_set.json", "record 0"),
    "no id": ({"nodes": [{"point": [0, 0, 0]}]}, "M/node_set.json", "'idx'"),
    "no point": ({"nodes": [{"idx": "A"}]}, "record 0 (A), key 'point'", "nothing"),
    "a point of two": ({"nodes": [{"idx": "A", "point": [0, 0]}]}, "(A)", "three coordinates"),
    "points that are words": ({"links": [LINK | {"points": [["a", "b", "c"], [0, 0, 0]]}]}, "(L)", '"a"'),
    "NaN": ({"links": b'[{"idx": "L", "points": [[0, 0, NaN], [1, 0, 0]]}]'}, "(L)", "points[0]"),
    "infinity": ({"links": b'[{"idx": "L", "points": [[0, 0, 1e999], [1, 0, 0]]}]'}, "(L)", "points[0]"),
    "off the Earth": ({"links": [LINK | {"points": [[0, 0, 0], [1e300, 0, 0]]}]}, "(L)", "on no map"),
    "points of one number": ({"links": [LINK | {"points": [1, 2]}]}, "(L)", "points"),
    "one point": ({"links": [LINK | {"points": [[0, 0, 0]]}]}, "(L)", "two points"),
    "no points": ({"links": [{"idx": "L"}]}, "(L)", "two points"),
    "a speed that is a list": ({"links": [LINK | {"max_speed": [1]}]}, "key 'max_speed'", "finite number"),
    "a speed that is true": ({"links": [LINK | {"max_speed": True}]}, "key 'max_speed'", "finite number"),
    "a flag that is a word": ({"links": [LINK | {"lazy_init": "perhaps"}]}, "key 'lazy_init'", "true or false"),
    "a lane and a half": ({"links": [LINK | {"ego_lane": 1.5}]}, "key 'ego_lane'", "whole number"),
    "an id that is a list": ({"links": [LINK | {"from_node_idx": ["A"]}]}, "key 'from_node_idx'", "a text"),
    "a light without place": ({"traffic_light_set": [{"idx": "T"}]}, "traffic_light_set.json", "'point'"),
    "a group of objects": ({"intersection_controller_set": [{"idx": "C", "TL": [[{}]]}]}, "(C)", "signal ids"),
    "a state that is a word": ({"intersection_controller_data": [PROGRAMME | {"TLState": ["R"]}]}, "(C)", "object"),
    "a negative duration": (
        {"intersection_controller_data": [{"idx": "C", "TLState": [{"duration": -1}]}]},
        "(C), TLState 0",
        "negative",
    ),
    "a short pedestrian row": ({"intersection_controller_data": [PROGRAMME | {"PSState": [[0, 1]]}]}, "(C)", "five"),
    "global_info is a list": ({"global_info": []}, "M/global_info.json", "expected an object"),
    "an origin of words": ({"global_info": {"local_origin_in_global": ["a", 0, 0]}}, "global_info.json", "origin"),
    "a face without point": (
        {"road_polygon_set": [{"idx": "P", "points": [[0, 0, 0]], "faces": [[0, 1, 2]]}]},
        "(P)",
        "face 0",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_with_its_place(name):
    files, *told = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read(**files)
    message = str(caught.value)
    assert all(part in message for part in told), message
    assert "\n" not in message


@pytest.mark.parametrize("missing", ["node_set.json", "link_set.json"])
def test_a_missing_required_file_is_named(missing):
    files = {"node_set.json": b"[]", "link_set.json": b"[]"}
    del files[missing]
    with pytest.raises(InputError, match=missing):
        read_mgeo("M", files)


def test_no_change_of_bytes_gives_another_error():
    """Every truncation and random damage of a small map reads or raises InputError, nothing else."""
    whole = json.dumps([LINK | {"lane_mark_left": ["B"], "ego_lane": 1, "lane_ch_link_path": []}]).encode()
    damaged = [whole[:end] for end in range(len(whole))]
    random = np.random.default_rng(7)
    for _ in range(2000):
        copy = bytearray(whole)
        copy[random.integers(len(copy))] = random.integers(256)
        damaged.append(bytes(copy))
    refused = 0
    for content in damaged:
        try:
            read(links=content)
        except InputError:
            refused += 1
    assert refused > len(whole)


SETS = {
    "node_set": record.NodeRecord,
    "link_set": record.Link,
    "lane_node_set": record.NodeRecord,
    "lane_boundary_set": record.LaneBoundary,
    "traffic_light_set": record.TrafficLightRecord,
    "synced_traffic_light_set": record.SyncedTrafficLight,
    "intersection_controller_set": record.IntersectionController,
    "intersection_controller_data": record.IntersectionProgramme,
    "crosswalk_set": record.Crosswalk,
    "singlecrosswalk_set": record.SingleCrosswalk,
    "surface_marking_set": record.SurfaceMarking,
    "parking_space_set": record.ParkingSpace,
    "road_polygon_set": record.RoadPolygon,
}
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["A", "L", "", "1", "nan", "1e999"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["duration", "lightcolor"]), inner),
    max_leaves=12,
)
coordinates = st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2, max_size=4)


@st.composite
def records(draw, kind):
    """A record that has sound ids and points, and anything for some of its other keys."""
    keys = [item.name for item in fields(kind)]
    sound = {"idx": draw(st.sampled_from("ALTC")), "points": draw(coordinates), "point": [1, 2, 3]}
    odd = draw(st.dictionaries(st.sampled_from(keys), anything, max_size=3))
    ends = draw(st.sampled_from([{}, {"from_node_idx": "A", "to_node_idx": "A"}]))
    return {key: value for key, value in (sound | ends | odd).items() if key in keys}


@settings(max_examples=80, deadline=None)
@given(st.fixed_dictionaries({name: st.lists(records(kind), max_size=2) for name, kind in SETS.items()}))
def test_records_of_anything_are_read_and_checked_and_built_or_refused(content):
    """Whatever stands in a key, the reader refuses it or the rest of the floor can live with it."""
    try:
        m = read_mgeo("M", {f"{name}.json": to_bytes(value) for name, value in content.items()})
    except InputError:
        return
    check_map(m)
    assert network_from_mgeo(m).link_count <= len(m.links)
