"""Finds and reads Lanelet2 files. lxml is loaded only where one is parsed."""

from __future__ import annotations

from pathlib import Path

from dorosim.recording.whole_file import read_file
from dorosim.road.lanelet2.version import MAX_LANELET2_SIZE

SUFFIX = ".osm"
AUTOWARE_FILE = "lanelet2_map.osm"
"""Name of the roads in a folder of Autoware's, in which the cloud of points lies, too."""


def is_lanelet2(name: str) -> bool:
    """Whether a name is that of a Lanelet2 file."""
    return name.lower().endswith(SUFFIX)


def lanelet2_bytes(path: Path) -> bytes:
    """The content of a Lanelet2 file; of one that is too large so much that its reader sees it.

    Raises:
        InputError: it cannot be read.
    """
    return read_file(path, MAX_LANELET2_SIZE)
