"""Lights and programmes of generated towns."""

import itertools
import math

import numpy as np
import pytest

from dorosim.mapmaking.plan import Size
from dorosim.road.mgeo.record import Link, MGeoMap
from dorosim.road.signal import Lamp, lamps_from_colour
from tests.road.generated_town import TOWNS, lanes_of, nearest, resampled, town_of

CAR_WIDTH = 2.0


@pytest.fixture(params=TOWNS, ids=lambda town: f"{town[1].value}-{town[0]}")
def town(request) -> MGeoMap:
    return town_of(*request.param)


def group_links(town: MGeoMap, controller: str) -> list[list[Link]]:
    """The links that each group of a controller governs by its car heads."""
    links = {link.idx: link for link in town.links}
    lights = {light.idx: light for light in town.traffic_lights}
    groups = next(item.TL for item in town.intersection_controllers if item.idx == controller)
    found = []
    for group in groups:
        names = {name for idx in group if lights[idx].type == "car" for name in lights[idx].link_id_list}
        found.append([links[name] for name in sorted(names)])
    return found


def protected(links: list[Link], lamps: Lamp) -> list[Link]:
    """The links that may be driven without giving way under the given lamps."""
    shown = {"straight": Lamp.GREEN, "left": Lamp.LEFT}
    return [link for link in links if shown.get(link.related_signal, Lamp(0)) & lamps]


def states(town: MGeoMap):
    """Programme, number of the state, and the protected links of each group in it."""
    for programme in town.intersection_programmes:
        groups = group_links(town, programme.idx)
        for number, state in enumerate(programme.TLState):
            lamps = [lamps_from_colour(colour) for colour in state.lightcolor]
            assert None not in lamps
            yield programme, number, [protected(links, lamp) for links, lamp in zip(groups, lamps, strict=True)]


def test_no_two_protected_movements_conflict(town):
    checked = 0
    for programme, number, groups in states(town):
        for one, other in itertools.combinations(groups, 2):
            for a, b in itertools.product(one, other):
                gap = nearest(resampled(a.points, 0.5), resampled(b.points, 0.5))
                assert gap > CAR_WIDTH, (programme.idx, number, a.idx, b.idx)
                checked += 1
    assert checked


def test_pedestrians_walk_where_no_protected_movement_goes(town):
    lights = {light.idx: light for light in town.traffic_lights}
    walks = {walk.ref_crosswalk_id: walk for walk in town.single_crosswalks}
    controllers = {item.idx: item for item in town.intersection_controllers}
    green = {(programme.idx, number): groups for programme, number, groups in states(town)}
    walked = set()
    for programme in town.intersection_programmes:
        assert programme.PSState
        for state, group, before, steady, flicker in programme.PSState:
            assert before + steady + flicker < programme.TLState[int(state)].duration
            for idx in controllers[programme.idx].TL[int(group)]:
                if lights[idx].type != "pedestrian":
                    continue
                walk = walks[lights[idx].ref_crosswalk_id]
                walked.add(walk.idx)
                crossing = set(walk.link_id_list)
                assert math.dist(walk.points[0], walk.points[1]) / flicker < 1.2  # m/s, the pace of a slow walker
                for links in green[programme.idx, int(state)]:
                    assert not crossing & {link.idx for link in links}
    assert walked == {walk.idx for walk in town.single_crosswalks}


def test_every_movement_gets_its_turn(town):
    for programme in town.intersection_programmes:
        governed = {link.idx for links in group_links(town, programme.idx) for link in links}
        seen = {
            link.idx
            for item, _, groups in states(town)
            if item.idx == programme.idx
            for links in groups
            for link in links
        }
        yielding = {
            link.idx
            for links in group_links(town, programme.idx)
            for link in links
            if link.related_signal in ("left_unprotected", "right_unprotected")
        }
        assert governed == seen | yielding


