"""Suites of MORAI SIM 2 (.msuite): where they lie, and the scenarios of their projects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from dorosim.app.store.folder import is_file, missing_file
from dorosim.app.store.project import read_project_file
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file
from dorosim.scenario.morai.project import ProjectFileRecord
from dorosim.scenario.morai.suite import MAX_SUITE_SIZE, SUITE_SUFFIX, read_suite

MAX_SUITE_PARTS = 32
"""Parts of a path, from its end, that are looked for."""
_WHOLE = re.compile(r"/|[A-Za-z]:/")


class SuiteScenario(NamedTuple):
    """A scenario of a suite.

    Attributes:
        name: by which clients know it. file: the project. project: what that holds. scenario: its name in the project.
    """

    name: str
    file: Path
    project: ProjectFileRecord
    scenario: str


class Suite(NamedTuple):
    """A suite.

    Attributes:
        name: of it. scenarios: of all of its projects, in order.
    """

    name: str
    scenarios: tuple[SuiteScenario, ...]


def find_suite(given: str, folders: Sequence[Path]) -> Path:
    """The file of a suite that a client names: inside one of some folders, by its path or a part of it.

    A whole path may be one of the client's own machine: then the longest end of it counts that is there.

    Raises:
        InputError: there is none, or it lies elsewhere.
    """
    plain = given.strip().replace("\\", "/")
    asked = plain if plain.lower().endswith(SUITE_SUFFIX) else plain + SUITE_SUFFIX
    roots = [folder.resolve() for folder in folders]
    for end in _ends(asked):
        for root in roots:
            try:
                path = (root / end).resolve()
            except (OSError, ValueError, RuntimeError):
                problem = "is not a valid name of a file"
                raise InputError(f"suite {given[:64]!r}", "", problem, "check the path") from None
            if path.is_relative_to(root) and is_file(path):
                return path
    names = [str(one.relative_to(root)) for root in roots if root.is_dir() for one in root.rglob(f"*{SUITE_SUFFIX}")]
    where = f"put it into {roots[0]}, or list its folder in tcp_step.suites"
    raise missing_file("suite", given[:200], roots[0], names, where)


def _ends(path: str) -> Iterator[str]:
    """A path, and if it is a whole one, of Windows or not, what is left of it without its first parts."""
    yield path
    if _WHOLE.match(path):
        parts = path.split("/")[-MAX_SUITE_PARTS:]
        for first in range(1, len(parts)):
            yield "/".join(parts[first:])


def open_suite(path: Path) -> Suite:
    """Read a suite and its projects, which lie in its folder.

    Raises:
        InputError: it or one of its projects is broken or leads out of its folder, or there is no scenario.
    """
    suite = read_suite(str(path), read_file(path, MAX_SUITE_SIZE + 1))
    root, found = path.resolve().parent, list[tuple[str, Path, ProjectFileRecord, str]]()
    for number, one in enumerate(suite.projects):
        file = (root / one.path.replace("\\", "/")).resolve()
        if not file.is_relative_to(root):
            place = f"projectList[{number}].filepath"
            raise InputError(str(path), place, f"{one.path!r} leads out of its folder", "put the project there")
        project = read_project_file(file)
        found += [(one.name, file, project, scenario.name or scenario.path) for scenario in project.scenarios]
    if not found:
        raise InputError(str(path), "projectList", "its projects have no scenarios", "save one")
    times = Counter(scenario for _, _, _, scenario in found)
    named = [
        SuiteScenario(f"{project}/{scenario}" if times[scenario] > 1 else scenario, file, record, scenario)
        for project, file, record, scenario in found
    ]
    return Suite(suite.name, tuple(named))
