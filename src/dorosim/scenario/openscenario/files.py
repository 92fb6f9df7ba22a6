"""The files that a file of OpenSCENARIO names, as whoever opens files gives them to the reader, which opens none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from dorosim.ground.error import InputError


class NamedFile(NamedTuple):
    """A file.

    Attributes:
        source: its path, as messages name it; names in it are relative to it.
        content: its bytes.
    """

    source: str
    content: bytes


class ScenarioFiles(Protocol):
    """Gives the files that another file names."""

    def read(self, name: str, beside: str) -> NamedFile:
        """A file.

        Args:
            name: its path, as the other file has it.
            beside: `source` of the other file.

        Raises:
            InputError: it is not there, cannot be read, or may not be opened.
        """

    def read_folder(self, name: str, beside: str) -> Sequence[NamedFile]:
        """All files of OpenSCENARIO in a folder, not those in folders in it; arguments and errors as of `read`."""


class NoFiles:
    """Gives no files: for those that name none."""

    def read(self, name: str, beside: str) -> NamedFile:
        """Never gives one."""
        raise InputError(beside, "", f"names file {name!r}, and files cannot be opened here", "open it by its path")

    def read_folder(self, name: str, beside: str) -> Sequence[NamedFile]:
        """Never gives any."""
        raise InputError(beside, "", f"names folder {name!r}, and files cannot be opened here", "open it by its path")
