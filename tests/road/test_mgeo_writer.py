"""What is written is read again as the same map."""

import json
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dorosim.ground.error import InputError
from dorosim.road.mgeo import record as r
from dorosim.road.mgeo.reader import read_mgeo
from dorosim.road.mgeo.writer import mgeo_files
from tests.road.real_map import REAL_MAPS, real_map
from tests.road.small_map import map_of, straight


def assert_same(a, b, place="map"):
    """Compare records field by field, arrays by value.

    Notices, the version's number, and which files held programmes that were not taken do not count.
    """
    if isinstance(a, np.ndarray):
        np.testing.assert_array_equal(a, b, err_msg=place)
    elif is_dataclass(a):
        assert type(a) is type(b), place
        for item in fields(a):
            if item.name not in {"notices", "major", "minor", "programme_files"}:
                assert_same(getattr(a, item.name), getattr(b, item.name), f"{place}.{item.name}")
    elif isinstance(a, list):
        assert len(a) == len(b), place
        for number, (one, other) in enumerate(zip(a, b, strict=True)):
            assert_same(one, other, f"{place}[{number}]")
    else:
        assert a == b, place


@pytest.mark.parametrize("name", REAL_MAPS)
def test_a_real_map_survives(name):
    m = real_map(name)
    assert_same(read_mgeo(name, mgeo_files(m)), m)


text = st.text(max_size=8)
ids = st.text(min_size=1, max_size=6)
optional_text = st.none() | text
number = st.floats(-1e6, 1e6)
positive = st.floats(0, 1e6)
point = st.tuples(number, number, number)
texts = st.lists(text, max_size=3)


def points(least):
    return hnp.arrays(np.float64, st.tuples(st.integers(least, 4), st.just(3)), elements=number)


@st.composite
def boundaries(draw, nodes):
    shapes = draw(st.lists(text.filter(bool), max_size=3))
    return draw(
        st.builds(
            r.LaneBoundary,
            idx=ids,
            from_node_idx=nodes,
            to_node_idx=nodes,
            points=points(2),
            lane_type_def=text,
            lane_type=st.lists(st.integers(-1000, 1000), max_size=3),
            lane_sub_type=st.integers(-9, 9),
            lane_color=st.lists(text.filter(bool), max_size=3),
            lane_shape=st.just(shapes),
            lane_width=number,
            pass_restr=text,
            lane_type_offset=st.just([0.25 * i for i in range(len(shapes))]),
        )
    )


def lights(kind):
    values = dict.fromkeys(("z_offset", "height", "width", "heading"), number)
    names = ("road_id", "type", "orientation", "value", "country", "type_def", "ref_crosswalk_id")
    lists = {"link_id_list": texts, "sub_type": texts}
    return st.builds(kind, idx=ids, point=point, dynamic=st.booleans(), **values, **lists, **dict.fromkeys(names, text))


def links(ends):
    return st.builds(
        r.Link,
        idx=ids,
        from_node_idx=ends,
        to_node_idx=ends,
        points=points(2),
        max_speed=number,
        min_speed=number,
        speed_unit=text,
        lazy_init=st.booleans(),
        can_move_left_lane=st.booleans(),
        right_lane_change_dst_link_idx=optional_text,
        lane_ch_link_path=texts,
        link_type=optional_text,
        related_signal=optional_text,
        ego_lane=st.none() | st.integers(-9, 9),
        width_start=number,
        lane_mark_left=texts,
        opp_traffic=st.booleans(),
        recommended_speed=st.none() | number,
    )


@st.composite
def maps(draw):
    node = st.builds(
        r.NodeRecord, idx=ids, point=point, node_type=optional_text, junction=texts, on_stop_line=st.booleans()
    )
    nodes, lane_nodes = draw(st.lists(node, max_size=3)), draw(st.lists(node, max_size=3))
    ends = st.sampled_from([None, *(item.idx for item in nodes)])
    lane_ends = st.sampled_from([None, *(item.idx for item in lane_nodes)])
    state = st.builds(r.SignalStateRecord, duration=positive, lightcolor=texts)
    rows = st.lists(st.lists(positive, min_size=5, max_size=5), max_size=2)
    programme = st.builds(
        r.IntersectionProgramme,
        idx=ids,
        TLState=st.lists(state, max_size=2),
        yelloduration=st.lists(positive, max_size=2),
        PSState=rows,
    )
    space = st.builds(r.ParkingSpace, idx=ids, points=points(0), center_point=point, angle=number, parking_type=text)
    mesh = st.builds(
        r.RoadPolygon, idx=ids, points=points(3), faces=st.just([[0, 1, 2]]), uv=st.lists(st.lists(number, max_size=2))
    )
    return r.MGeoMap(
        name="M",
        info=draw(
            st.builds(r.GlobalInfo, coordinate_system=text.map(str.strip), origin=point, traffic_dir=text, license=text)
        ),
        nodes=nodes,
        links=draw(st.lists(links(ends), max_size=3)),
        lane_nodes=lane_nodes,
        lane_boundaries=draw(st.lists(boundaries(lane_ends), max_size=2)),
        traffic_lights=draw(st.lists(lights(r.TrafficLightRecord), max_size=2)),
        traffic_signs=draw(st.lists(lights(r.TrafficSign), max_size=2)),
        synced_traffic_lights=draw(
            st.lists(st.builds(r.SyncedTrafficLight, idx=ids, point=points(0), signal_id_list=texts), max_size=2)
        ),
        intersection_controllers=draw(
            st.lists(st.builds(r.IntersectionController, idx=ids, TL=st.lists(texts, max_size=2)), max_size=2)
        ),
        intersection_programmes=draw(st.lists(programme, max_size=2)),
        crosswalks=draw(st.lists(st.builds(r.Crosswalk, idx=ids, single_crosswalk_list=texts), max_size=2)),
        single_crosswalks=draw(st.lists(st.builds(r.SingleCrosswalk, idx=ids, points=points(0)), max_size=2)),
        surface_markings=draw(st.lists(st.builds(r.SurfaceMarking, idx=ids, points=points(0), type=text), max_size=2)),
        parking_spaces=draw(st.lists(space, max_size=2)),
        road_polygons=draw(st.lists(mesh, max_size=1)),
    )


@settings(max_examples=60, deadline=None)
@given(maps())
def test_any_map_survives(m):
    assert_same(read_mgeo("M", mgeo_files(m)), m)


def test_the_same_map_gives_the_same_bytes_one_record_a_line():
    def files():
        return mgeo_files(
            map_of(straight("1", "A", "B", (0, 0, 0), (5, 0, 0)), straight("2", "B", "C", (5, 0, 0), (9, 0, 0)))
        )

    assert files() == files()
    lines = files()["link_set.json"].decode().splitlines()
    assert [line[:12] for line in lines] == ["[", '{"idx":"1","', '{"idx":"2","', "]"]


def test_global_info_tells_version_2_9_and_the_digest_of_every_file():
    files = mgeo_files(map_of(straight("1", "A", "B", (0, 0, 0), (5, 0, 0))))
    info = json.loads(files["global_info.json"])
    assert (info["maj_ver"], info["min_ver"]) == (2, 9)
    assert all(name in info["mgeo_file_hash"] for name in files if name != "global_info.json")


def test_a_number_that_json_cannot_hold_is_refused():
    m = map_of(straight("1", "A", "B", (0, 0, 0), (5, 0, 0)))
    m.links[0].points[1, 2] = np.nan
    with pytest.raises(InputError, match="record 1, key 'points'"):
        mgeo_files(m)
