"""The versions of OpenSCENARIO XML that are read, and how large a file may be."""

from __future__ import annotations

from typing import Any

from dorosim.ground.error import InputError
from dorosim.ground.xml_document import root_of_xml
from dorosim.scenario.openscenario.record.table import VERSIONS

NAME = "OpenSCENARIO"

MAX_FILE_SIZE = 32 << 20
"""Bytes of a file."""

MAX_ELEMENTS = 200_000
"""Of a file, and of a scenario with the entries of catalogs in it: a trajectory of 60,000 points has so many, and is
read in some seconds."""

_MAX_ATTRIBUTES = 10_000
"""Of one element: libxml2 compares each with all before it."""

_SPARE = 1_000
"""Comments and the like, beside the two signs of each element."""

MAX_DEPTH = 80
"""Of elements in each other, entries of catalogs among them."""

NEWEST = VERSIONS[-1]


def root_of_openscenario(source: str, content: bytes) -> Any:
    """The root element of a file of OpenSCENARIO, or of a schema of it.

    Raises:
        InputError: the bytes are too many, are not XML, have a document type, or hold too many elements.
    """
    if content.count(b"<") > 2 * MAX_ELEMENTS + _SPARE or content.count(b"=") > 10 * MAX_ELEMENTS:
        raise InputError(source, "", f"has more than {MAX_ELEMENTS:,} elements, or as many attributes", "split it")
    if any(tag.count(b"=") > _MAX_ATTRIBUTES for tag in content.split(b"<")):
        raise InputError(source, "", f"has an element with more than {_MAX_ATTRIBUTES:,} attributes", "remove them")
    return root_of_xml(source, content, NAME, MAX_FILE_SIZE, "split it")


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
