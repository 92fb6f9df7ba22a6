"""Classes of arrays as one piece of bytes, and back: a map is compiled once and then only read.

Layout: magic (8 bytes), BLAKE2b digest of all that follows (16 bytes), length of the header (8 bytes, little endian),
the header (MessagePack: version, structure, arrays, values), the arrays one after another. An array that several
parts share is written once and shared again after reading.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_type_hints

import msgspec
import numpy as np
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.road.adjacency import frozen
from dorosim.road.network import RoadNetwork
from dorosim.road.signal import Light

FORMAT_VERSION = 1
"""To be raised when an array keeps its name and place but changes its meaning."""

_MAGIC = b"DOROROAD"
_DIGEST_SIZE = 16
_LENGTH_SIZE = 8
_HEAD_SIZE = len(_MAGIC) + _DIGEST_SIZE + _LENGTH_SIZE
T = TypeVar("T")


def network_to_bytes(network: RoadNetwork) -> bytes:
    """The network, to be kept and read by `network_from_bytes`. The same network always gives the same bytes."""
    return table_to_bytes(network)


def table_to_bytes(table: Any) -> bytes:
    """A class of arrays, to be kept and read by `table_from_bytes`. The same arrays always give the same bytes."""
    arrays: list[NDArray[Any]] = []
    rows: dict[int, int] = {}
    values = values_from(table, arrays, rows)
    header = msgspec.msgpack.encode(
        {
            "version": FORMAT_VERSION,
            "structure": structure(type(table)),
            "arrays": [[array.dtype.newbyteorder("<").str, list(array.shape)] for array in arrays],
            "values": values,
        }
    )
    blob = b"".join(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes() for array in arrays)
    body = len(header).to_bytes(_LENGTH_SIZE, "little") + header + blob
    return _MAGIC + _digest(body) + body


def network_from_bytes(content: bytes, source: str = "compiled map") -> RoadNetwork:
    """A network from what `network_to_bytes` made.

    Args:
        content: the bytes.
        source: where they are from, for messages.

    Raises:
        InputError: if the bytes are damaged, of another kind, or of another version of the format.
    """
    return table_from_bytes(RoadNetwork, content, source)


def table_from_bytes(kind: type[T], content: bytes, source: str) -> T:
    """A class of arrays from what `table_to_bytes` made.

    Args:
        kind: the class.
        content: the bytes.
        source: where they are from, for messages.

    Raises:
        InputError: if the bytes are damaged, of another kind, or of another version of the format.
    """
    cure = "delete it; it is made again from the map"
    if len(content) < _HEAD_SIZE or not content.startswith(_MAGIC):
        raise InputError(source, "", "this is not a compiled map", cure)
    body = memoryview(content)[len(_MAGIC) + _DIGEST_SIZE :]
    if _digest(body) != content[len(_MAGIC) : len(_MAGIC) + _DIGEST_SIZE]:
        raise InputError(source, "", "the compiled map is damaged", cure)
    size = int.from_bytes(body[:_LENGTH_SIZE], "little")
    header = msgspec.msgpack.decode(body[_LENGTH_SIZE : _LENGTH_SIZE + size])
    if header["version"] != FORMAT_VERSION or header["structure"] != structure(kind):
        raise InputError(source, "", "the compiled map is of another version of dorosim", cure)
    arrays = _arrays_from(body[_LENGTH_SIZE + size :], header["arrays"])
    return object_from(kind, header["values"], arrays)


def _digest(body: bytes | memoryview) -> bytes:
    """The digest of what follows it."""
    return hashlib.blake2b(body, digest_size=_DIGEST_SIZE).digest()


def structure(kind: Any = RoadNetwork) -> str:
    """A digest of the names and types of all fields: a changed class refuses what an older one wrote."""
    described = repr(_described(kind)) + repr(_described(Light))
    return hashlib.blake2b(described.encode(), digest_size=8).hexdigest()


def _described(kind: Any) -> Any:
    """A class as nested names and types."""
    return [(name, _described(hint) if _is_table(hint) else str(hint)) for name, hint in _parts(kind).items()]


def _is_table(kind: Any) -> bool:
    """Whether a type is a class of arrays, whose parts are written one by one."""
    return is_dataclass(kind) or hasattr(kind, "_fields")


def _parts(kind: Any) -> dict[str, Any]:
    """Names and types of what the constructor of a class takes."""
    hints = get_type_hints(kind)
    names = [item.name for item in fields(kind) if item.init] if is_dataclass(kind) else list(kind._fields)
    return {name: hints[name] for name in names}


def values_from(table: Any, arrays: list[NDArray[Any]], rows: dict[int, int]) -> dict[str, Any]:
    """The fields of a class of arrays: arrays as their numbers, all else as plain values."""
    found: dict[str, Any] = {}
    for name, hint in _parts(type(table)).items():
        value = getattr(table, name)
        if _is_table(hint):
            found[name] = values_from(value, arrays, rows)
        elif isinstance(value, np.ndarray):
            if id(value) not in rows:
                rows[id(value)] = len(arrays)
                arrays.append(value)
            found[name] = rows[id(value)]
        else:
            found[name] = msgspec.to_builtins(value)
    return found


def object_from(kind: type[T], values: dict[str, Any], arrays: list[NDArray[Any]]) -> T:
    """A class of arrays from its fields."""
    found: dict[str, Any] = {}
    for name, hint in _parts(kind).items():
        if _is_table(hint):
            found[name] = object_from(hint, values[name], arrays)
        elif getattr(hint, "__origin__", None) is np.ndarray:
            found[name] = arrays[values[name]]
        else:
            found[name] = msgspec.convert(values[name], hint)
    return kind(**found)


def _arrays_from(blob: memoryview, described: list[tuple[str, list[int]]]) -> list[NDArray[Any]]:
    """Read-only arrays, cut from one piece of bytes and aligned as numpy allocates them."""
    found: list[NDArray[Any]] = []
    offset = 0
    for kind, shape in described:
        dtype = np.dtype(kind)
        count = math.prod(shape)
        raw = np.frombuffer(blob, dtype, count, offset)
        offset += count * dtype.itemsize
        found.append(frozen(raw.astype(dtype.newbyteorder("=")).reshape(shape)))
    return found
