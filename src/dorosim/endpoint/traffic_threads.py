"""Threads for steps of many vehicles: begun when a step first has so many, ended before a fork and at the end.

`use_traffic_threads` lets the world have them. A process that forks has none for that moment, so the child is as any
other; both begin new ones with their next step of many vehicles.
"""

from __future__ import annotations

import atexit
import os
import threading

from dorosim.ground.cores import usable_cores
from dorosim.ground.crew_kernel import CrewWord
from dorosim.ground.error import InputError
from dorosim.world.ordinary.link_kernel import ADVANCE_TRAFFIC, WORK_ON_TRAFFIC
from dorosim.world.traffic.crew import BLOCK, CrewCall
from dorosim.world.traffic.traffic_job_kernel import JobWord
from dorosim.world.traffic.traffic_kernel import MANY_VEHICLES

THREADS = "DOROSIM_THREADS"
"""Environment variable: how many threads, with the one that steps, a step of many vehicles has; 0: one a core."""

MAX_TRAFFIC_THREADS = 64
"""More do not make a step faster."""


def threads_wanted(text: str | None) -> int:
    """How many threads the variable asks for.

    Raises:
        InputError: it is no number from 0 to MAX_TRAFFIC_THREADS.
    """
    if not text:
        return min(usable_cores(), MAX_TRAFFIC_THREADS)
    if not text.isascii() or not text.isdigit() or int(text) > MAX_TRAFFIC_THREADS:
        problem = f"it is a number of threads from 0 (one a core) to {MAX_TRAFFIC_THREADS}, not {text!r}"
        raise InputError(THREADS, "", problem, "set it to 1 for a step on one core")
    return int(text) or min(usable_cores(), MAX_TRAFFIC_THREADS)


class TrafficThreads:
    """The threads of this process that help with steps of many vehicles.

    Args:
        threads: how many a step has, with the one that steps.
    """

    _LOOK_AGAIN = 64

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._lock = threading.Lock()
        self._running: list[threading.Thread] = []
        self._looks = 0

    def begin(self) -> None:
        """Begin the threads that are missing, if what they run has been compiled; it is looked for now and then."""
        with self._lock:
            if self._running or self.threads < 2:
                return
            self._looks += 1
            if self._looks % self._LOOK_AGAIN == 1 and WORK_ON_TRAFFIC.is_there() and ADVANCE_TRAFFIC.is_there():
                self._begin()

    def compile(self) -> None:
        """Begin the threads now, and compile for that what has not been."""
        with self._lock:
            if not self._running and self.threads > 1:
                self._begin()

    def end(self) -> None:
        """End the threads, once the steps are done that they help with; the next step of many vehicles begins some."""
        with self._lock:
            self._end()

    def _begin(self) -> None:
        self._looks = 0
        crew, advance = BLOCK.ctypes.data, ADVANCE_TRAFFIC.address()
        WORK_ON_TRAFFIC.address()
        BLOCK[CrewWord.STOP] = 0
        for number in range(1, self.threads):
            thread = threading.Thread(
                target=WORK_ON_TRAFFIC.kernel, args=(crew, advance), name=f"traffic-{number}", daemon=True
            )
            thread.start()
            self._running.append(thread)
        BLOCK[CrewWord.WORKERS] = len(self._running)

    def _end(self) -> None:
        if self._running:
            WORK_ON_TRAFFIC.kernel(BLOCK.ctypes.data, 0)
            for thread in self._running:
                thread.join()
            self._running.clear()

    def before_fork(self) -> None:
        """End the threads, and let none begin until the fork is done."""
        self._lock.acquire()
        self._end()

    def after_fork(self) -> None:
        """Let threads begin again."""
        self._lock.release()

    def in_child(self) -> None:
        """Let threads begin in a child; a step that another thread of the parent was at is not there."""
        BLOCK[: CrewWord.FIRST_FREE] = 0
        self._lock.release()


_threads: list[TrafficThreads] = []
"""Those of this process, once it may have some."""


def use_traffic_threads(threads: int | None = None, fewest: int = MANY_VEHICLES) -> TrafficThreads:
    """Let steps of many vehicles have threads, from the next one on; those that were begun before are ended.

    Args:
        threads: how many a step has, with the one that steps; None for as many as `THREADS` asks for.
        fewest: with so many vehicles a step has threads, with fewer it has none.

    Returns:
        the threads; they need not be ended.

    Raises:
        InputError: the variable is not a number of threads.
    """
    wanted = threads_wanted(os.environ.get(THREADS)) if threads is None else threads
    if not _threads:
        made = TrafficThreads(wanted)
        _threads.append(made)
        os.register_at_fork(before=made.before_fork, after_in_parent=made.after_fork, after_in_child=made.in_child)
        atexit.register(made.end)
    found = _threads[0]
    found.end()
    found.threads = wanted
    BLOCK[JobWord.FEWEST] = fewest
    CrewCall.begin = found.begin
    return found
