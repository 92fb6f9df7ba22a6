"""Opens files of a scenario and notes them, or gives those that a recording has kept."""

from __future__ import annotations

from collections.abc import Iterable

from dorosim.ground.error import InputError
from dorosim.recording.storyboard import KeptFile, KeptStoryboard, NamedRead, digest_of, kept_file
from dorosim.scenario.openscenario.files import NamedFile, ScenarioFiles

_CURE = "the file is broken; save it again"


class NotedFiles:
    """Opens files by others, and notes what was opened (`ScenarioFiles`).

    Args:
        files: opens them.
        first: the file of the scenario.
    """

    def __init__(self, files: ScenarioFiles, first: NamedFile) -> None:
        self._files = files
        self._kept = {first.source: kept_file(first.source, first.content)}
        self._reads: dict[tuple[str, str], NamedRead] = {}
        self._folders: dict[tuple[str, str], NamedRead] = {}

    def read(self, name: str, beside: str) -> NamedFile:
        """See `ScenarioFiles.read`."""
        found = self._files.read(name, beside)
        self._reads[beside, name] = self._noted(name, beside, (found,))
        return found

    def read_folder(self, name: str, beside: str) -> list[NamedFile]:
        """See `ScenarioFiles.read_folder`."""
        found = list(self._files.read_folder(name, beside))
        self._folders[beside, name] = self._noted(name, beside, found)
        return found

    def _noted(self, name: str, beside: str, found: Iterable[NamedFile]) -> NamedRead:
        paths = []
        for one in found:
            self._kept.setdefault(one.source, kept_file(one.source, one.content))
            paths.append(one.source)
        return NamedRead(beside, name, tuple(paths))

    def noted(self) -> tuple[tuple[KeptFile, ...], tuple[NamedRead, ...], tuple[NamedRead, ...]]:
        """The files, and what led to them by files and by folders."""
        return tuple(self._kept.values()), tuple(self._reads.values()), tuple(self._folders.values())


class KeptFiles:
    """Gives the files that were noted, and no others (`ScenarioFiles`).

    Args:
        kept: of a recording or snapshot.

    Raises:
        InputError: a file is not as its digest says, or the first one is not there.
    """

    def __init__(self, kept: KeptStoryboard) -> None:
        self._files = {one.path: NamedFile(one.path, one.content) for one in kept.files}
        for one in kept.files:
            if digest_of(one.content) != one.digest:
                raise InputError(one.path, "", "is kept in the recording, and is not as its digest says", _CURE)
        if kept.source not in self._files:
            raise InputError(kept.source, "", "is not kept in the recording", _CURE)
        self.first = self._files[kept.source]
        self._reads = {(one.beside, one.name): one.paths for one in kept.reads}
        self._folders = {(one.beside, one.name): one.paths for one in kept.folders}

    def read(self, name: str, beside: str) -> NamedFile:
        """See `ScenarioFiles.read`."""
        return self._given(self._reads.get((beside, name), ())[:1], name, beside)[0]

    def read_folder(self, name: str, beside: str) -> list[NamedFile]:
        """See `ScenarioFiles.read_folder`."""
        return self._given(self._folders.get((beside, name)), name, beside)

    def _given(self, paths: tuple[str, ...] | None, name: str, beside: str) -> list[NamedFile]:
        if paths is None or (not paths and (beside, name) not in self._folders):
            raise InputError(beside, "", f"names {name!r}, which was not there when the run began", "put it there")
        if any(path not in self._files for path in paths):
            raise InputError(beside, "", f"names {name!r}, which is not kept in the recording", _CURE)
        return [self._files[path] for path in paths]
