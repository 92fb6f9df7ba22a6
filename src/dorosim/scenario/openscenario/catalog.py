"""Catalogs: which files hold them, and which entry a reference means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.files import NamedFile, ScenarioFiles
from dorosim.scenario.openscenario.finding import Findings, Level
from dorosim.scenario.openscenario.version import root_of_openscenario

MAX_CATALOG_FILES = 1_000


class CatalogNode(NamedTuple):
    """An element of a catalog file, with the file."""

    source: str
    node: Any


class Catalogs:
    """The catalogs of a scenario; their files are opened when a reference first needs one.

    Args:
        folders: name of each folder, and the element that names it.
        source: the scenario.
        files: gives the files.
        findings: get what is wrong with them.
    """

    def __init__(
        self, folders: Sequence[tuple[str, Any]], source: str, files: ScenarioFiles, findings: Findings
    ) -> None:
        self._folders = list(dict(folders).items())
        self._source = source
        self._files = files
        self._findings = findings
        self._catalogs: dict[str, list[CatalogNode]] = {}
        self._by_file: dict[str, list[CatalogNode]] = {}
        self._count = 0

    def names(self) -> tuple[str, ...]:
        """Names of all catalogs that have been seen so far."""
        return tuple(sorted(self._catalogs))

    def find(self, name: str) -> list[CatalogNode]:
        """The catalogs of a name; there can be several, of several kinds of entries.

        Where there is none of the name, one whose file has the name is taken: real files count on it.
        """
        while self._folders and name not in self._catalogs:
            self._open(*self._folders.pop(0))
        return self._catalogs.get(name) or self._by_file.get(name, [])

    def take(self, source: str, root: Any) -> None:
        """Take in the catalog of a file, if it holds one."""
        node = root.find("Catalog")
        if node is not None:
            found = CatalogNode(source, node)
            self._catalogs.setdefault(node.get("name") or "", []).append(found)
            self._by_file.setdefault(PurePath(source).stem, []).append(found)

    def entries(self, name: str, entry: str) -> Iterator[CatalogNode]:
        """Entries of a name in the catalogs of a name; the folders that are not open yet may hold more of them."""
        for catalog in self.find(name):
            for node in catalog.node:
                if node.get("name") == entry:
                    yield CatalogNode(catalog.source, node)

    def _open(self, folder: str, node: Any) -> None:
        """Read all files of a folder."""
        try:
            files = self._files.read_folder(folder, self._source)
        except InputError as error:
            self._findings.add(Level.BREAK, node, error.problem, error.cure, attribute="path")
            return
        for one in files:
            self._count += 1
            if self._count > MAX_CATALOG_FILES:
                problem = f"there are more than {MAX_CATALOG_FILES:,} files of catalogs"
                self._findings.add(Level.ERROR, node, problem, "take fewer")
                return
            self._read(one)

    def _read(self, file: NamedFile) -> None:
        """Take in the catalog of a file."""
        try:
            root = root_of_openscenario(file.source, file.content)
        except InputError as error:
            self._findings.add(
                Level.BREAK, None, f"{error.place} {error.problem}".strip(), error.cure, source=file.source
            )
            return
        self.take(file.source, root)
