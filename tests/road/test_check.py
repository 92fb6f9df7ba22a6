"""Every kind of problem is found where it was put, and nothing where there is none."""

import math

import numpy as np
import pytest

from dorosim.road.check import Severity, check_map
from dorosim.road.mgeo.record import (
    Crosswalk,
    IntersectionController,
    IntersectionProgramme,
    LaneBoundary,
    NodeRecord,
    SignalStateRecord,
    SingleCrosswalk,
    SyncedTrafficLight,
    TrafficLightRecord,
)
from tests.road.real_map import REAL_MAPS, real_map
from tests.road.small_map import map_of, straight

ERROR, WARNING, INFORMATION = Severity.ERROR, Severity.WARNING, Severity.INFORMATION


def a_ring():
    """Two lanes in a ring with a light, its controller and its programme: nothing is wrong."""
    m = map_of(
        straight("1", "A", "B", (0, 0, 0), (10, 0, 0), lane_mark_left=["b"]),
        straight("2", "B", "A", (10, 0, 0), (0, 0, 0)),
    )
    m.lane_boundaries = [LaneBoundary(idx="b", from_node_idx=None, to_node_idx=None, points=np.zeros((2, 3)))]
    m.traffic_lights = [TrafficLightRecord(idx="T", point=(1, 2, 5), link_id_list=["1"], ref_crosswalk_id="W")]
    m.synced_traffic_lights = [
        SyncedTrafficLight(idx="S", signal_id_list=["T"], link_id_list=["1"], intersection_controller_id="C")
    ]
    m.intersection_controllers = [IntersectionController(idx="C", TL=[["T"]])]
    m.intersection_programmes = [
        IntersectionProgramme(idx="C", TLState=[SignalStateRecord(duration=9, lightcolor=["R"])], yelloduration=[3])
    ]
    m.crosswalks = [Crosswalk(idx="W", single_crosswalk_list=["w"], ref_traffic_light_list=["T"])]
    m.single_crosswalks = [SingleCrosswalk(idx="w", points=np.zeros((4, 3)), ref_crosswalk_id="W", link_id_list=["1"])]
    return m


def test_a_sound_map_has_no_problems():
    assert check_map(a_ring()) == []


def put(records, key, value):
    """A change of one key of the first record of a list."""
    return lambda m: setattr(getattr(m, records)[0], key, value)


def add(records, *items):
    """A change that adds records to a list."""
    return lambda m: getattr(m, records).extend(items)


def add_lane(start, end, a, b, idx="spur"):
    """A change that adds a lane, with its nodes where they are new."""

    def change(m):
        m.links.append(straight(idx, start, end, a, b))
        known = {node.idx for node in m.nodes}
        m.nodes += [NodeRecord(idx=i, point=p) for i, p in ((start, a), (end, b)) if i not in known]

    return change


def move_points(m):
    m.links[0].points = m.links[0].points + np.array([0, 0, 0.06])


def reverse_points(m):
    m.links[0].points = m.links[0].points[::-1]


def colours(*names):
    return lambda m: setattr(m.intersection_programmes[0].TLState[0], "lightcolor", list(names))


def take_all_time(m):
    m.intersection_programmes[0].TLState[0].duration = 0
    m.intersection_programmes[0].yelloduration = []


LONE_LIGHT = TrafficLightRecord(idx="lone", point=(0, 0, 5))
LINKS, LIGHTS = "link_set.json", "traffic_light_set.json"
DATA = "intersection_controller_data.json"
START = (0, 0, 0)

