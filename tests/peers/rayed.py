"""Sweeps on Ray in programs of their own, with the packages of the peer that has Ray, and all their processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from tests.loaded import COMMAND
from tests.peers.environment import RLLIB, packages_of
from tests.source import ROOT
from tests.sweep.sweep_case import lines
from tests.timing import wait_for

_MARK = "DOROSIM_TESTS_RAY"
PATIENCE_S = 300.0
"""Wall time that Ray has to start and to notice what is gone; seconds on an idle machine [s]."""


@contextmanager
def ray_variables() -> Iterator[dict[str, str]]:
    """Surroundings in which Python finds dorosim and Ray. Skips the test where Ray cannot be had here.

    Ray keeps its files in a folder with a short name, since it makes sockets there. What is left of its processes is
    ended at the end.
    """
    packages = packages_of(RLLIB)
    folder = tempfile.mkdtemp(prefix="ray-")
    paths = os.pathsep.join(map(str, (packages, ROOT / "src", ROOT)))
    own = {
        "PYTHONPATH": paths,
        "RAY_TMPDIR": folder,
        "RAY_AUTH_MODE": "disabled",
        "RAY_raylet_start_wait_time_s": "120",
        _MARK: folder,
    }
    try:
        yield {**os.environ, **own}
    finally:
        for process in ray_processes(folder):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


def ray_processes(mark: str) -> dict[int, str]:
    """Command lines, by process id, of all that was started in the surroundings of a folder of Ray."""
    wanted, found = f"{_MARK}={mark}".encode(), {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    return found


class RaySweep:
    """`dorosim sweep --ray local --resume` in a process of its own.

    Args:
        plan: its file. out: folder of the sweep. variables: of `ray_variables`.

    Attributes:
        process: of the runner.
    """

    def __init__(self, plan: Path, out: Path, variables: dict[str, str]) -> None:
        self._out, self._mark = out, variables[_MARK]
        words = [*COMMAND, "sweep", str(plan), "--out", str(out), "--ray", "local", "--workers", "2", "--resume"]
        self.process = subprocess.Popen(
            words, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )

    def __enter__(self) -> RaySweep:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.communicate()

    @property
    def processes(self) -> dict[int, str]:
        """Command lines of all that the sweep and its Ray have started, by process id."""
        return ray_processes(self._mark)

    def wait_for_cells(self, count: int) -> None:
        """Wait until so many cells are finished, or the sweep is over."""
        wait_for(lambda: self.is_over or done_cells(self._out) >= count, PATIENCE_S)

    @property
    def is_over(self) -> bool:
        """Whether the runner has ended."""
        return self.process.poll() is not None

    def kill(self, process: int) -> None:
        """Kill a process; one that has ended meanwhile is none any more."""
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)

    def victim(self, name: str) -> int:
        """A process by a part of its command line; "runner" is that of the sweep."""
        if name == "runner":
            return self.process.pid
        return wait_for(lambda: next((one for one, words in self.processes.items() if name in words), 0), PATIENCE_S)

    def end(self, seconds: float = PATIENCE_S) -> str:
        """Wait for the end of the runner. Returns what it has printed."""
        out, _ = self.process.communicate(timeout=seconds)
        return out.decode(errors="replace")


def done_cells(out: Path) -> int:
    """How many cells of a sweep are finished."""
    return len(lines(out)) if (out / "sweep.json").is_file() else 0


def left_of(mark: str, seconds: float) -> dict[int, str]:
    """What is left of a sweep and its Ray after so long: command lines by process id."""
    end = time.monotonic() + seconds
    while (left := ray_processes(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    return left
