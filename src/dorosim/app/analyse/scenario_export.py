"""A recording written as a scenario of OpenSCENARIO, as `dorosim scenario export` does it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from dorosim import __version__
from dorosim.app.analyse.map_convert import convert_map
from dorosim.app.analyse.trace.recorded import open_recording, watched
from dorosim.app.store.folder import data_folder
from dorosim.app.store.openscenario import SUFFIX
from dorosim.app.store.table_file import make_folder_of
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import write_file
from dorosim.scenario.openscenario.export.text import ScenarioHead, scenario_of_tracks
from dorosim.scenario.openscenario.export.track import ActorTrack, TrackKind, TrackReader
from dorosim.world.snapshot import EGO, Snapshot

_CURE = "give another place"
_NAMES = {TrackKind.VEHICLE: "Vehicle", TrackKind.PEDESTRIAN: "Pedestrian", TrackKind.OBSTACLE: "Obstacle"}


def export_scenario(
    recording: Path,
    out: Path,
    *,
    begin: float | None = None,
    end: float | None = None,
    part: int | None = None,
    map_name: str | None = None,
    data: Path | None = None,
    quiet: bool = False,
) -> list[str]:
    """Write a recording as a scenario in which all actors follow trajectories, and its map as OpenDRIVE beside it.

    Args:
        recording: file of `dorosim run --record`.
        out: the .xosc file; the map gets its name with .xodr.
        begin: simulated time from which on it is written [s], None for all of it.
        end: up to which it is written.
        part: of a run that was reset, see `open_recording`.
        map_name: where the map is now, None for where it was.
        data: data folder, None for the usual one.
        quiet: show no progress.

    Returns:
        Lines to print.

    Raises:
        InputError: the recording or its map cannot be used, nothing is in the part, or a file cannot be written.
    """
    if out.suffix.lower() != SUFFIX:
        raise InputError(
            str(out), "", f"its ending {out.suffix!r} is not {SUFFIX}", f"give a file that ends in {SUFFIX}"
        )
    recorded = open_recording(recording, map_name, data, part)
    reader = TrackReader(recorded.ready.scene)
    watch = watched(recorded, "exporting", end, quiet=quiet)
    for now in _part(watch(recorded.snapshots(), len(recorded.ticks) + 1), begin, end):
        reader.add(now)
    if not reader.tracks:
        raise InputError(str(recording), "", "no actor is in that part of it", "give another --begin and --end")
    files, header = recorded.ready.map_files, recorded.header
    place = out.with_suffix(".xodr")
    make_folder_of(out, _CURE)
    source = files.name if files.source.startswith("built-in ") else files.source
    words, notes = convert_map(source, data_folder(str(data) if data else None), place)
    date = datetime.fromtimestamp(header.epoch * 1e-9, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    head = ScenarioHead(f"dorosim {__version__}", date, f"recording {recording.name}", place.name, files.name)
    named = _named(reader.tracks, reader.names)
    text = scenario_of_tracks(head, named, reader.end, header.tick * 1e-9)
    write_file(out, text.encode(), _CURE)
    count = f"{len(named)} entities, {reader.end:.2f} s"
    return [f"{out}: {count}", words, *notes, *recorded.notes]


def _part(snapshots: Iterator[Snapshot], begin: float | None, end: float | None) -> Iterator[Snapshot]:
    """The snapshots of a part."""
    for now in snapshots:
        time = now.time * 1e-9
        if end is not None and time > end + 1e-9:
            return
        if begin is None or time >= begin - 1e-9:
            yield now


def _named(tracks: Mapping[int, ActorTrack], names: Mapping[int, str]) -> dict[str, ActorTrack]:
    """Tracks by the names of their entities: those of the run's scenario, "Ego" for the first vehicle, kind and id."""
    found: dict[str, ActorTrack] = {}
    for actor, track in sorted(tracks.items()):
        usual = "Ego" if actor == EGO else f"{_NAMES[track.kind]} {actor}"
        name = names.get(actor, usual)
        while name in found:
            name = f"{name} {actor}"
        found[name] = track
    return found
