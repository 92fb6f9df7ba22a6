"""Traffic lights, their controllers and programmes, and where to stop for them.

This is what does not change in a run. Which lamps burn at a time is the world's business.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from functools import lru_cache

import numpy as np

from dorosim.ground.unit import DEGREE
from dorosim.road.adjacency import Adjacency, FloatArray, IntArray, adjacency_from_lists, frozen
from dorosim.road.mgeo.record import IntersectionProgramme, LaneBoundary, Link, MGeoMap, TrafficLightRecord
from dorosim.road.polyline import Polylines, meeting_fractions

STOP_LINE_CODE = 530
"""NGII code of a boundary that is a stop line (facts/ros-grpc-mgeo.md, section 3.2)."""

_AT_START = 0.5
"""A stop line painted within this distance of a lane's start [m] is meant for the lanes that lead to it."""


_WORDS = 1024
"""So many words for lamps and movements are remembered: maps say few of them, again and again."""


class Lamp(IntFlag):
    """Lamps of a head, with the numbers that the product gives them (facts/ros-grpc-mgeo.md, row L10)."""

    RED = 1
    YELLOW = 4
    GREEN = 16
    LEFT = 32
    RIGHT = 64
    U_TURN = 128
    UPPER_LEFT = 256
    UPPER_RIGHT = 512
    LOWER_LEFT = 1024
    LOWER_RIGHT = 2048


_LAMPS = {
    "r": Lamp.RED,
    "y": Lamp.YELLOW,
    "g": Lamp.GREEN,
    "sg": Lamp.GREEN,
    "lg": Lamp.LEFT,
    "gleft": Lamp.LEFT,
    "rg": Lamp.RIGHT,
    "gright": Lamp.RIGHT,
    "utg": Lamp.U_TURN,
    "ulg": Lamp.UPPER_LEFT,
    "urg": Lamp.UPPER_RIGHT,
    "llg": Lamp.LOWER_LEFT,
    "lrg": Lamp.LOWER_RIGHT,
    "red": Lamp.RED,
    "yellow": Lamp.YELLOW,
    "green": Lamp.GREEN,
    "straight": Lamp.GREEN,
    "left": Lamp.LEFT,
    "right": Lamp.RIGHT,
}


@lru_cache(maxsize=_WORDS)
def lamps_from_colour(colour: str) -> Lamp | None:
    """The lamps that a colour's name stands for, in any case: "R", "SG", "G_with_GLeft", "R_LLG"; None if unknown.

    The parts of a name are joined by "_", with or without the word "with".
    """
    lamps = Lamp(0)
    for part in colour.strip().lower().split("_"):
        if part == "with":
            continue
        if part not in _LAMPS:
            return None
        lamps |= _LAMPS[part]
    return lamps


_MOVEMENTS = (
    ("upperleft", Lamp.UPPER_LEFT),
    ("upperright", Lamp.UPPER_RIGHT),
    ("lowerleft", Lamp.LOWER_LEFT),
    ("lowerright", Lamp.LOWER_RIGHT),
    ("uturn", Lamp.U_TURN),
    ("left", Lamp.LEFT),
    ("right", Lamp.RIGHT),
)


@lru_cache(maxsize=_WORDS)
def movement_name(movement: str) -> str:
    """A movement as the map names it (MGeo related_signal), in lower case and without "_"."""
    return movement.lower().replace("_", "")


@lru_cache(maxsize=_WORDS)
def arrow_of_movement(name: str) -> int:
    """The arrow, a `Lamp`, for a movement by its `movement_name`; GREEN for straight on."""
    return next((int(lamp) for start, lamp in _MOVEMENTS if name.startswith(start)), int(Lamp.GREEN))


@dataclass(frozen=True, slots=True)
class Light:
    """A signal head.

    Attributes:
        point: where it hangs in map [m].
        heading: where it faces, in map [rad].
        lamps: the map's names of its lamps, top or left first, e.g. ("red", "yellow", "left", "straight").
        kind: "car", "pedestrian" or "bus".
        links: lanes that it governs; on real maps those that lie inside the junction.
        crosswalk: id of the crosswalk that it belongs to, or "".
        controller: index of its controller, -1 for none.
        group: index of its group within the controller, -1 for none.
    """

    id: str
    point: tuple[float, float, float]
    heading: float
    lamps: tuple[str, ...]
    kind: str
    links: tuple[int, ...]
    crosswalk: str = ""
    controller: int = -1
    group: int = -1


