"""Records that keep the JSON object that they were read from.

The product's files hold more than any document describes, in several forms: numbers as text, keys that users added,
parts that only some versions write. A `Record` lists the keys that are known, with types; it keeps the whole object
besides. Writing starts from the kept object and replaces only what was changed since, so what is not understood
survives, and what was not touched keeps its form.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin

import msgspec
import numpy as np

from dorosim.ground.error import InputError, kind_of
from dorosim.ground.json_text import decode_json_text

_MAX_INT = 2**53
_MAX_DEPTH = 64
"""Brackets inside one another; the product's files have nine."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """An object of a file. Subclasses list its known keys.

    Attributes:
        kept: the object that the record was read from; None for a new one, all of whose keys are written.
    """

    kept: dict[str, Any] | None = None

    def check(self, source: str, path: str) -> None:
        """Refuse values that the types alone allow.

        Args:
            source: the file, as messages name it.
            path: key path of the object.

        Raises:
            InputError: it names the key path.
        """

    def complete(self, written: dict[str, Any], changed: frozenset[str]) -> None:
        """Bring the written object into the product's form.

        Args:
            written: the object, which may be changed.
            changed: keys that were written anew.
        """


R = TypeVar("R", bound=Record)


class RecordField(msgspec.Struct, frozen=True):
    """One known key of a record.

    Attributes:
        name: of the attribute.
        key: in the file.
        kind: type of the value, without None.
        optional: whether the value may be None, which is not written.
        required: whether the key must be there.
        default: value of a missing key.
    """

    name: str
    key: str
    kind: Any
    optional: bool
    required: bool
    default: Any


@cache
def fields_of(record: type[Record]) -> tuple[RecordField, ...]:
    """The known keys of a record, in the order in which a new one is written."""
    found = []
    for info in msgspec.structs.fields(record):
        if info.name == "kept":
            continue
        options = [kind for kind in get_args(info.type) if kind is not NoneType]
        optional = NoneType in get_args(info.type)
        kind = options[0] if optional else info.type
        default = info.default
        if info.default_factory is not msgspec.NODEFAULT:
            default = info.default_factory()
        found.append(RecordField(info.name, info.encode_name, kind, optional, info.required, default))
    return tuple(found)


def record_from_json(kind: type[R], value: Any, source: str, path: str) -> R:
    """A record of a decoded JSON object.

    Numbers may be text, with thousands commas; flags may be 0, 1 or words; null means that the key is missing.

    Args:
        kind: which record.
        value: the decoded value.
        source: the file, as messages name it.
        path: key path of the value, "" for the whole file.

    Raises:
        InputError: it names the key path.
    """
    if not isinstance(value, dict):
        raise InputError(source, path, f"expected an object, found {kind_of(value)}")
    values: dict[str, Any] = {"kept": value}
    for field in fields_of(kind):
        found, place = value.get(field.key), f"{path}.{field.key}".removeprefix(".")
        if found is not None:
            values[field.name] = _value(field.kind, found, source, place)
        elif field.required:
            raise InputError(source, place, "the key is missing", "add it, or remove the object that needs it")
    record = kind(**values)
    record.check(source, path)
    return record


def json_from_record(record: Record) -> dict[str, Any]:
    """The JSON object of a record: what it was read from, with what is new in it."""
    written = dict(record.kept or {})
    before = None if record.kept is None else record_from_json(type(record), record.kept, "", "")
    changed = set()
    for field in fields_of(type(record)):
        value = getattr(record, field.name)
        if before is not None and value == getattr(before, field.name):
            continue
        if value is None:
            written.pop(field.key, None)
            continue
        written[field.key] = _json(value)
        changed.add(field.key)
    record.complete(written, frozenset(changed))
    return written


def record_from_file(kind: type[R], what: str, largest: int, source: str, content: bytes) -> R:
    """The record that a whole file holds.

    Args:
        kind: which record; a file has at least one of its keys besides `version`.
        what: the kind of file, as messages name it.
        largest: bytes of a file beyond which it is taken for a mistake, or for malice.
        source: the file, as messages shall name it.
        content: its bytes: JSON in UTF-8, with or without a byte order mark.

    Raises:
        InputError: the file is broken; it names line and column, or the key path.
    """
    cure = f"choose a file that MORAI SIM or dorosim saved as a {what}"
    if len(content) > largest:
        raise InputError(source, "", f"it has more than {largest >> 20} MiB", cure)
    value = decode_object(source, content)
    keys = [field.key for field in fields_of(kind) if field.key != "version"]
    if not any(key in value for key in keys):
        raise InputError(source, "", f"this is not a {what}: it has none of {', '.join(keys[:4])}, ...", cure)
    return record_from_json(kind, value, source, "")


def decode_object(source: str, content: bytes) -> dict[str, Any]:
    """The object that a JSON file holds.

    Raises:
        InputError: the bytes are not a JSON object; it names line and column.
    """
    cure = "save the file again, or correct it"
    value = decode_json_text(source, content, cure)
    if not isinstance(value, dict):
        raise InputError(source, "", f"expected an object, found {kind_of(value)}", cure)
    if _depth(value) > _MAX_DEPTH:
        raise InputError(source, "", "the brackets are nested too deeply", cure)
    place = _place_of_no_number(value, "")
    if place:
        raise InputError(source, place, "this is not a finite number", "give one")
    try:
        encode_object(value)
    except ValueError as error:
        raise InputError(source, "", f"it holds what cannot be written again ({error})", cure) from None
    return value


def _place_of_no_number(value: Any, path: str) -> str:
    """Key path of the first NaN or infinity, which JSON does not have; empty if there is none."""
    if isinstance(value, float):
        return "" if math.isfinite(value) else path
    if isinstance(value, dict):
        parts = ((f"{path}.{key}" if path else key, part) for key, part in value.items())
    elif isinstance(value, list):
        parts = ((f"{path}[{number}]", part) for number, part in enumerate(value))
    else:
        return ""
    return next((found for place, part in parts if (found := _place_of_no_number(part, place))), "")


def encode_object(value: Mapping[str, Any]) -> bytes:
    """A JSON file of an object, in the product's layout: UTF-8, indented by two."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def number_text(value: float) -> str:
    """A number as text that gives the very same number when it is read, without an exponent."""
    return np.format_float_positional(value, trim="0")


