"""Gets the kernels ready before the clock starts.

A kernel that is compiled for the first time takes seconds, one from the cache takes milliseconds. At the first start
several processes compile what a run needs from its start, each kernel by the one that comes to it first
(`dorosim.app.run.kernel_list`). What is needed is then used once before the clock starts, so that no tick waits for it.
The kernels for traffic, people, collisions and then sensors are compiled meanwhile by the other processes. A run that
starts with traffic or sensors compiles them with the others, waits for them, and prints that it does.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console

from dorosim.app.run.kernel_list import Group, compile_listed
from dorosim.app.run.report.progress import is_shown, working
from dorosim.app.run.stop_signal import at_end
from dorosim.ground.cores import usable_cores

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

_ALLOCATIONS = 100_000
"""After so many the garbage collector looks at what is new while kernels are compiled."""

MAX_PROCESSES = 4
"""That compile at once, this one included; the longest kernel is a fourth of what a start needs."""

Use = tuple[str, Callable[[], object]]


class Kernels:
    """Gets kernels ready.

    Args:
        console: prints what is waited for.
        others: the processes that compile those which are not needed at once, the one that compiles all of them first;
            none where all are there.
        label: called with the text that names what is got ready, for the status line.
    """

    def __init__(
        self,
        console: Console,
        others: Sequence[subprocess.Popen[bytes]] = (),
        label: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._console, self._others, self._label = console, others, label

    def prepare(self, ready: Build, publisher: Publisher, commands: Sequence[Command]) -> None:
        """Use those once which a run needs from its start, with these commands in its first tick."""
        from dorosim.ground.jit import mark_started
        from dorosim.world.ordinary.tick import load

        processes = self._others
        if not commands:
            _stand_back(processes)
        for label, use in start_uses(ready, publisher):
            self._label(f"{FIRST_START} ({label})")
            use()
        mark_started()
        if commands:
            self._label(FIRST_TRAFFIC)
            if not self.wait(0.0):
                _say(self._console, FIRST_TRAFFIC)
                self._compile("world", FIRST_TRAFFIC)
                while not self.wait(_POLL_PERIOD_S):
                    pass
            _stand_back(processes)
            _step(ready, commands)
        load()

    def _compile(self, group: Group, text: str) -> None:
        """Compile a group of kernels together with the other processes."""
        compile_listed(group, lambda number, count: self._label(f"{text} ({number}/{count})"))

    def wait(self, seconds: float) -> bool:
        """Wait until all kernels of the world are there, so that no tick has to compile one.

        Args:
            seconds: at most.

        Returns:
            Whether they are; also if they cannot be had so, since the process has ended.
        """
        from dorosim.ground.jit import is_complete

        end = time.monotonic() + seconds
        while self._others and self._others[0].poll() is None and not is_complete():
            if time.monotonic() >= end:
                return False
            time.sleep(min(_POLL_PERIOD_S, seconds))
        self._others = ()
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
def collected_for_compiling() -> Iterator[None]:
    """While kernels are compiled, the garbage collector works, but seldom.

    A compiler leaves much to collect, and more that stays: looking at it as often as usual is a tenth of its time.
    """
    usual = gc.get_threshold()
    gc.set_threshold(_ALLOCATIONS, *usual[1:])
    gc.enable()
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@contextmanager
def prepare_kernels(console: Console) -> Iterator[Kernels]:
    """Print that kernels are compiled if the cache does not have them yet; yields what gets all others ready.

    Args:
        console: prints it.
    """
    from dorosim.ground.jit import INSTEAD, SENSOR_FLOORS, can_share, distrust, is_cold, is_complete

    given = os.environ.get(INSTEAD)
    if why := distrust():
        if (instead := os.environ.get(INSTEAD)) and instead != given:
            at_end(partial(shutil.rmtree, instead, ignore_errors=True))
        console.print(f"notice: {why}", markup=False, soft_wrap=True)
    cold = is_cold()
    complete = is_complete() and is_complete(SENSOR_FLOORS)
    others = () if complete or not can_share() else _compile_others()
    with collected_for_compiling() if others else nullcontext():
        if not cold:
            yield Kernels(console, others)
        else:
            _say(console, FIRST_START)
            with working(f"{FIRST_START} (the map)") as label:
                if others:
                    compile_listed("start", lambda number, count: label(f"{FIRST_START} ({number}/{count})"))
                yield Kernels(console, others, label)
    if not why and (late := distrust()):  # the disk has become full
        console.print(f"notice: {late}", markup=False, soft_wrap=True)


@contextmanager
def first_sensors(console: Console) -> Iterator[None]:
    """Print that sensors' kernels are compiled if they are not in the cache yet; a status line moves while it is done.

    Args:
        console: prints it.
    """
    from dorosim.ground.jit import SENSOR_FLOORS, can_share, is_complete

    first = not is_complete(SENSOR_FLOORS)
    if first:
        _say(console, FIRST_SENSORS)
    with working(FIRST_SENSORS if first else "building what sensors see") as label:
        if first and can_share():
            compile_listed("sensor", lambda number, count: label(f"{FIRST_SENSORS} ({number}/{count})"))
        yield


def _say(console: Console, text: str) -> None:
    """Print a line where no moving status line is shown."""
    if not is_shown():
        console.print(f"{text}, please wait")


def _compile_others() -> tuple[subprocess.Popen[bytes], ...]:
    """Start the processes that compile all kernels; they end with this one, and go on at the next start.

    The first compiles what is not in the list, too, and notes down that all are there.
    """
    return tuple(_start(*(() if number == 0 else ("--listed",))) for number in range(max(_processors() - 1, 1)))


def _start(*options: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", "dorosim.app.run.compile", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    at_end(process.terminate)
    return process


def _processors() -> int:
    """Processes that compile at once: as many as this program may use processors, up to a bound."""
    return min(usable_cores(), MAX_PROCESSES)


def _stand_back(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    """Let processes take only what this one leaves of the machine."""
    for process in processes:
        if process.poll() is None and hasattr(os, "setpriority"):
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + POLITENESS)


def start_uses(ready: Build, publisher: Publisher) -> list[Use]:
    """What a run does from its start, by name, on a snapshot that is thrown away: its kernels are used."""
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
