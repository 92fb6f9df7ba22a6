"""Many worlds, stepped by one call into compiled code; each has the bits that it has alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.noise import Noise
from dorosim.world.block import setter_of
from dorosim.world.command import Command
from dorosim.world.ordinary.batch_kernel import DRIVE_FLOATS, DriveInt, WorldPlace, make_ordinary_ticks
from dorosim.world.ordinary.frame import TickFrame
from dorosim.world.ordinary.lights import clocks_of, lit
from dorosim.world.ordinary.link_kernel import MAKE_TICK
from dorosim.world.ordinary.tick import entered, get_ready, snapshot_in
from dorosim.world.ordinary.word import Rare
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Outcome, Snapshot
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear

NO_COMMANDS: Mapping[int, Sequence[Command]] = MappingProxyType({})
Work = Callable[[int, int], None]
"""What is done for the worlds from one to another, the last not included; most of it lets other threads run."""

Make = Callable[[int, IntArray, FloatArray, IntArray, int, int, int], object]
"""Makes ordinary ticks, as `make_ordinary_ticks` does and with its arguments."""

AnyStep = Callable[[Scene, Snapshot, Sequence[Command], Noise], Snapshot]
Run = Callable[[Work, int], object]
"""Calls the work it is given for ranges that make up all worlds, whose number is its second argument, and returns when
all is done."""
_NONE: tuple[Command, ...] = ()
_DONE_COMMAND, _put_outcomes = Outcome(), setter_of(Snapshot, "outcomes")
_GOES, _DRIVES, _LIGHTS = int(WorldPlace.GOES), int(WorldPlace.DRIVES), int(Rare.LIGHTS)
_NOW, _RARE, _DONE = int(WorldPlace.NOW), int(WorldPlace.RARE), int(WorldPlace.DONE)


class OrdinaryBatch:
    """Worlds that go on side by side.

    A step makes all their ordinary ticks in one call, or in one a range on several threads, and the others one by one
    by `dorosim.world.step.step`. Commands that drive a vehicle go into the call as numbers.

    Args:
        step: `dorosim.world.step.step`, which makes the ticks that are not ordinary.
        drives: how many drives a world may have before a tick.

    Attributes:
        places: `(K, N)` `WorldPlace` of each world.
        drive: `(N, D, 6)` numbers by which its vehicles are driven, `drive_ints` `(N, D, 4)` the ints (`DriveInt`).
    """

    def __init__(self, step: AnyStep, drives: int = 1) -> None:
        get_ready()
        self._step = step
        self._scenes: list[Scene] = []
        self._noises: list[Noise] = []
        self._now: list[Snapshot | None] = []
        self._frames: list[TickFrame | None] = []
        self._blocks: list[IntArray] = []
        # how many commands each world was driven by in its last tick
        self._done = np.zeros(0, np.int64)
        self.places = np.zeros((len(WorldPlace), 0), np.int64)
        self.drive: FloatArray = np.zeros((0, drives, DRIVE_FLOATS))
        self.drive_ints: IntArray = np.zeros((0, drives, len(DriveInt)), np.int64)

    def __len__(self) -> int:
        """How many worlds there are."""
        return len(self._now)

    def add(self, scene: Scene, snapshot: Snapshot, noise: Noise) -> int:
        """Take a world in; its number, which are given from 0 on.

        Args:
            scene: what does not change in it.
            snapshot: what it is.
            noise: its randomness.
        """
        self._scenes.append(scene)
        self._noises.append(noise)
        self._now.append(snapshot)
        self._frames.append(None)
        self._blocks.append(np.empty(0, np.int64))
        self._done = np.append(self._done, 0)
        count, most = len(self._now), self.drive.shape[1]
        self.places = np.append(self.places, np.zeros((len(WorldPlace), 1), np.int64), axis=1)
        self.drive = np.zeros((count, most, DRIVE_FLOATS))
        self.drive_ints = np.zeros((count, most, len(DriveInt)), np.int64)
        return count - 1

    def now(self, world: int) -> Snapshot:
        """The present snapshot of a world, by its number."""
        found, frame = self._now[world], self._frames[world]
        if found is None:
            assert frame is not None
            found = self._now[world] = snapshot_in(frame, self._blocks[world].copy())
            if self._done[world]:
                frame.fill(found, found.block, "outcomes")
                _put_outcomes(found, (_DONE_COMMAND,) * int(self._done[world]))
        return found

    def put(self, world: int, snapshot: Snapshot, noise: Noise | None = None, scene: Scene | None = None) -> None:
        """Let a world go on from another snapshot, as after a reset.

        Args:
            world: its number.
            snapshot: of its scene.
            noise: its randomness from now on; None for the same.
            scene: its scene from now on; None for the same.
        """
        self._now[world], self.places[_NOW, world] = snapshot, 0
        if noise is not None:
            self._noises[world] = noise
        if scene is not None:
            self._scenes[world] = scene

    def enter(self, world: int) -> bool:
        """Write a world into its block, if its ticks may be ordinary; whether it is in one."""
        if self.places[_NOW, world]:
            return True
        now = self._now[world]
        assert now is not None
        found = entered(self._scenes[world], now, self._noises[world].seed)
        if found is None:
            return False
        block, frame = found
        if len(self._blocks[world]) != len(block):
            self._blocks[world] = np.empty(len(block), np.int64)
        self._blocks[world][:] = block
        if frame is not self._frames[world]:
            self.places[WorldPlace.LENGTH, world] = len(block)
            self._take(world, frame)
        self.places[_NOW, world] = self._blocks[world].ctypes.data
        return True

    def _take(self, world: int, frame: TickFrame) -> None:
        """Let the ticks of a world take as given what a frame has."""
        links, words, places = frame.links.ints, frame.words, self.places
        self._frames[world] = frame
        places[WorldPlace.GIVEN, world], places[WorldPlace.GIVEN_LENGTH, world] = words.ctypes.data, len(words)
        places[WorldPlace.LINKS, world], places[WorldPlace.LINK_COUNT, world] = links.ctypes.data, links.shape[1]

    def give_drives(self, world: int, commands: Sequence[Command]) -> bool:
        """Write the commands of a world as drives; False if they are more than that, or too many."""
        if len(commands) > self.drive.shape[1]:
            return False
        for number, one in enumerate(commands):
            if type(one) is not DriveVehicle or one.mode not in (ControlMode.KEEP, ControlMode.AUTO):
                return False
            gear = -1 if one.gear is None else int(one.gear)
            self.drive_ints[world, number] = one.actor, int(one.kind), one.mode is ControlMode.AUTO, gear
            asked = (one.accelerator, one.brake, one.velocity, one.acceleration, one.steer, one.rear_steer)
            self.drive[world, number] = asked
        self.places[_DRIVES, world] = len(commands)
        return True

    def drives_of(self, world: int) -> tuple[DriveVehicle, ...]:
        """The drives of a world as the commands that they stand for."""
        found = []
        count = int(self.places[_DRIVES, world])
        asked, ints = self.drive[world, :count].tolist(), self.drive_ints[world, :count].tolist()
        for numbers, (actor, kind, auto, gear) in zip(asked, ints, strict=True):
            mode = ControlMode.AUTO if auto else ControlMode.KEEP
            found.append(DriveVehicle(actor, ControlKind(kind), mode, None if gear < 0 else Gear(gear), *numbers))
        return tuple(found)

    def step(self, commands: Mapping[int, Sequence[Command]] = NO_COMMANDS, run: Run | None = None) -> None:
        """Make a tick of all worlds.

        Args:
            commands: by the number of the world, in the order in which they apply.
            run: where ranges of worlds are stepped; None for all in one call on this thread.

        Raises:
            Exception: what the step of a world raises; the others have gone on, and that one has not.
        """
        self.places[_GOES], self.places[_DRIVES] = 1, 0
        for world, given in commands.items():
            if given and not self.give_drives(world, given):
                self.places[_GOES, world] = 0
        self.go(range(len(self)), run=run)
        self.finish(range(len(self)), lambda world: commands.get(world, _NONE))

    def go(
        self,
        worlds: Sequence[int] | IntArray,
        *,
        ticks: int = 1,
        run: Run | None = None,
        make: Make | None = None,
        then: Work | None = None,
    ) -> None:
        """Make ticks of the worlds that `WorldPlace.GOES` names, as far as these are ordinary; `finish` makes the rest.

        Args:
            worlds: their numbers, at least.
            ticks: how many.
            run: as of `step`.
            make: called in place of `make_ordinary_ticks`, for what is done to each world right after its ticks.
            then: what that does, for worlds whose ticks were made after all.
        """
        given = np.asarray(worlds, np.int64)
        for world in given[(self.places[_NOW, given] == 0) & (self.places[_GOES, given] != 0)].tolist():
            self.enter(world)
        tick, places, drive, drive_ints = MAKE_TICK.address(), self.places, self.drive, self.drive_ints

        def work(begin: int, end: int) -> None:
            (make or make_ordinary_ticks)(tick, places, drive, drive_ints, ticks, begin, end)
            for world in (np.flatnonzero(places[_RARE, begin:end] == _LIGHTS) + begin).tolist():
                self._change_lights(world, ticks)
                if then is not None:
                    then(world, world + 1)

        places[_DONE] = places[_RARE] = 0
        work(0, len(self)) if run is None else run(work, len(self))
        made = places[_DONE] > 0
        self._done[made] = places[_DRIVES, made] if ticks == 1 else 0
        for world in np.flatnonzero(made).tolist():
            self._now[world] = None

    def _change_lights(self, world: int, ticks: int) -> None:
        """Make the further ticks of a world up to some number, in the first of which lamps change."""
        places, tick = self.places, MAKE_TICK.address()
        drives, done = int(places[_DRIVES, world]), int(places[_DONE, world])
        while places[_RARE, world] == _LIGHTS:
            before, block = self._frames[world], self._blocks[world]
            assert before is not None
            clocks, (frame, due) = clocks_of(before), lit(before, block)
            kept = block[clocks].copy()
            block[clocks] = due
            self._take(world, frame)
            places[_DRIVES, world] = 0 if done else drives
            make_ordinary_ticks(tick, places, self.drive, self.drive_ints, ticks - done, world, world + 1)
            if not places[_DONE, world]:
                # something else is rare in that tick, too
                block[clocks] = kept
                self._take(world, before)
                places[_RARE, world] &= ~_LIGHTS
            done += int(places[_DONE, world])
            places[_DONE, world] = done
        places[_DRIVES, world] = drives

    def finish(
        self, worlds: Sequence[int], commands: Callable[[int], Sequence[Command]], *, ticks: int = 1
    ) -> list[int]:
        """Make those ticks of some worlds that `go` has not, one by one.

        Args:
            worlds: their numbers.
            commands: those of a world before its first tick.
            ticks: how many it is to have made with those of `go`.

        Returns:
            the worlds that have had such ticks.

        Raises:
            Exception: what the step of a world raises; the others have gone on, and that one has not.
        """
        # a list once, since numpy's way to one number is long
        done, errors = self.places[_DONE].tolist(), []
        apart = [world for world in worlds if done[world] < ticks]
        for world in apart:
            now = self.now(world)
            try:
                for number in range(done[world], ticks):
                    given = commands(world) if number == 0 else _NONE
                    now = self._step(self._scenes[world], now, given, self._noises[world])
            except Exception as error:
                errors.append(error)
                continue
            self.put(world, now)
        if errors:
            raise errors[0]
        return apart