@dataclass(frozen=True, slots=True)
class ProgrammeState:
    """One state of a programme.

    Attributes:
        duration: how long it lasts before its yellow [s].
        yellow: the yellow that follows it [s].
        colours: the colour of each group, in the map's own words; see `lamps_from_colour`.
    """

    duration: float
    yellow: float
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PedestrianPhase:
    """Green for the pedestrians of one group during one state, from the start of the state on.

    Attributes:
        state: index of the programme's state. group: index of the controller's group.
        before: until it begins [s]. green: steady green [s]. flicker: flashing green after that [s].
    """

    state: int
    group: int
    before: float
    green: float
    flicker: float


@dataclass(frozen=True, slots=True)
class Controller:
    """A junction's lights and their programme.

    Attributes:
        groups: indices of the lights of each group.
        states: the programme, empty if the map gives none.
        pedestrian: its pedestrian phases.
    """

    id: str
    groups: tuple[tuple[int, ...], ...]
    states: tuple[ProgrammeState, ...] = ()
    pedestrian: tuple[PedestrianPhase, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """All lights of a map.

    Attributes:
        lights: in the map's order.
        controllers: in the map's order.
        lights_of_link: for each link the lights that govern it.
        stop_line: `(L,)` arc length of the stop line on each link [m], NaN for none. On real maps it is the end of a
            link that leads into a governed one.
        derived: notice for a user whose map has lights and no controllers: where those came from; else "".
    """

    lights: tuple[Light, ...]
    controllers: tuple[Controller, ...]
    lights_of_link: Adjacency
    stop_line: FloatArray
    derived: str = ""

    def number_of(self, controller: int) -> int:
        """The number by which messages and scenarios know a controller: the digits at the end of its id, else its row.

        Sources: facts/ros-grpc-mgeo.md, section 1.6, row 26, and section 4, tlList.
        """
        digits = re.search(r"(\d{1,4})$", self.controllers[controller].id)
        return int(digits[1]) if digits else controller


def signals_from_mgeo(
    m: MGeoMap, links: Sequence[Link], index: Mapping[str, int], lines: Polylines, predecessors: Adjacency
) -> Signals:
    """The lights of a map.

    Args:
        m: the map.
        links: the lanes of the network, in order.
        index: the row of each lane's id.
        lines: centre lines of the links.
        predecessors: links that lead to each link.
    """
    dynamic = [light for light in m.traffic_lights if light.dynamic]
    row_of_light = {light.idx: row for row, light in reversed(list(enumerate(dynamic)))}
    controllers = _controllers(m, row_of_light)
    place = {
        light: (number, group)
        for number, controller in enumerate(controllers)
        for group, members in enumerate(controller.groups)
        for light in members
    }
    governed = _governed_links(m, index)
    lights = tuple(
        _light(light, governed.get(light.idx, ()), place.get(row, (-1, -1))) for row, light in enumerate(dynamic)
    )
    lists: list[list[int]] = [[] for _ in links]
    for row, light in enumerate(lights):
        for link in light.links:
            lists[link].append(row)
    of_link = adjacency_from_lists(lists)
    return Signals(lights, controllers, of_link, _stop_lines(m, links, lines, of_link, predecessors))


def lacks_controllers(signals: Signals) -> bool:
    """Whether there are lights for vehicles that switch, and no controller for any light."""
    return any(light.kind != "pedestrian" for light in signals.lights) and not any(
        light.controller >= 0 for light in signals.lights
    )


def _governed_links(m: MGeoMap, index: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """The lanes of each light: those it names itself, else those of its synced group."""
    synced: dict[str, list[str]] = {}
    for group in m.synced_traffic_lights:
        for light in group.signal_id_list:
            synced.setdefault(light, []).extend(group.link_id_list)
    return {
        light.idx: tuple(
            dict.fromkeys(index[name] for name in light.link_id_list or synced.get(light.idx, []) if name in index)
        )
        for light in m.traffic_lights
    }


def _light(light: TrafficLightRecord, links: tuple[int, ...], place: tuple[int, int]) -> Light:
    """One head in SI units."""
    heading = light.heading * DEGREE.factor
    return Light(
        id=light.idx,
        point=light.point,
        heading=math.atan2(math.sin(heading), math.cos(heading)),
        lamps=tuple(lamp.lower() for lamp in light.sub_type),
        kind=light.type.lower(),
        links=links,
        crosswalk=light.ref_crosswalk_id,
        controller=place[0],
        group=place[1],
    )


def _controllers(m: MGeoMap, row_of_light: Mapping[str, int]) -> tuple[Controller, ...]:
    """Controllers with their programmes; a programme whose colours do not match the groups is not used.

    `check_map` reports programmes that do not match.
    """
    programmes = {programme.idx: programme for programme in reversed(m.intersection_programmes)}
    found: list[Controller] = []
    for controller in m.intersection_controllers:
        groups = tuple(
            tuple(row_of_light[light] for light in group if light in row_of_light) for group in controller.TL
        )
        programme = programmes.get(controller.idx, IntersectionProgramme(idx=controller.idx))
        if any(len(state.lightcolor) != len(groups) for state in programme.TLState):
            programme = IntersectionProgramme(idx=controller.idx)
        found.append(Controller(controller.idx, groups, _states(programme), _pedestrian_phases(programme, len(groups))))
    return tuple(found)


def _states(programme: IntersectionProgramme) -> tuple[ProgrammeState, ...]:
    """The states of a programme, each with the yellow after it (0 where the map gives none)."""
    yellow = programme.yelloduration + [0.0] * len(programme.TLState)
    return tuple(
        ProgrammeState(state.duration, after, tuple(state.lightcolor))
        for state, after in zip(programme.TLState, yellow, strict=False)
    )


def _pedestrian_phases(programme: IntersectionProgramme, groups: int) -> tuple[PedestrianPhase, ...]:
    """The rows of `PSState` that name a state and a group."""
    phases = [PedestrianPhase(int(row[0]), int(row[1]), *row[2:5]) for row in programme.PSState]
    return tuple(phase for phase in phases if 0 <= phase.state < len(programme.TLState) and 0 <= phase.group < groups)


def _stop_lines(
    m: MGeoMap, links: Sequence[Link], lines: Polylines, of_link: Adjacency, predecessors: Adjacency
) -> FloatArray:
    """Arc length `(L,)` of the stop line on each link [m], NaN for none.

    A painted stop line that crosses the lane comes first; else a node "on stop line" at the end of the lane; else
    the end of a lane that leads into one with a light.
    """
    on_line = {node.idx for node in m.nodes if node.on_stop_line}
    stop = np.full(len(links), math.nan)
    lengths = lines.arc[lines.first[1:] - 1] if len(links) else np.zeros(0)
    into_junction = np.zeros(len(links), np.bool_)
    has_light = np.diff(of_link.first) > 0
    into_junction[predecessors.item[np.repeat(has_light, np.diff(predecessors.first))]] = True
    for row, link in enumerate(links):
        if link.to_node_idx in on_line or (into_junction[row] and not has_light[row]):
            stop[row] = lengths[row]
    for line in m.lane_boundaries:
        if STOP_LINE_CODE in line.lane_type:
            _mark_crossings(line, lines, predecessors, stop)
    return frozen(stop)


def _mark_crossings(boundary: LaneBoundary, lines: Polylines, predecessors: Adjacency, stop: FloatArray) -> None:
    """Enter the place where a painted stop line crosses lanes, the first along each lane."""
    painted = boundary.points[[0, -1], :2]
    for segment, fraction in zip(*_crossings(painted, lines), strict=True):
        row = int(lines.line[segment])
        s = float(lines.arc[segment] + fraction * (lines.arc[segment + 1] - lines.arc[segment]))
        if s >= _AT_START:
            stop[row] = np.fmin(stop[row], s)
        else:
            before = predecessors.of(row)
            stop[before] = np.fmin(stop[before], lines.arc[lines.first[before + 1] - 1])


def _crossings(painted: FloatArray, lines: Polylines) -> tuple[IntArray, FloatArray]:
    """Segments of lanes that the line between two points `(2, 2)` crosses, and the fraction at which it does."""
    segment = np.flatnonzero(lines.line[1:] == lines.line[:-1])
    start = lines.points[segment, :2]
    chord = lines.points[segment + 1, :2] - start
    along_lane, along_bar = meeting_fractions(chord.T, painted[1] - painted[0], (painted[0] - start).T)
    met = (along_lane >= 0) & (along_lane <= 1) & (along_bar >= 0) & (along_bar <= 1)
    return segment[met], along_lane[met]
