"""Finds and reads files of OpenSCENARIO, and those that they name: in their own folder and those that a user allows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from dorosim.app.store.folder import inside, is_file, is_there, missing_file
from dorosim.app.store.project import find_project, is_project, project_of, read_project_file, scenario_of_project
from dorosim.ground.error import InputError, reason_of
from dorosim.recording.whole_file import read_file
from dorosim.scenario.openscenario.files import NamedFile
from dorosim.scenario.openscenario.version import MAX_FILE_SIZE

SUFFIX = ".xosc"
MAX_FOLDER_FILES = 1_000
MAX_FOLDER_SIZE = 256 << 20
"""Bytes of all catalogs in a folder."""

_MAX_NAME = 1_000

ALLOW_CURE = "allow it: --allow "
"""How the cure begins where a file may not be opened; its folder follows."""


class FolderFiles:
    """Opens files that lie in some folders; links are followed before it is looked where they lie.

    Args:
        folders: files in these, and in folders in them, are opened.
        data: folders in which names are looked up that are not there beside the file that names them.

    Attributes:
        map_name: of the project in which the scenario is, for scenarios that name none; "" for none.
    """

    def __init__(self, folders: Sequence[Path], data: Sequence[Path] = ()) -> None:
        self._roots = [Path(os.path.realpath(one)) for one in (*folders, *data)]
        self._data = tuple(data)
        self.map_name = ""

    def read(self, name: str, beside: str) -> NamedFile:
        """A file that a file names (`ScenarioFiles.read`).

        Raises:
            InputError: it is not there, cannot be read, or lies in none of the folders.
        """
        path = self.path(name, beside)
        if not is_file(path):
            state = "no plain file" if is_there(path) else "not there"
            raise InputError(beside, "", f"names file {name!r}, which is {state}", "put it there")
        return NamedFile(str(path), read_file(path, MAX_FILE_SIZE))

    def read_folder(self, name: str, beside: str) -> list[NamedFile]:
        """The files of OpenSCENARIO in a folder that a file names, in alphabetical order.

        A folder that is a file after all gives that file: some scenarios name catalogs so.

        Raises:
            InputError: it is not there, cannot be read, or lies in none of the folders.
        """
        path = self.path(name, beside)
        if is_file(path):
            return [self.read(name, beside)]
        try:
            names = sorted(one.name for one in path.iterdir() if one.suffix == SUFFIX)
        except OSError as error:
            problem = f"names folder {name!r}, which cannot be read: {reason_of(error)}"
            raise InputError(beside, "", problem, "put it there") from None
        if len(names) > MAX_FOLDER_FILES:
            raise InputError(beside, "", f"folder {name!r} has more than {MAX_FOLDER_FILES:,} files", "take fewer")
        found: list[NamedFile] = []
        for one in names:
            if is_file(path / one):
                found.append(self.read(one, str(path / one)))
            if sum(len(file.content) for file in found) > MAX_FOLDER_SIZE:
                problem = f"folder {name!r} has files of more than {MAX_FOLDER_SIZE >> 20} MiB"
                raise InputError(beside, "", problem, "take fewer")
        return found

    def path(self, name: str, beside: str) -> Path:
        """The path of a file or folder that a file names.

        Raises:
            InputError: it lies in none of the folders, or no file can have the name.
        """
        plain = name.strip().replace("\\", "/")
        if not plain or len(plain) > _MAX_NAME or not plain.isprintable():
            raise InputError(beside, "", f"{name[:40]!r} is no name of a file", "correct it")
        asked = Path(os.path.realpath(Path(beside).parent / plain))
        allowed = [asked] if any(asked.is_relative_to(root) for root in self._roots) else []
        for folder in self._data:
            found = Path(os.path.realpath(folder / plain))
            if found.is_relative_to(os.path.realpath(folder)):
                allowed.append(found)
        if not allowed:
            folder = asked if asked.suffix == "" else asked.parent
            problem = f"names {name!r}, which leads out of the folders in which it may open files"
            raise InputError(beside, "", problem, f"{ALLOW_CURE}{folder}")
        return next((one for one in allowed if is_there(one)), allowed[0])


def is_openscenario(given: str, data: Path) -> bool:
    """Whether a user names a file of OpenSCENARIO: by its ending, or by a name of the data folder that only one has.

    A project of MORAI SIM (.mproj) stands for the scenario in it.
    """
    if given.lower().endswith(SUFFIX) or is_project(given):
        return True
    folder = data / "Scenario"
    try:
        return (
            not is_file(Path(given))
            and is_file(inside(folder, given, SUFFIX))
            and not is_file(inside(folder, given, ".json"))
        )
    except InputError:
        return False


def stored_openscenario(name: str, data: Path, map_name: str = "") -> str | None:
    """A file of OpenSCENARIO of the data folder that a client names; None where no such file has the name.

    Args:
        name: in Scenario/ of the data folder or in the folder of the present map there, with or without .xosc; a
            project (.mproj) as `find_openscenario` takes it.
        data: the data folder.
        map_name: of the present map.

    Returns:
        The file as `find_openscenario` takes it.

    Raises:
        InputError: the name leads out of Scenario/.
    """
    folder = data / "Scenario"
    file, scenario = project_of(name.strip())
    suffix = "" if is_project(file) or file.lower().endswith(SUFFIX) else SUFFIX
    for tried in (file, f"{map_name}/{file}"):
        path = inside(folder, tried, suffix)
        if is_file(path) and (suffix == "" or not is_file(inside(folder, tried, ".json"))):
            return f"{path}::{scenario}" if scenario else str(path)
    if suffix:
        return None
    names = (str(one.relative_to(folder)) for one in folder.rglob(f"*{SUFFIX}"))
    raise missing_file("scenario", name, folder, names, "check the name")


def openscenario_names(folder: Path) -> tuple[str, ...]:
    """Names of all files of OpenSCENARIO in a folder and those in it, with their endings, in alphabetical order."""
    return tuple(sorted(str(one.relative_to(folder)) for one in folder.rglob(f"*{SUFFIX}") if is_file(one)))


def find_openscenario(given: str, data: Path, allow: Sequence[Path] = ()) -> tuple[NamedFile, FolderFiles]:
    """A file of OpenSCENARIO as a user names it, and what opens the files that it names.

    Args:
        given: a file, or a name in Scenario/ of the data folder. A project of MORAI SIM (.mproj) stands for its only
            scenario, and `X.mproj::NAME` for the one of a name.
        data: the data folder.
        allow: folders besides the file's own and the data folder's in which files may be opened.

    Raises:
        InputError: there is none, it cannot be read, or a folder is not there.
    """
    for one in allow:
        if not one.is_dir():
            raise InputError(f"--allow {one}", "", "there is no such folder", "give a folder")
    folder = data / "Scenario"
    path = find_project(given, data) if is_project(given) else Path(given)
    if not is_file(path):
        path = inside(folder, given if given.lower().endswith(SUFFIX) else given + SUFFIX)
        if not is_file(path):
            names = (str(one.relative_to(folder)) for one in folder.rglob(f"*{SUFFIX}"))
            raise missing_file("scenario", given, folder, names, "check the path")
    files = FolderFiles((path.parent, *allow), (folder, data / "Map"))
    if is_project(given):
        project = read_project_file(path)
        files.map_name = project.map.name
        chosen = scenario_of_project(str(path), project, project_of(given)[1])
        return files.read(chosen.path, str(path)), files
    return NamedFile(str(path), read_file(path, MAX_FILE_SIZE)), files
