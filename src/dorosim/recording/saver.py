"""Saves snapshots while a run goes on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from dorosim.ground.error import InputError, reason_of
from dorosim.recording.format import HasEpoch, RunHeader
from dorosim.recording.snapshot import write_snapshot
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot


class SnapshotSaver:
    """An observer of the loop that saves the first snapshot at or after each of some times.

    A file that cannot be written does not end the run: `problems` says so.

    Args:
        run: what the run was given.
        places: simulated time [ns] and file of each snapshot.
        stamped: has the epoch of the run's stamps; None: it stays as `run` has it.

    Attributes:
        saved: files that were written, and the simulated time [ns] in each.
        problems: why others were not.
    """

    def __init__(self, run: RunHeader, places: Iterable[tuple[int, Path]], stamped: HasEpoch | None = None) -> None:
        self.saved: list[tuple[Path, int]] = []
        self.problems: list[InputError] = []
        self._run = run
        self._stamped = stamped
        self._waiting = sorted(places)

    @property
    def waiting(self) -> tuple[tuple[int, Path], ...]:
        """Times and files of the snapshots that have not been saved yet."""
        return tuple(self._waiting)

    def __call__(self, now: Snapshot, _: Sequence[Command]) -> None:
        """Save what is due."""
        while self._waiting and self._waiting[0][0] <= now.time:
            self.save(self._waiting.pop(0)[1], now)

    def save(self, path: Path, now: Snapshot) -> None:
        """Save a snapshot to a file."""
        epoch = self._run.epoch if self._stamped is None else self._stamped.epoch
        try:
            write_snapshot(path, msgspec.structs.replace(self._run, epoch=epoch), now)
        except InputError as error:
            self.problems.append(error)
        else:
            self.saved.append((path, now.time))


def check_place(path: Path) -> None:
    """Check before a long run that a file can be written after it.

    Raises:
        InputError: the file's folder is not there, or cannot be written to.
    """
    try:
        folder = Path(os.path.realpath(path)).parent
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise InputError(str(path), "", reason_of(error), "give another file") from None
    problem = ""
    if path.is_dir():
        problem = "is a folder"
    elif path.exists() and not path.is_file():
        # a device or a pipe is written to and not replaced
        problem = "" if os.access(path, os.W_OK) else "cannot be written to"
    elif not folder.is_dir():
        problem = f"there is no folder {folder}"
    elif not os.access(folder, os.W_OK):
        problem = f"the folder {folder} cannot be written to"
    if problem:
        raise InputError(str(path), "", problem, "give another file")
