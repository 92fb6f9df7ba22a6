"""Writes the tables of quiet ticks (`dorosim.world.storyboard.quiet_code`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.scenario.openscenario.engine.distance import DistancePlan, System
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.way_search import WayChoice
from dorosim.world.storyboard.quiet_code import HEAD_ENTRIES, QuietHead


class NotQuietError(Exception):
    """The kernels do not know something that is to be looked at or that runs."""


@dataclass(slots=True)
class QuietWriter:
    """The tables while they are written.

    Attributes:
        program: of the scenario. floats, ints: the numbers.
        watches, runs: entries of conditions and actions, in order.
        given: numbers of the conditions that the engine measures.
    """

    program: Program
    floats: list[float] = field(default_factory=list)
    ints: list[int] = field(default_factory=lambda: [0] * HEAD_ENTRIES)
    watches: list[tuple[int, ...]] = field(default_factory=list)
    runs: list[tuple[int, ...]] = field(default_factory=list)
    given: list[int] = field(default_factory=list)

    def add_floats(self, numbers: Sequence[float]) -> int:
        """Add floats; returns their place."""
        self.floats += numbers
        return len(self.floats) - len(numbers)

    def add_ints(self, numbers: Sequence[int]) -> int:
        """Add ints; returns their place."""
        self.ints += (int(one) for one in numbers)
        return len(self.ints) - len(numbers)

    def metre(self, plan: DistancePlan, other: int, place: Place | None = None) -> tuple[int, ...]:
        """The ints of `Metre`: to an entity, or to a place where `other` is -1.

        Raises:
            NotQuietError: the kernel does not measure in this way.
        """
        on_road = plan.system in (System.LANE, System.ROAD) and self.program.roads is not None
        if plan.system is System.TRAJECTORY or (plan.choice is WayChoice.ASSIGNED and on_road):
            raise NotQuietError
        if place is not None and on_road and place.road < 0:
            raise NotQuietError
        return (other, plan.system, plan.direction, int(plan.freespace), -1 if place is None else place.road)

    @staticmethod
    def metre_place(place: Place | None) -> tuple[float, ...]:
        """The floats of `MetreNumber`."""
        if place is None:
            return ()
        return (place.x, place.y, place.z, place.heading, place.s, place.t)

    def finish(self) -> tuple[FloatArray, IntArray]:
        """The tables, read-only."""
        for head, count, entries in (
            (QuietHead.WATCHES, QuietHead.WATCH_COUNT, self.watches),
            (QuietHead.ACTIONS, QuietHead.ACTION_COUNT, self.runs),
        ):
            self.ints[head], self.ints[count] = len(self.ints), len(entries)
            for one in entries:
                self.add_ints(one)
        self.ints[QuietHead.ENTITIES] = len(self.floats)
        for plan in self.program.entities:
            box = plan.box
            self.add_floats([box.x, box.y, box.z, box.length, box.width, box.height])
            self.add_floats([plan.max_speed, plan.max_acceleration, plan.max_deceleration])
        floats, ints = np.array(self.floats or [0.0]), np.array(self.ints, np.int64)
        floats.flags.writeable = ints.flags.writeable = False
        return floats, ints
