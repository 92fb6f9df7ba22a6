"""Records scenario runs, for `dorosim replay`, plots, films and the live page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from dorosim import __version__
from dorosim.app.run.build import Build
from dorosim.app.run.scenario_ready import ReadyScenario
from dorosim.app.run.scenario_run import RunTick
from dorosim.app.setting.settings import Settings
from dorosim.app.store.map import BUILT_IN, EMPTY
from dorosim.ground.error import InputError, reason_of
from dorosim.recording.format import Header, RunHeader
from dorosim.recording.writer import RecordingWriter
from dorosim.world.command import Command
from dorosim.world.physics import PHYSICS_VERSION


class TickRecorder:
    """Writes the ticks of a run to a recording.

    Args:
        path: the file. header: of the run. ready: its start.

    Raises:
        InputError: the file cannot be written.
    """

    def __init__(self, path: Path, header: RunHeader, ready: Build) -> None:
        self._writer = RecordingWriter(path)
        self._path = path
        self._writer.begin(Header(**msgspec.structs.asdict(header)), ready.first)
        self._tick = ready.first.tick

    def add(self, tick: RunTick, commands: Sequence[Command] = ()) -> None:
        """Write a tick and its commands; that of the start is in the header."""
        if tick.world is not None and tick.world.tick > self._tick:
            self._writer(tick.world, commands)

    def close(self) -> None:
        """Close the file.

        Raises:
            InputError: it could not be written.
        """
        self._writer.close()
        if self._writer.problem:
            raise InputError(str(self._path), "", f"the recording {self._writer.problem}", "record where there is room")


@contextmanager
def recorded(path: Path | None, ready: ReadyScenario, world: Build) -> Iterator[TickRecorder | None]:
    """What records a run while it goes on; None where it is not to be recorded.

    Args:
        path: the file, None for none.
        ready: the scenario.
        world: its start.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        yield None
        return
    recorder = TickRecorder(path, header_of(ready, world), world)
    try:
        yield recorder
    finally:
        recorder.close()


def header_of(ready: ReadyScenario, world: Build) -> RunHeader:
    """What the files of a run say of it."""
    return header_of_build(world, ready.opened.map_name, ready.seed)


def header_of_build(world: Build, map_name: str, seed: int) -> RunHeader:
    """What the files of a run say of it.

    Args:
        world: its start.
        map_name: the map, as it was named.
        seed: of the run.
    """
    usual, files = Settings(), world.map_files
    return RunHeader(
        version=__version__,
        map_name=map_name if map_name in (*BUILT_IN, EMPTY) else str(Path(files.source).resolve()),
        map_digest=files.digest,
        seed=seed,
        tick=world.scene.tick,
        epoch=0,
        egos=world.egos,
        revision=usual.udp.revision,
        physics=PHYSICS_VERSION,
        scenery=world.scene.scenery.digest,
        scenery_seed=world.scenery_seed,
        solid=usual.world.solid,
        storyboard=world.storyboard,
    )


def check_folder(path: Path) -> None:
    """Make a folder for recordings, if it is not there.

    Raises:
        InputError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--record {path}", "", f"is no folder: {reason_of(error)}", "give a folder") from None
