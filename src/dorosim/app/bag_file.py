"""Looks into bags, mends them, and reads how one is to be replayed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import msgspec

from dorosim.app.settings import BagSettings, Who
from dorosim.ground.error import InputError
from dorosim.recording.bag.repair import look_into, repair


def info_lines(path: Path) -> Iterator[str]:
    """What is in a bag, line by line.

    Raises:
        InputError: it cannot be read, or is no bag.
    """
    found = look_into(path)
    total = sum(found.counts.values())
    yield f"{path}: {found.kind}, {found.size:,} bytes, {total:,} messages"
    if total:
        begin = datetime.fromtimestamp(found.first * 1e-9, UTC).strftime("%Y-%m-%d %H:%M:%S")
        yield f"from {begin} UTC ({found.first * 1e-9:.2f}) on, {(found.last - found.first) * 1e-9:.2f} s"
    width = max((len(topic) for topic in found.types), default=0)
    for topic in sorted(found.types):
        yield f"  {topic:{width}}  {found.counts[topic]:>8,}  {found.types[topic]}  {found.md5s[topic]}"
    if not found.whole:
        reason = found.broken or "it was not closed"
        unread = f", {found.unread:,} bytes at its end cannot be read" if found.unread else ""
        yield f"is not whole: {reason}{unread}; mend it with: dorosim bag repair {path}"


def repair_file(path: Path, out: Path | None) -> str:
    """Mend a bag, and say so.

    Raises:
        InputError: it is no bag, or cannot be mended.
    """
    found = look_into(path)
    if found.whole and out is None:
        return f"{path} is whole: {sum(found.counts.values()):,} messages; nothing to mend"
    count, kept = repair(path, out)
    beside = f"; the damaged one is {kept}" if kept is not None else ""
    return f"{out or path}: {count:,} messages are kept{beside}"


def replay_settings(
    settings: BagSettings, bag: str, targets: str, start: float, rate: float, record_to: Path | None, *, end: bool
) -> BagSettings:
    """The settings of bags for a run that replays a bag.

    Args:
        settings: those of the settings file.
        bag: file or name.
        targets: with commas between.
        start: [s].
        rate: so many times as fast.
        record_to: bag to record to, None for none.
        end: whether the program ends with the bag.

    Raises:
        InputError: somebody is replayed whom nobody knows.
    """
    names = tuple(one.strip() for one in targets.split(",") if one.strip())
    unknown = [one for one in names if one not in get_args(Who)]
    if unknown or not names:
        text = f"{unknown[0]!r} is nobody" if unknown else "names nobody"
        raise InputError("--targets", "", text, f"use {', '.join(get_args(Who))}")
    file = settings.file if record_to is None else str(record_to)
    return msgspec.structs.replace(settings, file=file, replay=bag, targets=names, start_s=start, rate=rate, end=end)
