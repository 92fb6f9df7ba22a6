"""Finds and reads OpenDRIVE files. lxml is loaded only where one is parsed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dorosim.recording.whole_file import read_file
from dorosim.road.opendrive.version import MAX_OPENDRIVE_SIZE

if TYPE_CHECKING:
    from dorosim.road.opendrive.record import OpenDriveMap

SUFFIX = ".xodr"


def is_opendrive(name: str) -> bool:
    """Whether a name is that of an OpenDRIVE file."""
    return name.lower().endswith(SUFFIX)


def opendrive_bytes(path: Path) -> bytes:
    """The content of an OpenDRIVE file; of one that is too large so much that its reader sees it.

    Raises:
        InputError: it cannot be read.
    """
    return read_file(path, MAX_OPENDRIVE_SIZE)


def read_opendrive_file(path: Path) -> OpenDriveMap:
    """Read an OpenDRIVE file.

    Raises:
        InputError: it cannot be read, or is broken; the error names file, line and attribute.
    """
    from dorosim.road.opendrive.reader import read_opendrive

    return read_opendrive(str(path), opendrive_bytes(path))
