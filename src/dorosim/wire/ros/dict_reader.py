"""Messages out of trees that peers sent as JSON, CBOR or BSON. What is wrong is refused, by its path.

A field that is missing has its default; one that the type lacks is refused, as rosbridge does. NaN and infinities are
values of ROS and taken where a form has them (CBOR, BSON, Python's JSON); null is no number and refused, as rosbridge
does, although both send null for them.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np
from cbor2 import CBORTag
from rosbags.interfaces import Nodetype

from dorosim.wire.error import RosError
from dorosim.wire.ros.dict_writer import DTYPES, OCTETS, TIMES, TYPED_ARRAYS
from dorosim.wire.ros.registry import MAX_SEQUENCE_LENGTH, Registry

Reader = Callable[[Any], Any]
_MISSING = object()
_INTS = {name: (np.iinfo(code).min, np.iinfo(code).max) for name, code in DTYPES.items() if code[1:2] in ("i", "u")}
_FLOAT32_MAX = float(np.finfo(np.float32).max)
_SECONDS = {"Time": (0, 2**31 - 1), "Duration": (-(2**31), 2**31 - 1)}
"""rosbags keeps seconds in 32 bits with a sign: until 2038."""
_QUICK: dict[str, set[type]] = {"f": {int, float}, "b": {bool}}
"""Types of entries that numpy takes as they are, by the kind of the array; whole numbers for all others."""


class _WrongError(Exception):
    """A part of a tree that does not fit; its path grows on the way out."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.path: list[str] = []

    def inside(self, step: str) -> _WrongError:
        """The same, one level further out."""
        self.path.append(step)
        return self


class DictReader:
    """Makes messages of trees.

    Args:
        registry: of their types.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._readers: dict[str, Reader] = {}

    def message(self, name: str, tree: Any) -> Any:
        """The message of a type in a tree.

        Raises:
            RosError: there is no such type, or the tree is none; the text names the path.
        """
        reader = self._reader(name)
        try:
            return reader(tree)
        except _WrongError as error:
            path = "".join(reversed(error.path)).removeprefix(".")
            raise RosError(": ".join(part for part in (name, path, str(error)) if part)) from None

    def _reader(self, name: str) -> Reader:
        found = self._readers.get(name)
        if found is None:
            fields = tuple((field, self._value(shape)) for field, shape in self._registry.fields(name))
            found = self._readers[name] = _object(fields, lambda given: self._registry.make(name, **given))
        return found

    def _value(self, shape: Any) -> Reader:
        kind, detail = shape
        if kind == Nodetype.BASE:
            return _base(detail[0])
        if kind == Nodetype.NAME:
            return self._named(detail)
        (element, of), length = detail
        if element == Nodetype.NAME:
            return _objects(self._named(of), length)
        if of[0] == "string":
            return _objects(_text, length)
        return _array(of[0], length)

    def _named(self, inside: str) -> Reader:
        if inside not in TIMES:
            return self._reader(inside.replace("/msg/", "/"))
        least, most = _SECONDS[inside.rpartition("/")[2]]
        fields = (("secs", _integer(least, most)), ("nsecs", _integer(0, 999_999_999)))
        moment = type(self._registry.time(0)) if inside.endswith("Time") else self._registry.duration_class
        return _object(fields, lambda given: moment(given.get("secs", 0), given.get("nsecs", 0)))


def kind_of(value: Any) -> str:
    """The kind of a value of a tree, for a message of one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else "a number of more than 20 digits"
    if isinstance(value, float):
        return f"{value:g}"
    for kind, name in ((str, "a text"), (dict, "an object"), (list, "a list"), (CBORTag, "a typed array")):
        if isinstance(value, kind):
            return name
    return "bytes" if isinstance(value, bytes) else "something else"


def _object(fields: tuple[tuple[str, Reader], ...], make: Callable[[dict[str, Any]], Any]) -> Reader:
    names = frozenset(name for name, _ in fields)

    def read(tree: Any) -> Any:
        if not isinstance(tree, dict):
            raise _WrongError(f"{kind_of(tree)} in place of an object")
        given = {}
        for name, reader in fields:
            value = tree.get(name, _MISSING)
            if value is not _MISSING:
                try:
                    given[name] = reader(value)
                except _WrongError as error:
                    raise error.inside(f".{name}")  # noqa: B904 - the same error
        if len(given) != len(tree):
            unknown = sorted(str(key)[:60] for key in tree if key not in names)
            known = f"; there are {', '.join(name for name, _ in fields[:20])}" if fields else ""
            raise _WrongError(f"there is no field {', '.join(unknown[:5])}{known}")
        return make(given)

    return read


