"""The file of a run, by which programs of this machine find it, and the choice of ports that no other run has.

A run holds the lock of RUN_ID.lock as long as it goes on, and writes its ports into it, so that runs which start side
by side choose different ones. RUN_ID.json is there once all interfaces can be reached (`dorosim.ground.run_folder`).
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import socket
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from msgspec.structs import replace

from dorosim.app.run.report.json_output import json_line
from dorosim.app.setting.port import PortSet, ports_of
from dorosim.app.setting.settings import Settings
from dorosim.endpoint.udp.socket import LAST_PORT
from dorosim.ground.error import InputError, reason_of
from dorosim.ground.private_folder import make_private, who_else_writes
from dorosim.ground.run_folder import FILE_SUFFIX, LOCK_SUFFIX, is_locked, run_folder

OFFSET_STEP, LAST_OFFSET = 1000, 56_000
"""Port offsets that are tried: so far from one to the next, and the last one."""


class RunFile:
    """The file of a run.

    Attributes:
        run_id: of the run: eight hexadecimal digits, by chance; in no message of UDP, and not in the world.
        path: of the file, None where none can be written. notice: why not, "" where it can.
    """

    def __init__(self) -> None:
        self.run_id = secrets.token_hex(4)
        self.path: Path | None = None
        self.notice = ""
        self._lock: IO[bytes] | None = None

    def open(self) -> None:
        """Lock the run's id. Files of runs that ended without removing theirs are removed."""
        folder = run_folder()
        try:
            make_private(folder)
            problem = who_else_writes(folder)
            if not problem:
                _remove_stale(folder)
                self._lock = _locked(folder / f"{self.run_id}{LOCK_SUFFIX}")
        except OSError as error:
            problem = reason_of(error)
        if problem:
            self.notice = f"the run has no file by which programs find it: {folder}: {problem}"
        else:
            self.path = folder / f"{self.run_id}{FILE_SUFFIX}"

    def claim(self, ports: Collection[int], room: Collection[int] = ()) -> None:
        """Write down ports, so that no other run chooses them, and those it leaves free where it can."""
        if self._lock is None:
            return
        with contextlib.suppress(OSError):
            self._lock.seek(0)
            self._lock.truncate()
            self._lock.write(json.dumps([sorted(ports), sorted(room)]).encode())
            self._lock.flush()

    def write(self, event: Mapping[str, Any]) -> None:
        """Write the `ready` event of a run, whole or not at all; on a full disk not at all."""
        if self.path is None:
            return
        unfinished = self.path.with_suffix(".new")
        try:
            unfinished.write_text(json_line(event), encoding="utf-8")
            unfinished.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the file."""
        if self.path is not None:
            for path in (self.path, self.path.with_suffix(LOCK_SUFFIX)):
                with contextlib.suppress(OSError):
                    path.unlink()
            self.path = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def with_free_ports(settings: Settings, data: Path, file: RunFile) -> Settings:
    """Settings whose port offset is the first at which no other program and no other run has any of the ports.

    Ports to which the run sends count like those at which it listens: a client of another run may wait there. If there
    is such an offset, runs also leave each other the ports of ego vehicles that clients may add later.

    Args:
        settings: all of them; without `ports = "auto"` their port offset stays.
        data: the data folder.
        file: of the run; it claims the ports.

    Raises:
        InputError: an address is wrong, or there is no such offset.
    """
    if settings.ports != "auto":
        with contextlib.suppress(InputError):  # which the run reports later
            ports = ports_of(settings, data)
            file.claim(ports.all, ports.room)
        return settings
    ports_of(settings, data)  # what is wrong with them is no matter of the offset
    with _choosing():
        taken, room = _claimed(file.run_id)
        chosen: tuple[int, PortSet] | None = None
        for offset in range(settings.port_offset, LAST_OFFSET + 1, OFFSET_STEP):
            try:
                ports = ports_of(replace(settings, port_offset=offset), data)
            except InputError:  # beyond the last port
                break
            if max(ports.all, default=0) > LAST_PORT or ports.all & taken or not _are_free(ports):
                continue
            if not ports.room & taken and not (ports.all | ports.room) & room:
                chosen = offset, ports
                break
            chosen = chosen or (offset, ports)
        if chosen is not None:
            file.claim(chosen[1].all, chosen[1].room)
            return replace(settings, port_offset=chosen[0])
    raise InputError("settings", "ports", "no offset has only free ports", "end other runs, or give --port-offset")


def _are_free(ports: PortSet) -> bool:
    """Whether a run can listen to each of its ports here, and no program has one that it sends from or to."""
    return _can_be_bound(ports) and not any(_is_taken(port) for port in sorted(ports.others))


def _is_taken(port: int) -> bool:
    """Whether a program takes datagrams at a port. Ports that need privilege are not taken for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
        try:
            tried.bind(("", port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


def _can_be_bound(ports: PortSet) -> bool:
    for kind, wanted in ((socket.SOCK_DGRAM, ports.udp), (socket.SOCK_STREAM, ports.tcp)):
        for port in sorted(wanted):
            with socket.socket(socket.AF_INET, kind) as tried:
                if kind == socket.SOCK_STREAM:
                    tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    tried.bind(("", port))
                    if kind == socket.SOCK_STREAM:
                        tried.listen(1)
                except OSError:
                    return False
    return True


def _claimed(mine: str) -> tuple[set[int], set[int]]:
    """The ports of all other runs that go on, and those that they leave room for."""
    taken: set[int] = set()
    room: set[int] = set()
    folder = run_folder()
    for path in sorted(folder.glob(f"*{LOCK_SUFFIX}")) if folder.is_dir() else ():
        if path.stem != mine and is_locked(path):
            with contextlib.suppress(OSError, ValueError, TypeError):
                for found, ports in zip((taken, room), json.loads(path.read_bytes()), strict=True):
                    found |= {int(port) for port in ports}
    return taken, room


@contextlib.contextmanager
def _choosing() -> Iterator[None]:
    """Hold off other runs that choose ports; nothing where there is no such folder."""
    try:
        lock = _locked(run_folder() / "choosing", wait=True)
    except OSError:
        yield
        return
    with lock:
        yield


def _locked(path: Path, *, wait: bool = False) -> IO[bytes]:
    """A file, open and locked until it is closed or the program ends, however it does.

    Raises:
        OSError: it cannot be.
    """
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except ImportError:
        pass
    except OSError:
        file.close()
        raise
    return file


def _remove_stale(folder: Path) -> None:
    """Remove the files of runs that ended without doing so."""
    for path in folder.glob(f"*{LOCK_SUFFIX}"):
        if not is_locked(path):
            with contextlib.suppress(OSError):
                path.with_suffix(FILE_SUFFIX).unlink(missing_ok=True)
                path.unlink()
