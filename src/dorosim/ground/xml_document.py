"""XML from outside, parsed so that it can reach nothing outside itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lxml import etree

from dorosim.ground.error import InputError

SAFE_XML: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "huge_tree": False,
    "load_dtd": False,
    "dtd_validation": False,
    "remove_comments": True,
    "remove_pis": True,
}
"""Options of lxml's parsers: no entity is expanded, nothing is opened, and libxml2's limits of depth and size hold."""

FRESH_COPY = "take a fresh copy of the file"


def root_of_xml(source: str, content: bytes, format_name: str, max_size: int, too_large: str) -> Any:
    """The root element of a file, as lxml's; names of elements lose their namespace.

    XInclude is not done: lxml does it only where it is asked to.

    Args:
        source: the file, as messages name it.
        content: its bytes.
        format_name: name of the format, which has no document types.
        max_size: largest size [bytes].
        too_large: the cure for a larger one.

    Raises:
        InputError: the bytes are too many, are not XML, or have a document type.
    """
    check_xml_bytes(source, content, format_name, max_size, too_large)
    with as_input_errors(source):
        root: Any = etree.fromstring(content, etree.XMLParser(**SAFE_XML))
    check_no_type(source, root, format_name)
    for node in root.iter(etree.Element):
        if node.tag[0] == "{":
            node.tag = etree.QName(node).localname
    return root


def check_xml_bytes(source: str, content: bytes, format_name: str, max_size: int, too_large: str) -> None:
    """Refuse a file that is too large, or has a document type, before it is parsed. Arguments as of `root_of_xml`."""
    if len(content) > max_size:
        raise InputError(source, "", f"is larger than {max_size >> 20} MiB", too_large)
    if b"<!DOCTYPE" in content:
        raise _has_type(source, format_name)


def check_no_type(source: str, root: Any, format_name: str) -> None:
    """Refuse a file with a document type that its bytes do not show, as those of UTF-16."""
    if root.getroottree().docinfo.internalDTD is not None:
        raise _has_type(source, format_name)


@contextmanager
def as_input_errors(source: str) -> Iterator[None]:
    """Raise what lxml finds wrong while it parses a file as an InputError, with the line."""
    try:
        yield
    except etree.XMLSyntaxError as error:
        line = f"line {error.lineno}" if error.lineno else ""
        raise InputError(source, line, f"is not well-formed XML: {error.msg or 'it is empty'}", FRESH_COPY) from None
    except (UnicodeError, LookupError) as error:
        raise InputError(source, "", f"is not XML: {error}", FRESH_COPY) from None


def _has_type(source: str, format_name: str) -> InputError:
    """The error of a file with a document type, by which a file could name others, or grow without bounds."""
    return InputError(source, "", f"has a document type (<!DOCTYPE>), which {format_name} has not", "remove it")
