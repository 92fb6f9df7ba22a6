"""One set file of an MGeo map, read record by record and key by key.

MGeo files come from several generations of several tools: a number may be a string, a list may be a single value,
a key may have an older name or be missing (facts/ros-grpc-mgeo.md, section 3.2, "Reader rules"). An `MgeoEntry` takes
all of these and refuses the rest with the file, the record and the key.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from dorosim.ground.error import InputError, kind_of
from dorosim.ground.json_text import decode_json_text
from dorosim.road.mgeo.record import Points

_EMPTY: tuple[Any, ...] = (None, "", False, 0, [], {})
_MAX_COORDINATE = 1e8
"""A coordinate farther off than this [m] is on no map of the Earth."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def decode_json(source: str, content: bytes) -> Any:
    """The value of a JSON file.

    `NaN` and `Infinity`, which Python's own writer makes, are let through here, so that the record that holds
    them can be named.

    Args:
        source: the file, as messages name it.
        content: its bytes, UTF-8, with or without a byte order mark.

    Raises:
        InputError: if the bytes are not JSON.
    """
    content = content.removeprefix(_BYTE_ORDER_MARK)
    cure = "save the map again, or take a fresh copy of the file"
    try:
        return msgspec.json.decode(content)
    except RecursionError as error:
        raise InputError(source, "", "the brackets are nested too deeply to be a map", cure) from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        return decode_json_text(source, content, cure)


