"""Finds and reads scenario files: those of the data folder, by name, and any file that a user names."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from dorosim.app.store.folder import inside, is_file, missing_file
from dorosim.app.store.openscenario import SUFFIX as OPENSCENARIO_SUFFIX
from dorosim.bridge.scenario import StoredScenario
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file
from dorosim.scenario.morai.file import LARGEST_FILE

SUFFIX = ".json"
NETWORK_SUFFIXES = (".toml", ".json")
"""Of network settings in the data folder: dorosim's own form, and as the product saves them. Beside a scenario, whose
own file is .json, they are in the first of them."""


class ScenarioFolder:
    """The scenarios of the data folder, as a library for messages.

    The product keeps scenarios in a folder for each map, so a name is looked up there too.

    Args:
        folder: Scenario/ of the data folder. Network settings are beside a scenario, or in Network/ beside that folder.
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
        found = self.find(plain)
        if found is None:
            problem = f"there is none of this name in {self._folder}"
            raise InputError(f"scenario {name!r}", "", problem, "put the file there")
        return read_stored(found[0], self._folder.parent / "Network", (found[1], found[0].stem))

    def find(self, plain: str) -> tuple[Path, str] | None:
        """The file of a scenario, and its name in the folder without .json; None if there is none.

        Raises:
            InputError: the name leads out of the folder, or is none that a file can have.
        """
        for tried in (plain, f"{self._map_name}/{plain}"):
            path = inside(self._folder, tried, SUFFIX)
            if is_file(path):
                return path, tried
        return None


def scenario_names(folder: Path) -> tuple[str, ...]:
    """Names of all scenarios in a folder and the folders in it, in alphabetical order."""
    files = (path.relative_to(folder) for path in folder.rglob(f"*{SUFFIX}") if path.is_file())
    return tuple(sorted(str(path.with_suffix("")) for path in files))


def find_scenario(given: str, data: Path, map_name: str) -> StoredScenario:
    """A scenario as a user names it: a file, or a name in the data folder.

    Raises:
        InputError: there is none, or it cannot be read.
    """
    if Path(given).suffix.lower() == OPENSCENARIO_SUFFIX:
        problem, cure = "is of OpenSCENARIO, and this takes scenarios of MORAI SIM (.json)", "begin a run with it"
        raise InputError(given, "", problem, cure)
    if is_file(Path(given)):
        return read_stored(Path(given), data / "Network", (Path(given).stem,))
    folder = data / "Scenario"
    library = ScenarioFolder(folder, map_name)
    is_path = Path(given).name != given or given.endswith(SUFFIX)
    missing = f"no scenario of this name in {folder}"
    name = given.strip().removesuffix(SUFFIX)
    try:
        found = library.find(name) if name else None
    except InputError as error:
        if not is_path:
            raise
        found, missing = None, f"it {error.problem}"
    if found is not None or not name:
        return library.read(given)
    refused = missing_file("scenario", given, folder, scenario_names(folder), "")
    if not is_path:
        raise refused if refused.cure else missing_file("scenario", given, folder, (), "put the file there")
    cure = "; ".join(filter(None, ("check the path", refused.cure)))  # so the file is what is missing
    raise InputError(given, "", f"there is no such file, and {missing}", cure)


def read_stored(path: Path, networks: Path, names: Sequence[str]) -> StoredScenario:
    """A scenario file and, if there is a file of network settings of the same name, that one's path.

    Args:
        path: the scenario.
        networks: folder of network settings, of the data folder.
        names: of the scenario, without .json, by which they are looked up there, the first one first.

    Raises:
        InputError: it cannot be read, or is too large to be one.
    """
    content = read_file(path, LARGEST_FILE)
    beside = path.with_suffix(NETWORK_SUFFIXES[0])
    found = [beside] if is_file(beside) else []
    for name in names:
        for suffix in NETWORK_SUFFIXES:
            with suppress(InputError):  # a link that leads out of the folder is none of its files
                found += [one for one in (inside(networks, name, suffix),) if is_file(one)]
    return StoredScenario(str(path), content, str(found[0]) if found else "")
