"""Replays a recording file and prints what was found."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from dorosim.app.continuation import build_recorded
from dorosim.app.folder import data_folder
from dorosim.ground.error import one_line
from dorosim.ground.noise import Noise
from dorosim.recording.format import decode_recording, unread_bytes
from dorosim.recording.replay import replay
from dorosim.recording.whole_file import read_whole


def replay_file(file: Path, map_name: str | None, data: str | Path | None) -> bool:
    """Replay a recording; returns whether every tick was equal.

    Raises:
        InputError: the recording or its map cannot be used.
    """
    content = read_whole(file)
    header, ticks = decode_recording(str(file), content)
    folder = data_folder(str(data) if data else None)
    ready = build_recorded(str(file), header, map_name, folder)
    console = Console()
    with console.status("replaying"):
        result = replay(ready.scene, ready.first, Noise(header.seed), ticks)
    seconds = (result.last.time - ready.first.time) * 1e-9
    lost = unread_bytes(content)
    if lost:
        console.print(f"the recording ends inside a record: its last {lost:,} bytes were not written to the end")
    if result.diverged is None:
        console.print(f"{result.ticks:,} ticks ({seconds:.2f} s) replayed: every snapshot is equal, bit for bit")
        return True
    console.print(f"differs from the recording at tick {result.diverged:,} ({seconds:.2f} s), and not before")
    if header.version:
        console.print(one_line(f"it was recorded by dorosim {header.version}"), markup=False)
    return False
