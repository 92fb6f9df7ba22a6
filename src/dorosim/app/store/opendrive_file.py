"""Finds and reads OpenDRIVE files."""

from __future__ import annotations

from pathlib import Path

from dorosim.recording.whole_file import read_file
from dorosim.road.opendrive.document import MAX_OPENDRIVE_SIZE
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.record import OpenDriveMap

SUFFIX = ".xodr"


def is_opendrive(name: str) -> bool:
    """Whether a map's name is that of an OpenDRIVE file."""
    return name.lower().endswith(SUFFIX)


def read_opendrive_file(path: Path) -> OpenDriveMap:
    """Read an OpenDRIVE file.

    Raises:
        InputError: it cannot be read, or is broken; the error names file, line and attribute.
    """
    return read_opendrive(str(path), read_file(path, MAX_OPENDRIVE_SIZE))
