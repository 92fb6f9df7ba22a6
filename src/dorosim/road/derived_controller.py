"""Controllers for maps that have traffic lights and name no controllers for them.

Some of the product's own maps have lights with the links that they govern and no intersection_controller_set.json;
the product shows these lights lit. Which lights belong to one intersection is then taken from the synced lights, if
these name controllers, and else from the roads: lights whose lanes get in each other's way. Heads that govern a link
together are one group. A programme of the map is taken where its id and its number of colours fit and it lets no two
lanes go that get in each other's way (see `dorosim.road.derived_programme` for the others). docs/decisions/0033 says
why.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.conflict import conflicts_of_network
from dorosim.road.derived_programme import MIN_CROSSING_LENGTH, LitJunction, generated_programme, is_safe
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mgeo.record import IntersectionController, IntersectionProgramme, MGeoMap
from dorosim.road.signal import Light, movement_name

_MAX_APPROACH = 30.0
"""A light may name the lane that leads to the junction instead of those inside it; those begin within this [m]."""

_SAME_WAY = math.radians(45.0)
_MAX_GROUP_DISTANCE = 40.0
"""A light that names no lane belongs to the nearest group that faces the same way within this [m]."""


@dataclass(slots=True)
class _Intersection:
    """Lights that one controller switches: groups of rows of lights, and the controller's id, "" for none yet."""

    groups: list[list[int]] = field(default_factory=list)
    name: str = ""


def with_controllers(m: MGeoMap, network: RoadNetwork) -> tuple[MGeoMap, str]:
    """A map with controllers and programmes for its lights.

    Args:
        m: the map, without controllers.
        network: its roads, with its lights.

    Returns:
        the map, completed, and a notice about it for the user, in one line.
    """
    lights = network.signals.lights
    roads = _Roads(network)
    found = _named_by_synced(m, lights)
    _join_by_links(found, lights)
    found += _joined_by_roads(_free(found, lights), lights, roads)
    _add_without_links(found, lights)
    _add_pedestrians(found, network, roads)
    _name(found, m)
    controllers = [
        IntersectionController(idx=one.name, TL=[[lights[row].id for row in group] for group in one.groups])
        for one in found
    ]
    junctions = [_junction(one, network, roads) for one in found]
    file, own = _programmes_of_map(m, controllers, junctions)
    made = [
        own.get(controller.idx) or generated_programme(controller.idx, junction)
        for controller, junction in zip(controllers, junctions, strict=True)
    ]
    completed = replace(m, intersection_controllers=controllers, intersection_programmes=made)
    count = "1 intersection is" if len(found) == 1 else f"{len(found)} intersections are"
    nothing = "none of the map's own fits" if m.programme_files else "it has none of its own"
    used = f"{len(own)} from {file}" if own else nothing
    notice = (
        f"the map has lights and no controllers: {count} made of its lights and junctions; "
        f"programmes: {used}, {len(found) - len(own)} generated"
    )
    return completed, notice


class _Roads:
    """Which lanes get in each other's way, and which crosswalks pass over them.

    Args:
        network: the roads.

    Attributes:
        foes: lane to the lanes that it meets.
        governed: lanes through junctions that lights govern.
    """

    def __init__(self, network: RoadNetwork) -> None:
        conflicts, _ = conflicts_of_network(network)
        self._network = network
        self.foes: dict[int, set[int]] = {}
        plain = ~conflicts.long
        for link, other in zip(conflicts.link[plain].tolist(), conflicts.other[plain].tolist(), strict=True):
            self.foes.setdefault(link, set()).add(other)
        walks = network.crosswalks
        self._walks: dict[int, list[tuple[int, float]]] = {}
        for link, area, end in zip(walks.link.tolist(), walks.area.tolist(), walks.end.tolist(), strict=True):
            if len(walks.lights.of(area)):
                self._walks.setdefault(link, []).append((area, end))

        self.governed = self.ways_of(
            link for light in network.signals.lights if light.kind != "pedestrian" for link in light.links
        )

    def crosswalks_of(self, ways: Iterable[int]) -> set[int]:
        """Areas of crosswalks with a light that lie on lanes through a junction, or shortly before it."""
        network, found = self._network, set[int]()
        for way in ways:
            for lane, least in [(way, 0.0)] + [
                (before, float(network.link_length[before]) - _MAX_APPROACH)
                for before in network.predecessors.of(way).tolist()
            ]:
                found.update(area for area, end in self._walks.get(lane, ()) if end >= least)
        return found

    def ways_of(self, links: Iterable[int]) -> set[int]:
        """The lanes through the junction of lanes that a light names: these, or those that follow where none meets."""
        found: set[int] = set()
        for link in links:
            found.add(link)
            if link in self.foes:
                continue
            front = [(after, 0.0) for after in self._network.successors.of(link).tolist()]
            while front:
                here, way = front.pop()
                if here in found or not self._network.link_drivable[here]:
                    continue
                if here in self.foes:
                    found.add(here)
                elif way + float(self._network.link_length[here]) < _MAX_APPROACH:
                    length = float(self._network.link_length[here])
                    front += [(after, way + length) for after in self._network.successors.of(here).tolist()]
        return found


