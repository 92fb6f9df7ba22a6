"""A process that has loaded dorosim, and forks itself for each program that tests start.

To load modules and kernels takes a second, two hundred times in a run of the tests. A program that is forked here runs
the same code, with arguments, surroundings, files and a process of its own; what it would load is there already. Tests
of the start itself begin a new process by `COMMAND`.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "dorosim")
SHARED_COMMAND = "DOROSIM_TESTS_COMMAND"
"""Has the words of a process that another program has loaded, as JSON: where several programs share one."""
LAUNCH = Path(__file__).with_name("launch.py")


@cache
def loaded_command() -> tuple[str, ...]:
    """The words that run `dorosim`, before those of its command; a real start where a process cannot be forked."""
    if not sys.platform.startswith("linux"):
        return COMMAND
    if SHARED_COMMAND in os.environ:
        return tuple(json.loads(os.environ[SHARED_COMMAND]))
    path = Path(tempfile.mkdtemp(prefix="dorosim-tests-")) / "socket"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    server = subprocess.Popen(
        [sys.executable, __file__, str(path)], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    atexit.register(_end, server, path)
    return sys.executable, "-I", "-S", str(LAUNCH), str(path)


def _end(server: subprocess.Popen[bytes], path: Path) -> None:
    server.communicate()
    path.unlink()
    path.parent.rmdir()


class _Server:
    """Forks a process for each connection, and tells each its end.

    A connection that is closed before has its process killed.
    """

    def __init__(self, path: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(64)
        self._programs: dict[int, tuple[int, socket.socket]] = {}
        """The process and the connection, by the descriptor of the process."""

    def run(self) -> bool:
        """Serve until standard input ends; True in a process that was forked."""
        while True:
            connections = {connection: pid for pid, connection in self._programs.values() if connection.fileno() >= 0}
            watched: list[Any] = [0, self._listener, *self._programs, *connections]
            ready, _, _ = select.select(watched, [], [])
            first = ready[0]  # the others are ready the next time, too, if they are there then
            if first == 0:
                return False
            if first is self._listener:
                if self._fork():
                    return True
            elif first in self._programs:
                self._tell_end(first)
            else:
                first.close()
                os.kill(connections[first], signal.SIGKILL)

    def _tell_end(self, descriptor: int) -> None:
        pid, connection = self._programs.pop(descriptor)
        os.close(descriptor)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with connection, suppress(OSError):  # it may have gone
            connection.sendall(status.to_bytes(4, "little", signed=True))

    def _fork(self) -> bool:
        connection, _ = self._listener.accept()
        size, files, _, _ = socket.recv_fds(connection, 4, 3)
        with connection.makefile("rb") as stream:
            text = stream.read(int.from_bytes(size, "little"))
        pid = os.fork()
        if pid:
            for file in files:
                os.close(file)
            self._programs[os.pidfd_open(pid)] = pid, connection
            with suppress(OSError):  # it may have gone
                connection.sendall(pid.to_bytes(4, "little"))
            return False
        connection.close()
        self._listener.close()
        for descriptor, (_, other) in self._programs.items():
            os.close(descriptor)
            other.close()
        _become(json.loads(text), files)
        return True


def _become(wanted: dict[str, Any], files: list[int]) -> None:
    """Take the files, the folder, the surroundings and the words of a program."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ |= wanted["environment"]
    sys.argv = ["dorosim", *wanted["words"]]
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
    out = io.BufferedWriter(io.FileIO(1, "w", closefd=False))
    sys.stdout = io.TextIOWrapper(out, line_buffering=os.isatty(1), write_through=unbuffered)
    error = io.BufferedWriter(io.FileIO(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(error, errors="backslashreplace", line_buffering=True)
    for number in wanted["ignored"]:
        signal.signal(number, signal.SIG_IGN)


def _load() -> None:
    """Import what a run imports, with its interfaces, and load the kernels of the world."""
    for name in (
        "dorosim.app.cli.main",
        "dorosim.app.run.run",
        "dorosim.app.run.report.banner",
        "dorosim.app.serve.grpc_service",
        "dorosim.app.serve.ros.topics",
        "dorosim.app.serve.view_service",
        "dorosim.endpoint.ros.rosbridge.server",
        "grpc",
    ):
        import_module(name)
    from dorosim.app.run.build import build
    from dorosim.app.run.compile import rehearsal
    from dorosim.app.setting.settings import Settings
    from dorosim.ground.noise import Noise
    from dorosim.world.step import step

    made = build(Settings(), Path())
    step(made.scene, made.first, rehearsal(made), Noise(0))


def main() -> None:
    """Load everything, say so, and serve."""
    server = _Server(sys.argv[1])
    sys.argv[1:] = []
    _load()
    gc.freeze()
    os.write(1, b"ready\n")
    if server.run():
        from dorosim.app.cli.main import main as dorosim

        dorosim()


if __name__ == "__main__":
    main()
