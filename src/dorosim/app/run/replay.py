"""Replays a recording file and prints what was found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from dorosim.app.run.report.progress import counted
from dorosim.app.run.resume import build_recorded
from dorosim.app.store.folder import data_folder
from dorosim.ground.error import one_line
from dorosim.ground.noise import Noise
from dorosim.recording.format import count_ticks, decode_recording, unread_bytes
from dorosim.recording.replay import replay
from dorosim.recording.whole_file import read_int


@dataclass(frozen=True, slots=True)
class Found:
    """What a replay found.

    Attributes:
        ticks: how many were replayed. simulated_s: how much time they made.
        equal: whether every one was as recorded. diverged_tick: the first that was not, None for none.
        recorded_by: version of dorosim. lost_bytes: at the end of the recording, which were not written to the end.
    """

    ticks: int
    simulated_s: float
    equal: bool
    diverged_tick: int | None
    recorded_by: str
    lost_bytes: int


def replay_file(file: Path, map_name: str | None, data: str | Path | None) -> Found:
    """Replay a recording.

    Raises:
        InputError: the recording or its map cannot be used.
    """
    content = read_int(file)
    header, ticks = decode_recording(str(file), content)
    folder = data_folder(str(data) if data else None)
    ready = build_recorded(str(file), header, map_name, folder)
    watched = counted(ticks, lambda: count_ticks(content), "replaying", "ticks")
    result = replay(ready.scene, ready.first, Noise(header.seed), watched)
    return Found(
        ticks=result.ticks,
        simulated_s=(result.last.time - ready.first.time) * 1e-9,
        equal=result.diverged is None,
        diverged_tick=result.diverged,
        recorded_by=header.version,
        lost_bytes=unread_bytes(content),
    )


def print_found(found: Found) -> None:
    """Print what a replay found."""
    console = Console(highlight=False)
    if found.lost_bytes:
        line = f"its last {found.lost_bytes:,} bytes were not written to the end"
        console.print(f"the recording ends inside a record: {line}", soft_wrap=True)
    if found.diverged_tick is None:
        line = f"{found.ticks:,} ticks ({found.simulated_s:.2f} s) replayed: every snapshot is equal, bit for bit"
    else:
        place = f"at tick {found.diverged_tick:,} ({found.simulated_s:.2f} s)"
        line = f"differs from the recording {place}, and not before"
    console.print(line, soft_wrap=True)
    if found.diverged_tick is not None and found.recorded_by:
        console.print(one_line(f"it was recorded by dorosim {found.recorded_by}"), markup=False, soft_wrap=True)
