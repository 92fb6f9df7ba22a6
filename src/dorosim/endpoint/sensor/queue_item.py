"""The items that the threads of the sensors pass to one another."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import Any, TypeVar

from dorosim.endpoint.sensor.interface import Listener, SaveRequest
from dorosim.sensor.reading import Reading
from dorosim.world.snapshot import Snapshot

CHECK_PERIOD = 0.1
"""Wall time after which a wait checks whether it is over [s]."""
HURRIED, UNHURRIED = 0.2, 10.0
"""Wall time to wait for a thread to end [s]: when the program ends, and else."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A tick that is to be read, and what is to be saved at it.

    Attributes:
        epoch: of the stamps of its readings [ns since 1970].
        listeners: those that listen as the tick is queued: who comes later does not hear it.
    """

    before: Snapshot
    now: Snapshot
    saves: tuple[SaveRequest, ...]
    pace: float | None
    epoch: int
    listeners: tuple[Listener, ...]


@dataclass(frozen=True, slots=True)
class MadeReading:
    """Readings of a tick, of which packets are to be made.

    Attributes:
        now: the snapshot that they show. zero: when time 0 of the stream is on the monotonic clock [ns].
        pace: simulated over wall time; None: as fast as possible.
        epoch: of stamps [ns since 1970]. listeners: as of `QueueItem`.
    """

    readings: Sequence[Reading]
    now: Snapshot
    zero: float
    pace: float | None
    epoch: int
    listeners: tuple[Listener, ...]


def put_unless(over: Callable[[], bool], tasks: queue.Queue[T], task: T) -> bool:
    """Wait until the queue has room for a task, and put it, unless `over` returns true; returns whether it was put."""
    while True:
        try:
            tasks.put(task, timeout=CHECK_PERIOD)
        except queue.Full:
            if over():
                return False
        else:
            return True


def end_worker(tasks: queue.Queue[Any], worker: Thread, *, hurried: bool) -> None:
    """Let a thread end after its queued work; when the program ends (`hurried`), wait for it only `HURRIED`."""
    timeout = HURRIED if hurried else UNHURRIED
    with suppress(queue.Full):
        tasks.put(None, timeout=timeout)
    worker.join(timeout)