def test_left_turns_without_an_arrow_go_with_green_ahead_or_have_a_way_to_yield(town):
    for programme in town.intersection_programmes:
        for number, links in enumerate(group_links(town, programme.idx)):
            if any(link.related_signal == "left_unprotected" for link in links):
                shown = [lamps_from_colour(state.lightcolor[number]) for state in programme.TLState]
                assert any(lamp & Lamp.GREEN for lamp in shown)


def test_phases_are_long_enough_and_separated_by_yellow_and_all_red(town):
    for programme in town.intersection_programmes:
        assert len(programme.yelloduration) == len(programme.TLState)
        cycle = sum(state.duration for state in programme.TLState) + sum(programme.yelloduration)
        assert 30 <= cycle <= 180
        for number, state in enumerate(programme.TLState):
            if number % 2:
                assert set(state.lightcolor) == {"R"}
                assert state.duration >= 1
            else:
                walked = {row[0] for row in programme.PSState}
                assert set(state.lightcolor) != {"R"} or number in walked
                assert state.duration >= 10
                assert programme.yelloduration[number] >= 3


def test_a_light_hangs_ahead_of_every_governed_lane_and_faces_it(town):
    lanes = {link.idx: link for link in lanes_of(town)}
    junctions = {node.idx: set(node.junction) for node in town.nodes}
    signalised: set[str] = set()
    seen: set[str] = set()
    for light in town.traffic_lights:
        if light.type != "car":
            continue
        assert light.z_offset >= 4.5  # clearance for trucks
        for idx in light.link_id_list:
            link = lanes[idx]
            signalised |= junctions[link.from_node_idx] & junctions[link.to_node_idx]
            way = link.points[1] - link.points[0]
            heading = math.atan2(way[1], way[0])
            to_light = np.array(light.point) - link.points[0]
            bearing = math.atan2(to_light[1], to_light[0])
            assert 10 < np.hypot(*to_light[:2]) < 80
            assert abs(math.remainder(bearing - heading, math.tau)) < math.radians(35), (light.idx, idx)
            assert abs(math.remainder(math.radians(light.heading) + math.pi - heading, math.tau)) < math.radians(8)
            seen.add(idx)
    through = {
        link.idx
        for link in lanes.values()
        if link.link_type == "1" and junctions[link.from_node_idx] & junctions[link.to_node_idx] & signalised
    }
    assert seen == through


def test_lamps_can_show_the_colours_of_the_programme(town):
    names = {"red": Lamp.RED, "yellow": Lamp.YELLOW, "straight": Lamp.GREEN, "left": Lamp.LEFT}
    lights = {light.idx: light for light in town.traffic_lights}
    programmes = {programme.idx: programme for programme in town.intersection_programmes}
    for controller in town.intersection_controllers:
        for number, group in enumerate(controller.TL):
            shown = Lamp(0)
            for state in programmes[controller.idx].TLState:
                shown |= lamps_from_colour(state.lightcolor[number]) or Lamp(0)
            for idx in group:
                if lights[idx].type == "car":
                    has = Lamp(0)
                    for lamp in lights[idx].sub_type:
                        has |= names[lamp]
                    assert has == shown | Lamp.YELLOW


def test_groups_are_the_synced_lights_in_order(town):
    synced = {}
    for item in town.synced_traffic_lights:
        synced.setdefault(item.intersection_controller_id, []).append(item.signal_id_list)
        assert len(item.point) == len(item.signal_id_list)
    assert {item.idx: item.TL for item in town.intersection_controllers} == synced


def test_the_default_town_shows_every_kind_of_phase():
    colours = {
        colour
        for seed, size in TOWNS
        if size is Size.DEFAULT
        for programme in town_of(seed, size).intersection_programmes
        for state in programme.TLState
        for colour in state.lightcolor
    }
    assert colours == {"R", "SG", "G_with_GLeft", "R_with_GLeft", "LG"}
