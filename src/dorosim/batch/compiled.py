"""Steps worlds by one call into compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from dorosim.batch.stepper import Each
from dorosim.batch.world import BatchWorld
from dorosim.ground.cores import usable_cores
from dorosim.world.command import Command
from dorosim.world.ordinary.batch import OrdinaryBatch, Work
from dorosim.world.ordinary.batch_kernel import WorldPlace
from dorosim.world.step import step

_GOES, _DRIVES = int(WorldPlace.GOES), int(WorldPlace.DRIVES)


class CompiledStepper:
    """Steps worlds in compiled code, each thread a range of them; what is rare in a world is done for it alone.

    Args:
        threads: 1: none besides the caller's; 0: as many as there are processors.
        drives: how many vehicles of a world may be driven in the compiled call; with more commands it is stepped alone.

    Attributes:
        batch: the worlds, by the order in which they were first stepped.
    """

    def __init__(self, threads: int = 1, drives: int = 4) -> None:
        if threads < 0:
            raise ValueError(f"threads are 0 (one a processor) or more, not {threads}")
        self.threads = threads or usable_cores()
        self.batch = OrdinaryBatch(step, drives)
        self._pool: ThreadPoolExecutor | None = None

    def step(
        self, worlds: Sequence[BatchWorld], commands: Sequence[Sequence[Command]], then: Each | None = None
    ) -> None:
        """Step some worlds; see `Stepper`. What one raises is raised once the others have gone on."""
        numbers = [world.join(self.batch) for world in worlds]
        places = self.batch.places
        places[_GOES] = places[_DRIVES] = 0
        for number, given in zip(numbers, commands, strict=True):
            places[_GOES, number] = not given or self.batch.give_drives(number, given)
        self.batch.go(numbers, run=self.run)
        given_to = dict(zip(numbers, commands, strict=True))
        self.batch.finish(numbers, given_to.__getitem__)
        for world, given in zip(worlds, commands, strict=True):
            world.note(given)
        if then is not None:
            for place in range(len(worlds)):
                then(place)

    def run(self, work: Work, count: int) -> None:
        """Do work for all worlds, each thread a range of them; what one raises is raised once all are done."""
        parts = min(self.threads, count)
        if parts < 2:
            work(0, count)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, "dorosim-batch")
        bounds = [count * part // parts for part in range(parts + 1)]
        waiting = [self._pool.submit(work, *bounds[part : part + 2]) for part in range(parts)]
        errors = [error for error in (one.exception() for one in waiting) if error is not None]
        if errors:
            raise errors[0]

    def close(self) -> None:
        """Let go of the threads; the next step has new ones."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
