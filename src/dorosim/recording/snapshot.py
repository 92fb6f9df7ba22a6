"""The file format of snapshots: all that a run is at one tick, to go on from in another process.

A file is a line `dorosim snapshot 1`, the BLAKE2b digest (16 bytes) of all that follows, and a zlib stream of: the
length of the header (little-endian uint32), the `SnapshotHeader` in MessagePack, and the arrays of the leaves that the
header lists, one after another, little-endian. A leaf is a column of a table, an array or a plain value, named by its
path in the Snapshot (`traffic.speed`): what another version of dorosim lacks or has more is known by name, and nothing
is taken for something else. See docs/decisions/0011-snapshot-files.md.
"""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.ground.state_tree import StateTree
from dorosim.recording.format import LENGTH, RunHeader, check_physics
from dorosim.recording.whole_file import read_file, write_file
from dorosim.world.catalogue import CATALOGUE_NAMES
from dorosim.world.snapshot import STATE, Snapshot
from dorosim.world.storyboard.state import StoryboardState

KIND = b"dorosim snapshot "
VERSION = 1
"""To be raised when a leaf keeps its path but changes its meaning, or a code or the digest's input does."""
MAGIC = KIND + b"%d\n" % VERSION
MAX_SNAPSHOT_SIZE = 1 << 28
"""No state is larger than this [bytes]: 30 times 20,000 NPC vehicles."""
CURE = "give a file that --save-snapshot wrote"
DAMAGED = "copy it again, or save the snapshot again"
_DIGEST_SIZE = 16
_FEW = 5
_STORYBOARD = "storyboard."
_NO_STORYBOARD = StateTree(StoryboardState).leaves(StoryboardState.empty())


class SnapshotHeader(RunHeader, frozen=True, kw_only=True):
    """What a snapshot file says of its run and its arrays.

    Attributes:
        catalogues: names of the models that rows of tables mean by their places, by catalogue.
        leaves: path, numpy type and shape of each array, in their order in the file.
    """

    catalogues: dict[str, tuple[str, ...]]
    leaves: tuple[tuple[str, str, tuple[int, ...]], ...]


class SavedSnapshot(msgspec.Struct, frozen=True):
    """A snapshot with the run that it is of."""

    header: RunHeader
    snapshot: Snapshot


_header_decoder = msgspec.msgpack.Decoder(SnapshotHeader)


def snapshot_to_bytes(run: RunHeader, now: Snapshot) -> bytes:
    """The content of a snapshot file."""
    leaves = {path: _little(leaf) for path, leaf in STATE.leaves(now).items()}
    header = SnapshotHeader(
        **msgspec.structs.asdict(run),
        catalogues=dict(CATALOGUE_NAMES),
        leaves=tuple((path, leaf.dtype.str, leaf.shape) for path, leaf in leaves.items()),
    )
    head = msgspec.msgpack.encode(header)
    body = zlib.compress(b"".join((LENGTH.pack(len(head)), head, *(leaf.tobytes() for leaf in leaves.values()))))
    return MAGIC + _digest(body) + body


def snapshot_from_bytes(source: str, data: bytes, *, any_physics: bool = False) -> SavedSnapshot:
    """The snapshot of a file.

    Args:
        source: name of the file, for messages.
        data: its content.
        any_physics: also accept a run that went on by other rules; it can be read, but not continued.

    Raises:
        InputError: the bytes are no snapshot, are damaged, or of a version whose state or rules are others.
    """
    raw = _unpacked(source, data)
    header, start = _header_of(source, raw)
    if not any_physics:
        check_physics(source, header)
    _check_catalogues(source, header)
    leaves = _leaves_without_storyboard(header)
    _check_leaves(source, header, leaves)
    for path, dtype, shape in header.leaves:
        count = math.prod(shape)
        size = count * np.dtype(dtype).itemsize
        if start + size > len(raw):
            raise InputError(source, path, "the file ends before it", DAMAGED)
        read = np.frombuffer(raw, dtype, count, start) if count else np.empty(0, dtype)
        leaves[path] = read.reshape(shape).astype(STATE.leaf[path].dtype)
        start += size
    if start != len(raw):
        raise InputError(source, "", f"{len(raw) - start} bytes too many", DAMAGED)
    try:
        return SavedSnapshot(header, STATE.build(leaves))
    except ValueError as error:
        raise InputError(source, "", str(error), DAMAGED) from None


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST_SIZE).digest()


