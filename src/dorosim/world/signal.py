"""Traffic light programmes: which state each controller is in, and which lamps burn.

A state shows its colours for its duration and then its yellow: a lamp that goes out with the next state is yellow
meanwhile, a lamp that stays lit stays (facts/ros-grpc-mgeo.md, section 3.2, TLState and yelloduration).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dorosim.ground.column import Columns, WholeArray, whole
from dorosim.road.signal import Lamp, Signals, lamps_from_colour

SECOND = 1_000_000_000
FOREVER = 1 << 62
LONGEST = 86400.0
"""Longest duration of a state [s]; a longer one is a mistake, and holds for a day."""
SHORTEST = SECOND // 10
"""Duration of a state of no duration [ns]; broken maps have such."""
NO_LAMP = -1
"""Status of a light whose programme is not known (UDP page, Get TrafficLight Status: default)."""


class SignalState(Columns):
    """One row per intersection controller, in the map's order."""

    state = whole("index of the present state of the programme")
    remaining = whole("time until the next state, this one's yellow included [ns]")


@dataclass(frozen=True, slots=True, eq=False)
class SignalPlan:
    """The programmes of a map as arrays, padded to the longest.

    Attributes:
        count: `(C,)` states of each controller, 0 for one without a programme.
        duration: `(C, S)` of each state with its yellow [ns]; FOREVER for a controller without a programme.
        yellow: `(C, S)` duration of that yellow [ns].
        lamps: `(C, S, G)` lit lamps of each group before the yellow, a sum of `Lamp`.
        change: `(C, S, G)` lit lamps during the yellow.
        controller, group: `(N,)` place of each light, -1 for none.
    """

    count: WholeArray
    duration: WholeArray
    yellow: WholeArray
    lamps: WholeArray
    change: WholeArray
    controller: WholeArray
    group: WholeArray

    @classmethod
    def from_signals(cls, signals: Signals) -> Self:
        """The plan of a map's lights."""
        controllers = signals.controllers
        most = max((len(one.states) for one in controllers), default=1) or 1
        groups = max((len(one.groups) for one in controllers), default=1) or 1
        shape = (len(controllers), most)
        duration, yellow = np.full(shape, FOREVER), np.zeros(shape, np.int64)
        lamps, change = np.zeros((*shape, groups), np.int64), np.zeros((*shape, groups), np.int64)
        for row, controller in enumerate(controllers):
            for number, state in enumerate(controller.states):
                yellow[row, number] = _nanoseconds(state.yellow)
                duration[row, number] = max(_nanoseconds(state.duration) + yellow[row, number], SHORTEST)
                following = controller.states[(number + 1) % len(controller.states)]
                for group, (colour, after) in enumerate(zip(state.colours, following.colours, strict=True)):
                    now, then = _lamps(colour), _lamps(after)
                    lamps[row, number, group] = now
                    change[row, number, group] = _during_yellow(now, then)
        return cls(
            count=np.array([len(one.states) for one in controllers], np.int64),
            duration=duration,
            yellow=yellow,
            lamps=lamps,
            change=change,
            controller=np.array([light.controller for light in signals.lights], np.int64),
            group=np.array([light.group for light in signals.lights], np.int64),
        )

    def first_state(self) -> SignalState:
        """All programmes at the start of their first state; writable."""
        first = SignalState.zeros(len(self.count))
        first.remaining[:] = self.duration[:, 0]
        return first

    def advance(self, now: SignalState, tick: int) -> SignalState:
        """The states a tick [ns] later, read-only. A tick longer than a state passes one state."""
        if not len(now):
            return now
        after = now.copy()
        remaining = after.remaining
        remaining -= tick
        if remaining.min() <= 0:
            over = np.flatnonzero(remaining <= 0)
            after.state[over] = (after.state[over] + 1) % np.maximum(self.count[over], 1)
            remaining[over] += self.duration[over, after.state[over]]
        return after.freeze()

    def elapsed_of(self, controller: int, now: SignalState) -> float:
        """Time [s] since a controller's present state began."""
        if not self.count[controller]:
            return 0.0
        return float(self.duration[controller, now.state[controller]] - now.remaining[controller]) / SECOND

    def status_of(self, light: int, now: SignalState) -> int:
        """Lit lamps of one light, a sum of `Lamp`; NO_LAMP for a light without a programme."""
        controller, group = self.controller[light], self.group[light]
        if controller < 0 or group < 0 or not self.count[controller]:
            return NO_LAMP
        state = now.state[controller]
        shown = self.change if now.remaining[controller] <= self.yellow[controller, state] else self.lamps
        return int(shown[controller, state, group])

    def light_status(self, now: SignalState) -> WholeArray:
        """`(N,)` lit lamps of every light, as `status_of` tells them."""
        return np.array([self.status_of(light, now) for light in range(len(self.controller))], np.int64)


def _nanoseconds(seconds: float) -> int:
    """A duration of a map, which may say anything."""
    return round(min(max(seconds, 0.0), LONGEST) * SECOND)


def _lamps(colour: str) -> Lamp:
    lamps = lamps_from_colour(colour)
    return Lamp(0) if lamps is None else lamps


def _during_yellow(now: Lamp, then: Lamp) -> Lamp:
    """What a head shows between two states: yellow for what goes out, and what stays lit."""
    going = now & ~(then | Lamp.RED | Lamp.YELLOW)
    if not going:
        return now
    return (now & then & ~Lamp.RED) | Lamp.YELLOW
