"""Looks into bags, mends them, and reads how one is to be replayed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import get_args

import msgspec

from dorosim.app.run.report.json_output import Facts
from dorosim.app.run.report.progress import working
from dorosim.app.setting.override import names_from_text
from dorosim.app.setting.settings import BagSettings, Who
from dorosim.ground.error import InputError
from dorosim.recording.bag.repair import look_into, repair
from dorosim.recording.saver import check_place


def info_of(path: Path) -> Facts:
    """What is in a bag.

    Returns:
        file: as it was named. kind: "ROS 1 bag" or "MCAP". bytes: its size. begins_ns, ends_ns: least and greatest time
        of a message [ns since 1970], None without messages. whole: whether nothing is to be mended. flaw: why not, ""
        for none. unread_bytes: at its end. topics: by name, each with how many messages, and their type with its sum.

    Raises:
        InputError: it cannot be read, or is no bag.
    """
    with working(f"reading {path.name}"):
        found = look_into(path)
    there = bool(sum(found.counts.values()))
    return {
        "file": str(path),
        "kind": found.kind,
        "bytes": found.size,
        "begins_ns": found.first if there else None,
        "ends_ns": found.last if there else None,
        "whole": found.whole,
        "flaw": "" if found.whole else found.broken or "it was not closed",
        "unread_bytes": found.unread,
        "topics": [
            {"name": topic, "messages": found.counts[topic], "type": found.types[topic], "md5": found.md5s[topic]}
            for topic in sorted(found.types)
        ],
    }


def info_lines(facts: Facts) -> Iterator[str]:
    """What is in a bag, line by line."""
    topics, begins, ends = facts["topics"], facts["begins_ns"], facts["ends_ns"]
    total = sum(topic["messages"] for topic in topics)
    yield f"{facts['file']}: {facts['kind']}, {facts['bytes']:,} bytes, {total:,} messages"
    if begins is not None:
        begin = datetime.fromtimestamp(begins * 1e-9, UTC).strftime("%Y-%m-%d %H:%M:%S")
        yield f"from {begin} UTC ({begins * 1e-9:.2f}) on, {(ends - begins) * 1e-9:.2f} s"
    width = max((len(topic["name"]) for topic in topics), default=0)
    for topic in topics:
        yield f"  {topic['name']:{width}}  {topic['messages']:>8,}  {topic['type']}  {topic['md5']}"
    if not facts["whole"]:
        unread = f", {facts['unread_bytes']:,} bytes at its end cannot be read" if facts["unread_bytes"] else ""
        yield f"is not whole: {facts['flaw']}{unread}; mend it with: dorosim bag repair {facts['file']}"


def topic_notices(wanted: Iterable[str], topics: Collection[str]) -> Iterator[str]:
    """A line for each name or pattern that fits no topic.

    Args:
        wanted: names or patterns such as "/lidar*".
        topics: that there are.
    """
    for one in wanted:
        if not any(fnmatchcase(topic, one) for topic in topics):
            near = get_close_matches(one, topics, n=3, cutoff=0.5)
            cure = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(sorted(topics))}"
            yield f"no topic fits {one!r}; {cure}"


def repair_file(path: Path, out: Path | None) -> str:
    """Mend a bag. Returns a line that states what was kept and where the damaged file is.

    Raises:
        InputError: it is no bag, or cannot be mended, or `out` cannot be written.
    """
    if out is not None:
        check_place(out)
    with working(f"reading {path.name}"):
        found = look_into(path)
    if found.whole and out is None:
        return f"{path} is whole: {sum(found.counts.values()):,} messages; nothing to mend"
    with working(f"mending {path.name}"):
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
        InputError: `targets` is empty or names an unknown kind of actor.
    """
    names = names_from_text(targets)
    unknown = [one for one in names if one not in get_args(Who)]
    if unknown or not names:
        text = f"{unknown[0]!r} is not a valid target" if unknown else "there is no target"
        raise InputError("--targets", "", text, f"use {', '.join(get_args(Who))}")
    file = settings.file if record_to is None else str(record_to)
    return msgspec.structs.replace(settings, file=file, replay=bag, targets=names, start_s=start, rate=rate, end=end)
