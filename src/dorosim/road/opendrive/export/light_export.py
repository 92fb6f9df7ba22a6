"""Traffic lights, stop lines and signs of a map as signals of roads, and controllers (ASAM OpenDRIVE 1.8, 14)."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from dorosim.ground.unit import DEGREE
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mgeo.record import TrafficSign
from dorosim.road.opendrive.export.road_place import RoadPlace, RoadPlaces
from dorosim.road.opendrive.object_record import LaneValidity
from dorosim.road.opendrive.signal_record import (
    ControlledSignal,
    OdrController,
    OdrSignal,
    OdrSignalReference,
    SignalMapPosition,
)
from dorosim.road.signal import Controller, Light

VEHICLE_LIGHT, PEDESTRIAN_LIGHT, STOP_LINE = "1000001", "1000002", "294"
"""Types of signals as the standard and RoadRunner have them, of the country "OpenDRIVE"."""

_COUNTRY = "OpenDRIVE"
_SIGN_COUNTRY = "KR"


class LaneTable(NamedTuple):
    """Where links are: road and lane `(L,)` of each, and the length of each road [m]."""

    road: list[int]
    lane: list[int]
    length: list[float]


class SignalExport:
    """Signals as they are added, with ids that no two share.

    Attributes:
        signals, references: road number to what it has.
        user_data: of signals and controllers.
        controllers: one for each group of lights that switch together.
        controller_of: number of a controller of the map to the ids of those that were made of it.

    Args:
        network: of the map.
        table: where its links are.
        places: finds places on roads.
    """

    def __init__(self, network: RoadNetwork, table: LaneTable, places: RoadPlaces) -> None:
        self._network, self._table, self._places = network, table, places
        self.signals: defaultdict[int, list[OdrSignal]] = defaultdict(list)
        self.references: defaultdict[int, list[OdrSignalReference]] = defaultdict(list)
        self.user_data: dict[tuple[str, ...], Mapping[str, str]] = {}
        self.controllers: list[OdrController] = []
        self.controller_of: defaultdict[int, list[str]] = defaultdict(list)
        self._count = 0
        self._light_id: dict[int, str] = {}

    def _next_id(self) -> str:
        self._count += 1
        return str(self._count)

    def add_lights(self) -> None:
        """Add all lights, at the starts of the lanes that they govern, and their controllers."""
        for number, light in enumerate(self._network.signals.lights):
            self._light_id[number] = self._add_light(light)
        for number, controller in enumerate(self._network.signals.controllers):
            for group, members in enumerate(controller.groups):
                name = self._next_id()
                controlled = tuple(ControlledSignal(signal_id=self._light_id[one]) for one in members)
                if controlled:
                    self.controllers.append(
                        OdrController(id=name, name=controller.id, sequence=group, signals=controlled)
                    )
                    self.controller_of[number].append(name)
                    self.user_data["controller", name] = {
                        "dorosim.controller": controller.id,
                        "dorosim.group": str(group),
                        "dorosim.programme": _programme(controller),
                    }

    def _add_light(self, light: Light) -> str:
        """Add a light; its id."""
        name = self._next_id()
        lanes = self._lanes_by_road(light.links)
        road = next(iter(lanes), -1)
        place = self._places.nearest(np.array(light.point)) if road < 0 else self._start_beside(light, road)
        x, y, z = light.point
        pedestrian = light.kind == "pedestrian"
        self.signals[place.road].append(
            OdrSignal(
                id=name,
                name=light.id,
                s=place.s,
                t=place.t,
                z_offset=z - place.height,
                h_offset=_angle(light.heading - place.heading + math.pi),
                dynamic=True,
                orientation="+",
                country=_COUNTRY,
                type=PEDESTRIAN_LIGHT if pedestrian else VEHICLE_LIGHT,
                subtype="-1",
                validities=tuple(LaneValidity(from_lane=one, to_lane=one) for one in lanes.get(road, ())),
                map_position=SignalMapPosition(x=x, y=y, z=z, hdg=_angle(light.heading + math.pi)),
            )
        )
        for other in list(lanes)[1:]:
            validities = tuple(LaneValidity(from_lane=one, to_lane=one) for one in lanes[other])
            self.references[other].append(
                OdrSignalReference(id=name, s=0.0, t=0.0, orientation="+", validities=validities)
            )
        lamps = {"dorosim.light": light.id, "dorosim.kind": light.kind, "dorosim.lamps": ",".join(light.lamps)}
        self.user_data["signal", name] = lamps | ({"dorosim.crosswalk": light.crosswalk} if light.crosswalk else {})
        return name

    def _lanes_by_road(self, links: tuple[int, ...]) -> dict[int, list[int]]:
        """The lanes of links, by the number of their road."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for link in links:
            found[self._table.road[link]].append(self._table.lane[link])
        return {road: sorted(found[road]) for road in sorted(found)}

    def _start_beside(self, light: Light, road: int) -> RoadPlace:
        """The start of a road, and how far beside the line through it a light hangs."""
        start = self._places.at(road, 0.0, 0.0)
        x, y = self._places.point_of(start)
        away = (light.point[1] - y) * math.cos(start.heading) - (light.point[0] - x) * math.sin(start.heading)
        return self._places.at(road, 0.0, away)

    def add_stop_lines(self) -> None:
        """Add a stop line for each lane that has one."""
        network = self._network
        for link, at in enumerate(network.signals.stop_line.tolist()):
            if math.isnan(at):
                continue
            road, lane = self._table.road[link], self._table.lane[link]
            share = min(at / float(network.link_length[link]), 1.0)
            point = network.point_at(link, at)[0]
            place = self._places.beside(point, road, share * self._table.length[road])
            name = self._next_id()
            self.signals[road].append(
                OdrSignal(
                    id=name,
                    name="StopLine",
                    s=place.s,
                    t=place.t,
                    orientation="+",
                    country=_COUNTRY,
                    type=STOP_LINE,
                    subtype="-1",
                    width=float(network.width_at(link, at)[0]),
                    validities=(LaneValidity(from_lane=lane, to_lane=lane),),
                )
            )

    def add_signs(self, signs: list[TrafficSign], rows: Mapping[str, int]) -> None:
        """Add signs, on the roads of the links that they name, else on the nearest one.

        Args:
            signs: of the map.
            rows: of its links, by id.
        """
        for sign in signs:
            links = tuple(rows[one] for one in sign.link_id_list if one in rows)
            lanes = self._lanes_by_road(links)
            place = self._places.nearest(np.array(sign.point), list(lanes))
            value = _number(sign.value)
            heading = sign.heading * DEGREE.factor
            name = self._next_id()
            self.signals[place.road].append(
                OdrSignal(
                    id=name,
                    name=sign.idx,
                    s=place.s,
                    t=place.t,
                    z_offset=sign.point[2] - place.height,
                    h_offset=_angle(heading - place.heading + math.pi),
                    orientation="+",
                    country=_SIGN_COUNTRY,
                    type=next(iter(sign.sub_type), sign.type) or "none",
                    subtype="-1",
                    value=value,
                    unit="km/h" if value is not None else "",
                    height=sign.height or None,
                    width=sign.width or None,
                    validities=tuple(LaneValidity(from_lane=one, to_lane=one) for one in lanes.get(place.road, ())),
                )
            )
            self.user_data["signal", name] = {"dorosim.sign": sign.type}


def _number(text: str) -> float | None:
    """The number that a sign shows, None for none."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def _angle(angle: float) -> float:
    """An angle in half a turn to either side [rad]."""
    return math.remainder(angle, math.tau)


def _programme(controller: Controller) -> str:
    """The programme of a controller as JSON: states as [duration, yellow, colours], and phases of people."""
    return json.dumps(
        {
            "states": [[one.duration, one.yellow, list(one.colours)] for one in controller.states],
            "pedestrian": list(_phases(controller)),
        },
        separators=(",", ":"),
    )


def _phases(controller: Controller) -> Iterator[list[float]]:
    """The phases of people: state, group, before, green, flicker."""
    for one in controller.pedestrian:
        yield [one.state, one.group, one.before, one.green, one.flicker]
