"""Traffic lights: which state each controller is in, which lamps are lit, and which vehicles may go.

The state of the lights is a function of the controllers' clocks, the programmes and what was commanded of single
lights. It is worked out only when something changes; a tick in which nothing does counts clocks down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.road.adjacency import frozen
from dorosim.road.network import RoadNetwork
from dorosim.road.signal import Lamp, Light, lamps_from_colour
from dorosim.world.signal.kernel import Programmes, show_lights
from dorosim.world.signal.permission import GovernedLinks, LinkState
from dorosim.world.signal.signal_program import SECOND, ProgrammeTable
from dorosim.world.signal.state import NO_LAMP, ControllerState, LightPlace, LightState, SignalState


@dataclass(frozen=True, slots=True, eq=False)
class SignalPlan:
    """What does not change in a run: where each light belongs.

    Attributes:
        first: the programmes of the map.
        groups: `(C,)` number of groups of each controller.
        place: where each light belongs.
        siblings: for each light the rows of the lights that show the same, its own among them.
        lamps: `(N,)` lamps that each light has, a sum of `Lamp`: those that the map names, and those that its programme
            lights; all where the map does not say.
        links: which links the lights govern. link_count: the number of links.
        ids, controller_ids: the map's names.
    """

    first: ProgrammeTable
    groups: IntArray
    place: LightPlace
    siblings: tuple[tuple[int, ...], ...]
    lamps: IntArray
    links: GovernedLinks
    link_count: int
    ids: tuple[str, ...]
    controller_ids: tuple[str, ...]
    _row: dict[str, int] = field(init=False, repr=False)
    _controller_row: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index the ids."""
        object.__setattr__(self, "_row", {name: row for row, name in reversed(list(enumerate(self.ids)))})
        rows = {name: row for row, name in reversed(list(enumerate(self.controller_ids)))}
        object.__setattr__(self, "_controller_row", rows)

    @classmethod
    def from_network(cls, network: RoadNetwork) -> Self:
        """The plan of a map's lights and of the links that they govern."""
        signals = network.signals
        lights = signals.lights
        place = LightPlace.zeros(len(lights))
        place.controller[:] = [light.controller for light in lights]
        place.group[:] = [light.group for light in lights]
        place.pedestrian[:] = [light.kind == "pedestrian" for light in lights]
        first = ProgrammeTable.from_controllers(signals.controllers)
        return cls(
            first=first,
            groups=np.array([len(one.groups) for one in signals.controllers], np.int64),
            place=place,
            siblings=_siblings(lights),
            lamps=_lamps(lights, first),
            links=GovernedLinks.from_network(network),
            link_count=len(signals.lights_of_link),
            ids=tuple(light.id for light in lights),
            controller_ids=tuple(one.id for one in signals.controllers),
        )

    def light_row(self, light_id: str) -> int:
        """Row of a light by its MGeo id, -1 if the map has none of it."""
        return self._row.get(light_id, -1)

    def controller_row(self, controller_id: str) -> int:
        """Row of a controller by its MGeo id, -1 if the map has none of it."""
        return self._controller_row.get(controller_id, -1)

    def first_state(self) -> SignalState:
        """All programmes at the start of their first state, nothing commanded; writable but for the programmes."""
        controller = ControllerState.zeros(len(self.groups))
        controller.remaining[:] = self.first.duration[:, 0]
        light = LightState.zeros(len(self.ids))
        light.command[:] = NO_LAMP
        return self.show(controller, light, self.first)

    def advance(self, now: SignalState, tick: int) -> SignalState:
        """The lights a tick [ns] later, read-only. A tick longer than a state passes one state."""
        if not len(now):
            return now
        controller = now.controller.copy()
        clocks = controller.ints[_CONTROLLER.remaining : _CONTROLLER.due + 1]
        clocks -= tick
        if clocks[1].min() > 0:
            return SignalState(controller.freeze(), now.light, now.link, now.programme)
        light = now.light
        over = np.flatnonzero(controller.remaining <= 0)
        if len(over):
            programme = now.programme
            controller.state[over] = (controller.state[over] + 1) % np.maximum(programme.count[over], 1)
            controller.remaining[over] += programme.duration[over, controller.state[over]]
            light = self.without_one_shot_commands(light, over)
        return self.show(controller, light, now.programme).freeze()

    def without_one_shot_commands(self, light: LightState, controllers: IntArray) -> LightState:
        """The lights, writable if anything changed, without commands "for once" at controllers that changed state."""
        if not light.once.any():
            return light
        ended = (light.once != 0) & np.isin(self.place.controller, controllers)
        if not ended.any():
            return light
        after = light.copy()
        after.command[ended] = NO_LAMP
        after.once[ended] = 0
        return after

    def show(self, controller: ControllerState, light: LightState, programme: ProgrammeTable) -> SignalState:
        """The whole state of the lights that follows from clocks, commands and programmes.

        Args:
            controller: state and remaining time count, and `due` is written.
            light: the commands count; it is not touched.
            programme: the programmes.

        Returns:
            A state whose tables of lights and links are new and writable.
        """
        after, link = light.copy(), LinkState.zeros(self.link_count)
        programmes = Programmes(
            programme.count, programme.duration, programme.yellow, programme.lamps, programme.change, programme.walk
        )
        show_lights(controller.ints, after.ints, link.ints, self.place.ints, programmes, self.links)
        return SignalState(controller, after, link, programme)

    def elapsed_of(self, controller: int, now: SignalState) -> float:
        """Time [s] since a controller's present state began."""
        if not now.programme.count[controller]:
            return 0.0
        duration = now.programme.duration[controller, now.state[controller]]
        return float(duration - now.remaining[controller]) / SECOND

    def status_of(self, light: int, now: SignalState) -> int:
        """Lit lamps of one light, a sum of `Lamp`; NO_LAMP for a light without a programme."""
        return int(now.light.status[light])

    def lights_of(self, controller: int) -> IntArray:
        """`(N,)` rows of the lights of a controller."""
        return np.flatnonzero(self.place.controller == controller)