def _objects(reader: Reader, length: int) -> Reader:
    def read(tree: Any) -> Any:
        if not isinstance(tree, list):
            raise _WrongError(f"{kind_of(tree)} in place of a list")
        _check_length(len(tree), length)
        found = []
        for index, one in enumerate(tree):
            try:
                found.append(reader(one))
            except _WrongError as error:
                raise error.inside(f"[{index}]")  # noqa: B904 - the same error
        return found

    return read


def _check_length(count: int, length: int) -> None:
    """Length 0 is any."""
    if length and count != length:
        raise _WrongError(f"{count} entries in place of {length}")
    if count > MAX_SEQUENCE_LENGTH:
        raise _WrongError(f"{count:,} entries are more than {MAX_SEQUENCE_LENGTH:,}")


def _base(kind: str) -> Reader:
    if kind == "string":
        return _text
    if kind == "bool":
        return _truth
    if kind in _INTS:
        return _integer(*_INTS[kind])
    return _float32 if kind == "float32" else _float64


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _WrongError(f"{kind_of(value)} in place of a text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise _WrongError("a text that is not valid Unicode") from None
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _WrongError(f"{kind_of(value)} in place of true or false")
    return value


def _integer(least: int, most: int) -> Reader:
    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise _WrongError(f"{kind_of(value)} in place of a whole number")
        if not least <= value <= most:
            raise _WrongError(f"{kind_of(value)} is not within {least} to {most}")
        return int(value)

    return read


def _float64(value: Any) -> float:
    if not isinstance(value, float):
        if not isinstance(value, int) or isinstance(value, bool):
            raise _WrongError(f"{kind_of(value)} in place of a number")
        try:
            return float(value)
        except OverflowError:
            raise _WrongError(f"{kind_of(value)} is too large") from None
    return value


def _float32(value: Any) -> float:
    found = _float64(value)
    if abs(found) > _FLOAT32_MAX and isfinite(found):
        raise _WrongError(f"{kind_of(value)} is too large for 32 bits")
    return found


def _array(kind: str, length: int) -> Reader:
    """Arrays of numbers: a list, a typed array, and for bytes a byte string or base64 text."""
    dtype, single = np.dtype(DTYPES[kind]), _base(kind)

    def read(value: Any) -> Any:
        if isinstance(value, list):
            found = _from_list(value, dtype, single)
        elif isinstance(value, CBORTag):
            found = _from_typed(value, dtype)
        elif kind in OCTETS and isinstance(value, str | bytes):
            found = np.frombuffer(_octets(value), dtype)
        else:
            raise _WrongError(f"{kind_of(value)} in place of a list of numbers")
        _check_length(len(found), length)
        return found

    return read


def _octets(value: str | bytes) -> bytes:
    if isinstance(value, bytes):
        return bytes(value)  # BSON has a class of its own for them
    try:
        return b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise _WrongError("a text that is not valid base64") from None


def _from_list(value: list[Any], dtype: np.dtype[Any], single: Reader) -> Any:
    kinds = set(map(type, value))
    quick = _QUICK.get(dtype.kind, {int})
    if kinds <= quick and kinds:
        least, most = (min(value), max(value)) if dtype.kind != "b" else (False, True)
        try:
            single(least)
            single(most)
            if least == least:  # no NaN comes first, which hides others from min and max
                return _cast(np.asarray(value, np.float64 if dtype.kind == "f" else dtype), dtype)
        except (_WrongError, OverflowError):
            pass  # the slow way says which entry it is
    found = []
    for index, one in enumerate(value):
        try:
            found.append(single(one))
        except _WrongError as error:
            raise error.inside(f"[{index}]")  # noqa: B904 - the same error
    return np.asarray(found, dtype)


def _from_typed(value: CBORTag, dtype: np.dtype[Any]) -> Any:
    code = TYPED_ARRAYS.get(value.tag)
    if code is None or not isinstance(value.value, bytes):
        raise _WrongError(f"something tagged {value.tag} in place of a list of numbers")
    given = np.dtype(code)
    if len(value.value) % given.itemsize:
        raise _WrongError(f"{len(value.value)} bytes are not an array of {given.itemsize} bytes each")
    found = np.frombuffer(value.value, given)
    if (given.kind == "f" and dtype.kind != "f") or dtype.kind == "b":
        raise _WrongError("an array of another kind of numbers")
    if dtype.kind != "f" and found.size:
        bounds = np.iinfo(dtype)
        if int(found.min()) < bounds.min or int(found.max()) > bounds.max:
            raise _WrongError(f"a number is not within {bounds.min} to {bounds.max}")
    return _cast(found, dtype)


def _cast(found: Any, dtype: np.dtype[Any]) -> Any:
    if dtype.kind == "f" and dtype.itemsize == 4 and found.itemsize > 4:
        sizes = np.abs(found.astype(np.float64))
        if (sizes[np.isfinite(sizes)] > _FLOAT32_MAX).any():
            raise _WrongError("a number is too large for 32 bits")
    return found.astype(dtype)
