"""The file format of recordings.

A recording is a line `dorosim recording 1`, then records, each a little-endian uint32 length and that many bytes of
MessagePack. The first record is the `Header`; every other is a `Tick`: its number, the first 16 bytes of the
snapshot's digest, or none of them, and the commands that were applied. Numbers go up by one; where the number of the
first tick comes again, the run was reset to its start. A file that ends in the middle of a record, since its writer
was killed, is a recording up to there.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Protocol, TypeVar

import msgspec

from dorosim import __version__
from dorosim.ground.error import InputError
from dorosim.recording.storyboard import KeptStoryboard
from dorosim.world.command import Command
from dorosim.world.effect import AnyCommand
from dorosim.world.physics import PHYSICS_VERSION
from dorosim.world.snapshot import Snapshot

MAGIC = b"dorosim recording 1\n"
DIGEST_SIZE = 16
LENGTH = struct.Struct("<I")
MAX_RECORD_SIZE = 1 << 26
"""No record is longer than this [bytes]; a longer one is a broken file."""


class HasEpoch(Protocol):
    """Has the epoch of a run's stamps [ns since 1970]: `dorosim.endpoint.loop.epoch.Stamped`."""

    epoch: int


class EgoStart(msgspec.Struct, frozen=True):
    """An ego vehicle at the start of a run: model, position [m] and heading [rad] in the map."""

    model: str
    position: tuple[float, float, float]
    heading: float


class RunHeader(msgspec.Struct, frozen=True, kw_only=True):
    """What a run was given: the same for its recording and for every snapshot of it.

    Attributes:
        version: version of dorosim that wrote the file.
        map_name: as it was given; map_digest: hex digest of the map's content.
        seed: of the run's noise. tick: length of a tick [ns].
        epoch: wall time of tick 0 [ns since 1970], for stamps; where stamps count from the start, it is 0.
        egos: at tick 0, in the order of creation.
        revision: UDP revision, for the record.
        physics: number of the rules by which the world went on (`dorosim.world.physics`); 0: the file has none, as
            those of dorosim 0.6.0 and earlier.
        scenery: hex digest of what stood beside the roads (`dorosim.road.scenery`); empty where the file has none.
        scenery_seed: of buildings and trees. solid: whether they were solid.
        storyboard: the scenario of OpenSCENARIO that it played, with its files; None for none.
    """

    version: str
    map_name: str
    map_digest: str
    seed: int
    tick: int
    epoch: int
    egos: tuple[EgoStart, ...]
    revision: str
    physics: int = 0
    scenery: str = ""
    scenery_seed: int = 0
    solid: bool = True
    storyboard: KeptStoryboard | None = None


class Header(RunHeader, frozen=True, kw_only=True):
    """What a recording starts with.

    Attributes:
        start: the snapshot file that the run went on from, whole; empty for a run from tick 0.
    """

    start: bytes = b""


class Tick(msgspec.Struct, frozen=True, array_like=True):
    """One tick.

    Attributes:
        tick: its number.
        digest: of the snapshot after it, its first `DIGEST_SIZE` bytes; empty where the recording does not have it.
        commands: that were applied in it.
        held: whether it had no duration though the run was not paused: the run waited for a step.
        epoch: wall time of simulated time 0 [ns since 1970] in stamps from this tick on; None: as before. It changes
            where the run was reset, and where synchronous mode began or ended.
    """

    tick: int
    digest: bytes
    commands: tuple[AnyCommand, ...] = ()
    held: bool = False
    epoch: int | None = None

    def is_of(self, now: Snapshot) -> bool:
        """Whether a snapshot is the one after this tick, as far as the recording says."""
        return now.tick == self.tick and (not self.digest or now.digest()[:DIGEST_SIZE] == self.digest)


_encoder, _NO_LENGTH = msgspec.msgpack.Encoder(), bytes(LENGTH.size)
_header_decoder = msgspec.msgpack.Decoder(Header)
_tick_decoder = msgspec.msgpack.Decoder(Tick)
_T = TypeVar("_T")
_BROKEN = "the file is broken from there on"


def encode_record(record: Header | Tick) -> bytes:
    """A record with its length before it."""
    body = _encoder.encode(record)
    return LENGTH.pack(len(body)) + body


def append_record(record: Header | Tick, to: bytearray) -> int:
    """Write a record with its length after what is in a buffer; how many bytes it has."""
    begin = len(to)
    to += _NO_LENGTH
    _encoder.encode_into(record, to, begin + LENGTH.size)
    LENGTH.pack_into(to, begin, len(to) - begin - LENGTH.size)
    return len(to) - begin


