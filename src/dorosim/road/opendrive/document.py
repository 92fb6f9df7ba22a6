"""The XML of an OpenDRIVE file."""

from __future__ import annotations

from dorosim.ground.error import InputError
from dorosim.ground.xml_document import root_of_xml
from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.version import MAX_OPENDRIVE_SIZE


def root_of_document(source: str, content: bytes) -> OdrElement:
    """The root of an OpenDRIVE file; names of elements lose their namespace, which 1.7 and 1.8 have.

    Args:
        source: the file, as messages name it.
        content: its bytes.

    Raises:
        InputError: the bytes are not XML or have a document type, or the root is not `<OpenDRIVE>`.
    """
    root = root_of_xml(source, content, "OpenDRIVE", MAX_OPENDRIVE_SIZE, "split the map")
    if root.tag != "OpenDRIVE":
        problem = f"the root is <{root.tag}>, not <OpenDRIVE>"
        raise InputError(source, f"line {root.sourceline}", problem, "take a fresh copy of the file")
    return OdrElement(source, "", root)