_CONTROLLER = ControllerState.at


def _lamps(lights: tuple[Light, ...], programme: ProgrammeTable) -> IntArray:
    """For each light the lamps that it has.

    A word for a lamp that is not known, or no word at all, says nothing of the others, so the light may have any.
    """
    found = np.zeros(len(lights), np.int64)
    state = np.arange(programme.lamps.shape[1])[:, None]
    lit = np.bitwise_or.reduce(np.where(state < programme.count[:, None, None], programme.lamps, 0), axis=1)
    for row, light in enumerate(lights):
        named = [lamps_from_colour(word) for word in light.lamps]
        has = int(sum(Lamp)) if None in named or not named else 0
        for lamp in named:
            has |= int(lamp or 0)
        if light.controller >= 0 and light.kind != "pedestrian":
            has |= int(lit[light.controller, light.group])
        found[row] = has
    return frozen(found)


def _siblings(lights: tuple[Light, ...]) -> tuple[tuple[int, ...], ...]:
    """For each light the rows of those on the same entry road (gRPC page, set_sibling).

    They are the heads of its kind in its group; without a controller, those of its kind that govern a link of its.
    """
    keys = [(light.controller, light.group, light.kind == "pedestrian") for light in lights]
    members: dict[tuple[int, int, bool], list[int]] = {}
    for row, key in enumerate(keys):
        members.setdefault(key, []).append(row)
    of_key = {key: tuple(rows) for key, rows in members.items()}
    if all(light.controller >= 0 for light in lights):
        return tuple(of_key[key] for key in keys)
    on_link: dict[tuple[int, bool], list[int]] = {}
    for row, light in enumerate(lights):
        for link in light.links:
            on_link.setdefault((link, keys[row][2]), []).append(row)
    found: list[tuple[int, ...]] = []
    for row, light in enumerate(lights):
        if light.controller >= 0:
            found.append(of_key[keys[row]])
            continue
        beside = {row}.union(*(on_link[link, keys[row][2]] for link in light.links))
        found.append(tuple(sorted(beside)))
    return tuple(found)