class MgeoEntry:
    """One object of a set file.

    Every getter takes the names of a key, newest first, and treats `null` like a missing key.

    Args:
        source: the file, as messages name it.
        place: the record inside it, as messages name it.
        data: the object.
        keys_read: the keys that were asked for so far; one set for a whole file.
    """

    __slots__ = ("data", "keys_read", "place", "source")

    def __init__(self, source: str, place: str, data: Mapping[str, Any], keys_read: set[str]) -> None:
        self.source = source
        self.place = place
        self.data = data
        self.keys_read = keys_read

    def refuse(self, key: str, problem: str, cure: str = "") -> InputError:
        """The error that names this record and `key`."""
        return InputError(self.source, f"{self.place}, key {key!r}", problem, cure)

    def has(self, *keys: str) -> bool:
        """Whether one of the keys is there with a value."""
        return any(self.data.get(key) is not None for key in keys)

    def value(self, *keys: str) -> Any:
        """The value of the first of `keys` that is there, or None."""
        self.keys_read.update(keys)
        for key in keys:
            found = self.data.get(key)
            if found is not None:
                return found
        return None

    def skip(self, *keys: str) -> None:
        """Count keys as read that say nothing new, such as a length beside the points."""
        self.keys_read.update(keys)

    def text(self, *keys: str, default: str = "") -> str:
        """A string; a number is taken as its digits."""
        found = self.optional_text(*keys)
        return default if found is None else found

    def optional_text(self, *keys: str) -> str | None:
        """A string or None."""
        found = self.value(*keys)
        return None if found is None else self._text_from(found, keys[0])

    def _text_from(self, found: Any, key: str) -> str:
        if isinstance(found, str):
            return found
        if isinstance(found, int | float):
            return str(found)
        raise self.refuse(key, f"expected a text, found {kind_of(found)}")

    def texts(self, *keys: str) -> list[str]:
        """A list of strings; a single value is a list of one, an empty string a list of none."""
        found = self.value(*keys)
        if found is None or found == "":
            return []
        items = found if isinstance(found, list) else [found]
        return [self._text_from(item, keys[0]) for item in items if item is not None]

    def number(self, *keys: str, default: float) -> float:
        """A finite number, given as a number or as a string."""
        found = self.value(*keys)
        return default if found is None or found == "" else self._number_from(found, keys[0])

    def optional_number(self, *keys: str) -> float | None:
        """A finite number or None."""
        found = self.value(*keys)
        return None if found is None or found == "" else self._number_from(found, keys[0])

    def numbers(self, *keys: str) -> list[float]:
        """A list of finite numbers; a single value is a list of one."""
        found = self.value(*keys)
        if found is None or found == "":
            return []
        items = found if isinstance(found, list) else [found]
        return [self._number_from(item, keys[0]) for item in items]

    def _number_from(self, found: Any, key: str) -> float:
        if isinstance(found, int | float | str) and not isinstance(found, bool):
            try:
                number = float(found)
            except (ValueError, OverflowError):
                number = math.nan
            if math.isfinite(number):
                return number
        raise self.refuse(key, f"expected a finite number, found {kind_of(found)}", "correct the value in the file")

    def optional_int(self, *keys: str) -> int | None:
        """A whole number or None; a fraction is refused."""
        found = self.optional_number(*keys)
        if found is None:
            return None
        if found != int(found):
            raise self.refuse(keys[0], f"expected a whole number, found {found}")
        return int(found)

    def flag(self, *keys: str, default: bool = False) -> bool:
        """True or false, given as such, as 0 or 1, or as a word."""
        found = self.value(*keys)
        if found is None or found == "":
            return default
        if isinstance(found, bool):
            return found
        word = str(found).strip().lower()
        if word in {"true", "1", "yes"}:
            return True
        if word in {"false", "0", "no"}:
            return False
        raise self.refuse(keys[0], f"expected true or false, found {kind_of(found)}")

    def items(self, *keys: str) -> list[Any]:
        """A list of anything; missing is empty."""
        found = self.value(*keys)
        if found is None:
            return []
        if not isinstance(found, list):
            raise self.refuse(keys[0], f"expected a list, found {kind_of(found)}")
        return found

    def entries(self, *keys: str) -> list[MgeoEntry]:
        """A list of objects inside this one."""
        found: list[MgeoEntry] = []
        for number, item in enumerate(self.items(*keys)):
            place = f"{self.place}, {keys[0]} {number}"
            if not isinstance(item, dict):
                raise InputError(self.source, place, f"expected an object, found {kind_of(item)}")
            found.append(MgeoEntry(self.source, place, item, set()))
        return found

    def idx(self) -> str:
        """The record's own id, which no record may lack."""
        found = self.text("idx")
        if not found:
            raise self.refuse("idx", "the record has no id", "give it one that no other record of the file has")
        return found

    def point(self, key: str, default: tuple[float, float, float] | None = None) -> tuple[float, float, float]:
        """One point `(3,)` in the map frame [m], which must be there where it has no default."""
        if default is not None and not self.has(key):
            return default
        x, y, z = self._points_from([self.value(key)], key)[0].tolist()
        return (x, y, z)

    def points(self, key: str) -> Points:
        """Points `(N, 3)` in the map frame [m]; missing is `(0, 3)`, a single point is `(1, 3)`."""
        found = self.items(key)
        if found and not isinstance(found[0], list):
            found = [found]
        return self._points_from(found, key)

    def _points_from(self, found: list[Any], key: str) -> Points:
        if not found:
            return np.zeros((0, 3))
        try:
            points = np.asarray(found, np.float64)
        except (ValueError, TypeError, OverflowError):
            points = np.full((1, 1), math.nan)
        if points.ndim == 2 and points.shape[1] == 3 and bool((np.abs(points) <= _MAX_COORDINATE).all()):
            return points
        for number, point in enumerate(found):
            if not isinstance(point, list) or len(point) != 3:
                problem = f"point {number} is {kind_of(point)}, not three coordinates"
                raise self.refuse(key, problem, "give every point as [x, y, z]")
            for coordinate in point:
                if abs(self._number_from(coordinate, f"{key}[{number}]")) > _MAX_COORDINATE:
                    problem = f"the coordinate {coordinate} is on no map"
                    raise self.refuse(f"{key}[{number}]", problem, "give metres from the map's origin")
        raise self.refuse(key, "these are not points", "give every point as [x, y, z]")


def entries_of_file(source: str, content: bytes, notices: list[str]) -> list[MgeoEntry]:
    """The records of one set file, a JSON array of objects.

    Args:
        source: the file, as messages name it.
        content: its bytes.
        notices: takes a line when records of the file are empty.

    Raises:
        InputError: if the file is not a JSON array of objects.
    """
    decoded = decode_json(source, content)
    if decoded is None or decoded == {}:
        notices.append(f"{source}: holds no list; taken as empty")
        return []
    if not isinstance(decoded, list):
        raise InputError(
            source, "", f"expected a list of records, found {kind_of(decoded)}", "check which file this is"
        )
    keys_read: set[str] = set()
    found: list[MgeoEntry] = []
    for number, data in enumerate(decoded):
        if not isinstance(data, dict):
            raise InputError(source, f"record {number}", f"expected an object, found {kind_of(data)}")
        found.append(MgeoEntry(source, f"record {number} ({data.get('idx')})", data, keys_read))
    return found


def keys_left_out(entries: list[MgeoEntry]) -> list[str]:
    """The keys of a file that hold something and that were not read, sorted."""
    return sorted(
        {
            key
            for entry in entries
            for key, value in entry.data.items()
            if key not in entry.keys_read and value not in _EMPTY
        }
    )
