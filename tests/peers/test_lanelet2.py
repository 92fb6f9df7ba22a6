"""Lanelet2's own library reads what is written, and makes of files what is made of them here."""

from __future__ import annotations

import re

import numpy as np
import pytest

from dorosim.road.lanelet2.position import NOWHERE, geographic, project
from dorosim.road.lanelet2.reader import read_lanelet2
from dorosim.road.mgeo.record import GlobalInfo
from dorosim.road.network import network_from_mgeo
from tests.peers.environment import ROADS, run
from tests.road.lanelet2.exported import exported
from tests.road.lanelet2.sample import DASHED, SOLID, crossing, two_lanes
from tests.road.opendrive.exported import ALL_MAPS

pytestmark = pytest.mark.peer
CENTRE = 0.01


def view(content, info, folder):
    """What the library makes of a file, with places in the frame of the map."""
    path = folder / "map.osm"
    path.write_bytes(content)
    at = geographic(info, np.zeros((1, 3)))
    found = run(ROADS, "lanelet2_view.py", path, float(at["lat"][0]), float(at["lon"][0]))
    for one in found["lanelets"]:
        one["centre"] = in_map(one["centre"], info)
    return found


def in_map(places, info):
    table = np.array(places, np.float64)
    system, origin = (info.coordinate_system, info.origin) if info.coordinate_system else NOWHERE
    return np.column_stack((project(system, table[:, 0], table[:, 1]) - np.array(origin[:2]), table[:, 2]))


def away(line, other):
    """How far two lines `(N, 3)` are from each other at most [m]."""
    return max(float(_to_line(*pair).max()) for pair in ((line, other), (other, line)))


def _to_line(points, line):
    start, way = line[:-1], np.diff(line, axis=0)
    share = ((points[:, None] - start) * way).sum(axis=2) / np.maximum((way * way).sum(axis=1), 1e-18)
    foot = start + np.clip(share, 0.0, 1.0)[..., None] * way
    return np.linalg.norm(points[:, None] - foot, axis=2).min(axis=1)


def check_graph(network, lanelets, name_of):
    """Hold that lanes follow each other, and lie beside each other, as the library says."""
    names = {one["id"]: name_of(one) for one in lanelets}
    rows = {name: row for row, name in enumerate(network.link_ids)}
    for one in lanelets:
        row = rows[names[one["id"]]]
        assert one["drivable"] == network.link_drivable[row]
        assert one["speed"] / 3.6 == pytest.approx(network.link_speed_limit[row], abs=1e-3) or not one["drivable"]
        if not one["drivable"]:
            continue
        after = {network.link_ids[other] for other in network.successors.of(row) if network.link_drivable[other]}
        assert {names[other] for other in one["following"]} == after
        for side in ("left", "right"):
            other = int(getattr(network.neighbours, side)[row])
            beside = network.link_ids[other] if other >= 0 else None
            allowed = bool(getattr(network.neighbours, f"{side}_allowed")[row])
            assert names.get(one[side]) == (beside if allowed else None)
            assert names.get(one[side] or one[f"adjacent_{side}"]) == beside


@pytest.mark.parametrize("name", ALL_MAPS)
def test_it_reads_what_is_written(name, tmp_path):
    m, network, content, _, _ = exported(name)
    found = view(content, m.info, tmp_path)
    lanelets = [one for one in found["lanelets"] if "dorosim:link" in one["tags"]]
    assert len(lanelets) == network.link_count
    assert len(found["lanelets"]) == network.link_count + len(network.crosswalks)
    for one in lanelets:
        line = network.points_of(network.link_index(one["tags"]["dorosim:link"]))
        assert away(one["centre"], line) < CENTRE
    check_graph(network, lanelets, lambda one: one["tags"]["dorosim:link"])
    heads = {
        head[0]["dorosim:light"]: in_map(head[1], m.info)
        for light in found["lights"].values()
        for head in light["heads"].values()
    }
    assert heads.keys() == {light.id for light in network.signals.lights}
    for light in network.signals.lights:
        middle = heads[light.id].mean(axis=0)
        assert middle[:2] == pytest.approx(light.point[:2], abs=CENTRE)
        assert 0.0 < light.point[2] - middle[2] < 1.0
    _check_stop_lines(m.info, network, lanelets, found["lights"])


