"""Traffic lights of an OpenDRIVE file as those of the network (ASAM OpenDRIVE 1.8, 14).

A light counts at a place along a road, for one direction of driving. The links that it governs are those inside the
junction: of its road, where that is part of one, else of the roads that go on from its end. Which lights switch
together is said by controllers, dependencies, and the junctions that name the controllers. OpenDRIVE does not say when
they switch: programmes are made of these groups, as for every map that has none (`dorosim.road.derived_controller`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dorosim.ground.unit import DEGREE
from dorosim.road.mgeo.record import SyncedTrafficLight, TrafficLightRecord
from dorosim.road.opendrive.record import OpenDriveMap
from dorosim.road.opendrive.signal_kind import SignalKind, kind_of
from dorosim.road.opendrive.signal_place import SignalPlaces, Stand
from dorosim.road.opendrive.signal_record import OdrSignal

_LAMPS = ("red", "yellow", "straight")
_WALK_LAMPS = ("red", "green")
_MIN_HEIGHT = 2.5
"""A head for vehicles that the file puts lower hangs so high [m]."""

_HEAD = 1.5
"""What is higher than this is a post with a head on top [m]."""

_HALF_HEAD = 0.5
"""The middle of such a head lies so far below the top of its post [m]."""


def lights_of(places: SignalPlaces, notices: list[str]) -> list[TrafficLightRecord]:
    """The lights for vehicles, with the links that they govern, and those for people.

    Args:
        places: of the file's signals.
        notices: takes a line when lights govern nothing.
    """
    found: list[TrafficLightRecord] = []
    idle = 0
    for road in places.town.roads:
        for signal in road.signals:
            kind = kind_of(signal)
            if kind is SignalKind.WALK_LIGHT:
                stand = places.stand_of(road, signal)
                found.append(_record(road.id, places.name_of(road, signal), stand, _above(signal), [], "pedestrian"))
            if kind is not SignalKind.VEHICLE_LIGHT:
                continue
            governed: dict[str, None] = {}
            for place in places.counted(road, signal):
                for link in places.approaches(place):
                    governed |= dict.fromkeys(one.idx for one in places.inside(link))
            if not governed:
                idle += 1
                continue
            stand = places.stand_of(road, signal)
            above = max(stand.z - stand.ground + _above(signal), _MIN_HEIGHT) - (stand.z - stand.ground)
            found.append(_record(road.id, places.name_of(road, signal), stand, above, list(governed), "car"))
    if idle:
        notices.append(f"{places.town.source}: {idle} lights are not used, since they are at no junction")
    return found


def _above(signal: OdrSignal) -> float:
    """How far the middle of a head lies above the lower edge of the signal [m]."""
    height = signal.height or 0.0
    return height - _HALF_HEAD if height > _HEAD else 0.5 * height


def _record(road: str, name: str, stand: Stand, above: float, governed: list[str], kind: str) -> TrafficLightRecord:
    """A light of a kind whose head hangs so far above the lower edge of its signal [m]."""
    z = stand.z + above
    return TrafficLightRecord(
        idx=name,
        point=(stand.x, stand.y, z),
        link_id_list=governed,
        road_id=road,
        type=kind,
        sub_type=list(_LAMPS if kind == "car" else _WALK_LAMPS),
        orientation="vertical",
        z_offset=z - stand.ground,
        height=1.0 if kind == "car" else 0.6,
        width=0.4,
        heading=map_degrees(stand.facing),
    )


def map_degrees(angle: float) -> float:
    """A heading [rad] in degrees, 0 to 360, as the records have it."""
    return round(math.fmod(angle / DEGREE.factor, 360.0) % 360.0, 3) % 360.0


def groups_of_lights(
    town: OpenDriveMap, lights: Sequence[TrafficLightRecord], junction_of_link: Mapping[str, str]
) -> list[SyncedTrafficLight]:
    """The lights that switch together, with the junction whose controller switches them.

    Args:
        town: the file.
        lights: of the map.
        junction_of_link: id of a link to that of its junction.
    """
    by_id = {light.idx: light for light in lights}
    controllers = {
        one.id: [each.signal_id for each in one.signals if each.signal_id in by_id] for one in town.controllers
    }
    _add_dependent(town, controllers, by_id)
    junction_of_light = {
        light.idx: _most_frequent(junction_of_link[link] for link in light.link_id_list if link in junction_of_link)
        for light in lights
    }
    owner: dict[str, str] = {}
    for junction in town.junctions:
        for one in sorted(junction.controllers, key=lambda each: (each.sequence is None, each.sequence or 0)):
            if one.id in controllers:
                owner.setdefault(one.id, junction.id)
    for name, members in controllers.items():
        junction_id = _most_frequent(junction_of_light[light] for light in members if junction_of_light[light])
        if name not in owner and junction_id:
            owner[name] = junction_id
    groups = [(owner[name], controllers[name]) for name in owner if controllers[name]]
    groups += _left_over(lights, junction_of_light, groups)
    taken: set[str] = set()
    found = []
    for number, (junction_id, members) in enumerate(groups):
        free = [light for light in members if light not in taken]
        taken.update(free)
        if free:
            found.append(
                SyncedTrafficLight(
                    idx=f"group {number}", intersection_controller_id=f"junction {junction_id}", signal_id_list=free
                )
            )
    return found


def _add_dependent(
    town: OpenDriveMap, controllers: dict[str, list[str]], lights: Mapping[str, TrafficLightRecord]
) -> None:
    """Add lights that another one switches to its controller, or make one of both where neither has any."""
    group_of = {light: members for members in controllers.values() for light in members}
    for road in town.roads:
        for signal in road.signals:
            for other in (one.id for one in signal.dependencies):
                if signal.id not in lights or other not in lights or other == signal.id:
                    continue
                if other in group_of and signal.id in group_of:
                    continue
                members = group_of.get(signal.id) or group_of.get(other)
                if members is None:
                    members = controllers.setdefault(f"dependency {signal.id}", [])
                for one in (signal.id, other):
                    if one not in group_of:
                        members.append(one)
                        group_of[one] = members


def _left_over(
    lights: Sequence[TrafficLightRecord],
    junction_of_light: Mapping[str, str],
    groups: Sequence[tuple[str, Sequence[str]]],
) -> list[tuple[str, list[str]]]:
    """Lights of junctions with a controller that are in no group: heads over the same links are a group of their own.

    Were they switched apart from the others, lanes that meet could be free at once.
    """
    taken = {light for _, members in groups for light in members}
    junctions = {junction for junction, _ in groups}
    found: list[tuple[str, list[str]]] = []
    by_links: dict[tuple[str, ...], list[str]] = {}
    for light in lights:
        junction = junction_of_light[light.idx]
        if light.idx in taken or junction not in junctions:
            continue
        key = tuple(sorted(light.link_id_list))
        if key not in by_links:
            by_links[key] = []
            found.append((junction, by_links[key]))
        by_links[key].append(light.idx)
    return found


def _most_frequent(names: Iterable[str]) -> str:
    """The name that comes most often, of several the first; "" for none."""
    counts = Counter(names)
    return max(counts, key=lambda name: counts[name], default="")
