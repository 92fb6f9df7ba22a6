"""The built-in village and motorway: whole, connected, as steep and as wide as they say, and small."""

from __future__ import annotations

from importlib import resources

import networkx as nx
import numpy as np
import pytest

from dorosim.app.analyse.map_file import write_map
from dorosim.app.run.ego_start import STARTS, ego_starts
from dorosim.app.setting.settings import EgoSettings
from dorosim.app.store.map import BUILT_IN, read_map_files
from dorosim.mapmaking.draft import LINK_IN_JUNCTION
from dorosim.mapmaking.motorway_ring import MOTORWAY_RING
from dorosim.mapmaking.village import STEEPEST, VILLAGE_STREET
from dorosim.road.check import Severity, check_map
from dorosim.road.network import network_from_mgeo
from dorosim.road.terrain.terrain import is_urban, is_village
from tests.road.generated_town import lanes_of, legs
from tools.town import MAKERS

pytestmark = pytest.mark.filterwarnings("error")

LARGEST = 1 << 20
"""Bytes of a built-in map as it is packed."""


@pytest.fixture(scope="module", params=["village", "motorway"])
def made(request):
    return MAKERS[request.param]()


def steepest(lanes):
    return max(float((np.abs(np.diff(one.points[:, 2])) / legs(one.points)[0]).max()) for one in lanes)


def test_every_built_in_map_has_a_maker_and_a_start():
    assert tuple(MAKERS) == tuple(STARTS) == BUILT_IN


def test_the_shipped_file_is_what_the_tool_makes_and_is_small(made, tmp_path):
    write_map(tmp_path / "made.zip", made)
    assert read_map_files(str(tmp_path / "made.zip")).digest == read_map_files(made.name).digest, "run make town"
    assert len(resources.files("dorosim.app").joinpath(f"{made.name}.zip").read_bytes()) < LARGEST


def test_the_checker_finds_nothing_wrong_and_every_lane_leads_to_every_other(made):
    assert [str(one) for one in check_map(made) if one.severity is not Severity.INFORMATION] == []
    graph = nx.DiGraph((link.from_node_idx, link.to_node_idx) for link in made.links)  # lane changes are links, too
    assert nx.number_strongly_connected_components(graph) == 1


def test_its_ego_vehicles_start_on_the_link_that_is_written_down(made):
    network = network_from_mgeo(made)
    link, s = STARTS[made.name]
    (start,) = ego_starts((EgoSettings(),), made.name, network)
    assert np.allclose(start.position, network.pose_at(network.link_index(link), s).point[0])
    assert len(ego_starts((EgoSettings(),) * 8, made.name, network)) == 8


def test_a_map_of_the_user_that_is_called_like_a_built_in_one_starts_somewhere(made):
    other = MAKERS["town"]() if made.name == "motorway" else MAKERS["motorway"]()
    assert ego_starts((EgoSettings(),), made.name, network_from_mgeo(other))


def test_the_village_has_hills_crossroads_without_lights_and_crosswalks():
    village = MAKERS["village"]()
    lanes = lanes_of(village)
    heights = np.concatenate([lane.points[:, 2] for lane in lanes])
    assert 0.07 < steepest(lanes) < STEEPEST
    assert 30.0 < np.ptp(heights) < 45.0
    assert village.traffic_lights == []
    assert len(village.crosswalks) == 7
    network = network_from_mgeo(village)
    assert len(network.crosswalks) == 7
    assert is_village(network)
    assert is_urban(village, network)
    assert VILLAGE_STREET.lanes == 1


def test_the_motorway_has_three_lanes_interchanges_and_no_houses():
    motorway = MAKERS["motorway"]()
    network = network_from_mgeo(motorway)
    fast = network.link_speed_limit > (MOTORWAY_RING.speed_kmh - 1.0) / 3.6
    around = network.link_length[fast].sum() / MOTORWAY_RING.lanes / 2.0
    assert 8_000.0 < around < 9_500.0, "auxiliary lanes are in it"
    assert steepest(lanes_of(motorway)) < 0.05
    assert not is_urban(motorway, network)
    assert not is_village(network)
    open_road = [link for link in lanes_of(motorway) if link.link_type != LINK_IN_JUNCTION]
    ramps = [link for link in open_road if link.max_speed == MOTORWAY_RING.ramp_speed_kmh]
    assert len({link.road_id for link in ramps}) == 16, "four of each of four interchanges"