def _value(kind: Any, value: Any, source: str, path: str) -> Any:
    """A value of a known type."""
    if get_origin(kind) is tuple:
        item_kind = get_args(kind)[0]
        if not isinstance(value, list):
            raise InputError(source, path, f"expected a list, found {kind_of(value)}")
        return tuple(_value(item_kind, item, source, f"{path}[{number}]") for number, item in enumerate(value))
    if kind is float:
        return _number(value, source, path)
    if kind is int:
        return _int(value, source, path)
    if kind is bool:
        return _flag(value, source, path)
    if kind is str:
        return _text(value, source, path)
    if isinstance(kind, type) and issubclass(kind, Record):
        return record_from_json(kind, value, source, path)
    return value


def _number(value: Any, source: str, path: str) -> float:
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            number = float(value.replace(",", "")) if isinstance(value, str) else float(value)
        except (ValueError, OverflowError):
            number = math.nan
        if math.isfinite(number):
            return number
    raise InputError(source, path, f"expected a finite number, found {kind_of(value)}")


def _int(value: Any, source: str, path: str) -> int:
    number = _number(value, source, path)
    if not number.is_integer() or abs(number) > _MAX_INT:
        raise InputError(source, path, f"expected a whole number, found {kind_of(value)}")
    return int(number)


def _flag(value: Any, source: str, path: str) -> bool:
    word = str(value).strip().lower()
    if not isinstance(value, dict | list) and word in ("true", "1"):
        return True
    if not isinstance(value, dict | list) and word in ("false", "0", ""):
        return False
    raise InputError(source, path, f"expected true or false, found {kind_of(value)}")


def _text(value: Any, source: str, path: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise InputError(source, path, f"expected a text, found {kind_of(value)}")


def _json(value: Any) -> Any:
    """The JSON value of a record's value."""
    if isinstance(value, Record):
        return json_from_record(value)
    if isinstance(value, tuple):
        return [_json(item) for item in value]
    return value


def _depth(value: Any) -> int:
    """How many brackets stand inside one another, without recursion."""
    depth, level = 0, [value]
    while level:
        depth += 1
        inner = [item.values() if isinstance(item, dict) else item for item in level if isinstance(item, dict | list)]
        level = [item for items in inner for item in items]
    return depth
