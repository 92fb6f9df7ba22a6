"""The real sample scenario, and a small map with the links that it names."""

from __future__ import annotations

import json

import numpy as np

from dorosim.road.mgeo.record import GlobalInfo, IntersectionController, IntersectionProgramme, SignalStateRecord
from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.scenario.catalogue import Catalogue
from dorosim.scenario.morai.file import read_scenario
from dorosim.scenario.morai.record import ScenarioFile
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.road.small_map import map_of, straight
from tests.shared import shared

SAMPLE = "scenario_kcity_sample.json"
CATALOGUE = Catalogue.from_models(VEHICLE_MODELS, ("walker", "runner"), ("box", "cone"))


def sample_bytes() -> bytes:
    return (shared("samples") / SAMPLE).read_bytes()


def sample() -> ScenarioFile:
    return read_scenario(SAMPLE, sample_bytes())


def kcity_network() -> RoadNetwork:
    """Straight lanes with K-City's ids through the sample's spawn points, and its seven controllers."""
    links, ends = [], []
    for number, point in enumerate(json.loads(sample_bytes())["spawnPointList"]):
        heading = np.radians(float(point["rot"]["yaw"]))
        ahead = np.array([np.cos(heading), np.sin(heading), 0.0])
        at = np.array([point["pos"][axis] for axis in "xyz"])
        begin = at - point["startLinkInfo"]["pointIdx"] * 0.5 * ahead
        start, end = point["startLinkInfo"]["linkIdx"], point["endLinkInfo"]["linkIdx"]
        links.append(straight(start, f"N{number}", f"M{number}", begin, begin + 60 * ahead, 0.5, max_speed=60))
        if end not in ends:
            ends.append(end)
            links.append(straight(end, f"M{number}", f"E{number}", begin + 60 * ahead, begin + 120 * ahead, 0.5))
    states = [SignalStateRecord(duration=30.0, lightcolor=["R"]) for _ in range(4)]
    names = [f"IntTL{number}" for number in range(7)]
    return network_from_mgeo(
        map_of(
            *links,
            name="R_KR_PG_K-City",
            intersection_controllers=[IntersectionController(idx=name, TL=[[]]) for name in names],
            intersection_programmes=[
                IntersectionProgramme(idx=name, TLState=states, yelloduration=[3.0] * 4) for name in names
            ],
            info=GlobalInfo(coordinate_system="UTM52N", origin=(302459.942, 4122635.537, 0.0)),
        )
    )
