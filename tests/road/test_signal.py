"""Lights, controllers, programmes and stop lines."""

import math

import numpy as np
import pytest

from dorosim.road.mgeo.record import (
    IntersectionController,
    IntersectionProgramme,
    LaneBoundary,
    SignalStateRecord,
    SyncedTrafficLight,
    TrafficLightRecord,
)
from dorosim.road.network import network_from_mgeo
from dorosim.road.signal import Lamp, lamps_from_colour
from tests.road.real_map import SUBURB, real_map, real_network
from tests.road.small_map import map_of, network_of, straight


def a_junction(**more):
    """A lane of 20 m that leads into a lane with light "T", governed by controller "C"."""
    m = map_of(
        straight("in", "A", "B", (0, 0, 0), (20, 0, 0)),
        straight("through", "B", "C", (20, 0, 0), (40, 0, 0)),
        **more,
    )
    m.traffic_lights = [
        TrafficLightRecord(idx="T", point=(45, 0, 5), link_id_list=["through"], heading=270, sub_type=["Red", "Green"]),
        TrafficLightRecord(idx="P", point=(45, 5, 3), type="pedestrian", ref_crosswalk_id="W"),
        TrafficLightRecord(idx="sign", point=(0, 0, 0), dynamic=False),
    ]
    m.synced_traffic_lights = [SyncedTrafficLight(idx="S", signal_id_list=["P"], link_id_list=["in"])]
    m.intersection_controllers = [IntersectionController(idx="C", TL=[["T"], ["P", "gone"]])]
    m.intersection_programmes = [
        IntersectionProgramme(
            idx="C",
            TLState=[
                SignalStateRecord(duration=30, lightcolor=["SG", "R"]),
                SignalStateRecord(duration=20, lightcolor=["R", "SG"]),
            ],
            yelloduration=[3],
            PSState=[[1, 1, 2, 10, 5], [7, 0, 0, 0, 0]],
        )
    ]
    return m


@pytest.mark.parametrize(
    ("name", "lamps"),
    [
        ("R", Lamp.RED),
        ("sg", Lamp.GREEN),
        ("G_with_GLeft", Lamp.GREEN | Lamp.LEFT),
        ("R_WITH_GLEFT", Lamp.RED | Lamp.LEFT),
        ("Y_WITH_G", Lamp.YELLOW | Lamp.GREEN),
        ("LLG_SG", Lamp.LOWER_LEFT | Lamp.GREEN),
        ("ULG_URG", Lamp.UPPER_LEFT | Lamp.UPPER_RIGHT),
        ("purple", None),
        ("", None),
    ],
)
def test_colours_are_named_in_any_case(name, lamps):
    assert lamps_from_colour(name) == lamps


def test_combined_colours_have_the_products_numbers():
    """facts/ros-grpc-mgeo.md, row L10, and the legacy proto's list."""
    names = {"R_WITH_Y": 5, "Y_WITH_G": 20, "Y_WITH_GLEFT": 36, "G_WITH_GLEFT": 48, "R_WITH_GLEFT": 33}
    names |= {"LLG_SG": 1040, "R_LLG": 1025, "ULG_URG": 768}
    assert {name: int(lamps_from_colour(name)) for name in names} == names


def test_a_light_knows_its_lanes_controller_and_group():
    signals = network_from_mgeo(a_junction()).signals
    light, walk = signals.lights
    assert (light.id, light.kind, light.lamps, light.links) == ("T", "car", ("red", "green"), (1,))
    assert light.heading == pytest.approx(-math.pi / 2)
    assert (light.controller, light.group) == (0, 0)
    assert (walk.kind, walk.crosswalk, walk.links, walk.group) == ("pedestrian", "W", (0,), 1)
    assert signals.lights_of_link.of(1).tolist() == [0]


def test_a_controller_has_groups_states_yellow_and_pedestrian_phases():
    controller = network_from_mgeo(a_junction()).signals.controllers[0]
    assert controller.groups == ((0,), (1,))
    assert [(s.duration, s.yellow, s.colours) for s in controller.states] == [
        (30, 3, ("SG", "R")),
        (20, 0, ("R", "SG")),
    ]
    assert [(p.state, p.group, p.before, p.green, p.flicker) for p in controller.pedestrian] == [(1, 1, 2, 10, 5)]


def test_a_programme_that_does_not_fit_its_controller_is_not_used():
    m = a_junction()
    m.intersection_programmes[0].TLState[0].lightcolor = ["R"]
    assert network_from_mgeo(m).signals.controllers[0].states == ()


def test_one_stops_at_the_end_of_the_lane_that_leads_into_a_governed_one():
    m = a_junction()
    m.synced_traffic_lights = []
    stop = network_from_mgeo(m).signals.stop_line
    assert stop[0] == pytest.approx(20)
    assert math.isnan(stop[1])


def stop_line(x):
    return LaneBoundary(
        idx="stop", from_node_idx=None, to_node_idx=None, points=np.array([(x, -2, 0), (x, 2, 0.0)]), lane_type=[530]
    )


def test_a_painted_stop_line_counts_where_it_crosses_the_lane():
    assert network_from_mgeo(a_junction(lane_boundaries=[stop_line(17.5)])).signals.stop_line[0] == pytest.approx(17.5)


def test_a_stop_line_at_the_start_of_a_lane_is_meant_for_the_lane_before():
    lanes = straight("in", "A", "B", (0, 0, 0), (20, 0, 0)), straight("on", "B", "C", (20, 0, 0), (40, 0, 0))
    stop = network_of(*lanes, lane_boundaries=[stop_line(20.2)]).signals.stop_line
    assert stop[0] == pytest.approx(20)
    assert math.isnan(stop[1])


def test_suburbs_lights_are_all_in_a_group_and_govern_lanes_that_follow_a_stop_line():
    w = real_network(SUBURB)
    assert len(w.signals.lights) == 68
    assert len(w.signals.controllers) == 8
    for light in w.signals.lights:
        assert light.controller >= 0
        assert light.id in real_map(SUBURB).intersection_controllers[light.controller].TL[light.group]
        for link in light.links:
            for before in w.predecessors.of(link):
                assert w.signals.stop_line[before] == w.link_length[before]


def test_suburbs_programmes_hold_known_colours_for_every_group():
    for controller in real_network(SUBURB).signals.controllers:
        assert len(controller.states) >= 3
        for state in controller.states:
            assert len(state.colours) == len(controller.groups)
            assert all(lamps_from_colour(colour) for colour in state.colours)
            assert state.yellow == 3
