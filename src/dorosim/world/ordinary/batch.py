"""Many worlds of one scene, stepped by one call into compiled code; each has the bits that it has alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.world.command import Command
from dorosim.world.ordinary.batch_kernel import make_ordinary_ticks
from dorosim.world.ordinary.frame import TickFrame
from dorosim.world.ordinary.link_kernel import MAKE_TICK
from dorosim.world.ordinary.tick import entered, get_ready, snapshot_in
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

NO_COMMANDS: Mapping[int, Sequence[Command]] = MappingProxyType({})
Work = Callable[[int, int], None]
"""What makes the ticks of the worlds from one to another, the last not included; it lets other threads run."""

AnyStep = Callable[[Scene, Snapshot, Sequence[Command], Noise], Snapshot]


class OrdinaryBatch:
    """Worlds of one scene.

    A step makes all their ordinary ticks in one call, or in one a range on several threads, and the others, as those
    with commands, one by one by `dorosim.world.step.step`. The blocks of all worlds at a tick are one array: a Snapshot
    that is kept keeps all of it.

    Args:
        scene: what does not change in the runs.
        snapshots: of the worlds.
        noises: their randomness, as many.
        step: `dorosim.world.step.step`, which makes the ticks that are not ordinary.

    Raises:
        ValueError: there are not as many noises as snapshots.
    """

    def __init__(self, scene: Scene, snapshots: Sequence[Snapshot], noises: Sequence[Noise], step: AnyStep) -> None:
        if len(snapshots) != len(noises):
            raise ValueError(f"{len(snapshots)} worlds with {len(noises)} noises")
        get_ready()
        self.scene, self._noises, self._step = scene, list(noises), step
        self._now: list[Snapshot | None] = list(snapshots)
        self._frames: list[TickFrame | None] = [None] * len(snapshots)
        self._blocks = np.zeros((0, 0), np.int64)
        self._rare = np.zeros(len(snapshots), np.int64)
        self._places = np.zeros((5, len(snapshots)), np.int64)

    def __len__(self) -> int:
        """How many worlds there are."""
        return len(self._now)

    def now(self, world: int) -> Snapshot:
        """The present snapshot of a world, by its number from 0."""
        found, frame = self._now[world], self._frames[world]
        if found is None:
            assert frame is not None
            found = self._now[world] = snapshot_in(frame, self._blocks[world, : frame.layout.words])
        return found

    def put(self, world: int, snapshot: Snapshot, noise: Noise | None = None) -> None:
        """Let a world go on from another snapshot of the scene, as after a reset.

        Args:
            world: its number.
            snapshot: of the scene.
            noise: its randomness from now on; None for the same.
        """
        self._now[world], self._frames[world], self._places[2, world] = snapshot, None, 0
        if noise is not None:
            self._noises[world] = noise

    def step(
        self, commands: Mapping[int, Sequence[Command]] = NO_COMMANDS, run: Callable[[Work, int], object] | None = None
    ) -> None:
        """Make a tick of all worlds.

        Args:
            commands: by the number of the world, in the order in which they apply.
            run: calls the work it is given for ranges that make up all worlds, whose number is its second argument,
                and returns when all is done; None for all in one call on this thread.
        """
        for world in range(len(self)):
            if self._frames[world] is None:
                self._enter(world)
        before, places = self._blocks, self._places
        after = np.empty(before.shape, np.int64)
        stride = 8 * np.arange(len(self)) * before.shape[1]
        places[0], places[1] = before.ctypes.data + stride, after.ctypes.data + stride
        for world, given in commands.items():
            if given:
                places[2, world] = 0
        self._rare[:] = 0
        fixed = places.view()
        fixed.flags.writeable = False
        tick = MAKE_TICK.address()

        def work(begin: int, end: int) -> None:
            make_ordinary_ticks(tick, fixed, self._rare, begin, end)

        work(0, len(self)) if run is None else run(work, len(self))
        apart = np.flatnonzero((self._rare != 0) | (places[2] == 0)).tolist()
        made = {
            world: self._step(self.scene, self.now(world), commands.get(world, ()), self._noises[world])
            for world in apart
        }
        after.flags.writeable = False
        self._blocks, self._now = after, [None] * len(self)
        for world, snapshot in made.items():
            self.put(world, snapshot)

    def _enter(self, world: int) -> None:
        """Write a world into the blocks, if its ticks may be ordinary."""
        now = self._now[world]
        assert now is not None
        found = entered(self.scene, now, self._noises[world].seed)
        if found is None:
            return
        block, frame = found
        count = len(block)
        grown = np.empty((len(self), max(self._blocks.shape[1], count)), np.int64)
        if grown.shape == self._blocks.shape and self._blocks.flags.writeable:
            grown = self._blocks
        else:
            grown[: len(self._blocks), : self._blocks.shape[1]] = self._blocks
        grown[world, :count] = block
        self._blocks, self._frames[world] = grown, frame
        self._places[2:, world] = count, frame.words.ctypes.data, len(frame.words)
