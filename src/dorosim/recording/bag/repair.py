"""Makes a whole bag of one that was not closed, or is damaged at its end."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from dorosim.ground.error import InputError, reason_of
from dorosim.recording.bag.reader import reading
from dorosim.recording.bag.writer import CHUNK_SIZE, open_bag


@dataclass(frozen=True, slots=True)
class BagInfo:
    """What is in a bag.

    Attributes:
        kind: "ROS 1 bag" or "MCAP". size: of the file [bytes].
        first, last: least and greatest time [ns since 1970]; 0 without messages.
        counts: messages by topic. types: of the topics. md5s: of the types.
        closed: whether it has an index. broken: why its end cannot be read, "" if it can. unread: bytes at its end.
    """

    kind: str
    size: int
    first: int = 0
    last: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    types: dict[str, str] = field(default_factory=dict)
    md5s: dict[str, str] = field(default_factory=dict)
    closed: bool = True
    broken: str = ""
    unread: int = 0

    @property
    def whole(self) -> bool:
        """Whether nothing is to be mended."""
        return self.closed and not self.broken


def look_into(path: Path) -> BagInfo:
    """What is in a bag.

    Raises:
        InputError: it cannot be read, or is no bag.
    """
    counts: Counter[str] = Counter()
    first, last = 1 << 63, 0
    with reading(path) as bag:
        for stored in bag.messages():
            counts[stored.connection.topic] += 1
            first, last = min(first, stored.time), max(last, stored.time)
        return BagInfo(
            bag.kind,
            path.stat().st_size,
            first if counts else 0,
            last,
            counts,
            {one.topic: one.type for one in bag.connections},
            {one.topic: one.md5 for one in bag.connections},
            bag.closed,
            bag.broken,
            bag.unread,
        )


def repair(path: Path, out: Path | None = None) -> tuple[int, Path | None]:
    """Write all that can be read of a bag into a whole one.

    Args:
        path: the bag.
        out: where to; None: in its place, and the damaged file is kept beside it as NAME.orig.bag, or as
            NAME.orig2.bag and so on where there is such a file.

    Returns:
        Messages in the new bag, and where the damaged one is now, None where it was.

    Raises:
        InputError: it is no bag, or nothing of it can be read, or the new one cannot be written.
    """
    target = out or path
    partial = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    count = 0
    try:
        with reading(path) as bag:
            writer, size = open_bag(partial), 0
            try:
                for stored in bag.messages():
                    # the bytes are kept until the chunk is written, which the map of the file need not outlive
                    writer.add(stored.connection.topic, stored.connection, stored.time, bytes(stored.data))
                    count, size = count + 1, size + len(stored.data)
                    if size >= CHUNK_SIZE:
                        writer.flush()
                        size = 0
            finally:
                writer.close()
        if not count:
            raise InputError(str(path), "", "holds no message that can be read", "nothing of it can be saved")
        kept = None
        if out is None:
            kept = _free_name(path)
            path.replace(kept)
        partial.replace(target)
    except OSError as error:
        raise InputError(str(target), "", f"cannot be written: {reason_of(error)}", "make room for it") from None
    finally:
        partial.unlink(missing_ok=True)
    return count, kept


def _free_name(path: Path) -> Path:
    """Where a damaged bag is kept: an earlier one, which may hold more, is not replaced."""
    names = (path.with_name(f"{path.stem}.orig{number}{path.suffix}") for number in ("", *range(2, 1000)))
    for name in names:
        if not name.exists():
            return name
    raise OSError(f"{path.stem}.orig{path.suffix} and 998 more are there already")
