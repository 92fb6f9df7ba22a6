"""The simulator as a program of its own, which ends with the one that started it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from dorosim.client import Run
from dorosim.client.error import NoAnswerError, NoServerError

START_TIMEOUT_S = 300.0
"""Wall time until the simulator can be reached [s]; the very first start compiles for up to two minutes."""
PROGRAM_END_TIMEOUT_S = 5.0
"""Wall time that the simulator has to end [s], after which it is killed."""
SHOWN_LINES = 12
"""Last lines of the log that an error shows."""
_LAUNCH = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, {number}, 0, 0, 0)
if os.getppid() == {parent}:
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


class SimulatorProgram:
    """A running `dorosim run` on ports that no other program has.

    Args:
        arguments: of `dorosim run`, besides those for ports, pace and events.
        folder: for its log and its data folder; made where it is missing.
        environment: variables besides those of this process.

    Raises:
        NoServerError: it ended before it could be reached; the error shows its last lines.
        NoAnswerError: it cannot be reached in time.

    Attributes:
        run: its id and addresses. log: file with what it prints. data: its data folder.
    """

    def __init__(self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.log, self.data = folder / "dorosim.log", folder / "data"
        command = [
            *ending_with_this_process(),
            "-m",
            "dorosim",
            "run",
            "--json",
            "--no-table",
            "--ports",
            "auto",
            "--speed",
            "max",
        ]
        command += ["--data", str(self.data), *arguments]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, **(environment or {})},
            )
        try:
            self.run = self._ready()
        except BaseException:
            self.end()
            raise

    @property
    def alive(self) -> bool:
        """Whether it goes on."""
        return self._process.poll() is None

    @property
    def environment(self) -> dict[str, str]:
        """Variables by which a program that is started with them finds this simulator."""
        return {"DOROSIM_RUN": self.run.id}

    def end(self) -> None:
        """End it; one that does not end by itself is killed."""
        process = self._process
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(PROGRAM_END_TIMEOUT_S)
        if process.poll() is None:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def last_lines(self) -> str:
        """The end of its log."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-SHOWN_LINES:])

    def _ready(self) -> Run:
        out = self._process.stdout
        assert out is not None
        line = _line_within(out, START_TIMEOUT_S)
        if line is None:
            raise NoAnswerError(f"the simulator cannot be reached after {START_TIMEOUT_S:g} s:\n{self.last_lines()}")
        try:
            event: dict[str, Any] = json.loads(line)
        except ValueError:
            self._process.wait()
            raise NoServerError(f"the simulator ended at its start:\n{self.last_lines()}") from None
        return Run(str(event["run_id"]), event)


def _line_within(out: IO[bytes], seconds: float) -> bytes | None:
    """A line of a pipe, shorter where it ends; None if it does not come in time."""
    end, line = time.monotonic() + seconds, b""
    while not line.endswith(b"\n"):
        if not select.select([out], [], [], max(end - time.monotonic(), 0.0))[0]:
            return None
        more = os.read(out.fileno(), 65536)
        if not more:
            return line
        line += more
    return line


def ending_with_this_process() -> list[str]:
    """The beginning of a command of Python that the kernel ends when this process does, even if that is killed.

    Only Linux has that (prctl(2), PR_SET_PDEATHSIG); elsewhere the program ends as `end` is called.
    """
    if not sys.platform.startswith("linux"):
        return [sys.executable]
    return [sys.executable, "-c", _LAUNCH.format(parent=os.getpid(), number=int(signal.SIGTERM))]
