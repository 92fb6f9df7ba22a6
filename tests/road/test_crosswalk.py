"""Crosswalks: areas, lights, and the lanes that pass through them."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.mapmaking.plan import Size
from dorosim.road.crosswalk import is_inside
from dorosim.road.mgeo.record import Crosswalk, SingleCrosswalk, SurfaceMarking, TrafficLightRecord
from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.road.store import network_from_bytes, network_to_bytes
from tests.road.generated_town import town_of
from tests.road.real_map import SUBURB, real_network
from tests.road.small_map import map_of, straight

RING = np.array([[40.0, -5, 0], [44, -5, 0], [44, 5, 0], [40, 5, 0], [40, -5, 0]])


def head(idx, point, heading, **more) -> TrafficLightRecord:
    return TrafficLightRecord(idx=idx, point=point, heading=heading, type="pedestrian", **more)


def road(**more) -> RoadNetwork:
    """A lane of 100 m to the east, and a sidewalk beside it."""
    lane = straight("lane", "A", "B", (0, 0, 0), (100, 0, 0))
    walk = straight("walk", "C", "D", (0, 3, 0), (100, 3, 0), link_type="sidewalk")
    return network_from_mgeo(map_of(lane, walk, **more))


def test_a_lane_passes_through_an_area_between_two_arc_lengths():
    crosswalks = road(single_crosswalks=[SingleCrosswalk(idx="SCW", points=RING)]).crosswalks
    assert crosswalks.ids == ("SCW",)
    assert crosswalks.of(0).tolist() == RING[:-1].tolist()
    assert (crosswalks.link.tolist(), crosswalks.area.tolist()) == ([0], [0]), "not the sidewalk"
    assert (crosswalks.begin[0], crosswalks.end[0]) == (pytest.approx(40.0), pytest.approx(44.0))


def test_a_lane_that_ends_in_an_area_is_in_it_to_its_end():
    ring = RING + np.array([58, 0, 0])
    crosswalks = road(single_crosswalks=[SingleCrosswalk(idx="SCW", points=ring)]).crosswalks
    assert (crosswalks.begin[0], crosswalks.end[0]) == (pytest.approx(98.0), pytest.approx(100.0))


def test_markings_of_type_5_are_crosswalks_where_the_map_lists_none():
    marking = SurfaceMarking(idx="SM", points=RING, type="5")
    arrow = SurfaceMarking(idx="SM2", points=RING, type="1")
    assert road(surface_markings=[arrow, marking]).crosswalks.ids == ("SM",)
    single = SingleCrosswalk(idx="SCW", points=RING)
    assert road(surface_markings=[marking], single_crosswalks=[single]).crosswalks.ids == ("SCW",)


def test_lights_belong_to_an_area_by_either_reference():
    lights = [
        head("0", (42, -6, 3), 90.0, ref_crosswalk_id="CW"),
        head("1", (42, 6, 3), 270.0),
        head("2", (80, 6, 3), 0.0),
        TrafficLightRecord(idx="3", point=(42, 6, 5), ref_crosswalk_id="CW"),
    ]
    crosswalks = road(
        traffic_lights=lights,
        single_crosswalks=[SingleCrosswalk(idx="SCW", points=RING, ref_crosswalk_id="CW")],
        crosswalks=[Crosswalk(idx="CW", single_crosswalk_list=["SCW"], ref_traffic_light_list=["1"])],
    ).crosswalks
    assert crosswalks.lights.of(0).tolist() == [0, 1]
    assert len(crosswalks) == 1


def test_two_heads_that_face_each_other_make_a_crosswalk():
    lights = [head("0", (50, -6, 3), 90.0), head("1", (50, 6, 3), 270.0), head("2", (70, 6, 3), 0.0)]
    crosswalks = road(traffic_lights=lights).crosswalks
    assert (crosswalks.ids, crosswalks.lights.of(0).tolist()) == (("",), [0, 1])
    assert crosswalks.of(0)[:, :2].tolist() == [[52, -5], [52, 5], [48, 5], [48, -5]]
    assert (crosswalks.begin[0], crosswalks.end[0]) == (pytest.approx(48.0), pytest.approx(52.0))


def test_the_town_has_lanes_and_two_lights_at_every_crosswalk():
    town = network_from_mgeo(town_of(1, Size.DEFAULT))
    crosswalks = town.crosswalks
    assert len(crosswalks) == len(town_of(1, Size.DEFAULT).single_crosswalks)
    assert set(crosswalks.area.tolist()) == set(range(len(crosswalks)))
    assert {len(crosswalks.lights.of(area)) for area in range(len(crosswalks))} == {2}
    middle = town.point_at(crosswalks.link, 0.5 * (crosswalks.begin + crosswalks.end))
    for row, area in enumerate(crosswalks.area.tolist()):
        assert is_inside(middle[row, :2], crosswalks.of(area)[:, :2])
        assert 3.9 < crosswalks.end[row] - crosswalks.begin[row] < 12.0


def test_the_real_map_has_a_crosswalk_between_each_pair_of_heads():
    suburb = real_network(SUBURB)
    lights = suburb.crosswalks.lights.item.tolist()
    walkers = [row for row, light in enumerate(suburb.signals.lights) if light.kind == "pedestrian"]
    assert sorted(lights) == walkers
    assert len(suburb.crosswalks) == len(walkers) // 2
    assert set(suburb.crosswalks.area.tolist()) == set(range(len(suburb.crosswalks)))


def test_crosswalks_are_kept_with_the_compiled_map():
    town = network_from_mgeo(town_of(1, Size.SMALL))
    again = network_from_bytes(network_to_bytes(town)).crosswalks
    assert again.ids == town.crosswalks.ids
    for name in ("first", "corner", "link", "area", "begin", "end"):
        assert np.array_equal(getattr(again, name), getattr(town.crosswalks, name))
    assert np.array_equal(again.lights.item, town.crosswalks.lights.item)
