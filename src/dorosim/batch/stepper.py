"""Who takes worlds from one tick to the next: the seam under which a compiled step of many worlds goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from dorosim.batch.range_threads import RangeThreads
from dorosim.batch.world import BatchWorld
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


class ThreadStepper(RangeThreads):
    """Steps worlds one after the other on each of some threads; kernels run beside one another, Python does not.

    Args:
        threads: 1: none besides the caller's; 0: as many as there are processors.
    """

    def __init__(self, threads: int = 1) -> None:
        super().__init__(threads)

    def step(
        self, worlds: Sequence[BatchWorld], commands: Sequence[Sequence[Command]], then: Each | None = None
    ) -> None:
        """Step some worlds; see `Stepper`. What one raises is raised once all threads are done."""

        def steps(first: int, end: int) -> None:
            for number in range(first, end):
                worlds[number].step(commands[number])
                if then is not None:
                    then(number)

        self.run(steps, len(worlds))
