"""The trace of a scenario run: CSV of all entities, beside it one of the storyboard's transitions; or MCAP of both."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from dorosim.app.run.scenario_run import RunTick
from dorosim.recording.whole_file import write_file
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import ElementState

COLUMNS = ("time", "id", "name", "x", "y", "z", "h", "roadId", "laneId", "s", "t", "speed")
"""Of a trace: time [s], pose of the body origin in map [m, rad], place on the road [m], speed [m/s]."""

TRANSITION_COLUMNS = ("time", "kind", "element", "transition", "state")
"""Of the transitions: time [s], names from the story down joined by "::", how, and the state after it."""

MCAP = ".mcap"
ENTITY_TOPIC, TRANSITION_TOPIC = "/entities", "/storyboard"
"""Of an MCAP trace: JSON objects with the columns as keys."""
_TEXTS = {"name", "roadId", "kind", "element", "transition", "state"}
_WHOLE = {"id", "laneId"}

_CURE = "give a place where files can be written"


class ScenarioTrace(Protocol):
    """Gathers a trace while a scenario runs."""

    def add(self, tick: RunTick) -> None:
        """Add what a tick has made."""

    def write(self) -> list[Path]:
        """Write it.

        Returns:
            The files.

        Raises:
            InputError: one cannot be written.
        """


def trace_of(program: Program, path: Path) -> ScenarioTrace:
    """A trace that becomes a file: MCAP where its name ends so, else CSV.

    Args:
        program: of the scenario.
        path: the file.
    """
    return McapTrace(program, path) if path.suffix.lower() == MCAP else CsvTrace(program, path)


class CsvTrace:
    """A trace as CSV.

    Args:
        program: of the scenario.
        path: the file; the one of the transitions has `.storyboard` before its ending.
    """

    def __init__(self, program: Program, path: Path) -> None:
        self._program, self._path = program, path
        self._entities, self._elements = io.StringIO(), io.StringIO()
        self._rows = csv.writer(self._entities, lineterminator="\n")
        self._happened = csv.writer(self._elements, lineterminator="\n")
        self._rows.writerow(COLUMNS)
        self._happened.writerow(TRANSITION_COLUMNS)

    def add(self, tick: RunTick) -> None:
        """Add what a tick has made."""
        time = _number(tick.time * 1e-9)
        self._happened.writerows((time, *row) for row in _transitions(self._program, tick))
        time = _number(tick.state_time * 1e-9)
        for row in _places(self._program, tick):
            self._rows.writerow((time, *(_number(one) if isinstance(one, float) else one for one in row)))

    def write(self) -> list[Path]:
        """Write both files."""
        beside = self._path.with_name(f"{self._path.stem}.storyboard{self._path.suffix or '.csv'}")
        write_file(self._path, self._entities.getvalue().encode(), _CURE)
        write_file(beside, self._elements.getvalue().encode(), _CURE)
        return [self._path, beside]


class McapTrace:
    """A trace as MCAP: JSON messages at simulated times, those of the entities one a tick and entity.

    Args:
        program: of the scenario.
        path: the file.
    """

    def __init__(self, program: Program, path: Path) -> None:
        from mcap.writer import CompressionType, Writer

        self._program, self._path = program, path
        self._file = io.BytesIO()
        self._writer = Writer(self._file, compression=CompressionType.NONE)
        self._writer.start("", "dorosim")
        self._channels = {
            topic: self._channel(topic, columns)
            for topic, columns in ((ENTITY_TOPIC, COLUMNS), (TRANSITION_TOPIC, TRANSITION_COLUMNS))
        }

    def _channel(self, topic: str, columns: tuple[str, ...]) -> int:
        """A channel of JSON objects with these keys."""
        kinds = {one: "string" if one in _TEXTS else "integer" if one in _WHOLE else "number" for one in columns}
        schema = {"type": "object", "properties": {one: {"type": kind} for one, kind in kinds.items()}}
        number = self._writer.register_schema(f"dorosim{topic}", "jsonschema", json.dumps(schema).encode())
        return self._writer.register_channel(topic, "json", number)

    def add(self, tick: RunTick) -> None:
        """Add what a tick has made."""
        for row in _transitions(self._program, tick):
            self._message(TRANSITION_TOPIC, tick.time, TRANSITION_COLUMNS, row)
        for row in _places(self._program, tick):
            self._message(ENTITY_TOPIC, tick.state_time, COLUMNS, row)

    def _message(self, topic: str, time: int, columns: tuple[str, ...], row: tuple[Any, ...]) -> None:
        data = json.dumps(dict(zip(columns, (time * 1e-9, *row), strict=True))).encode()
        self._writer.add_message(self._channels[topic], time, data, time)

    def write(self) -> list[Path]:
        """Write the file."""
        self._writer.finish()  # type: ignore[no-untyped-call]
        write_file(self._path, self._file.getvalue(), _CURE)
        return [self._path]


def _transitions(program: Program, tick: RunTick) -> Iterator[tuple[str, ...]]:
    """The transitions of a tick, as `TRANSITION_COLUMNS` after the time."""
    for one in tick.happened:
        element = program.elements[one.element]
        kind, transition = element.kind.name.lower(), one.transition.name.lower()
        yield kind, "::".join(element.path), transition, ElementState(one.state).name.lower()


def _places(program: Program, tick: RunTick) -> Iterator[tuple[Any, ...]]:
    """The entities at the end of a tick, as `COLUMNS` after the time; none after that in which the run ends."""
    if tick.ended:
        return
    table, roads = tick.state.entity, program.roads
    for number, plan in enumerate(program.entities):
        if not table.present[number]:
            continue
        road = int(table.road[number])
        x, y, z, heading = (float(column[number]) for column in (table.x, table.y, table.z, table.heading))
        s, t, speed = (float(column[number]) for column in (table.s, table.t, table.speed))
        name = "" if roads is None or road < 0 else roads.roads[road].road.id
        yield number, plan.name, x, y, z, heading % math.tau, name, int(table.lane[number]), s, t, speed


def _number(value: float) -> str:
    """A number with at most 6 decimals; no negative 0."""
    return f"{round(value, 6) + 0.0:.6f}".rstrip("0").rstrip(".")
