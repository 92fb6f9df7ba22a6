"""Writes files of sensor data into folders that other programs watch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from dorosim.bridge.sensor.file import save_name, saved_files
from dorosim.sensor.kind import DESCRIPTORS
from dorosim.sensor.reading import Reading
from dorosim.world.snapshot import Snapshot


def put_readings(
    folder: Path, name: str, now: Snapshot, readings: Iterable[Reading], *, is_resolved: bool = False
) -> int:
    """Write readings as files; returns how many files.

    They are written one by one, without waiting for the disk at each, as `recording.whole_file` does: that would delay
    the packets. Their names hold the time, so that nothing saved before is lost.

    Args:
        folder: it is made if it is not there.
        name: beginning of the names of the files, "" for the time.
        now: the snapshot that they read.
        readings: of its sensors.
        is_resolved: the folder was allowed as it is, without links.

    Raises:
        OSError: a file cannot be written, or such a folder has become a link meanwhile.
    """
    if is_resolved and folder.resolve() != folder:
        raise OSError(f"{folder} has become a link to {folder.resolve()}")
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for reading in readings:
        stem = save_name(name, reading.KIND, reading.sensor, now.time)
        for suffix, content in saved_files(reading).items():
            put_file(folder / f"{stem}{suffix}", content)
            written += 1
    return written


def put_captured(
    folder: Path,
    before: Snapshot,
    now: Snapshot,
    readings: Iterable[Reading],
    look: Callable[[Snapshot, Snapshot, Collection[int]], Iterable[Reading]],
) -> None:
    """Write what captured sensors read: as it is sent, but of spinning ones a whole turn instead of its slices.

    Args:
        folder: it is made if it is not there.
        before: the snapshot before a tick.
        now: the snapshot after it.
        readings: of it.
        look: reads some sensors whole, by number.

    Raises:
        OSError: a file cannot be written.
    """
    wanted = {mount.id: mount for mount in now.mounts.all() if mount.captured}
    found = [one for one in readings if one.sensor in wanted and not DESCRIPTORS[one.KIND].spins]
    turns = [one.id for one in wanted.values() if DESCRIPTORS[one.kind].spins]
    due = [number for number in turns if wanted[number].is_due(before.time, now.time)]
    if due:
        found += look(before, now, due)
    put_readings(folder, "", now, found)


def put_file(path: Path, content: bytes) -> None:
    """Put a file into a folder at once, so that a program that waits for it never reads half of it.

    A file or a link of that name is replaced; a link is not followed, since it may lead out of the folder. The file is
    not forced to the disk, as one may be asked for in every tick.

    Raises:
        OSError: it cannot be written; nothing is left of it then.
    """
    partial = path.with_name(f".{path.name}.part")
    partial.unlink(missing_ok=True)
    try:
        with partial.open("xb") as file:
            file.write(content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