def _named_by_synced(m: MGeoMap, lights: Sequence[Light]) -> list[_Intersection]:
    """Intersections that synced lights name as their controller's, groups in the order of the file."""
    row_of = {light.id: row for row, light in reversed(list(enumerate(lights)))}
    found: dict[str, _Intersection] = {}
    taken: set[int] = set()
    for synced in m.synced_traffic_lights:
        rows = [row_of[name] for name in synced.signal_id_list if name in row_of and row_of[name] not in taken]
        if synced.intersection_controller_id and rows:
            taken.update(rows)
            name = synced.intersection_controller_id
            found.setdefault(name, _Intersection(name=name)).groups.append(rows)
    return list(found.values())


def _free(found: Iterable[_Intersection], lights: Sequence[Light]) -> list[int]:
    """Rows of the lights for vehicles that belong to no intersection yet."""
    taken = {row for one in found for group in one.groups for row in group}
    return [row for row, light in enumerate(lights) if light.kind != "pedestrian" and row not in taken]


def _join_by_links(found: list[_Intersection], lights: Sequence[Light]) -> None:
    """Add the lights that govern a link together with a group to that group."""
    group_of = {
        link: group
        for one in found
        for group in one.groups
        for row in group
        if lights[row].kind != "pedestrian"
        for link in lights[row].links
    }
    for row in _free(found, lights):
        group = next((group_of[link] for link in lights[row].links if link in group_of), None)
        if group is not None:
            group.append(row)


def _joined_by_roads(rows: Sequence[int], lights: Sequence[Light], roads: _Roads) -> list[_Intersection]:
    """Intersections of lights `rows`: heads of a group govern a link together, lanes of an intersection's groups meet.

    Groups whose lanes people cross by one light belong together, too.
    """
    groups = _united([(row, lights[row].links) for row in rows if lights[row].links])
    keys: list[tuple[int, list[tuple[str, int]]]] = []
    for number, group in enumerate(groups):
        ways = roads.ways_of(link for row in group for link in lights[row].links)
        foes = {foe for way in ways for foe in roads.foes.get(way, ())}
        walks = roads.crosswalks_of(ways)
        # two lanes that meet have a key in common: each has its own, and those of the lanes that it meets
        lanes = [("lane", lane) for lane in sorted(ways | (foes & roads.governed))]
        keys.append((number, lanes + [("crosswalk", area) for area in sorted(walks)]))
    return [_Intersection([groups[number] for number in cluster]) for cluster in _united(keys)]


def _united(items: Sequence[tuple[int, Iterable[Hashable]]]) -> list[list[int]]:
    """Numbers that have a key in common, directly or over others; in their order."""
    cluster_of: dict[Hashable, list[int]] = {}
    found: list[list[int]] = []
    for number, keys in items:
        own = [number]
        for key in keys:
            other = cluster_of.get(key)
            if other is not None and other is not own:
                own += [one for one in other if one not in own]
                for shared in [name for name, cluster in cluster_of.items() if cluster is other]:
                    cluster_of[shared] = own
                found = [cluster for cluster in found if cluster is not other]
            cluster_of[key] = own
        found.append(own)
    return sorted(sorted(cluster) for cluster in found)


