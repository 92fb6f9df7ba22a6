"""Where ego vehicles start: as the settings give it, else on the lanes from the map's start on, with room between."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from dorosim.app.setting.settings import EgoSettings
from dorosim.app.store.map import TOWN
from dorosim.ground.error import InputError
from dorosim.recording.format import EgoStart
from dorosim.road.network import RoadNetwork
from dorosim.world.vehicle.catalogue import model_of

TOWN_START = ("_11_0_R1_", 39.33)
"""Link and arc length [m] where the ego vehicle stands in the built-in town."""
STARTS = {TOWN: TOWN_START, "village": ("_0_1_R1_", 15.0), "motorway": ("_9_6_R3_", 20.0)}
"""The same of each built-in map: in the village on the street to the church, on the motorway in its right lane."""
SPACING = 15.0
"""Ego vehicles without a place of their own stand this far apart along the lane [m]."""
ROOM_ALONG, ROOM_ACROSS, ROOM_AROUND = 13.0, 2.8, 6.5
"""No two of them are nearer than one of the first two, along and across their heading [m]; those that do not stand side
by side are not nearer than the last [m]."""
SIDE_BY_SIDE = 0.2
"""Headings that differ by less [rad]."""


def ego_starts(egos: Sequence[EgoSettings], map_name: str, network: RoadNetwork) -> tuple[EgoStart, ...]:
    """The start poses of all ego vehicles.

    Raises:
        InputError: a model or a link is not known, or the map has no room for so many vehicles.
    """
    free = _free_places(map_name, network)
    found: list[EgoStart] = []
    taken = np.full((len(egos), 3), math.inf)
    for number, ego in enumerate(egos):
        start = _given_start(ego, network) or _next_free(model_of(ego.vehicle).name, free, taken, number)
        taken[number] = *start.position[:2], start.heading
        found.append(start)
    return tuple(found)


def _given_start(ego: EgoSettings, network: RoadNetwork) -> EgoStart | None:
    model = model_of(ego.vehicle).name
    if ego.pose is not None:
        x, y, heading_deg = ego.pose
        return EgoStart(model, (x, y, math.nan if ego.z is None else ego.z), math.radians(heading_deg))
    if ego.link is not None:
        link = network.link_index(ego.link)
        length = float(network.link_length[link])
        if ego.s > length:
            problem = f"{ego.s:g} m is beyond the end of link {ego.link}"
            raise InputError("settings", "ego.s", problem, f"give 0 to {length:.1f}")
        return _start_on(model, network, link, ego.s)
    return EgoStart(model, (0.0, 0.0, 0.0), 0.0) if not network.link_count else None


def _start_on(model: str, network: RoadNetwork, link: int, s: float) -> EgoStart:
    pose = network.pose_at(link, s)
    x, y, z = pose.point[0].tolist()
    return EgoStart(model, (x, y, z), float(pose.heading[0]))


def _next_free(model: str, places: Iterator[EgoStart], taken: np.ndarray, count: int) -> EgoStart:
    """The next place that no other ego vehicle takes up.

    Raises:
        InputError: the map has no room for one more.
    """
    for place in places:
        offset = taken[:count, :2] - place.position[:2]
        cosine, sine = math.cos(place.heading), math.sin(place.heading)
        along, across = offset @ (cosine, sine), offset @ (-sine, cosine)
        turned = np.abs(np.remainder(taken[:count, 2] - place.heading + math.pi, 2 * math.pi) - math.pi) > SIDE_BY_SIDE
        near = (np.abs(along) < ROOM_ALONG) & (np.abs(across) < ROOM_ACROSS)
        if not (near | (turned & (np.hypot(along, across) < ROOM_AROUND))).any():
            return EgoStart(model, place.position, place.heading)
    raise InputError("settings", "ego", f"the map has room for {count} ego vehicles", "ask for fewer, or give poses")


def _free_places(map_name: str, network: RoadNetwork) -> Iterator[EgoStart]:
    """Places along the lanes from the map's start on, lane by lane in the order of the ways that lead on."""
    if not network.link_count:
        return
    if map_name in STARTS and STARTS[map_name][0] in network.link_ids:
        first, s = network.link_index(STARTS[map_name][0]), STARTS[map_name][1]
    else:
        # a map without a start of its own: its longest lane has room for many
        first, s = int((network.link_length * network.link_drivable).argmax()), 10.0
    drivable = np.flatnonzero(network.link_drivable).tolist()
    ahead, seen = deque([(first, s)]), {first}
    while ahead or len(seen) < len(drivable):
        if not ahead:
            rest = next(link for link in drivable if link not in seen)
            seen.add(rest)
            ahead.append((rest, SPACING))
        link, s = ahead.popleft()
        while s <= network.link_length[link]:
            yield _start_on("", network, link, s)
            s += SPACING
        for after in network.successors.of(link).tolist():
            if after not in seen and network.link_drivable[after]:
                seen.add(after)
                ahead.append((after, s - float(network.link_length[link])))
