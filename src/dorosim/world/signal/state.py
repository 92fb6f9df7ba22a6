"""What a run can change of the lights: clocks of controllers, lamps, and permissions of drivers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from dorosim.ground.column import Columns, IntArray, int64
from dorosim.ground.unit import NANOSECOND
from dorosim.world.signal.permission import LinkState
from dorosim.world.signal.signal_program import ProgrammeTable

NO_LAMP = -1
"""Status of a light whose programme is not known (UDP page, Get TrafficLight Status: default); as a command, "back to
the programme" (design/seams.md, Codes)."""


class WalkSignal(IntEnum):
    """What a pedestrian head shows.

    In FLICKER no pedestrian starts to cross, and pedestrians that are crossing walk faster (Korean Road Traffic Act,
    Enforcement Rule, annex 2).
    """

    NONE = 0
    STAY = 1
    GO = 2
    FLICKER = 3


class ControllerState(Columns):
    """One row per intersection controller, in the map's order."""

    state = int64("index of the present state of the programme")
    remaining = int64("time until the next state, this one's yellow included [ns]", NANOSECOND)
    due = int64("time until any lamp of the controller changes, at most `remaining` [ns]", NANOSECOND)


class LightState(Columns):
    """One row per light, in the map's order."""

    status = int64("lit lamps, a sum of Lamp; NO_LAMP if nothing is known; flashing green is GREEN")
    walk = int64("Walk: what a pedestrian head says; NONE for others")
    command = int64("lamps as commanded, NO_LAMP for none: the programme decides")
    once = int64("1 if the command holds until the programme's next state only")


class LightPlace(Columns):
    """Where each light belongs; one row per light, in the map's order."""

    controller = int64("row of its controller, -1 none")
    group = int64("its group there, -1 none")
    pedestrian = int64("1 if it is a pedestrian head")


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
    def state(self) -> IntArray:
        """`(C,)` index of the present state of each controller."""
        return self.controller.state

    @property
    def remaining(self) -> IntArray:
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
