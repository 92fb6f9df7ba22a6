"""Gets the kernels ready before the clock starts.

A kernel that is compiled for the first time takes seconds, one from the cache takes milliseconds. Those which a run
needs from its start are used once before the clock starts, so that no tick waits for one. The others, for traffic,
people, collisions and then sensors, are compiled meanwhile by a process of their own. A run that starts with traffic
waits until that has come so far; one that starts with sensors compiles what they need itself, and says so.
"""

from __future__ import annotations

import atexit
import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from dorosim.app.build import Build
    from dorosim.bridge.udp.publish import Publisher
    from dorosim.world.command.catalogue import Command

FIRST_START = "first start: compiling kernels, once, up to 20 s"
FIRST_TRAFFIC = "first start with traffic: compiling more kernels, once, up to a minute"

FIRST_SENSORS = "first start with sensors: compiling their kernels, once, up to a minute"
_GLANCE = 0.05
"""How often is looked whether the other process has come far enough [s]."""

Use = tuple[str, Callable[[], object]]


@contextmanager
def uncollected() -> Iterator[None]:
    """While a program starts, the garbage collector rests.

    What is loaded stays, and looking through it again and again is a tenth of the start. Whoever has started turns the
    collector on with `gc.enable`; at the end it is as it was.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def prepare_kernels(console: Console) -> Iterator[Callable[[Build, Publisher, Sequence[Command]], None]]:
    """While kernels are not in the cache yet, say so; yields a function that makes all others ready.

    Args:
        console: where to say it.
    """
    from dorosim.ground.jit import SENSOR_FLOORS, is_cold, is_complete

    cold = is_cold()
    others = None if is_complete() and is_complete(SENSOR_FLOORS) else _compile_others()
    if others is not None:
        gc.enable()  # a compiler leaves much to collect

    def prepared(ready: Build, publisher: Publisher, commands: Sequence[Command]) -> None:
        for _, use in _uses(ready, publisher):
            use()
        if commands:
            if others is not None and not is_complete():
                _say(console, FIRST_TRAFFIC)
                while others.poll() is None and not is_complete():
                    time.sleep(_GLANCE)
            _step(ready, commands)

    if not cold:
        yield prepared
        return
    _say(console, FIRST_START)
    with console.status(f"{FIRST_START} (1/4: the map)") as status:

        def prepared_first(ready: Build, publisher: Publisher, commands: Sequence[Command]) -> None:
            for number, (label, use) in enumerate(_uses(ready, publisher), start=2):
                status.update(f"{FIRST_START} ({number}/4: {label})")
                use()
            if commands:
                status.update(FIRST_TRAFFIC)
            prepared(ready, publisher, commands)

        yield prepared_first


@contextmanager
def first_sensors(console: Console) -> Iterator[None]:
    """While sensors are made whose kernels may not be in the cache yet, say so.

    Args:
        console: where to say it.
    """
    from dorosim.ground.jit import SENSOR_FLOORS, is_complete

    if is_complete(SENSOR_FLOORS):
        yield
        return
    _say(console, FIRST_SENSORS)
    with console.status(FIRST_SENSORS):
        yield


def _say(console: Console, text: str) -> None:
    """Tell those who see no moving status line."""
    if not console.is_terminal:
        console.print(f"{text}, please wait")


def _compile_others() -> subprocess.Popen[bytes]:
    """Start the process that compiles all kernels; it ends with this one, and goes on at the next start."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dorosim.app.compile"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    atexit.register(process.terminate)
    return process


def _uses(ready: Build, publisher: Publisher) -> list[Use]:
    """One call of every kernel that a run needs from its start, on a snapshot that is thrown away."""
    from dorosim.world.neighbour import neighbours_of
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
