"""Gets the kernels ready before the clock starts.

A kernel that is compiled for the first time takes seconds, one from the cache takes milliseconds. Those which a run
needs from its start are used once before the clock starts, so that no tick waits for one. The others, for traffic,
people, collisions and then sensors, are compiled meanwhile by a process of their own. A run that starts with traffic
waits until that has come so far; one that starts with sensors compiles what they need itself, and prints that it does.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console

from dorosim.app.run.report.progress import is_shown, working
from dorosim.app.run.stop_signal import at_end

if TYPE_CHECKING:
    from dorosim.app.run.build import Build
    from dorosim.bridge.udp.publish import Publisher
    from dorosim.world.command import Command

FIRST_START = "first start: compiling kernels, once, up to a minute"
FIRST_TRAFFIC = "first start with traffic: compiling more kernels, once, up to a minute"
FIRST_SENSORS = "first start with sensors: compiling their kernels, once, up to a minute"
_POLL_PERIOD_S = 0.05
"""Wall time between two looks whether the other process has come far enough [s]."""
POLITENESS = 5
"""Steps of `nice` by which the other process has a lower priority while this one does not wait for it."""

Use = tuple[str, Callable[[], object]]


class Kernels:
    """Gets kernels ready.

    Args:
        console: prints what is waited for.
        others: the process that compiles those which are not needed at once, None where all are there.
        label: called with the text that names what is got ready, for the status line.
    """

    def __init__(
        self, console: Console, others: subprocess.Popen[bytes] | None, label: Callable[[str], None] = lambda _: None
    ) -> None:
        self._console, self._others, self._label = console, others, label

    def prepare(self, ready: Build, publisher: Publisher, commands: Sequence[Command]) -> None:
        """Use those once which a run needs from its start, with these commands in its first tick."""
        from dorosim.ground.jit import mark_started

        process = self._others
        if not commands:
            _stand_back(process)
        for number, (label, use) in enumerate(_uses(ready, publisher), start=2):
            self._label(f"{FIRST_START} ({number}/4: {label})")
            use()
        mark_started()
        if commands:
            self._label(FIRST_TRAFFIC)
            if not self.wait(0.0):
                _say(self._console, FIRST_TRAFFIC)
                while not self.wait(_POLL_PERIOD_S):
                    pass
            _stand_back(process)
            _step(ready, commands)

    def wait(self, seconds: float) -> bool:
        """Wait until all kernels of the world are there, so that no tick has to compile one.

        Args:
            seconds: at most.

        Returns:
            Whether they are; also if they cannot be had so, since the process has ended.
        """
        from dorosim.ground.jit import is_complete

        end, others = time.monotonic() + seconds, self._others
        while others is not None and others.poll() is None and not is_complete():
            if time.monotonic() >= end:
                return False
            time.sleep(min(_POLL_PERIOD_S, seconds))
        self._others = None
        return True


@contextmanager
def uncollected() -> Iterator[None]:
    """While a program starts, the garbage collector rests.

    What is loaded stays, and looking through it again and again is a tenth of the start. The program turns the
    collector on with `gc.enable` when it has started; at the end it is as it was.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def prepare_kernels(console: Console) -> Iterator[Kernels]:
    """Print that kernels are compiled if the cache does not have them yet; yields what gets all others ready.

    Args:
        console: prints it.
    """
    from dorosim.ground.jit import INSTEAD, SENSOR_FLOORS, distrust, is_cold, is_complete

    given = os.environ.get(INSTEAD)
    if why := distrust():
        if os.environ.get(INSTEAD) != given:
            at_end(partial(shutil.rmtree, os.environ[INSTEAD], ignore_errors=True))
        console.print(f"notice: {why}", markup=False, soft_wrap=True)
    cold = is_cold()
    others = None if is_complete() and is_complete(SENSOR_FLOORS) else _compile_others()
    if others is not None:
        gc.enable()  # a compiler leaves much to collect

    if not cold:
        yield Kernels(console, others)
        return
    _say(console, FIRST_START)
    with working(f"{FIRST_START} (1/4: the map)") as label:
        yield Kernels(console, others, label)


@contextmanager
def first_sensors(console: Console) -> Iterator[None]:
    """Print that sensors' kernels are compiled if they are not in the cache yet; a status line moves while it is done.

    Args:
        console: prints it.
    """
    from dorosim.ground.jit import SENSOR_FLOORS, is_complete

    first = not is_complete(SENSOR_FLOORS)
    if first:
        _say(console, FIRST_SENSORS)
    with working(FIRST_SENSORS if first else "building what sensors see"):
        yield


def _say(console: Console, text: str) -> None:
    """Print a line where no moving status line is shown."""
    if not is_shown():
        console.print(f"{text}, please wait")


def _compile_others() -> subprocess.Popen[bytes]:
    """Start the process that compiles all kernels; it ends with this one, and goes on at the next start."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dorosim.app.run.compile"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    at_end(process.terminate)
    return process


def _stand_back(process: subprocess.Popen[bytes] | None) -> None:
    """Let a process take only what this one leaves of the machine."""
    if process is not None and process.poll() is None and hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + POLITENESS)


def _uses(ready: Build, publisher: Publisher) -> list[Use]:
    """One call of every kernel that a run needs from its start, on a snapshot that is thrown away."""
    from dorosim.world.actor.neighbour import neighbours_of
    from dorosim.world.snapshot import EGO

    return [
        ("lanes", lambda: publisher.ego_status(ready.first)),
        ("objects", lambda: neighbours_of(ready.scene, ready.first, EGO, 1)),
        ("vehicles", lambda: _step(ready, ())),
    ]


def _step(ready: Build, commands: Sequence[Command]) -> None:
    from dorosim.ground.noise import Noise
    from dorosim.world.step import step

    step(ready.scene, ready.first, commands, Noise(0))
