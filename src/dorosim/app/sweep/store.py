"""Copies of a sweep in an object store or on another file system, by fsspec: journals while it runs, then the report.

Workers append to journals in a folder, since object stores cannot append; what is in the store is whole copies of these
files. A line that was torn as its file was copied is left out, as one that a crash has torn.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from dorosim.app.sweep.sampler import SWEEP_CURE
from dorosim.app.sweep.sweep_folder import SweepFacts, SweepFolder
from dorosim.ground.error import InputError, one_line, reason_of
from dorosim.recording.whole_file import OutputError, write_file

PUSH_S = 30.0
"""Wall time between two copies of a sweep that runs: so much is lost with a machine [s]."""
_SWEEP = ("plan.*", "sweep.json", "journal/*.jsonl", "lock")
"""What a sweep can be gone on with, and a report made of. The lock says which runner was the last one, after which the
journals of the next one are named."""
_KEPT = (*_SWEEP, "report/*", "report/worst/*")
_CURE = "give an address that fsspec knows and that you may write to, such as s3://bucket/name"
_FOLDER_CURE = "see to the folder of the sweep"


class SweepStore:
    """A place for copies.

    Args:
        url: of a folder, such as s3://bucket/sweep or file:///mnt/sweep.

    Raises:
        InputError: fsspec is not installed, or does not know the address.
    """

    def __init__(self, url: str) -> None:
        self._where = f"--store {url}"
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise InputError(self._where, "", "needs fsspec, which is not installed", SWEEP_CURE) from None
        try:
            found = url_to_fs(url)
        except Exception as error:  # each of its file systems has errors of its own
            raise InputError(self._where, "", one_line(str(error))[:200], _CURE) from None
        self._files: Any = found[0]
        self._root = PurePosixPath(found[1])
        self._pushed: dict[Path, tuple[int, int]] = {}

    def push(self, folder: Path) -> int:
        """Copy what has changed since the last time. Returns how many files that was.

        Args:
            folder: of the sweep.

        Raises:
            OutputError: the store cannot be written.
        """
        count = 0
        for path in sorted(one for name in _KEPT for one in folder.glob(name) if one.is_file()):
            state = path.stat()
            at = state.st_size, state.st_mtime_ns
            if self._pushed.get(path) == at:
                continue
            target = self._root / path.relative_to(folder)
            try:
                self._files.makedirs(str(target.parent), exist_ok=True)
                self._files.put_file(str(path), str(target))
            except Exception as error:
                raise OutputError(self._where, "", f"cannot be written: {_reason(error)}", _CURE) from None
            self._pushed[path] = at
            count += 1
        return count

    def begin(self, folder: Path, base: Path, *, resume: bool) -> None:
        """See to it that a sweep can be kept here, and fetch what there is of it.

        Args:
            folder: of the sweep.
            base: folder of the files that the plan names, on this machine.
            resume: whether it is gone on with.

        Raises:
            InputError: the store has a sweep already, or another one, or cannot be read.
            OutputError: the folder cannot be written.
        """
        facts = self._facts()
        if facts is None:
            return
        if not resume:
            raise InputError(
                self._where, "", "has a sweep already", "add --resume to go on with it, or name another place"
            )
        if not self.pull(folder, base) and SweepFolder(folder).facts.digest != facts.digest:
            raise InputError(self._where, "", f"has another sweep than {folder}", "name the place of this sweep")

    def _facts(self) -> SweepFacts | None:
        """What the sweep in the store says of itself, None where there is none."""
        try:
            name = str(self._root / "sweep.json")
            content = self._files.cat_file(name) if self._files.exists(name) else None
        except Exception as error:
            raise InputError(self._where, "", f"cannot be read: {_reason(error)}", _CURE) from None
        try:
            return None if content is None else msgspec.json.decode(content, type=SweepFacts)
        except msgspec.DecodeError:
            raise InputError(self._where, "", "sweep.json is none of a sweep", "name another place") from None

    def pull(self, folder: Path, base: Path | None = None) -> int:
        """Copy a sweep to a folder that has none; to one that has it nothing is copied.

        Args:
            folder: for the sweep.
            base: folder of the files that the plan names, on this machine; None for where they were.

        Returns:
            How many files were copied.

        Raises:
            InputError: the store has no sweep, or cannot be read.
            OutputError: the folder cannot be written.
        """
        if (folder / "sweep.json").exists():
            return 0
        try:
            names = {name: PurePosixPath(name).relative_to(self._root) for name in self._files.find(str(self._root))}
            found = {at: name for name, at in names.items() if _is_wanted(at)}
            contents = {at: bytes(self._files.cat_file(name)) for at, name in sorted(found.items())}
        except Exception as error:
            raise InputError(self._where, "", f"cannot be read: {_reason(error)}", _CURE) from None
        facts = contents.pop(PurePosixPath("sweep.json"), None)
        if facts is None:
            raise InputError(self._where, "", "has no sweep", "see to the address; a new sweep begins without --resume")
        try:
            for name in ("journal", "log"):
                (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(str(folder), "", f"cannot be made: {reason_of(error)}", _FOLDER_CURE) from None
        for at, content in contents.items():
            write_file(folder / at, content, _FOLDER_CURE)
        write_file(folder / "sweep.json", _moved(facts, base), _FOLDER_CURE)  # the last one: now the folder has a sweep
        return len(contents) + 1


def _is_wanted(at: PurePosixPath) -> bool:
    """Whether a sweep needs a file of a store; one in a folder that no sweep has is somebody else's."""
    return at.parent in (PurePosixPath(), PurePosixPath("journal")) and any(at.match(one) for one in _SWEEP)


def _moved(content: bytes, base: Path | None) -> bytes:
    """The facts of a sweep, with another folder for the files that its plan names."""
    if base is None:
        return content
    facts = msgspec.json.decode(content, type=SweepFacts)
    return msgspec.json.encode(msgspec.structs.replace(facts, base=str(base.absolute())))


@contextmanager
def stored(store: SweepStore | None, folder: Path, seconds: float = PUSH_S) -> Iterator[None]:
    """Copy a sweep to a store while it runs, and as it ends, however it does.

    Args:
        store: None for none.
        folder: of the sweep.
        seconds: between two copies.

    Raises:
        OutputError: the store cannot be written at the end; before it is tried again.
    """
    if store is None:
        yield
        return
    over = threading.Event()

    def copy() -> None:
        while not over.wait(seconds):
            try:
                store.push(folder)
            except (OSError, InputError):
                continue

    thread = threading.Thread(target=copy, name="sweep store", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        store.push(folder)


def _reason(error: Exception) -> str:
    """Why a store refused something."""
    return reason_of(error) if isinstance(error, OSError) and error.errno else one_line(str(error) or repr(error))[:200]
