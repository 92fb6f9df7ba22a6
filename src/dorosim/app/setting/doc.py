"""What the settings are called and mean, read from the classes of `dorosim.app.setting.settings` and their docstrings.

The reference page, the file of `dorosim config init` and the listing of `dorosim config show` are made of it.
"""

from __future__ import annotations

import inspect
import json
import math
import typing
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from dorosim.app.setting.error import unwrapped
from dorosim.app.setting.settings import Settings


class Many(Enum):
    """How often a table may stand in a file."""

    ONE = "[{}]"
    LIST = "[[{}]]"
    NAMED = "[{}.KEY]"


class SettingKey(NamedTuple):
    """One key.

    Attributes:
        name: as it is written in a file. place: with the tables that it is in, "udp.revision".
        default: a value, or msgspec.NODEFAULT where it has to be given.
        kind: its type. choices: the values that there are, none where there are others.
        meaning: a phrase without a full stop.
        table: the table that stands under this key, None for a plain value.
    """

    name: str
    place: str
    default: Any
    kind: Any
    choices: tuple[Any, ...]
    meaning: str
    table: SettingTable | None


class SettingTable(NamedTuple):
    """One table.

    Attributes:
        place: "" for the top level, "ros.bag". many: how often it may stand there.
        kind: its class. purpose: the first line of the docstring of the class.
        keys: in the order of the class.
    """

    place: str
    many: Many
    kind: type[msgspec.Struct]
    purpose: str
    keys: tuple[SettingKey, ...]

    @property
    def title(self) -> str:
        """As a file has it: "[udp]", "[[ego]]", "[ros.topic.KEY]"; "" for the top level."""
        return self.many.value.format(self.place) if self.place else ""


def setting_table(kind: type[msgspec.Struct] = Settings, place: str = "", many: Many = Many.ONE) -> SettingTable:
    """A class of settings as a table, with those that are in it."""
    text = inspect.cleandoc(kind.__doc__ or "")
    meanings = meanings_of(kind)
    keys = []
    for field in msgspec.structs.fields(kind):
        name = field.encode_name
        inner = f"{place}.{name}".lstrip(".")
        found = _table_in(field.type)
        table = None if found is None else setting_table(found[0], inner, found[1])
        default = field.default
        if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        meaning = meanings.get(field.name) or ("" if table is None else _phrase(table.purpose))
        keys.append(SettingKey(name, inner, default, field.type, _choices(field.type), meaning, table))
    return SettingTable(place, many, kind, text.splitlines()[0] if text else "", tuple(keys))


def all_tables(table: SettingTable | None = None) -> Iterator[SettingTable]:
    """A table, the settings if none is given, and all those in it, each before its own."""
    table = table or setting_table()
    yield table
    for key in table.keys:
        if key.table is not None:
            yield from all_tables(key.table)


def meanings_of(kind: type[msgspec.Struct]) -> dict[str, str]:
    """The texts under "Attributes:" of a docstring, by name; in `a, b: text` the text is that of both.

    A sentence that names no key goes with the one before.
    """
    lines = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:")[2]
    known = {field.name for field in msgspec.structs.fields(kind)}
    found: dict[str, str] = {}
    last: list[str] = []
    for sentence in " ".join(lines.split()).replace(". ", ".\n").splitlines():
        head, _, text = sentence.partition(": ")
        names = head.split(", ")
        if known.issuperset(names):
            found, last = {**found, **dict.fromkeys(names, text)}, names
        else:
            found |= {name: f"{found[name]} {sentence}" for name in last}
    return {name: text.removesuffix(".") for name, text in found.items()}


def toml_value(value: Any) -> str:
    """A value as TOML writes it, in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        parts = (f"{_key(key)} = {toml_value(one)}" for key, one in value.items())
        return f"{{ {', '.join(parts)} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(one) for one in value)}]"
    return str(value)


def sample(kind: Any) -> str:
    """A value of a type, as TOML writes it, to show what a key without a default takes."""
    first = next(one for one in unwrapped(kind) if one is not type(None))
    origin, arguments = typing.get_origin(first), typing.get_args(first)
    if origin is typing.Literal:
        return toml_value(arguments[0])
    if origin is tuple:
        inner = [one for one in arguments if one is not Ellipsis]
        return f"[{', '.join(sample(one) for one in inner)}]"
    plain: dict[Any, Any] = {bool: True, int: 0, float: 0.0, str: "..."}
    return toml_value(plain.get(first, {}))


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else toml_value(name)


def _phrase(purpose: str) -> str:
    text = purpose.rstrip(".")
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _choices(kind: Any) -> tuple[Any, ...]:
    return tuple(
        choice for one in unwrapped(kind) if typing.get_origin(one) is typing.Literal for choice in typing.get_args(one)
    )


def _table_in(kind: Any) -> tuple[type[msgspec.Struct], Many] | None:
    """The class of the table, or tables, that stand under a key of this type."""
    for one in unwrapped(kind):
        origin, arguments = typing.get_origin(one), typing.get_args(one)
        for many, found in (
            (Many.ONE, one),
            (Many.LIST, arguments[0] if origin in (tuple, list) and arguments else None),
            (Many.NAMED, arguments[1] if origin is dict else None),
        ):
            if isinstance(found, type) and issubclass(found, msgspec.Struct):
                return found, many
    return None
