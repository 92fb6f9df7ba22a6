"""Runs that go on from a snapshot file: what the file decides, and what the user still can."""

from __future__ import annotations

from collections.abc import Collection
from math import degrees
from pathlib import Path
from typing import NamedTuple

import msgspec

from dorosim.app.run.build import Build, build, build_from_starts, check_header, check_scenery, check_settings, world_of
from dorosim.app.run.ego_start import ego_starts
from dorosim.app.setting.settings import EgoSettings, Settings
from dorosim.app.store.map import network_of, read_map_files
from dorosim.ground.error import InputError
from dorosim.recording.format import Header, RunHeader
from dorosim.recording.snapshot import SavedSnapshot, read_snapshot_bytes, snapshot_from_bytes
from dorosim.world.snapshot_validation import flaw_of

LEAVE_OUT = "leave it out: the snapshot says it"


class Start(NamedTuple):
    """Where a run starts.

    Attributes:
        settings: as they count. ready: the run.
        epoch: wall time of tick 0 [ns since 1970] of the snapshot; None if it has none, or the settings give another.
        content: the snapshot file, empty for a run from tick 0.
    """

    settings: Settings
    ready: Build
    epoch: int | None = None
    content: bytes = b""


def start_of(settings: Settings, given: Collection[str], data: Path) -> Start:
    """A run that is ready to start, from tick 0 or from the snapshot that the settings name.

    Args:
        settings: all of them.
        given: keys of those that a user gave; the others have their defaults.
        data: the data folder.

    Raises:
        InputError: a name, file or number among them is wrong, or contradicts the snapshot.
    """
    source = settings.from_snapshot
    if source is None:
        return Start(settings, build(settings, data))
    check_settings(settings)
    content = read_snapshot_bytes(Path(source))
    saved = snapshot_from_bytes(source, content)
    counting = continued_settings(settings, given, source, saved.header)
    epoch = saved.header.epoch if settings.epoch is None else None
    return Start(counting, build_continued(counting, given, source, saved, data), epoch, content)


def continued_settings(settings: Settings, given: Collection[str], source: str, header: RunHeader) -> Settings:
    """The settings of a run that goes on from a snapshot.

    Seed and tick are the snapshot's; map and revision too, unless they are given. A map may have moved since, and
    another revision only changes messages.

    Args:
        settings: as they are without the snapshot.
        given: keys that a user gave; the others have their defaults.
        source: name of the snapshot file, for messages.
        header: of the snapshot, about its run.

    Raises:
        InputError: a setting that was given contradicts the snapshot, or the header is broken.
    """
    check_header(source, header)
    for key, mine, theirs in (
        ("seed", settings.seed, header.seed),
        ("world.scenery_seed", settings.world.scenery_seed, header.scenery_seed),
        ("world.solid", settings.world.solid, header.solid),
        ("tick_ms", round(settings.tick_ms * 1e6) / 1e6, header.tick / 1e6),
    ):
        if key in given and mine != theirs:
            raise InputError("settings", key, f"is {mine:g}, but the run in {source} has {theirs:g}", LEAVE_OUT)
    udp = settings.udp if "udp.revision" in given else msgspec.structs.replace(settings.udp, revision=header.revision)
    name = settings.map if "map" in given else header.map_name
    return msgspec.structs.replace(
        settings, map=name, seed=header.seed, tick_ms=header.tick / 1e6, udp=udp, world=world_of(header)
    )


def shown_settings(settings: Settings, given: Collection[str]) -> tuple[Settings, frozenset[str]]:
    """The settings that a run from the snapshot that they name would have, and the places that the snapshot gives.

    Args:
        settings: as they are without the snapshot, which they name.
        given: keys that a user gave; the others have their defaults.

    Raises:
        InputError: there is no such snapshot, or a setting that was given contradicts it.
    """
    source = str(settings.from_snapshot)
    header = snapshot_from_bytes(source, read_snapshot_bytes(Path(source))).header
    counting = continued_settings(settings, given, source, header)
    if "ego" not in given:
        egos = tuple(
            EgoSettings(vehicle=one.model, pose=(x, y, degrees(one.heading)), z=z)
            for one in header.egos
            for x, y, z in (one.position,)
        )
        counting = msgspec.structs.replace(counting, ego=egos)
    places = {"seed", "tick_ms", "world.scenery_seed", "world.solid", *({"udp.revision", "ego"} - set(given))}
    return counting, frozenset(places | ({"map"} if counting.map == header.map_name else set()))


def build_continued(settings: Settings, given: Collection[str], source: str, saved: SavedSnapshot, data: Path) -> Build:
    """A run that is ready to go on from a snapshot.

    Args:
        settings: from `continued_settings`.
        given: keys that a user gave.
        source: name of the snapshot file, for messages.
        saved: what is in it.
        data: the data folder.

    Raises:
        InputError: the map is not the one of the snapshot, ego vehicles that were given are not those that its run
            began with, or the snapshot does not belong on the map.
    """
    header = saved.header
    files = read_map_files(settings.map, data)
    if files.digest != header.map_digest:
        problem = f"map {files.source} is not the one of the run in it"
        raise InputError(source, "map", problem, "give the right one with --map")
    network = network_of(files)
    if "ego" in given:
        starts = ego_starts(settings.ego, files.name, network)
        if msgspec.msgpack.encode(starts) != msgspec.msgpack.encode(header.egos):
            problem = f"are not those that the run in {source} began with"
            raise InputError("settings", "ego vehicles", problem, LEAVE_OUT)
    ready = build_from_starts(
        files, network, header.egos, header.tick, world_of(header), header.storyboard, header.seed
    )
    check_scenery(source, header, ready.scene)
    flaw = flaw_of(ready.scene, ready.first, saved.snapshot)
    if flaw:
        raise InputError(source, "", f"no run can be in this state: {flaw}", "save the snapshot again")
    return Build(files, ready.scene, header.egos, saved.snapshot, ready.scenery_seed, header.storyboard)


def build_recorded(source: str, header: Header, map_name: str | None, data: Path) -> Build:
    """The start of a recorded run.

    Args:
        source: name of the recording, for messages.
        header: of the recording.
        map_name: where the map is now, None for where it was.
        data: the data folder.

    Raises:
        InputError: the recording is broken, or the map is not the one that was recorded on.
    """
    check_header(source, header)
    settings = Settings(map=map_name or header.map_name)
    if header.start:
        place = f"{source}: start"
        return build_continued(settings, (), place, snapshot_from_bytes(place, header.start), data)
    files = read_map_files(settings.map, data)
    if files.digest != header.map_digest:
        problem = f"map {files.source} is not the one that was recorded on"
        raise InputError(source, "map", problem, "give the right one with --map")
    network = network_of(files)
    ready = build_from_starts(
        files, network, header.egos, header.tick, world_of(header), header.storyboard, header.seed
    )
    check_scenery(source, header, ready.scene)
    return ready
