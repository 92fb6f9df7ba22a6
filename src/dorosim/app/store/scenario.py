"""Finds and reads scenario files: those of the data folder, by name, and any file that a user names."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.folder import inside
from dorosim.bridge.scenario import StoredScenario
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_whole
from dorosim.scenario.morai.file import LARGEST_FILE

SUFFIX, NETWORK_SUFFIX = ".json", ".toml"
_NONE = "there is none of this name"
_MOST_NAMES = 12
"""Names that an error lists."""


class ScenarioFolder:
    """The scenarios of the data folder, as a library for messages.

    The product keeps scenarios in a folder for each map, so a name is looked up there too.

    Args:
        folder: Scenario/ of the data folder.
        map_name: name of the map.
    """

    def __init__(self, folder: Path, map_name: str) -> None:
        self._folder = folder
        self._map_name = map_name

    def read(self, name: str) -> StoredScenario:
        """A scenario by its name, without .json, as messages give it.

        A name that is wrong costs two looks at the disk, whatever lies there.

        Raises:
            InputError: there is none, or the name leads out of the folder.
        """
        plain = name.strip().removesuffix(SUFFIX)
        if not plain:
            raise InputError("scenario", "", "the name is empty", "give the name of a file without .json")
        for tried in (plain, f"{self._map_name}/{plain}"):
            path = inside(self._folder, tried, SUFFIX)
            if _is_file(path):
                return read_stored(path)
        raise InputError(f"scenario {name!r}", "", f"{_NONE} in {self._folder}", "put the file there")


def scenario_names(folder: Path) -> tuple[str, ...]:
    """Names of all scenarios in a folder and the folders in it, in alphabetical order."""
    files = (path.relative_to(folder) for path in folder.rglob(f"*{SUFFIX}") if path.is_file())
    return tuple(sorted(str(path.with_suffix("")) for path in files))


def find_scenario(given: str, data: Path, map_name: str) -> StoredScenario:
    """A scenario as a user names it: a file, or a name in the data folder.

    Raises:
        InputError: there is none, or it cannot be read.
    """
    if _is_file(Path(given)):
        return read_stored(Path(given))
    folder = data / "Scenario"
    try:
        return ScenarioFolder(folder, map_name).read(given)
    except InputError as error:
        known = scenario_names(folder) if error.problem.startswith(_NONE) else ()
        if not known:
            raise
        more = f" and {len(known) - _MOST_NAMES} more" if len(known) > _MOST_NAMES else ""
        cure = f"known scenarios: {', '.join(known[:_MOST_NAMES])}{more}"
        raise InputError(error.source, error.place, error.problem, cure) from None


def _is_file(path: Path) -> bool:
    """Whether there is such a file; what cannot be the name of one is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_stored(path: Path) -> StoredScenario:
    """A scenario file and, if there is a file of network settings of the same name beside it, that one's path.

    Raises:
        InputError: it cannot be read, or is too large to be one.
    """
    content = read_whole(path, LARGEST_FILE)
    network = path.with_suffix(NETWORK_SUFFIX)
    return StoredScenario(str(path), content, str(network) if _is_file(network) else "")