def _little(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _unpacked(source: str, data: bytes) -> bytes:
    """The header and the arrays, of a file that is whole."""
    if not data.startswith(KIND):
        raise InputError(source, "start of file", "is not a dorosim snapshot", CURE)
    if not data.startswith(MAGIC):
        version = data[len(KIND) :][:20].split(b"\n")[0]
        if not version.isdigit():
            raise InputError(source, "start of file", "has no version of a format in its first line", DAMAGED)
        problem = f"is a snapshot of format {version.decode()}; this version of dorosim reads format {VERSION}"
        raise InputError(source, "start of file", problem, "save it again with this version")
    body = data[len(MAGIC) + _DIGEST_SIZE :]
    if _digest(body) != data[len(MAGIC) : len(MAGIC) + _DIGEST_SIZE]:
        raise InputError(source, "", "is damaged or not complete", DAMAGED)
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(body, MAX_SNAPSHOT_SIZE)
    except zlib.error as error:
        raise InputError(source, "", f"cannot be unpacked: {error}", DAMAGED) from None
    if not unpacker.eof:
        raise InputError(
            source, "", f"unpacks to more than {MAX_SNAPSHOT_SIZE >> 20} MiB, or to half of a state", DAMAGED
        )
    return raw


def _header_of(source: str, raw: bytes) -> tuple[SnapshotHeader, int]:
    """The header, and where the arrays begin."""
    size = LENGTH.unpack_from(raw)[0] if len(raw) >= LENGTH.size else 0
    try:
        header = _header_decoder.decode(raw[LENGTH.size : LENGTH.size + size])
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(source, "header", f"cannot be read: {error}", DAMAGED) from None
    return header, LENGTH.size + size


def _check_catalogues(source: str, header: SnapshotHeader) -> None:
    """Refuse a state whose model numbers mean other models. Models that were added since do not matter."""
    for name, ours in CATALOGUE_NAMES.items():
        theirs = header.catalogues.get(name, ())
        other = next((pair for pair in zip(theirs, ours, strict=False) if pair[0] != pair[1]), None)
        if other is None and len(theirs) <= len(ours):
            continue
        gone = [one for one in theirs if one not in ours]
        what = f"{_listed(gone)} not there any more" if gone else "in another order"
        raise InputError(source, f"{name} models", what, _other_version(header))


def _leaves_without_storyboard(header: SnapshotHeader) -> dict[str, NDArray[Any]]:
    """The arrays of an empty storyboard for a file that has none at all, as those before there were storyboards."""
    if any(path.startswith(_STORYBOARD) for path, _, _ in header.leaves):
        return {}
    return {f"{_STORYBOARD}{path}": leaf for path, leaf in _NO_STORYBOARD.items()}


def _check_leaves(source: str, header: SnapshotHeader, given: Collection[str]) -> None:
    """Refuse arrays that are not those of a Snapshot of this version; `given` are there already."""
    paths = [path for path, _, _ in header.leaves]
    missing = [path for path in STATE.leaf if path not in {*paths, *given}]
    unknown = [path for path in paths if path not in STATE.leaf]
    parts = [f"lacks {_listed(missing)}"] if missing else []
    parts += [f"has {_listed(unknown)}, which is not known here"] if unknown else []
    if parts:
        raise InputError(source, "", " and ".join(parts), _other_version(header))
    if len(set(paths)) != len(paths):
        raise InputError(source, "header", "lists an array twice", DAMAGED)
    for path, dtype, shape in header.leaves:
        expected = STATE.leaf[path].dtype.newbyteorder("<").str
        if dtype != expected:
            raise InputError(source, path, f"is of type {dtype}, not {expected}", _other_version(header))
        if len(shape) > 8 or any(not 0 <= size <= MAX_SNAPSHOT_SIZE for size in shape):
            raise InputError(source, path, f"has an impossible shape {shape}", DAMAGED)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more


def _other_version(header: RunHeader) -> str:
    return f"it was saved by dorosim {header.version}: go on with that version, or save it again with this one"


def read_snapshot(path: Path, *, any_physics: bool = False) -> SavedSnapshot:
    """The snapshot in a file.

    Args:
        path: the file.
        any_physics: as of `snapshot_from_bytes`.

    Raises:
        InputError: it cannot be read or is none.
    """
    return snapshot_from_bytes(str(path), read_snapshot_bytes(path), any_physics=any_physics)


def read_snapshot_bytes(path: Path) -> bytes:
    """The content of a snapshot file, unread.

    Raises:
        InputError: it cannot be read, or is larger than any snapshot.
    """
    data = read_file(path, MAX_SNAPSHOT_SIZE)
    if len(data) > MAX_SNAPSHOT_SIZE:
        raise InputError(str(path), "", f"is larger than {MAX_SNAPSHOT_SIZE >> 20} MiB", CURE)
    return data


def write_snapshot(path: Path, run: RunHeader, now: Snapshot) -> None:
    """Write a snapshot file whole or not at all; one that is there is replaced.

    Raises:
        InputError: it cannot be written.
    """
    cure = "give another file with --save-snapshot, or make room"
    write_file(path, snapshot_to_bytes(run, now), cure)
