"""The files that a run leaves behind: a recording, snapshots, and a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from dorosim.app.analyse.scenario_file import save_world
from dorosim.app.setting.settings import Settings
from dorosim.bridge.scenario import ScenarioLoader
from dorosim.endpoint.loop.epoch import Stamped
from dorosim.endpoint.loop.turn_timer import TurnTimer
from dorosim.ground.error import InputError
from dorosim.recording.format import MAX_RECORD_SIZE, Header, RunHeader
from dorosim.recording.saver import SnapshotSaver, check_place
from dorosim.recording.writer import RecordingWriter
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot


class Output:
    """The files that the settings ask for; an observer of the loop.

    Args:
        settings: name them.
        turn_timer: of the run's loop, for the wall times of a recording.
        stamped: has the epoch of the run's stamps, which a recording notes where it changes.

    Raises:
        InputError: one of them could not be written.
    """

    def __init__(self, settings: Settings, turn_timer: TurnTimer | None = None, stamped: Stamped | None = None) -> None:
        self._end = Path(settings.save_snapshot) if settings.save_snapshot else None
        self._scenario = Path(settings.save_scenario) if settings.save_scenario else None
        self._problem: InputError | None = None
        self._places = [(round(seconds * 1e9), Path(file)) for seconds, file in settings.snapshot_at]
        for path in (*(path for _, path in self._places), self._end, self._scenario):
            if path is not None:
                check_place(path)
        self._recorder = RecordingWriter(Path(settings.record), turn_timer, stamped) if settings.record else None
        self._record = str(settings.record)
        self._stamped = stamped
        self._saver: SnapshotSaver | None = None

    def __call__(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """Write what is to be written of a tick."""
        if self._recorder is not None:
            self._recorder(now, commands)
        if self._saver is not None:
            self._saver(now, commands)

    @property
    def rests(self) -> bool:
        """Whether no file is written to in a tick; see `dorosim.endpoint.loop.at_once.RestingObserver`."""
        return self._recorder is None and (self._saver is None or not self._saver.waiting)

    def begin(self, run: RunHeader, start: bytes, now: Snapshot) -> None:
        """Begin all files.

        Args:
            run: what the run was given.
            start: the snapshot file that it goes on from, whole, or nothing.
            now: its first snapshot.

        Raises:
            InputError: a snapshot is asked for at a time that is over already, or `start` is too large to record.
        """
        past = [time for time, _ in self._places if time < now.time]
        if past:
            problem = f"{past[0] * 1e-9:g} s is before the start of the run at {now.time * 1e-9:g} s"
            raise InputError("settings", "snapshot_at", problem, "give a later time")
        self._saver = SnapshotSaver(run, self._places, self._stamped)
        self._saver(now, ())
        if self._recorder is None:
            return
        if len(start) > MAX_RECORD_SIZE // 2:
            problem = f"a run from a snapshot of {len(start) >> 20} MiB cannot be recorded"
            raise InputError(self._record, "", problem, "leave out --record")
        self._recorder.begin(Header(**msgspec.structs.asdict(run), start=start), now)

    def finish(self, now: Snapshot, loader: ScenarioLoader) -> list[str]:
        """Write the last snapshot and the scenario. Returns lines: each file saved, each snapshot not come to.

        Args:
            now: the last snapshot.
            loader: knows the scenario that was loaded last.
        """
        if self._saver is None:
            return []
        if self._end:
            self._saver.save(self._end, now)
        lines = [f"snapshot at {time * 1e-9:.2f} s: {path}" for path, time in self._saver.saved]
        lines += [
            f"the run ended before the snapshot at {time * 1e-9:g} s: {path}" for time, path in self._saver.waiting
        ]
        if self._scenario:
            try:
                lines += save_world(self._scenario, now, loader)
            except InputError as error:
                self._problem = error
        return lines

    def close(self) -> None:
        """Close the files."""
        if self._recorder:
            self._recorder.close()

    def check(self) -> None:
        """Check that every file could be written.

        Raises:
            InputError: the first problem.
        """
        if self._recorder and self._recorder.problem:
            problem = f"the recording {self._recorder.problem}"
            raise InputError(self._record, "", problem, "record where there is room")
        if self._saver and self._saver.problems:
            raise self._saver.problems[0]
        if self._problem:
            raise self._problem