CASES = {
    "duplicate id": (
        add("nodes", NodeRecord(idx="A", point=START)),
        ERROR,
        "duplicate-id",
        "node_set.json",
        "A",
        START,
    ),
    "not finite": (put("links", "width_end", math.nan), ERROR, "not-finite", LINKS, "1", None),
    "node": (put("links", "to_node_idx", "Z"), ERROR, "unknown-node", LINKS, "1", START),
    "boundary's node": (
        put("lane_boundaries", "from_node_idx", "Z"),
        WARNING,
        "unknown-node",
        "lane_boundary_set.json",
        "b",
        START,
    ),
    "no node": (put("links", "to_node_idx", None), ERROR, "no-node", LINKS, "1", START),
    "lane beside": (put("links", "left_lane_change_dst_link_idx", "Z"), WARNING, "unknown-link", LINKS, "1", START),
    "light's lane": (put("traffic_lights", "link_id_list", ["Z"]), WARNING, "unknown-link", LIGHTS, "T", (1, 2, 5)),
    "boundary": (put("links", "lane_mark_right", ["Z"]), WARNING, "unknown-boundary", LINKS, "1", START),
    "controller's light": (
        put("intersection_controllers", "TL", [["T", "Z"]]),
        WARNING,
        "unknown-signal",
        "intersection_controller_set.json",
        "C",
        None,
    ),
    "group's controller": (
        put("synced_traffic_lights", "intersection_controller_id", "Z"),
        WARNING,
        "unknown-controller",
        "synced_traffic_light_set.json",
        "S",
        None,
    ),
    "crosswalk": (put("traffic_lights", "ref_crosswalk_id", "Z"), WARNING, "unknown-crosswalk", LIGHTS, "T", (1, 2, 5)),
    "node gap": (put("nodes", "point", (0.0, 0.1, 0.0)), WARNING, "node-gap", LINKS, "1", START),
    "wide node gap": (put("nodes", "point", (0.0, 0.0, 2.0)), ERROR, "node-gap", LINKS, "1", START),
    "link gap": (move_points, WARNING, "link-gap", LINKS, "1", (0, 0, 0.06)),
    "reversed": (reverse_points, ERROR, "reversed", LINKS, "1", (10, 0, 0)),
    "zero length": (add_lane("A", "A", START, START), ERROR, "zero-length", LINKS, "spur", START),
    "no width": (put("links", "width_start", 0.0), WARNING, "no-width", LINKS, "1", START),
    "dead end": (add_lane("A", "Y", START, (0, 9, 0)), INFORMATION, "dead-end", LINKS, "spur", START),
    "no way in": (add_lane("Y", "A", (0, 9, 0), START), INFORMATION, "no-way-in", LINKS, "spur", (0, 9, 0)),
    "isolated": (add_lane("X", "Y", (0, 99, 0), (0, 90, 0)), INFORMATION, "isolated", LINKS, "spur", (0, 99, 0)),
    "no neighbour": (put("links", "can_move_left_lane", True), WARNING, "no-neighbour", LINKS, "1", START),
    "colours": (colours("R", "R"), ERROR, "programme-colours", DATA, "C", None),
    "unknown colour": (colours("purple"), WARNING, "unknown-colour", DATA, "C", None),
    "yellow times": (
        put("intersection_programmes", "yelloduration", [3, 3]),
        WARNING,
        "programme-yellow",
        DATA,
        "C",
        None,
    ),
    "no time": (take_all_time, ERROR, "programme-empty", DATA, "C", None),
    "pedestrian row": (
        put("intersection_programmes", "PSState", [[0, 4, 0, 9, 9]]),
        WARNING,
        "pedestrian-row",
        DATA,
        "C",
        None,
    ),
    "no programme": (
        lambda m: m.intersection_programmes.clear(),
        INFORMATION,
        "no-programme",
        "intersection_controller_set.json",
        "C",
        None,
    ),
    "no controller": (add("traffic_lights", LONE_LIGHT), INFORMATION, "no-controller", LIGHTS, "lone", (0, 0, 5)),
}


@pytest.mark.parametrize("what", CASES)
def test_what_is_put_wrong_is_found(what):
    change, *expected = CASES[what]
    m = a_ring()
    change(m)
    problems = check_map(m)
    assert tuple(expected) in [(p.severity, p.kind, p.file, p.id, p.position) for p in problems]
    assert all("\n" not in str(problem) for problem in problems)


def test_errors_come_first_and_a_problem_reads_as_one_line():
    m = a_ring()
    for what in ("no controller", "wide node gap"):
        CASES[what][0](m)
    problems = check_map(m)
    assert [p.severity for p in problems] == sorted((p.severity for p in problems), key=list(Severity).index)
    expected = "error: link_set.json: 1 at (0.0, 0.0, 0.0): the first point is 2.00 m from node 'A'"
    assert str(problems[0]) == expected


@pytest.mark.parametrize("name", REAL_MAPS)
def test_the_real_maps_are_sound_but_for_roads_that_end(name):
    assert {problem.kind for problem in check_map(real_map(name))} <= {"dead-end", "no-way-in"}


def test_neighbours_that_do_not_lie_side_by_side_are_named():
    to = {"can_move_left_lane": True}
    m = map_of(
        straight("a", "A", "B", (0, 0, 0), (100, 0, 0), left_lane_change_dst_link_idx="b", **to),
        straight("b", "C", "D", (60, 3, 0), (160, 3, 0)),
        straight("c", "E", "F", (0, 20, 0), (100, 20, 0), left_lane_change_dst_link_idx="d", **to),
        straight("d", "G", "H", (144, 23, 0), (244, 23, 0)),
        straight("e", "I", "J", (0, 40, 0), (100, 40, 0), left_lane_change_dst_link_idx="f", **to),
        straight("f", "K", "L", (2, 43, 0), (100, 43, 0)),
    )
    found = [(p.severity, p.kind, p.id, p.message) for p in check_map(m) if p.kind.startswith("neighbour")]
    assert found == [
        (WARNING, "neighbour-elsewhere", "c",
         "one may change to 'd' on the left, which nowhere lies beside this lane; nobody changes there"),
        (INFORMATION, "neighbour-in-part", "a",
         "one may change to 'b' on the left, which lies beside 60.0 to 100.0 m of 100.0 m with its 0.0 to 40.0 m of"
         " 100.0 m"),
    ]  # fmt: skip
