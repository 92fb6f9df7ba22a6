"""The versions of OpenSCENARIO XML that are read, and how large a file may be."""

from __future__ import annotations

from typing import Any

from dorosim.scenario.openscenario.record.table import VERSIONS

NAME = "OpenSCENARIO"

MAX_FILE_SIZE = 64 << 20
"""Bytes of a file: a trajectory of a million points has so many."""

NEWEST = VERSIONS[-1]


def declared_version(root: Any) -> tuple[str, str]:
    """The version that a file declares, as one of `VERSIONS`, and the problem with it; "" for none.

    Args:
        root: of the file, of lxml.
    """
    header = root.find("FileHeader")
    if header is None:
        return NEWEST, "has no <FileHeader>"
    major, minor = ((header.get(name) or "").strip() for name in ("revMajor", "revMinor"))
    text = f"{major}.{minor}"
    if text in VERSIONS:
        return text, ""
    if major == "0":
        return VERSIONS[0], f"is of version {text}, of before the standard's 1.0, whose elements have other names"
    return NEWEST, f"is of version {text}, and {VERSIONS[0]} to {NEWEST} are known"
