"""Who takes worlds from one tick to the next: the seam under which a compiled step of many worlds goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from dorosim.batch.world import BatchWorld
from dorosim.ground.cores import usable_cores
from dorosim.world.command import Command

Each = Callable[[int], None]
"""What is done with a world after its step, by its number in the call."""


class Stepper(Protocol):
    """Takes worlds on by a tick. Each becomes bit for bit what `BatchWorld.step` alone makes of it."""

    def step(
        self, worlds: Sequence[BatchWorld], commands: Sequence[Sequence[Command]], then: Each | None = None
    ) -> None:
        """Step some worlds.

        Args:
            worlds: all of them different.
            commands: of each.
            then: done for each after its step, also on another thread.
        """

    def close(self) -> None:
        """Let go of threads."""


class ThreadStepper:
    """Steps worlds one after the other on each of some threads; kernels run beside one another, Python does not.

    Args:
        threads: 1: none besides the caller's; 0: as many as there are processors.
    """

    def __init__(self, threads: int = 1) -> None:
        if threads < 0:
            raise ValueError(f"threads are 0 (one a processor) or more, not {threads}")
        self.threads = threads or usable_cores()
        self._pool: ThreadPoolExecutor | None = None

    def step(
        self, worlds: Sequence[BatchWorld], commands: Sequence[Sequence[Command]], then: Each | None = None
    ) -> None:
        """Step some worlds; see `Stepper`. What one raises is raised once all threads are done."""
        count = len(worlds)

        def steps(first: int, end: int) -> None:
            for number in range(first, end):
                worlds[number].step(commands[number])
                if then is not None:
                    then(number)

        parts = min(self.threads, count)
        if parts < 2:
            steps(0, count)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, "dorosim-batch")
        bounds = [count * part // parts for part in range(parts + 1)]
        waiting = [self._pool.submit(steps, *bounds[part : part + 2]) for part in range(parts)]
        errors = [error for error in (one.exception() for one in waiting) if error is not None]
        if errors:
            raise errors[0]

    def close(self) -> None:
        """Let go of the threads; the next step has new ones."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
