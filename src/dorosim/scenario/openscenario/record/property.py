"""Files, free properties and the header of a file."""

from __future__ import annotations

from datetime import datetime

from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    UnsignedShort,
    attribute,
    child,
    children,
    sequence,
    text,
)


@sequence()
class FileHeader(OscRecord):
    """Who wrote a file, when, and by which version of the standard."""

    author: str = attribute("author", assumed="")
    date: datetime = attribute("when the file was made")
    description: str = attribute("what it is for", assumed="")
    rev_major: UnsignedShort = attribute("major version")
    rev_minor: UnsignedShort = attribute("minor version")
    license: License | None = child(default=None, since="1.1")
    properties: Properties | None = child(default=None, since="1.2")


@sequence(since="1.1")
class License(OscRecord):
    """The licence of a file."""

    name: str = attribute("full name", assumed="")
    resource: str | None = attribute("address of the text", default=None)
    spdx_id: str | None = attribute("SPDX identifier", default=None)
    content: str = text("the text itself", default="")


@sequence()
class File(OscRecord):
    """A file."""

    filepath: str = attribute("path, relative to the file that names it")


@sequence()
class Directory(OscRecord):
    """A folder of catalog files."""

    path: str = attribute("path, relative to the file that names it")


@sequence()
class Property(OscRecord):
    """A name and a value that the standard gives no meaning."""

    name: str = attribute("name")
    value: str = attribute("value")


@sequence()
class Properties(OscRecord):
    """Free properties, files and texts."""

    properties: tuple[Property, ...] = children("Property", default=())
    files: tuple[File, ...] = children("File", default=())
    custom_contents: tuple[CustomContent, ...] = children("CustomContent", default=(), since="1.2")


@sequence(since="1.2")
class CustomContent(OscRecord):
    """Free text."""

    content: str = text("the text", default="")