def tick_records(first: int, commands: Sequence[tuple[Command, ...]], digest: bytes) -> list[bytes]:
    """Records of ticks that have a duration, one after another.

    Args:
        first: number of the first one.
        commands: those of each.
        digest: of the last one; empty for none.
    """
    encode, pack, last = _encoder.encode, LENGTH.pack, first + len(commands) - 1
    found = []
    for number, given in enumerate(commands, first):
        # as `Tick` has it, which would take as long to make as to write
        body = encode((number, digest if number == last else b"", given, False, None))
        found.append(pack(len(body)) + body)
    return found


def record_with_digest(record: bytes, digest: bytes) -> bytes:
    """The record of a tick that has none with a digest."""
    tick = _tick_decoder.decode(record[LENGTH.size :])
    return encode_record(msgspec.structs.replace(tick, digest=digest))


def check_physics(name: str, run: RunHeader) -> None:
    """Refuse a file whose run went on by other rules than this version's: it would go another way from some tick on.

    Args:
        name: of the file, for messages.
        run: what it says of its run.

    Raises:
        InputError: it names the version of dorosim to use.
    """
    if run.physics != PHYSICS_VERSION:
        theirs = f"physics {run.physics}" if run.physics else "no physics number"
        other = f"use dorosim {run.version} for it, or " if run.version != __version__ else ""
        cure = f"{other}make it anew with this version"
        problem = f"is of dorosim {run.version}, whose worlds go on in another way ({theirs}, here {PHYSICS_VERSION})"
        raise InputError(name, "", problem, cure)


def decode_recording(name: str, data: bytes, *, any_physics: bool = False) -> tuple[Header, Iterator[Tick]]:
    """The header, and the ticks one after the other.

    Args:
        name: of the file, for messages.
        data: its content.
        any_physics: also accept a run that went on by other rules; it can be described, but not run again.

    Raises:
        InputError: the bytes are no recording, or the run went on by other rules; while iterating, a record is broken.
    """
    if not data.startswith(MAGIC):
        raise InputError(name, "start of file", "is not a dorosim recording", "give a file that --record wrote")
    bodies = _bodies(name, data)
    first = next(bodies, None)
    if first is None:
        raise InputError(name, f"byte {len(MAGIC)}", "the recording has no header", "record the run again")
    try:
        header = _header_decoder.decode(first[1])
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(name, f"byte {first[0]}", f"broken header: {error}", "record the run again") from None
    if not any_physics:
        check_physics(name, header)
    return header, _decoded(name, bodies, _tick_decoder)


def unread_bytes(data: bytes) -> int:
    """How many bytes at the end of a recording are no whole record: its writer was stopped there."""
    at = len(MAGIC)
    while at + LENGTH.size <= len(data):
        end = at + LENGTH.size + LENGTH.unpack_from(data, at)[0]
        if end > len(data):
            break
        at = end
    return len(data) - at


def whole_records(data: bytes, at: int = 0) -> int:
    """How many records are in some bytes from a place on, which are not decoded for it."""
    count = 0
    while at + LENGTH.size <= len(data):
        at += LENGTH.size + LENGTH.unpack_from(data, at)[0]
        count += at <= len(data)
    return count


def count_ticks(data: bytes) -> int:
    """How many ticks are in a recording, which is not decoded for it."""
    return max(whole_records(data, len(MAGIC)) - 1, 0)


class RawTick(msgspec.Struct, frozen=True, array_like=True):
    """A tick whose commands are as they stand in the file, also those that this version does not know.

    Attributes: as those of `Tick`.
    """

    tick: int
    digest: bytes
    commands: tuple[Any, ...] = ()
    held: bool = False


_raw_decoder = msgspec.msgpack.Decoder(RawTick)


def raw_ticks(name: str, data: bytes) -> list[RawTick]:
    """The ticks of a recording in their order, whatever their commands are.

    Raises:
        InputError: a record is broken.
    """
    return list(_decoded(name, islice(_bodies(name, data), 1, None), _raw_decoder))


def _bodies(name: str, data: bytes) -> Iterator[tuple[int, bytes]]:
    """Offsets and bytes of the records that are complete."""
    at = len(MAGIC)
    while at + LENGTH.size <= len(data):
        (size,) = LENGTH.unpack_from(data, at)
        if size > MAX_RECORD_SIZE:
            raise InputError(name, f"byte {at}", f"a record of {size:,} bytes", _BROKEN)
        if at + LENGTH.size + size > len(data):
            return
        yield at, data[at + LENGTH.size : at + LENGTH.size + size]
        at += LENGTH.size + size


def _decoded(name: str, bodies: Iterator[tuple[int, bytes]], decoder: msgspec.msgpack.Decoder[_T]) -> Iterator[_T]:
    for at, body in bodies:
        try:
            yield decoder.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(name, f"byte {at}", f"broken record: {error}", _BROKEN) from None
