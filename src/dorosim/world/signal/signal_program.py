"""Programmes of traffic lights as tables that a run can change.

A programme is a round of states. A state shows its colours for its duration and then its yellow: a lamp that goes out
with the next state is yellow meanwhile, a lamp that stays lit stays (facts/ros-grpc-mgeo.md, section 3.2, TLState and
yelloduration). Pedestrian heads of a group have times of their own within a state: a wait, steady green, flashing
green (PSState there; PSSchedule of the gRPC page).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import NamedTuple, Self

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.state_tree import in_unit
from dorosim.ground.unit import NANOSECOND
from dorosim.road.adjacency import frozen
from dorosim.road.signal import Controller, Lamp, PedestrianPhase, ProgrammeState, lamps_from_colour

SECOND = 1_000_000_000
MAX_STATE_DURATION = 86400.0
"""Longest duration of a state [s]; a longer one is a mistake of the map, and holds for a day."""
FOREVER = 1 << 62
MIN_STATE_DURATION = SECOND // 10
"""Duration of a state of no duration [ns]; broken maps have such."""
BEFORE, GREEN, FLICKER = 0, 1, 2
"""Places in the last axis of `walk`."""


class Programme(NamedTuple):
    """The programme of one controller.

    Attributes:
        duration: `(S,)` of each state with its yellow [ns].
        yellow: `(S,)` duration of that yellow [ns].
        lamps: `(S, G)` lit lamps of each group before the yellow, a sum of `Lamp`.
        walk: `(S, G, 3)` for pedestrians from the start of the state: wait, steady green, flashing green [ns].
    """

    duration: IntArray
    yellow: IntArray
    lamps: IntArray
    walk: IntArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProgrammeTable:
    """The programmes of all controllers, padded to the longest. A table is never changed, only replaced.

    Attributes:
        count: `(C,)` states of each controller, 0 for one without a programme.
        duration: `(C, S)` of each state with its yellow [ns]; FOREVER for a controller without a programme.
        yellow: `(C, S)` duration of that yellow [ns].
        lamps: `(C, S, G)` lit lamps of each group before the yellow, a sum of `Lamp`.
        change: `(C, S, G)` lit lamps during the yellow.
        walk: `(C, S, G, 3)` for pedestrians from the start of the state: wait, steady green, flashing green [ns].
    """

    count: IntArray
    duration: IntArray = field(metadata=in_unit(NANOSECOND))
    yellow: IntArray = field(metadata=in_unit(NANOSECOND))
    lamps: IntArray
    change: IntArray
    walk: IntArray = field(metadata=in_unit(NANOSECOND))

    @classmethod
    def from_programmes(cls, programmes: Sequence[Programme]) -> Self:
        """The table of programmes, one for each controller; without a state a controller shows nothing."""
        rows = len(programmes)
        most = max((len(one.duration) for one in programmes), default=1) or 1
        groups = max((one.lamps.shape[1] for one in programmes), default=1) or 1
        duration, yellow = np.full((rows, most), FOREVER), np.zeros((rows, most), np.int64)
        lamps, change = np.zeros((rows, most, groups), np.int64), np.zeros((rows, most, groups), np.int64)
        walk = np.zeros((rows, most, groups, 3), np.int64)
        for row, one in enumerate(programmes):
            states, width = one.lamps.shape
            duration[row, :states], yellow[row, :states] = one.duration, one.yellow
            lamps[row, :states, :width], walk[row, :states, :width] = one.lamps, one.walk
            if states:
                change[row, :states, :width] = _during_yellow(one.lamps, np.roll(one.lamps, -1, axis=0))
        count = np.array([len(one.duration) for one in programmes], np.int64)
        for array in (count, duration, yellow, lamps, change, walk):
            array.flags.writeable = False
        return cls(count=count, duration=duration, yellow=yellow, lamps=lamps, change=change, walk=walk)

    @classmethod
    def from_controllers(cls, controllers: Sequence[Controller]) -> Self:
        """The programmes of a map; a colour that is not known lights nothing."""
        # controllers of large maps have few programmes, each of them many times
        keys = [(one.states, one.pedestrian, len(one.groups)) for one in controllers]
        unlike = dict(zip(keys, controllers, strict=True))
        row_of = {key: row for row, key in enumerate(unlike)}
        table = cls.from_programmes([_programme_from_map(one) for one in unlike.values()])
        rows = np.array([row_of[key] for key in keys], np.int64)
        return cls(**{column.name: frozen(getattr(table, column.name)[rows]) for column in fields(cls)})

    def of(self, controller: int, groups: int) -> Programme:
        """The programme of one controller that has so many groups; views of the table."""
        states = int(self.count[controller])
        return Programme(
            self.duration[controller, :states],
            self.yellow[controller, :states],
            self.lamps[controller, :states, :groups],
            self.walk[controller, :states, :groups],
        )

    def with_programme(self, controller: int, programme: Programme) -> Self:
        """A table in which a controller has another programme."""
        groups = self.lamps.shape[2]
        programmes = [self.of(row, groups) for row in range(len(self.count))]
        programmes[controller] = programme
        return type(self).from_programmes(programmes)


def _programme_from_map(controller: Controller) -> Programme:
    """A map's programme as it is, with what is broken made harmless."""
    states, groups = len(controller.states), len(controller.groups)
    yellow = np.array([_nanoseconds(state.yellow) for state in controller.states], np.int64)
    steady = np.array([_nanoseconds(state.duration) for state in controller.states], np.int64)
    lamps = np.zeros((states, groups), np.int64)
    for number, state in enumerate(controller.states):
        lamps[number] = [int(lamps_from_colour(colour) or 0) for colour in state.colours]
    walk = walk_from_phases(controller.pedestrian, states, groups)
    return Programme(np.maximum(steady + yellow, MIN_STATE_DURATION), yellow, lamps, walk)


def walk_from_phases(phases: Sequence[PedestrianPhase], states: int, groups: int) -> IntArray:
    """`(states, groups, 3)` times for pedestrians [ns]; of several rows for one state and group the last counts."""
    walk = np.zeros((states, groups, 3), np.int64)
    for phase in phases:
        walk[phase.state, phase.group] = [_nanoseconds(max(t, 0.0)) for t in (phase.before, phase.green, phase.flicker)]
    return walk


def programme_from_states(states: Sequence[ProgrammeState], walk: IntArray) -> Programme:
    """A programme from states that `programme_problem` found nothing wrong with, and times for pedestrians."""
    yellow = np.array([_nanoseconds(state.yellow) for state in states], np.int64)
    steady = np.array([_nanoseconds(state.duration) for state in states], np.int64)
    lamps = np.array([[int(lamps_from_colour(one) or 0) for one in state.colours] for state in states], np.int64)
    return Programme(steady + yellow, yellow, lamps.reshape(len(states), -1), walk)


def _nanoseconds(seconds: float) -> int:
    """A duration of a map, which may say anything."""
    return round(min(max(seconds, 0.0), MAX_STATE_DURATION) * SECOND)


def _during_yellow(now: IntArray, then: IntArray) -> IntArray:
    """What heads show between two states: yellow for what goes out, and what stays lit."""
    red, yellow = int(Lamp.RED), int(Lamp.YELLOW)
    going = now & ~(then | red | yellow)
    return np.where(going != 0, (now & then & ~red) | yellow, now)
