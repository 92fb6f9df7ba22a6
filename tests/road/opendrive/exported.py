"""Maps as OpenDRIVE, written and read again, and where their lanes are then."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from dorosim.app.store.map import read_map_files, read_records
from dorosim.road.mgeo.record import GlobalInfo, MGeoMap
from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.road.opendrive.export.map_export import ExportedMap, opendrive_from_map
from dorosim.road.opendrive.export.writer import write_opendrive
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.record import OpenDriveMap
from tests.road.real_map import REAL_MAPS, real_map, real_network
from tests.road.small_map import map_of, straight

BUILT_IN = ("town", "village", "motorway")
ALL_MAPS = (*BUILT_IN, *REAL_MAPS)


class WrittenMap(NamedTuple):
    """A map, its file, and what is read of that."""

    m: MGeoMap
    network: RoadNetwork
    exported: ExportedMap
    content: bytes
    read: OpenDriveMap


class LaneMiss(NamedTuple):
    """How far a lane is from its link at most [m]: its middle, its height, its width, and that with its margins."""

    centre: float
    height: float
    width: float
    whole_width: float


def written(m: MGeoMap, network: RoadNetwork) -> WrittenMap:
    exported = opendrive_from_map(m, network)
    content = write_opendrive(exported.town)
    return WrittenMap(m, network, exported, content, read_opendrive(m.name, content))


def exported(*links, side="RHT"):
    m = map_of(*links, info=GlobalInfo(traffic_dir=side))
    return written(m, network_from_mgeo(m))


def two_lanes(side="RHT"):
    """Two lanes to the east, from 0 to 60 m, 3.5 m apart, that may be changed from left to right."""
    left = straight("left", "A", "B", (0, 0, 0), (60, 0, 3), right_lane_change_dst_link_idx="right")
    right = straight("right", "C", "D", (0, -3.5, 0), (60, -3.5, 3), left_lane_change_dst_link_idx="left")
    left.can_move_right_lane = True
    return exported(left, right, side=side)


@cache
def written_map(name: str) -> WrittenMap:
    """A built-in map, or a real one; skips where that is not there."""
    if name in REAL_MAPS:
        return written(real_map(name), real_network(name))
    m = read_records(read_map_files(name))
    return written(m, network_from_mgeo(m))


def misses(map_: WrittenMap, step: float = 0.5) -> dict[str, LaneMiss]:
    """By the id of a link, from the file as it is read."""
    network = map_.network
    found = {}
    for road in map_.read.roads:
        s = np.linspace(0.0, road.length, max(int(road.length / step), 8))
        lanes = RoadLines(road).lanes_at(0, s)
        margins = {lane.id for lane in road.lane_sections[0].lanes if lane.id and not lane.speeds}
        for name in road.name.split("|"):
            lane = map_.exported.lane[name]
            points, link = lanes[lane], network.link_index(name)
            arc, away, height = beside(network, link, np.column_stack((points.x, points.y)))
            width = network.width_at(link, arc)
            side = 1 if lane > 0 else -1
            whole = points.width + sum(
                lanes[one].width for one in margins if one == lane + side or (abs(lane) == 1 and one == -side)
            )
            found[name] = LaneMiss(
                *(float(np.abs(one).max()) for one in (away, points.z - height, points.width - width, whole - width))
            )
    return found


def beside(network: RoadNetwork, link: int, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where along a link points `(N, 2)` or `(N, 3)` lie [m], how far beside its chords, and how high it is there."""
    own = slice(int(network.lines.first[link]), int(network.lines.first[link + 1]))
    corner, arc = network.lines.points[own], network.lines.arc[own]
    chord = np.diff(corner[:, :2], axis=0)
    place = points[:, None, :2]
    span = np.maximum((chord * chord).sum(axis=1), 1e-12)
    share = np.clip(((place - corner[None, :-1, :2]) * chord).sum(axis=2) / span, 0.0, 1.0)
    away = np.hypot(*np.moveaxis(place - corner[None, :-1, :2] - share[..., None] * chord, 2, 0))
    cell = away.argmin(axis=1)
    rows = np.arange(len(cell))
    at = share[rows, cell]
    start = place[:, 0] - corner[cell, :2]
    across = (start[:, 0] * chord[cell, 1] - start[:, 1] * chord[cell, 0]) / np.sqrt(span[cell])
    z = corner[cell, 2] + at * (corner[cell + 1, 2] - corner[cell, 2])
    return arc[cell] + at * (arc[cell + 1] - arc[cell]), across, z