def _check_stop_lines(info, network, lanelets, lights):
    """Hold that lanes through junctions have the heads of their lights, and the stop lines of lanes that lead there."""
    for one in lanelets:
        row = network.link_index(one["tags"]["dorosim:link"])
        own = {network.signals.lights[light].id for light in network.signals.lights_of_link.of(row)}
        cars = {light.id for light in network.signals.lights if light.kind != "pedestrian"}
        rules = [lights[str(light)] for light in one["lights"]]
        assert {head[0]["dorosim:light"] for rule in rules for head in rule["heads"].values()} == own & cars
        stops = [in_map(rule["stop_line"], info) for rule in rules if rule["stop_line"]]
        before = [
            link for link in network.predecessors.of(row).tolist() if np.isfinite(network.signals.stop_line[link])
        ]
        if own & cars and before:
            wanted = np.array([network.point_at(link, network.signals.stop_line[link])[0] for link in before])
            middles = np.array([line.mean(axis=0) for line in stops])
            assert len(middles) == len(wanted)
            for place in wanted:
                assert np.linalg.norm(middles - place, axis=1).min() < 2.5


@pytest.mark.parametrize("name", ALL_MAPS)
def test_centre_lines_between_bounds_are_the_same(name, tmp_path):
    _, _, content, _, _ = exported(name)
    content = re.sub(rb'\n *<member [^>]*role="centerline"/>', b"", content)
    content = re.sub(rb'\n *<tag k="(local_x|local_y|dorosim:[a-z_]*)" [^>]*/>', b"", content)
    content = re.sub(rb"\n *<MetaInfo [^>]*/>", b"", content)
    check_file(content, tmp_path)


def check_file(content, folder):
    """Hold that our reader and the library make the same of a file of latitudes."""
    m = read_lanelet2("peer.osm", content, "peer")
    network = network_from_mgeo(m)
    found = view(content, GlobalInfo(coordinate_system=m.info.coordinate_system, origin=m.info.origin), folder)
    lanelets = [one for one in found["lanelets"] if one["tags"]["subtype"] != "crosswalk"]
    assert {str(one["id"]) for one in lanelets} == {name for name in network.link_ids if not name.endswith("_back")}
    for one in lanelets:
        assert away(one["centre"], network.points_of(network.link_index(str(one["id"])))) < CENTRE
        assert one["one_way"] == (f"{one['id']}_back" not in network.link_ids)
    if all(one["one_way"] for one in lanelets):
        check_graph(network, lanelets, lambda one: str(one["id"]))


@pytest.mark.parametrize("where", ["inside", "before"])
def test_a_crossing_is_the_same(where, tmp_path):
    check_file(crossing(where, local=False), tmp_path)


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        (DASHED, {}),
        (SOLID, {"speed_limit": "30 mph"}),
        ({"type": "line_thin", "subtype": "dashed_solid"}, {"location": "nonurban"}),
        ({"type": "line_thin", "subtype": "solid_dashed"}, {"subtype": "highway"}),
        (SOLID | {"lane_change:left": "yes"}, {"participant:vehicle": "yes"}),
        (DASHED | {"lane_change": "no"}, {"participant:vehicle:bus": "yes"}),
        ({}, {"subtype": "bus_lane"}),
        (DASHED, {"one_way": "no"}),
    ],
)
def test_two_lanes_are_the_same(line, tags, tmp_path):
    check_file(two_lanes(local=False, line=line or {"type": "virtual"}, **tags), tmp_path)
