"""Elements of an OpenDRIVE file from records: what `dorosim.road.opendrive.element` reads, written."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from lxml import etree

from dorosim.ground.error import InputError
from dorosim.road.opendrive.value import Named

_FLAGS = (("false", "true"), ("no", "yes"))
"""How flags are written; the schema asks for the second way for `@dynamic`."""


class _Attribute(NamedTuple):
    """The field of a record that is an attribute, its name in the file, and its default."""

    field: str
    name: str
    default: Any


@cache
def _attributes_of(kind: Any) -> tuple[_Attribute, ...]:
    """The fields of a record that are single values."""
    hints = get_type_hints(kind, include_extras=True)
    found: list[_Attribute] = []
    for item in fields(kind):
        hint, extras = hints[item.name], []
        while get_origin(hint) in (Annotated, Union, UnionType):
            if get_origin(hint) is Annotated:
                hint, *more = get_args(hint)
                extras += more
            else:
                hint = next(part for part in get_args(hint) if part is not NoneType)
        first, *rest = item.name.split("_")
        name = next((one.name for one in extras if isinstance(one, Named)), first + "".join(map(str.title, rest)))
        if hint in (str, int, float, bool):
            found.append(_Attribute(item.name, name, item.default))
    return tuple(found)


def add(parent: Any, tag: str, record: Any = None, always: str = "", **known: Any) -> Any:
    """Add an element to a parent.

    Args:
        parent: an element of lxml.
        tag: its name.
        record: whose single values become attributes, but those that are as the reader takes them to be without one.
        always: names of fields, with spaces between, that are written even so, since the standard asks for them.
        known: further attributes; where one is of a field of the record, that field is left to it.

    Returns:
        The element.

    Raises:
        InputError: a number is not finite.
    """
    node = etree.SubElement(parent, tag)
    wanted = always.split()
    for field, name, default in () if record is None else _attributes_of(cast(Any, type(record))):
        value = getattr(record, field)
        if name in known or value is None or value == "":
            continue
        if field in wanted or default is MISSING or value != default:
            node.set(name, _text(tag, name, value))
    for name, value in known.items():
        if value is not None:
            node.set(name, _text(tag, name, value))
    return node


def add_cubic(parent: Any, tag: str, place: str, cubic: Any) -> None:
    """Add a cubic, whose start is the attribute `place`.

    Raises:
        InputError: a number is not finite.
    """
    node = etree.SubElement(parent, tag)
    for name, value in ((place, cubic.s), ("a", cubic.a), ("b", cubic.b), ("c", cubic.c), ("d", cubic.d)):
        node.set(name, _text(tag, name, value))


def add_user_data(node: Any, data: Mapping[str, str]) -> None:
    """Add `<userData>` to an element (7.2)."""
    for code, value in data.items():
        add(node, "userData", code=code, value=value)


def _text(tag: str, name: str, value: Any) -> str:
    """A value as the text of an attribute; a number so that it is read as the same number.

    Raises:
        InputError: a number is not finite.
    """
    if isinstance(value, bool):
        return _FLAGS[name == "dynamic"][value]
    if isinstance(value, float):
        if not math.isfinite(value):
            problem = "a number is not finite"
            raise InputError("OpenDRIVE", f"<{tag}>, attribute {name!r}", problem, "correct the map before writing it")
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(float(value))
    return "".join(letter for letter in str(value) if letter >= " ")
