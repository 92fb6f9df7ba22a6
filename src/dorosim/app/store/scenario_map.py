"""The map of a file of OpenSCENARIO: as it names it, or as a user does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dorosim.app.store.folder import is_there
from dorosim.app.store.map import BUILT_IN, EMPTY, find_map, plain_name
from dorosim.app.store.openscenario import FolderFiles
from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.record.file import ScenarioDefinition

MAP_NAME = "moraiMap"
"""The variable or parameter in which MORAI SIM keeps the name of a scenario's map."""

MGEO = "mgeo"
"""What MORAI's Scenario Runner writes for a map in `<LogicFile>`, in small letters: the folder beside the scenario."""

_ENDINGS = (".xodr", ".osm", ".zip")
_CURE = "give one: --map MAP, or put it into Map/ of the data folder"


def map_name_of_scenario(
    source: str, scenario: ScenarioDefinition, parameters: Mapping[str, object], files: FolderFiles, data: Path
) -> str:
    """The map of a scenario, as `read_map_files` takes it.

    `<LogicFile>` names a file or folder that may be opened, a built-in map or one of Map/ of the data folder. Where it
    says "MGeo" and there is no such folder, the name is that in the variable or parameter `moraiMap`, or in
    `<SimulatorInfo>`, else that of the project (.mproj); so it is without a `<LogicFile>`.

    Args:
        source: the scenario's file.
        scenario: its records.
        parameters: values of its parameters, by name.
        files: opens the files that it may name.
        data: the data folder.

    Returns:
        `EMPTY` for a scenario without a map.

    Raises:
        InputError: there is no such map, or it may not be opened.
    """
    logic, name = scenario.road_network.logic_file, _name_of(scenario, parameters) or files.map_name
    written = logic.filepath.strip() if logic is not None else ""
    place = f"line {logic.origin.line}" if logic is not None else ""
    if not written and not name:
        return EMPTY
    if written and written not in BUILT_IN:
        try:
            path = files.path(written, source)
        except InputError:
            if Path(written).name != written:
                raise
        else:
            if is_there(path):
                return str(path)
            if Path(written.replace("\\", "/")).suffix.lower() in _ENDINGS:
                raise InputError(source, place, f"its map {written!r} is not there", _CURE)
    asked = name if plain_name(written) == MGEO or not written else written
    if not asked:
        problem = f"its map is {written!r}, which is not there, and {MAP_NAME} does not name one"
        raise InputError(source, place, problem, _CURE)
    if Path(asked.replace("\\", "/")).name != asked:
        raise InputError(source, place, f"its map {asked!r} is not there", _CURE)
    try:
        found = find_map(asked, data)
    except InputError as error:
        raise InputError(source, place, f"its map is {asked!r}: {error.problem}", f"{_CURE} ({error.cure})") from None
    return plain_name(asked) if found is None else str(found)


def _name_of(scenario: ScenarioDefinition, parameters: Mapping[str, object]) -> str:
    """The name of MORAI's map in a scenario; "" for none."""
    for name, value in parameters.items():
        if name.lower() == MAP_NAME.lower() and str(value).strip():
            return str(value).strip()
    declared = scenario.variable_declarations
    for one in () if declared is None else declared.variable_declarations:
        if one.name.lower() == MAP_NAME.lower() and one.value.strip():
            return one.value.strip()
    info = scenario.simulator_info
    return info.map.name.strip() if info is not None and info.map is not None else ""
