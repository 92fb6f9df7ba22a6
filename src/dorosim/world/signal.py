"""Traffic lights: which state each controller is in, which lamps burn, and who may go.

The state of the lights is a function of the controllers' clocks, the programmes and what was commanded of single
lights. It is worked out only when something changes; a tick in which nothing does counts clocks down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Columns, WholeArray, whole
from dorosim.road.network import RoadNetwork
from dorosim.road.signal import Lamp, Light, Signals
from dorosim.world.permission import LinkRule, LinkState, LitHeads, link_states
from dorosim.world.programme import BEFORE, FLICKER, FOREVER, GREEN, SECOND, ProgrammeTable

NO_LAMP = -1
"""Status of a light whose programme is not known (UDP page, Get TrafficLight Status: default); as a command, "back to
the programme" (design/seams.md, Codes)."""


class Walk(IntEnum):
    """What a pedestrian head says.

    In FLICKER nobody starts to cross, and those who cross hurry (Korean Road Traffic Act, Enforcement Rule, annex 2).
    """

    NONE = 0
    STAY = 1
    GO = 2
    FLICKER = 3


class ControllerState(Columns):
    """One row per intersection controller, in the map's order."""

    state = whole("index of the present state of the programme")
    remaining = whole("time until the next state, this one's yellow included [ns]")
    due = whole("time until any lamp of the controller changes, at most `remaining` [ns]")


class LightState(Columns):
    """One row per light, in the map's order."""

    status = whole("lit lamps, a sum of Lamp; NO_LAMP if nothing is known; flashing green is GREEN")
    walk = whole("Walk: what a pedestrian head says; NONE for others")
    command = whole("lamps as commanded, NO_LAMP for none: the programme decides")
    once = whole("1 if the command holds until the programme's next state only")


@dataclass(frozen=True, slots=True, eq=False)
class SignalState:
    """All that a run can change of the lights. Tables that did not change are shared from snapshot to snapshot.

    Attributes:
        controller: clocks. light: lamps and commands. link: what the lamps mean for each link.
        programme: the programmes as they are now.
    """

    controller: ControllerState
    light: LightState
    link: LinkState
    programme: ProgrammeTable

    @property
    def state(self) -> WholeArray:
        """`(C,)` index of the present state of each controller."""
        return self.controller.state

    @property
    def remaining(self) -> WholeArray:
        """`(C,)` time until each controller's next state [ns]."""
        return self.controller.remaining

    def __len__(self) -> int:
        """The number of controllers."""
        return len(self.controller)

    def freeze(self) -> Self:
        """Make all arrays read-only, and return the state itself."""
        self.controller.freeze()
        self.light.freeze()
        self.link.freeze()
        return self


