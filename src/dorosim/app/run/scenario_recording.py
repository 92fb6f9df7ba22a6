"""A recording of a scenario that runs without sockets: `dorosim replay` does it again."""

from __future__ import annotations

from pathlib import Path

import msgspec

from dorosim.app.run.build import Build
from dorosim.app.run.run_header import run_header
from dorosim.app.run.scenario_run import RunTick
from dorosim.app.setting.settings import Settings
from dorosim.ground.error import InputError
from dorosim.recording.format import Header
from dorosim.recording.writer import RecordingWriter

SUFFIX = ".rec"


class ScenarioRecording:
    """Records the ticks of a run.

    Args:
        path: the file; it is replaced.
        ready: the run before its first tick.
        map_name: of its map, as `read_map_files` takes it.
        seed: of its randomness.

    Raises:
        InputError: the file cannot be written.
    """

    def __init__(self, path: Path, ready: Build, map_name: str, seed: int) -> None:
        self.path = path
        self._writer = RecordingWriter(path)
        settings = Settings(map=map_name, seed=seed)
        header = run_header(ready, settings, settings.udp.revision, 0)
        self._writer.begin(Header(**msgspec.structs.asdict(header)), ready.first)
        self._first = ready.first.tick

    def add(self, tick: RunTick) -> None:
        """Record a tick; that before the first one is in the header."""
        if tick.world is not None and tick.world.tick != self._first:
            self._writer(tick.world, ())

    def write(self) -> list[Path]:
        """End the recording.

        Returns:
            The file.

        Raises:
            InputError: not all of it could be written.
        """
        self._writer.close()
        if self._writer.problem:
            raise InputError(str(self.path), "", f"the recording {self._writer.problem}", "record where there is room")
        return [self.path]
