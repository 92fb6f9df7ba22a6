"""Replays a recording file and prints what was found."""

from __future__ import annotations

import math
from pathlib import Path

from rich.console import Console

from dorosim.app.build import build_from_starts, check_settings
from dorosim.app.folder import data_folder
from dorosim.app.map_store import load_network, read_map_files
from dorosim.app.settings import EgoSettings, Settings
from dorosim.ground.error import InputError, one_line
from dorosim.ground.noise import Noise
from dorosim.recording.format import Header, decode_recording
from dorosim.recording.replay import replay


def replay_file(file: Path, map_name: str | None, data: str | Path | None) -> bool:
    """Replay a recording; returns whether every tick was equal.

    Raises:
        InputError: the recording or its map cannot be used.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(str(file), "", error.strerror or "cannot be read", "check the path") from None
    header, ticks = decode_recording(str(file), content)
    _check_header(str(file), header)
    files = read_map_files(map_name or header.map_name, data_folder(str(data) if data else None))
    if files.digest != header.map_digest:
        problem = f"map {files.source} is not the one that was recorded on"
        raise InputError(str(file), "map", problem, "give the right one with --map")
    ready = build_from_starts(files, load_network(files), header.egos, header.tick)
    console = Console()
    with console.status("replaying"):
        result = replay(ready.scene, ready.first, Noise(header.seed), ticks)
    seconds = result.last.time * 1e-9
    if result.diverged is None:
        console.print(f"{result.ticks:,} ticks ({seconds:.2f} s) replayed: every snapshot is equal, bit for bit")
        return True
    console.print(f"differs from the recording at tick {result.diverged:,} ({seconds:.2f} s), and not before")
    if header.version:
        console.print(one_line(f"it was recorded by dorosim {header.version}"), markup=False)
    return False


def _check_header(source: str, header: Header) -> None:
    """Refuse a header that no run can have written."""
    egos = tuple(EgoSettings(pose=(ego.position[0], ego.position[1], math.degrees(ego.heading))) for ego in header.egos)
    try:
        check_settings(Settings(ego=egos, seed=header.seed, tick_ms=header.tick / 1e6))
    except InputError as error:
        raise InputError(source, f"header: {error.place}", error.problem, "the file is broken; record again") from None
