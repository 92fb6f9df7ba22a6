"""Projects that MORAI SIM saved (.mproj): which scenario is meant, and the sensors of its ego."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dorosim.app.store.folder import inside, is_file, missing_file
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file
from dorosim.scenario.morai.project import (
    MAX_PROJECT_SIZE,
    SUFFIX,
    Interface,
    ProjectFile,
    ProjectFileRecord,
    read_interfaces,
    read_project,
)
from dorosim.wire.tcp_step.template import MAX_TEMPLATE, Template, read_template

if TYPE_CHECKING:
    from dorosim.scenario.sensor_set.read import SensorSet

_MARK = "::"
"""Between a project and the name of one of its scenarios."""


def is_project(given: str) -> bool:
    """Whether a user names a project: `X.mproj`, or `X.mproj::NAME` for one of its scenarios."""
    return project_of(given)[0].lower().endswith(SUFFIX)


def project_of(given: str) -> tuple[str, str]:
    """The project's file and the name of a scenario of it, "" for none."""
    file, mark, name = given.rpartition(_MARK)
    return (file, name) if mark and file.lower().endswith(SUFFIX) else (given, "")


def find_project(given: str, data: Path) -> Path:
    """The file of a project: as it is named, or in Scenario/ of the data folder.

    Raises:
        InputError: there is none.
    """
    file, _ = project_of(given)
    path = Path(file)
    if is_file(path):
        return path
    folder = data / "Scenario"
    path = inside(folder, file)
    if is_file(path):
        return path
    names = (str(one.relative_to(folder)) for one in folder.rglob(f"*{SUFFIX}"))
    raise missing_file("project", file, folder, names, "check the path")


def read_project_file(path: Path) -> ProjectFileRecord:
    """A project.

    Raises:
        InputError: it cannot be read, or is broken.
    """
    return read_project(str(path), read_file(path, MAX_PROJECT_SIZE + 1))


def scenario_of_project(source: str, project: ProjectFileRecord, name: str = "") -> ProjectFile:
    """The scenario of a project that is meant: the one of a name, or its only one.

    Raises:
        InputError: there is none, or there are several and none is named.
    """
    named = [one for one in project.scenarios if one.name == name or Path(one.path).name == name]
    known = ", ".join(repr(one.name) for one in project.scenarios[:10])
    if not project.scenarios:
        raise InputError(source, "scenarioList", "the project has no scenario", "give an .xosc file")
    if name and not named:
        raise InputError(source, "", f"there is no scenario {name!r} in it", f"it has {known}")
    if not name and len(project.scenarios) > 1:
        raise InputError(source, "", f"it has the scenarios {known}", f"name one: {Path(source).name}{_MARK}NAME")
    return named[0] if named else project.scenarios[0]


def scenarios_of_project(given: str, data: Path) -> list[str]:
    """Each scenario of a project, as a user would name it; a scenario itself alone.

    Raises:
        InputError: the project cannot be found or read.
    """
    file, name = project_of(given)
    if name or not is_project(given):
        return [given]
    scenarios = read_project_file(find_project(given, data)).scenarios
    return [given] if len(scenarios) < 2 else [f"{file}{_MARK}{one.name}" for one in scenarios]


def sensors_of_project(path: Path, ego: str = "") -> SensorSet:
    """The sensors that a project has on its ego, with notes on what of them is not done as it says.

    Its interfaces are read in its own folder.

    Args:
        path: the project.
        ego: name of the ego; "" for the vehicle of its first sensor.

    Raises:
        InputError: the project is broken, or a sensor cannot be as it says.
    """
    from dorosim.scenario.sensor_set.project import sensor_set_of_project

    project = read_project_file(path)
    interfaces, notes = read_interfaces(project, _reader(path))
    pictures = [one.name for one in interfaces if one.active and is_picture_interface(path, one)]
    made = sensor_set_of_project(str(path), project, interfaces, ego, pictures)
    return replace(made, notes=(*notes, *made.notes))


def template_of_project(path: Path, name: str) -> Template:
    """A template that a project names, in its folder.

    Args:
        path: the project.
        name: of the template, without its suffix.

    Raises:
        InputError: it lies elsewhere, cannot be read, or is broken.
    """
    source, content = _reader(path, MAX_TEMPLATE + 1)(f"{name}.tmpl")
    return read_template(source, content)


def is_picture_interface(path: Path, interface: Interface) -> bool:
    """Whether an interface of a project sends the pictures of a camera, by UDP and as JPEG behind their size."""
    if interface.network.upper() != "UDP" or interface.direction.upper() == "RECEIVE":
        return False
    try:
        return template_of_project(path, interface.template).is_picture
    except InputError:
        return False  # of interfaces of vehicles it is told when a client loads the project


def interfaces_of_project(path: Path, project: ProjectFileRecord) -> tuple[tuple[Interface, ...], tuple[str, ...]]:
    """The interfaces of a project, which lie in its folder, and what is wrong with those that cannot be read."""
    return read_interfaces(project, _reader(path))


def _reader(project: Path, most: int = MAX_PROJECT_SIZE + 1) -> Callable[[str], tuple[str, bytes]]:
    """Reads files in the folder of a project; links are followed before it is looked where they lie."""
    root = project.resolve().parent

    def read(name: str) -> tuple[str, bytes]:
        path = (root / name.replace("\\", "/")).resolve()
        if not path.is_relative_to(root):
            raise InputError(str(project), "", f"names {name!r}, which leads out of its folder", "put it there")
        return str(path), read_file(path, most)

    return read
