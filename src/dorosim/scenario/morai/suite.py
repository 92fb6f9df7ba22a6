"""A suite that MORAI SIM 2 saved (.msuite): its projects. Keys are those of the suites of its public examples."""

from __future__ import annotations

from msgspec import field

from dorosim.ground.error import InputError
from dorosim.scenario.morai.codec import Record, record_from_file

SUITE_SUFFIX = ".msuite"
MAX_SUITE_SIZE = 1 << 20
"""A file of more bytes is taken for a mistake, or for malice."""
MAX_PROJECTS = 1_000


class SuiteProject(Record, frozen=True, kw_only=True):
    """A project of a suite: `path` is relative to the suite's folder."""

    name: str = ""
    path: str = field(name="filepath", default="")


class SuiteFile(Record, frozen=True, kw_only=True):
    """What a suite holds."""

    name: str = ""
    projects: tuple[SuiteProject, ...] = field(name="projectList", default=())


def read_suite(source: str, content: bytes) -> SuiteFile:
    """A suite.

    Args:
        source: the file, as messages shall name it.
        content: its bytes.

    Raises:
        InputError: the file is broken; it names line and column, or the key path.
    """
    suite = record_from_file(SuiteFile, "suite", MAX_SUITE_SIZE, source, content)
    if not 0 < len(suite.projects) <= MAX_PROJECTS:
        problem = f"has {len(suite.projects):,} projects"
        raise InputError(source, "projectList", problem, f"give 1 to {MAX_PROJECTS:,}")
    return suite
