"""Steps worlds by one call into compiled code."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.batch.range_threads import RangeThreads
from dorosim.batch.stepper import Each
from dorosim.batch.world import BatchWorld
from dorosim.world.command import Command
from dorosim.world.ordinary.batch import OrdinaryBatch
from dorosim.world.ordinary.batch_kernel import WorldPlace
from dorosim.world.step import step

_GOES, _DRIVES = int(WorldPlace.GOES), int(WorldPlace.DRIVES)


class CompiledStepper(RangeThreads):
    """Steps worlds in compiled code, each thread a range of them; what is rare in a world is done for it alone.

    Args:
        threads: 1: none besides the caller's; 0: as many as there are processors.
        drives: how many vehicles of a world may be driven in the compiled call; with more commands it is stepped alone.

    Attributes:
        batch: the worlds, by the order in which they were first stepped.
    """

    def __init__(self, threads: int = 1, drives: int = 4) -> None:
        super().__init__(threads)
        self.batch = OrdinaryBatch(step, drives)

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
