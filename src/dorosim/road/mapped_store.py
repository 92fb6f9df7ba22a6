"""Classes of arrays in files that are mapped into memory: what is not looked at costs no memory of its own.

Layout: magic (8 bytes), BLAKE2b digest of length and header (16 bytes), length of the header (8 bytes, little endian),
the header (MessagePack: structure, size of the file, arrays with their places and checks, values), and the arrays, each
at a multiple of 64 bytes, where a line of the processor's cache begins. What is read is checked once, when the file is
opened: arrays by sums over blocks, which takes a tenth of the time of a digest and finds every change of one number.

A file must not be written once it has its name: others may have mapped it. It is replaced by another.
"""

from __future__ import annotations

import hashlib
import math
import mmap
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from dorosim.ground.collector import paused_collector
from dorosim.ground.error import InputError
from dorosim.road.store import object_from, structure, values_from

T = TypeVar("T")

_MAGIC = b"DOROMAP1"
_DIGEST_SIZE, _LENGTH_SIZE = 16, 8
_HEAD_SIZE = len(_MAGIC) + _DIGEST_SIZE + _LENGTH_SIZE
_ALIGNMENT = 64
_BLOCK = 8192
"""Words of 8 bytes that are summed up to one."""
_CURE = "delete it; it is made again from the map"


class _ArrayPlace(msgspec.Struct, array_like=True):
    """Where an array lies in a file.

    Attributes:
        kind: its dtype. shape: its shape. offset: from the beginning of the file [bytes]. check: of its content.
    """

    kind: str
    shape: tuple[int, ...]
    offset: int
    check: bytes


class _Header(msgspec.Struct):
    """What a file holds.

    Attributes:
        structure: of the class (`dorosim.road.store.structure`). body: bytes after the header.
        arrays: offsets count from the end of the header. values: as of `values_from`.
    """

    structure: str
    body: int
    arrays: list[_ArrayPlace]
    values: dict[str, Any]


def write_mapped(file: IO[bytes], table: Any) -> None:
    """Write a class of arrays as `read_mapped` reads it. The same arrays always give the same bytes.

    Raises:
        OSError: it cannot be written.
    """
    arrays: list[NDArray[Any]] = []
    values = values_from(table, arrays, {})
    kept = [np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for array in arrays]
    places, offset = [], 0
    for array in kept:
        places.append(_ArrayPlace(array.dtype.str, array.shape, offset, _check(array.reshape(-1).view(np.uint8))))
        offset = _aligned(offset + array.nbytes)
    header = msgspec.msgpack.encode(_Header(structure(type(table)), offset, places, values))
    head = len(header).to_bytes(_LENGTH_SIZE, "little") + header
    file.write(_MAGIC + hashlib.blake2b(head, digest_size=_DIGEST_SIZE).digest() + head)
    _fill(file, _HEAD_SIZE + len(header))
    for array in kept:
        file.write(array.reshape(-1).view(np.uint8).data)
        _fill(file, array.nbytes)


def read_mapped(path: Path, kind: type[T]) -> T:
    """A class of arrays from a file of `write_mapped`; its arrays are parts of the mapped file, read-only.

    Args:
        path: of the file.
        kind: the class.

    Raises:
        OSError: it cannot be read.
        InputError: it is cut off, damaged, of another kind, or of another version of dorosim.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_SIZE)
        if len(head) < _HEAD_SIZE or not head.startswith(_MAGIC):
            raise InputError(str(path), "", "this is not a compiled map", _CURE)
        length = int.from_bytes(head[-_LENGTH_SIZE:], "little")
        size = path.stat().st_size
        content = file.read(length) if length <= size else b""
        digest = hashlib.blake2b(head[-_LENGTH_SIZE:] + content, digest_size=_DIGEST_SIZE).digest()
        if len(content) != length or digest != head[len(_MAGIC) : -_LENGTH_SIZE]:
            raise InputError(str(path), "", "the compiled map is damaged", _CURE)
        with paused_collector():
            header = msgspec.msgpack.decode(content, type=_Header)
            begin = _aligned(_HEAD_SIZE + length)
            if header.structure != structure(kind):
                raise InputError(str(path), "", "the compiled map is of another version of dorosim", _CURE)
            if size != begin + header.body:
                raise InputError(str(path), "", "the compiled map is cut off", _CURE)
            arrays = _arrays(path, file, begin, header.arrays)
            return object_from(kind, header.values, arrays)


def _arrays(path: Path, file: IO[bytes], begin: int, places: list[_ArrayPlace]) -> list[NDArray[Any]]:
    """The arrays of a file, whose content has been checked."""
    if not any(math.prod(place.shape) for place in places):
        return [np.frombuffer(b"", place.kind).reshape(place.shape) for place in places]
    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    found = []
    for number, place in enumerate(places):
        dtype = np.dtype(place.kind)
        count = math.prod(place.shape)
        at = begin + place.offset if count else 0
        if _check(np.frombuffer(mapped, np.uint8, count * dtype.itemsize, at)) != place.check:
            raise InputError(str(path), f"array {number}", "the compiled map is damaged", _CURE)
        array = np.frombuffer(mapped, dtype, count, at).reshape(place.shape)
        found.append(array if dtype.isnative else array.astype(dtype.newbyteorder("=")))
        found[-1].flags.writeable = False
    return found


def _check(raw: NDArray[np.uint8]) -> bytes:
    """A check of bytes: a digest of the sums of their blocks, and of what is left at the end."""
    words = raw[: len(raw) // 8 * 8].view("<u8")
    whole = len(words) // _BLOCK * _BLOCK
    sums = np.add.reduce(words[:whole].reshape(-1, _BLOCK), axis=1, dtype=np.uint64)
    digest = hashlib.blake2b(sums.astype("<u8").tobytes(), digest_size=_DIGEST_SIZE)
    digest.update(words[whole:].tobytes())
    digest.update(raw[len(words) * 8 :].tobytes())
    return digest.digest()


def _aligned(offset: int) -> int:
    """The next place at which an array may begin."""
    return -(-offset // _ALIGNMENT) * _ALIGNMENT


def _fill(file: IO[bytes], size: int) -> None:
    """Write zeros up to where an array may begin, after so many bytes from such a place."""
    file.write(bytes(_aligned(size) - size))
