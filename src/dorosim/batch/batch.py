"""Many worlds that are stepped by one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from dorosim.batch.compiled import CompiledStepper
from dorosim.batch.start import WorldStart
from dorosim.batch.stepper import Each, Stepper
from dorosim.batch.world import BatchWorld, WorldMoment
from dorosim.world.command import Command

_NOTHING: tuple[Command, ...] = ()


class WorldBatch:
    """Worlds, each of which is bit for bit what it is alone, whatever becomes of the others.

    Args:
        starts: where each begins; worlds on one `WorldMap` share all that the map implies.
        threads: that step them; see `CompiledStepper`.
        stepper: in its place, another one.
    """

    def __init__(self, starts: Sequence[WorldStart], *, threads: int = 1, stepper: Stepper | None = None) -> None:
        self.worlds = [BatchWorld(start) for start in starts]
        self.stepper = CompiledStepper(threads) if stepper is None else stepper

    def __len__(self) -> int:
        """How many worlds there are."""
        return len(self.worlds)

    def __getitem__(self, number: int) -> BatchWorld:
        """One world."""
        return self.worlds[number]

    def __enter__(self) -> Self:
        """The batch itself, which is closed at the end of the block."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close it."""
        self.close()

    def step(
        self,
        commands: Sequence[Sequence[Command]] | None = None,
        *,
        only: Sequence[int] | None = None,
        then: Each | None = None,
    ) -> None:
        """Take worlds on by a tick.

        Args:
            commands: of each world that is stepped, in that order; None for none.
            only: numbers of the worlds that are stepped, each once; None for all.
            then: done after the step of each, with its number among those that are stepped; with some steppers on other
                threads.

        Raises:
            ValueError: there are not as many commands as worlds, or a world is there twice.
        """
        worlds = self.worlds if only is None else [self.worlds[number] for number in only]
        if only is not None and len(set(only)) != len(only):
            raise ValueError(f"a world is stepped twice in one call: {list(only)}")
        given = [_NOTHING] * len(worlds) if commands is None else commands
        if len(given) != len(worlds):
            raise ValueError(f"commands of {len(given)} worlds, and {len(worlds)} are stepped")
        self.stepper.step(worlds, given, then)

    def reset(self, number: int, start: WorldStart | None = None) -> None:
        """Begin one world anew while the others go on; None for where it began before."""
        world = self.worlds[number]
        world.begin(world.start if start is None else start)

    def moment(self, number: int) -> WorldMoment:
        """One world as it is."""
        return self.worlds[number].moment()

    def restore(self, number: int, moment: WorldMoment) -> None:
        """Take one world back to a moment, of its own or of another world."""
        self.worlds[number].restore(moment)

    def branch(self, number: int, into: int) -> None:
        """Let a world go on from what another one is."""
        self.worlds[into].restore(self.worlds[number].moment())

    def record(self, number: int, file: str | Path) -> None:
        """Record one world; see `BatchWorld.record`."""
        self.worlds[number].record(file)

    def close(self) -> None:
        """Finish recordings and let go of threads."""
        for world in self.worlds:
            world.end_recording()
        self.stepper.close()
