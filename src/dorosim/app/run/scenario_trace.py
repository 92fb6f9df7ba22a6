"""The trace of a scenario run: a CSV of all entities, and beside it one of the storyboard's transitions."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from dorosim.app.run.scenario_run import RunTick
from dorosim.recording.whole_file import write_file
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import ElementState

COLUMNS = ("time", "id", "name", "x", "y", "z", "h", "roadId", "laneId", "s", "t", "speed")
"""Of a trace: time [s], pose of the body origin in map [m, rad], place on the road [m], speed [m/s]."""

TRANSITION_COLUMNS = ("time", "kind", "element", "transition", "state")
"""Of the transitions: time [s], names from the story down joined by "::", how, and the state after it."""

_CURE = "give a place where files can be written"


class ScenarioTrace:
    """Gathers a trace while a scenario runs.

    Args:
        program: the scenario.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._entities, self._elements = io.StringIO(), io.StringIO()
        self._rows = csv.writer(self._entities, lineterminator="\n")
        self._happened = csv.writer(self._elements, lineterminator="\n")
        self._rows.writerow(COLUMNS)
        self._happened.writerow(TRANSITION_COLUMNS)

    def add(self, tick: RunTick) -> None:
        """Add what a tick has made."""
        for one in tick.happened:
            element = self._program.elements[one.element]
            kind, transition = element.kind.name.lower(), one.transition.name.lower()
            state = ElementState(one.state).name.lower()
            row = (_number(tick.time * 1e-9), kind, "::".join(element.path), transition, state)
            self._happened.writerow(row)
        if tick.ended:
            return
        table, roads = tick.state.entity, self._program.roads
        for number, plan in enumerate(self._program.entities):
            if not table.present[number]:
                continue
            road = int(table.road[number])
            values = [float(column[number]) for column in (table.x, table.y, table.z, table.heading)]
            place = [float(column[number]) for column in (table.s, table.t, table.speed)]
            self._rows.writerow(
                (
                    _number(tick.state_time * 1e-9),
                    number,
                    plan.name,
                    *map(_number, values[:3]),
                    _number(values[3] % math.tau),
                    "" if roads is None or road < 0 else roads.roads[road].road.id,
                    int(table.lane[number]),
                    *map(_number, place),
                )
            )

    def write(self, path: Path) -> Path:
        """Write both files; the one of the transitions has `.storyboard` before its ending.

        Returns:
            The path of the second file.

        Raises:
            InputError: one cannot be written.
        """
        beside = path.with_name(f"{path.stem}.storyboard{path.suffix or '.csv'}")
        write_file(path, self._entities.getvalue().encode(), _CURE)
        write_file(beside, self._elements.getvalue().encode(), _CURE)
        return beside


def _number(value: float) -> str:
    """A number with at most 6 decimals; no negative 0."""
    return f"{round(value, 6) + 0.0:.6f}".rstrip("0").rstrip(".")