def _add_without_links(found: list[_Intersection], lights: Sequence[Light]) -> None:
    """Add lights that name no lane to the nearest group that faces the same way; else each is on its own."""
    members = [(row, group) for one in found for group in one.groups for row in group]
    for row in _free(found, lights):
        light = lights[row]
        near = [
            (math.dist(light.point[:2], lights[other].point[:2]), other, group)
            for other, group in members
            if lights[other].kind != "pedestrian"
            and abs(math.remainder(lights[other].heading - light.heading, math.tau)) < _SAME_WAY
        ]
        nearest = min(near, key=lambda one: one[:2], default=None)
        if nearest is not None and nearest[0] <= _MAX_GROUP_DISTANCE:
            nearest[2].append(row)
        else:
            found.append(_Intersection([[row]]))


def _add_pedestrians(found: list[_Intersection], network: RoadNetwork, roads: _Roads) -> None:
    """Add the pedestrian heads of no intersection: those of a crosswalk as a group where its lanes are governed."""
    lights, walks = network.signals.lights, network.crosswalks
    taken = {row for one in found for group in one.groups for row in group}
    beside = [roads.crosswalks_of(roads.ways_of(_links_of(one, lights))) for one in found]
    for area in range(len(walks)):
        rows = [row for row in walks.lights.of(area).tolist() if row not in taken]
        owner = next((one for one, areas in zip(found, beside, strict=True) if area in areas), None)
        if rows and owner is not None:
            owner.groups.append(rows)
            taken.update(rows)


def _links_of(one: _Intersection, lights: Sequence[Light]) -> list[int]:
    """Links that the lights for vehicles of an intersection govern."""
    return [
        link for group in one.groups for row in group if lights[row].kind != "pedestrian" for link in lights[row].links
    ]


def _name(found: Iterable[_Intersection], m: MGeoMap) -> None:
    """Give ids, as the product writes them, to those that have none; ids that the map knows stay free."""
    used = {one.name for one in found} | {item.idx for items in m.programme_files.values() for item in items}
    number = 0
    for one in found:
        while not one.name:
            name = f"IntTL{number}"
            number += 1
            if name not in used:
                one.name = name


def _junction(one: _Intersection, network: RoadNetwork, roads: _Roads) -> LitJunction:
    """What a programme must know of an intersection."""
    lights, walks = network.signals.lights, network.crosswalks
    heads: list[frozenset[str]] = []
    ways: list[dict[int, str]] = []
    lengths: list[float] = []
    for group in one.groups:
        cars = [lights[row] for row in group if lights[row].kind != "pedestrian"]
        heads.append(frozenset(lamp for light in cars for lamp in light.lamps))
        lanes = sorted(roads.ways_of(link for light in cars for link in light.links))
        ways.append({lane: movement_name(network.link_movements[lane]) for lane in lanes})
        people = set(group) - {row for row in group if lights[row].kind != "pedestrian"}
        areas = [area for area in range(len(walks)) if people.intersection(walks.lights.of(area).tolist())]
        lengths.append(max((_extent(walks.of(area)) for area in areas), default=MIN_CROSSING_LENGTH if people else 0.0))
    return LitJunction(tuple(heads), tuple(ways), tuple(lengths), roads.foes)


def _extent(corners: FloatArray) -> float:
    """The longest way between two corners `(n, 3)` of an area [m]."""
    return float(np.linalg.norm(corners[:, None, :2] - corners[None, :, :2], axis=2).max())


def _programmes_of_map(
    m: MGeoMap, controllers: Sequence[IntersectionController], junctions: Sequence[LitJunction]
) -> tuple[str, dict[str, IntersectionProgramme]]:
    """The file of programmes that fits most of the controllers, and those of it that do, by id."""
    best: tuple[str, dict[str, IntersectionProgramme]] = ("", {})
    for file, programmes in m.programme_files.items():
        by_id = {programme.idx: programme for programme in reversed(programmes)}
        own = {
            controller.idx: by_id[controller.idx]
            for controller, junction in zip(controllers, junctions, strict=True)
            if controller.idx in by_id and is_safe(by_id[controller.idx], junction)
        }
        if len(own) > len(best[1]):
            best = (file, own)
    return best
