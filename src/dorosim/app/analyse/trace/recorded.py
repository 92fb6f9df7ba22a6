"""A recording that is run again to look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dorosim.app.run.build import Build
from dorosim.app.run.report.progress import counted
from dorosim.app.run.resume import build_recorded
from dorosim.app.store.folder import data_folder
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.recording.format import LENGTH, MAGIC, Header, Tick, decode_recording, unread_bytes
from dorosim.recording.timing import Timing, read_timing
from dorosim.recording.whole_file import read_file
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step

Watch = Callable[[Iterator[Snapshot], int], Iterator[Snapshot]]
CHECKED_TOGETHER = 50
"""Ticks of which the last one's digest is held against the recording: a digest takes as long as most of a step."""


@dataclass(slots=True, eq=False)
class Recorded:
    """A recording and what it takes to run it again.

    Attributes:
        path: its file.
        header: what its run was given.
        ready: its start.
        ticks: of the part that is looked at; all but the first part follow a reset of the run.
        timing: wall times of those ticks, None where none were recorded.
        notes: what a reader should know of it, a line each.
    """

    path: Path
    header: Header
    ready: Build
    ticks: tuple[Tick, ...]
    timing: Timing | None
    notes: list[str]

    @property
    def start(self) -> float:
        """Simulated time at its start [s]."""
        return self.ready.first.time * 1e-9

    def snapshots(self) -> Iterator[Snapshot]:
        """The first snapshot and that of each tick, as long as they are those that were recorded.

        Raises:
            InputError: not even the first tick is.
        """
        scene, noise = self.ready.scene, Noise(self.header.seed)
        now = self.ready.first
        yield now
        for begin in range(0, len(self.ticks), CHECKED_TOGETHER):
            ticks = self.ticks[begin : begin + CHECKED_TOGETHER]
            made: list[Snapshot] = []
            for tick in ticks:
                now = step(scene, now, tick.commands, noise, paused=tick.held)
                made.append(now)
            right = len(ticks) if _are_as_recorded(made, ticks) else _first_other(made, ticks)
            yield from made[:right]
            if right < len(ticks):
                place = begin + right
                problem = f"differs from the recording from tick {self.ticks[place].tick:,} on, recorded by dorosim "
                problem += f"{self.header.version}"
                if not place:
                    raise InputError(str(self.path), "", f"run again, it {problem}", "use that version")
                self.notes.append(f"run again, it {problem}; what came later is left out")
                return


def _are_as_recorded(made: Sequence[Snapshot], ticks: Sequence[Tick]) -> bool:
    """Whether the last snapshot of which a digest was recorded is as recorded: then those before it are, too."""
    if made[-1].tick != ticks[-1].tick:
        return False
    told = (place for place in range(len(ticks) - 1, -1, -1) if ticks[place].digest)
    last = next(told, None)
    return last is None or ticks[last].is_of(made[last])


def _first_other(made: Sequence[Snapshot], ticks: Sequence[Tick]) -> int:
    """How many snapshots, from the first on, are as recorded."""
    return next(place for place, pair in enumerate(zip(made, ticks, strict=True)) if not pair[1].is_of(pair[0]))


def open_recording(path: Path, map_name: str | None, data: Path | None, part: int | None = None) -> Recorded:
    """Read a recording.

    Args:
        path: its file.
        map_name: where the map is now, None for where it was.
        data: data folder, None for the usual one.
        part: of a run that was reset, which part from 1 on; None: the longest one.

    Raises:
        InputError: the recording or its map cannot be used, it holds no tick, or has no such part.
    """
    content = read_file(path)
    header, every = decode_recording(str(path), content)
    ticks = tuple(every)
    if not ticks:
        raise InputError(str(path), "", "holds no tick", "record for longer")
    ready = build_recorded(str(path), header, map_name, data_folder(str(data) if data else None))
    first = ready.first.tick + 1
    begins = [place for place, tick in enumerate(ticks) if tick.tick == first or place == 0]
    spans = list(zip(begins, [*begins[1:], len(ticks)], strict=True))
    if part is not None and not 1 <= part <= len(spans):
        raise InputError("--part", "", f"{path} has no part {part}", f"give 1 to {len(spans)}")
    chosen = max(range(len(spans)), key=lambda one: spans[one][1] - spans[one][0]) if part is None else part - 1
    begin, end = spans[chosen]
    notes = []
    lost = unread_bytes(content)
    if lost:
        notes.append(f"the recording ends inside a record: its last {lost:,} bytes were not written to the end")
    if len(spans) > 1:
        notes.append(f"the run was reset; this is part {chosen + 1} of {len(spans)}, choose with --part")
    timing = read_timing(path, _header_bytes(content), np.array([tick.tick for tick in ticks], np.int64))
    if timing is not None:
        timing = timing.between(begin, end)
    return Recorded(path, header, ready, ticks[begin:end], timing, notes)


def _header_bytes(content: bytes) -> bytes:
    """The header's record, as it stands in the file."""
    (size,) = LENGTH.unpack_from(content, len(MAGIC))
    return content[len(MAGIC) : len(MAGIC) + LENGTH.size + size]


def watched(recorded: Recorded, label: str, end: float | None, *, quiet: bool) -> Watch:
    """What hands snapshots on and shows how far they are, on a terminal.

    Args:
        recorded: what is run again.
        label: what is being done.
        end: simulated time up to which it is looked at [s], None: to the end of the recording.
        quiet: show nothing.
    """

    def watch(snapshots: Iterator[Snapshot], count: int) -> Iterator[Snapshot]:
        ticks = count
        if end is not None:
            ticks = min(count, round((end - recorded.start) * 1e9 / recorded.ready.scene.tick))
        return snapshots if quiet else counted(snapshots, lambda: ticks, label, "ticks")

    return watch
