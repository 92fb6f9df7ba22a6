"""The XML of an OpenDRIVE file, parsed so that it can reach nothing outside itself."""

from __future__ import annotations

from typing import Any

from lxml import etree

from dorosim.ground.error import InputError
from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.version import MAX_OPENDRIVE_SIZE
from dorosim.road.safe_xml import SAFE_XML

_CURE = "take a fresh copy of the file"


def _parser() -> etree.XMLParser:
    """A parser that expands no entities, opens nothing, and keeps libxml2's own limits of depth and size."""
    return etree.XMLParser(**SAFE_XML)


def root_of_document(source: str, content: bytes) -> OdrElement:
    """The root of an OpenDRIVE file; names of elements lose their namespace, which 1.7 and 1.8 have.

    Args:
        source: the file, as messages name it.
        content: its bytes.

    Raises:
        InputError: the bytes are not XML or have a document type, or the root is not `<OpenDRIVE>`.
    """
    if len(content) > MAX_OPENDRIVE_SIZE:
        raise InputError(source, "", f"is larger than {MAX_OPENDRIVE_SIZE >> 20} MiB", "split the map")
    if b"<!DOCTYPE" in content:
        raise _has_type(source)
    try:
        root: Any = etree.fromstring(content, _parser())
    except etree.XMLSyntaxError as error:
        line = f"line {error.lineno}" if error.lineno else ""
        raise InputError(source, line, f"is not well-formed XML: {error.msg or 'it is empty'}", _CURE) from None
    except (ValueError, LookupError) as error:
        raise InputError(source, "", f"is not XML: {error}", _CURE) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _has_type(source)
    for node in root.iter(etree.Element):
        if node.tag[0] == "{":
            node.tag = etree.QName(node).localname
    if root.tag != "OpenDRIVE":
        raise InputError(source, f"line {root.sourceline}", f"the root is <{root.tag}>, not <OpenDRIVE>", _CURE)
    return OdrElement(source, "", root)


def _has_type(source: str) -> InputError:
    """The error of a file with a document type, by which a file could name others, or grow without bounds."""
    return InputError(source, "", "has a document type (<!DOCTYPE>), which OpenDRIVE has not", "remove it")
