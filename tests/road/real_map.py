"""The real maps that lie beside the project, when they are there."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from dorosim.road.mgeo.reader import read_mgeo
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import RoadNetwork, network_from_mgeo

SUBURB, TRACK = "V_RHT_Suburb_03", "Sangam_Track"
REAL_MAPS = (SUBURB, TRACK)
CONTROLLERS = "intersection_controller_set.json"
STATES = ("intersection_controller_state.json", "synced_traffic_light_state.json")
SYNCED = "synced_traffic_light_set.json"


def real_folder(name: str) -> Path:
    folder = Path(__file__).parents[2].parent / "shared" / "maps" / name
    if not folder.is_dir():
        pytest.skip(f"the real map is not here: {folder}")
    return folder


@cache
def real_files(name: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(real_folder(name).iterdir()) if path.suffix == ".json"}


@cache
def real_map(name: str) -> MGeoMap:
    return read_mgeo(name, real_files(name))


@cache
def real_network(name: str) -> RoadNetwork:
    return network_from_mgeo(real_map(name))


def suburb_without(*names: str) -> MGeoMap:
    """The suburb, read without some of its files."""
    return read_mgeo(SUBURB, {name: content for name, content in real_files(SUBURB).items() if name not in names})
