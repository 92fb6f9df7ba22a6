"""A file of OpenSCENARIO with its map, made ready to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dorosim.app.store.openscenario import FolderFiles, find_openscenario
from dorosim.ground.error import InputError
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.record.file import ScenarioDefinition


@dataclass(frozen=True, slots=True)
class ReadyScenario:
    """A scenario that can run.

    Attributes:
        source: the file. program: what runs. map_source: the map's file, "" for none.
    """

    source: str
    program: Program
    map_source: str


def ready_scenario(
    given: str, data: Path, allow: Sequence[Path] = (), parameters: Mapping[str, str] | None = None
) -> ReadyScenario:
    """Read a scenario and its map.

    Args:
        given: a file, or a name in Scenario/ of the data folder.
        data: the data folder.
        allow: further folders in which files may be opened.
        parameters: values of its parameters, by name.

    Raises:
        InputError: it cannot be found, read or run.
    """
    file, files = find_openscenario(given, data, allow)
    reading = open_document(file.source, file.content, files).read(parameters or {})
    scenario = reading.scenario()
    roads, map_source = _roads(file.source, scenario, files)
    return ReadyScenario(file.source, compile_scenario(file.source, scenario, roads, reading.parameters), map_source)


def _roads(source: str, scenario: ScenarioDefinition, files: FolderFiles) -> tuple[CourseNetwork | None, str]:
    """The roads that a scenario names, and their file."""
    logic = scenario.road_network.logic_file
    if logic is None or not logic.filepath:
        return None, ""
    if not logic.filepath.lower().endswith(".xodr"):
        problem = f"its map is {logic.filepath!r}, and scenarios run on OpenDRIVE maps (.xodr) only"
        raise InputError(source, f"line {logic.origin.line}", problem, "name an .xodr file in <LogicFile>")
    found = files.read(logic.filepath, source)
    return CourseNetwork(read_opendrive(found.source, found.content)), found.source
