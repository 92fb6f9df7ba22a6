"""Controllers for maps that have lights and name nobody who switches them."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pytest

from dorosim.road.derived_programme import GREEN_TIME, LitJunction, is_safe
from dorosim.road.mgeo.reader import read_mgeo
from dorosim.road.mgeo.record import (
    IntersectionController,
    IntersectionProgramme,
    SignalStateRecord,
    SingleCrosswalk,
    SyncedTrafficLight,
    TrafficLightRecord,
)
from dorosim.road.network import network_from_mgeo
from dorosim.road.store import network_from_bytes, network_to_bytes
from tests.road.real_map import CONTROLLERS, STATES, SUBURB, SYNCED, real_files, real_network, suburb_without
from tests.road.small_map import map_of, straight

LAMPS = ["red", "yellow", "straight"]


def groups_of(network):
    """Ids of the car lights of each group of each controller, whatever their order."""
    lights = network.signals.lights
    return {
        frozenset(
            frozenset(lights[row].id for row in group if lights[row].kind == "car")
            for group in one.groups
            if any(lights[row].kind == "car" for row in group)
        )
        for one in network.signals.controllers
    }


def test_a_map_with_controllers_keeps_them():
    assert real_network(SUBURB).signals.derived == ""


def test_the_maps_own_programmes_are_used_where_synced_lights_name_their_controllers():
    found = network_from_mgeo(suburb_without(CONTROLLERS)).signals
    assert found.controllers == real_network(SUBURB).signals.controllers
    assert found.lights == real_network(SUBURB).signals.lights
    assert found.derived == (
        "the map has lights and no controllers: 8 intersections are made of its lights and junctions; "
        "programmes: 8 from intersection_controller_state.json, 0 generated"
    )


@pytest.mark.parametrize("also", [(), (SYNCED,)])
def test_without_state_files_programmes_are_generated_for_the_same_intersections(also):
    """With nothing but the lights and the roads left, the same heads come together."""
    network = network_from_mgeo(suburb_without(CONTROLLERS, *STATES, *also))
    assert groups_of(network) == groups_of(real_network(SUBURB))
    assert network.signals.derived.endswith("programmes: it has none of its own, 8 generated")
    assert all(light.controller >= 0 and light.group >= 0 for light in network.signals.lights)
    assert len({network.signals.number_of(number) for number in range(8)}) == 8


def test_programmes_whose_names_fit_nothing_are_not_used():
    files = dict(real_files(SUBURB))
    del files[CONTROLLERS], files[SYNCED]
    network = network_from_mgeo(read_mgeo(SUBURB, files))
    assert network.signals.derived.endswith("programmes: none of the map's own fits, 8 generated")
    theirs = {entry["idx"] for entry in json.loads(files[STATES[0]])}
    assert theirs.isdisjoint(one.id for one in network.signals.controllers)


def test_what_was_derived_is_kept_with_the_compiled_map():
    network = network_from_mgeo(suburb_without(CONTROLLERS))
    kept = network_from_bytes(network_to_bytes(network)).signals
    assert (kept.controllers, kept.derived) == (network.signals.controllers, network.signals.derived)


def light(idx, *links, point=(0.0, 0.0, 5.0), **more):
    return TrafficLightRecord(**{"idx": idx, "point": point, "link_id_list": list(links), "sub_type": LAMPS} | more)


def crossing(*lights, before=30.0, **more):
    """Two roads that cross at the origin, cut before and behind it: links w1 w2 w3 eastwards, s1 s2 s3 northwards."""
    cuts = (-100.0 - before, -before, before, 100.0 + before)
    links = [
        straight(f"w{number + 1}", f"W{number}", f"W{number + 1}", (a, 0, 0), (b, 0, 0))
        for number, (a, b) in enumerate(pairwise(cuts))
    ]
    links += [
        straight(f"s{number + 1}", f"S{number}", f"S{number + 1}", (0, a, 0), (0, b, 0))
        for number, (a, b) in enumerate(pairwise(cuts))
    ]
    return map_of(*links, traffic_lights=list(lights), **more)


def colours(network, controller=0):
    return [state.colours for state in network.signals.controllers[controller].states]


@pytest.mark.parametrize("part", [2, 1])
def test_lights_of_lanes_that_cross_are_one_intersection_and_never_green_together(part):
    """The lights may name the lanes in the junction, or those that lead there."""
    network = network_from_mgeo(crossing(light("a", f"w{part}"), light("b", f"s{part}"), before=8.0))
    (controller,) = network.signals.controllers
    assert controller.groups == ((0,), (1,))
    assert colours(network) == [("SG", "R"), ("R", "R"), ("R", "SG"), ("R", "R")]
    assert [state.duration for state in controller.states] == [GREEN_TIME, 2.0, GREEN_TIME, 2.0]


def test_lights_of_roads_that_never_meet_are_intersections_of_their_own():
    m = crossing(light("a", "w2"), light("far", "f"))
    m.links.append(straight("f", "F", "G", (0, 500, 0), (50, 500, 0)))
    network = network_from_mgeo(m)
    assert [one.groups for one in network.signals.controllers] == [((0,),), ((1,),)]
    assert colours(network) == [("SG",), ("R",), ("R",)]


@pytest.mark.parametrize(
    ("lamps", "green"),
    [
        (["red", "yellow", "left", "straight"], "G_with_GLeft"),
        (["red", "yellow", "left"], "LG"),
        (["red", "yellow", "left", "right"], "LG_RG"),
        (["red", "yellow", "green"], "SG"),
        ([], "SG"),
        (["what", "ever"], "SG"),
        (["yellow", "yellow"], "Y"),
    ],
)
def test_a_green_head_shows_the_lamps_that_it_has(lamps, green):
    network = network_from_mgeo(crossing(light("a", "w2", sub_type=lamps), light("b", "s2")))
    assert {state[0] for state in colours(network)} == {green, "Y" if green == "Y" else "R"}


def test_a_head_without_lanes_goes_with_the_one_beside_it_that_faces_the_same_way():
    network = network_from_mgeo(
        crossing(
            light("a", "w2", heading=180.0),
            light("b", "s2", heading=270.0),
            light("beside", point=(5.0, 5.0, 5.0), heading=185.0),
            light("far", point=(900.0, 0.0, 5.0), heading=180.0),
        )
    )
    assert [one.groups for one in network.signals.controllers] == [((0, 2), (1,)), ((3,),)]


def test_people_cross_while_all_is_red_for_vehicles():
    ring = np.array([[-20.0, -5, 0], [-17, -5, 0], [-17, 5, 0], [-20, 5, 0]])
    network = network_from_mgeo(
        crossing(
            light("a", "w2"),
            light("b", "s2"),
            light("walk", type="pedestrian", sub_type=["red", "green"], ref_crosswalk_id="X"),
            single_crosswalks=[SingleCrosswalk(idx="area", points=ring, ref_crosswalk_id="X")],
        )
    )
    (controller,) = network.signals.controllers
    assert controller.groups == ((0,), (1,), (2,))
    (phase,) = controller.pedestrian
    assert (phase.group, controller.states[phase.state].colours) == (2, ("R", "R", "R"))
    assert phase.green + phase.flicker < controller.states[phase.state].duration
    assert phase.flicker >= math.hypot(3.0, 10.0) / 1.1


def synced(idx, name, *ids):
    return SyncedTrafficLight(idx=idx, intersection_controller_id=name, signal_id_list=list(ids))


def programme(*states, name="own"):
    return IntersectionProgramme(
        idx=name,
        TLState=[SignalStateRecord(duration=9.0, lightcolor=list(state)) for state in states],
        yelloduration=[3.0],
    )


@pytest.mark.parametrize(
    ("states", "taken"),
    [
        ([("SG", "R"), ("R", "SG")], True),
        ([("SG", "SG")], False),
        ([("SG", "R", "R")], False),
        ([("SG", "R"), ("R", "BLUE")], False),
        ([("SG", "R"), ("R_with_GLeft", "R")], False),
        ([], False),
    ],
)
def test_a_programme_of_the_map_must_fit_its_intersection(states, taken):
    m = crossing(
        light("a", "w2"), light("b", "s2"),
        synced_traffic_lights=[synced("1", "own", "a", "nobody"), synced("2", "own", "b"), synced("3", "own", "gone")],
        programme_files={"states.json": [programme(*states)]},
    )  # fmt: skip
    network = network_from_mgeo(m)
    (controller,) = network.signals.controllers
    assert (controller.id, controller.groups) == ("own", ((0,), (1,)))
    assert (colours(network) == states) is taken
    assert ("1 from states.json" in network.signals.derived) is taken


def test_a_turn_that_gives_way_may_have_its_green_with_others():
    """As in the product's programmes: left turns give way to those who come towards them, or wait for the arrow."""
    junction = LitJunction(
        (frozenset(LAMPS),) * 2, ({1: "straight", 2: "left"}, {3: "straight"}), (0.0, 0.0), {2: {3}, 3: {2}}
    )
    assert is_safe(programme(("SG", "SG")), junction)
    arrows = LitJunction((frozenset([*LAMPS, "left"]),) * 2, junction.ways, (0.0, 0.0), junction.foes)
    assert not is_safe(programme(("G_with_GLeft", "SG")), arrows)


def test_lights_that_a_controller_has_are_left_alone_and_so_are_maps_without_lights():
    m = crossing(
        light("a", "w2"), light("b", "s2"), intersection_controllers=[IntersectionController(idx="C", TL=[["a"]])]
    )
    signals = network_from_mgeo(m).signals
    assert [one.id for one in signals.controllers] == ["C"]
    assert [one.controller for one in signals.lights] == [0, -1]
    assert network_from_mgeo(crossing()).signals.derived == ""
    assert network_from_mgeo(crossing(light("p", type="pedestrian"))).signals.controllers == ()
    assert network_from_mgeo(crossing(light("off", "w2", dynamic=False))).signals.controllers == ()


def test_controllers_of_none_of_the_lights_are_no_controllers():
    m = crossing(
        light("a", "w2"), light("b", "s2"), intersection_controllers=[IntersectionController(idx="C", TL=[["z"]])]
    )
    signals = network_from_mgeo(m).signals
    assert [one.groups for one in signals.controllers] == [((0,), (1,))]
    assert signals.derived