@dataclass(frozen=True, slots=True, eq=False)
class SignalPlan:
    """What does not change in a run: where each light belongs.

    Attributes:
        first: the programmes of the map.
        groups: `(C,)` number of groups of each controller.
        controller, group: `(N,)` place of each light, -1 for none.
        pedestrian: `(N,)` whether it is a pedestrian head.
        siblings: for each light those that show the same, itself among them.
        rule: how the lights govern links.
        ids, controller_ids: the map's names.
    """

    first: ProgrammeTable
    groups: WholeArray
    controller: WholeArray
    group: WholeArray
    pedestrian: NDArray[np.bool_]
    siblings: tuple[tuple[int, ...], ...]
    rule: LinkRule
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
        return cls._from(network.signals, LinkRule.from_network(network))

    @classmethod
    def from_signals(cls, signals: Signals) -> Self:
        """The plan of lights alone: every link that they govern leads straight on."""
        return cls._from(signals, LinkRule.from_signals(signals))

    @classmethod
    def _from(cls, signals: Signals, rule: LinkRule) -> Self:
        lights = signals.lights
        return cls(
            first=ProgrammeTable.from_controllers(signals.controllers),
            groups=np.array([len(one.groups) for one in signals.controllers], np.int64),
            controller=np.array([light.controller for light in lights], np.int64),
            group=np.array([light.group for light in lights], np.int64),
            pedestrian=np.array([light.kind == "pedestrian" for light in lights], np.bool_),
            siblings=_siblings(lights),
            rule=rule,
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
        clocks = controller.whole[_REMAINING : _DUE + 1]
        clocks -= tick
        if clocks[1].min() > 0:
            return SignalState(controller.freeze(), now.light, now.link, now.programme)
        light = now.light
        over = np.flatnonzero(controller.remaining <= 0)
        if len(over):
            programme = now.programme
            controller.state[over] = (controller.state[over] + 1) % np.maximum(programme.count[over], 1)
            controller.remaining[over] += programme.duration[over, controller.state[over]]
            light = self.without_passing(light, over)
        return self.show(controller, light, now.programme).freeze()

    def without_passing(self, light: LightState, controllers: WholeArray) -> LightState:
        """The lights, writable if anything changed, without commands "for once" at controllers that changed state."""
        ended = (light.once != 0) & np.isin(self.controller, controllers)
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
        controller.due[:] = _due(controller, programme)
        row, group = np.maximum(self.controller, 0), np.maximum(self.group, 0)
        after = light.copy()
        if not len(self.groups) or not len(self.ids):
            after.status[:] = light.command
            _say_commanded(after, self.pedestrian)
            heads = LitHeads(after.status, after.command, *np.zeros((3, len(after)), np.int64))
            return SignalState(controller, after, link_states(self.rule, heads), programme)
        state = controller.state[row]
        driven = (self.controller >= 0) & (self.group >= 0) & (programme.count[row] > 0)
        changing = controller.remaining[row] <= programme.yellow[row, state]
        steady = np.where(driven, programme.lamps[row, state, group], 0)
        shown = np.where(changing, programme.change[row, state, group], steady)
        after.status[:] = np.where(driven, shown, NO_LAMP)
        after.walk[:] = np.where(self.pedestrian & driven, _walk(controller, programme, row, group), Walk.NONE)
        after.status[self.pedestrian] = _WALK_STATUS[after.walk[self.pedestrian]]
        commanded = after.command != NO_LAMP
        after.status[commanded] = after.command[commanded]
        _say_commanded(after, self.pedestrian)
        ever = np.where(driven, np.bitwise_or.reduce(programme.lamps, axis=1)[row, group], 0)
        heads = LitHeads(after.status, after.command, steady, (changing & driven).astype(np.int64), ever)
        return SignalState(controller, after, link_states(self.rule, heads), programme)

    def elapsed_of(self, controller: int, now: SignalState) -> float:
        """Time [s] since a controller's present state began."""
        if not now.programme.count[controller]:
            return 0.0
        duration = now.programme.duration[controller, now.state[controller]]
        return float(duration - now.remaining[controller]) / SECOND

    def status_of(self, light: int, now: SignalState) -> int:
        """Lit lamps of one light, a sum of `Lamp`; NO_LAMP for a light without a programme."""
        return int(now.light.status[light])

    def light_status(self, now: SignalState) -> WholeArray:
        """`(N,)` lit lamps of every light, as `status_of` tells them."""
        return now.light.status

    def lights_of(self, controller: int) -> WholeArray:
        """Rows of the lights of a controller."""
        return np.flatnonzero(self.controller == controller)


_REMAINING, _DUE = ControllerState.remaining.index, ControllerState.due.index
_WALK_STATUS = np.array([NO_LAMP, Lamp.RED, Lamp.GREEN, Lamp.GREEN], np.int64)
"""What a pedestrian head reports, by `Walk`: the documents have no code for flashing."""


def _say_commanded(light: LightState, pedestrian: NDArray[np.bool_]) -> None:
    """A pedestrian head under command says GO with a green lamp and STAY without."""
    rows = pedestrian & (light.command != NO_LAMP)
    light.walk[rows] = np.where(light.command[rows] & int(Lamp.GREEN), Walk.GO, Walk.STAY)


def _walk(
    controller: ControllerState, programme: ProgrammeTable, row: WholeArray, group: WholeArray
) -> NDArray[np.integer]:
    """`(N,)` what pedestrian heads at rows and groups say; NONE where no state of the programme lets people walk."""
    times = programme.walk[row, controller.state[row], group]
    since = programme.duration[row, controller.state[row]] - controller.remaining[row] - times[:, BEFORE]
    ever = (programme.walk[..., GREEN:].sum(axis=(1, 3)) > 0)[row, group]
    steady = (since >= 0) & (since < times[:, GREEN])
    flashing = (since >= times[:, GREEN]) & (since < times[:, GREEN] + times[:, FLICKER])
    return np.where(~ever, Walk.NONE, np.where(steady, Walk.GO, np.where(flashing, Walk.FLICKER, Walk.STAY)))


def _due(controller: ControllerState, programme: ProgrammeTable) -> WholeArray:
    """`(C,)` time until any lamp of each controller changes [ns]."""
    rows = np.arange(len(controller))
    state, remaining = controller.state, controller.remaining
    duration = programme.duration[rows, state]
    ends = np.cumsum(programme.walk[rows, state], axis=2)
    ends = ends.reshape(len(rows), ends.shape[1] * ends.shape[2])
    moments = np.column_stack((duration - programme.yellow[rows, state], ends))
    ahead = moments - (duration - remaining)[:, None]
    due: WholeArray = np.minimum(np.where(ahead > 0, ahead, FOREVER).min(axis=1), remaining)
    return due


def _siblings(lights: tuple[Light, ...]) -> tuple[tuple[int, ...], ...]:
    """For each light the rows of those on the same entry road (gRPC page, set_sibling).

    They are the heads of its kind in its group; without a controller, those of its kind that govern a link of its.
    """
    pedestrian = [light.kind == "pedestrian" for light in lights]
    members: dict[tuple[int, int, bool], list[int]] = {}
    on_link: dict[tuple[int, bool], list[int]] = {}
    for row, light in enumerate(lights):
        members.setdefault((light.controller, light.group, pedestrian[row]), []).append(row)
        for link in light.links:
            on_link.setdefault((link, pedestrian[row]), []).append(row)
    found: list[tuple[int, ...]] = []
    for row, light in enumerate(lights):
        if light.controller >= 0:
            found.append(tuple(members[light.controller, light.group, pedestrian[row]]))
            continue
        beside = {row}.union(*(on_link[link, pedestrian[row]] for link in light.links))
        found.append(tuple(sorted(beside)))
    return tuple(found)
