"""A file of OpenSCENARIO with its map, made ready to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dorosim.app.store.course import courses_of
from dorosim.app.store.map import MapFiles
from dorosim.app.store.openscenario import find_openscenario
from dorosim.app.store.scenario_map import map_of_scenario
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.program import Program


@dataclass(frozen=True, slots=True)
class ReadyScenario:
    """A scenario that can run.

    Attributes:
        source: the file. program: what runs. map_files: of its map, None for none.
    """

    source: str
    program: Program
    map_files: MapFiles | None = None


def ready_scenario(
    given: str,
    data: Path,
    allow: Sequence[Path] = (),
    parameters: Mapping[str, str] | None = None,
    map_name: str = "",
) -> ReadyScenario:
    """Read a scenario and its map.

    Args:
        given: a file, or a name in Scenario/ of the data folder.
        data: the data folder.
        allow: further folders in which files may be opened.
        parameters: values of its parameters, by name.
        map_name: a map instead of the one that it names, see `read_map_files`.

    Raises:
        InputError: it cannot be found, read or run.
    """
    file, files = find_openscenario(given, data, allow)
    reading = open_document(file.source, file.content, files).read(parameters or {})
    scenario = reading.scenario()
    map_files = map_of_scenario(file.source, scenario, reading.parameters, files, data, map_name)
    roads = None if map_files is None else courses_of(map_files)
    return ReadyScenario(file.source, compile_scenario(file.source, scenario, roads, reading.parameters), map_files)
