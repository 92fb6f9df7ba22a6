"""One world of a batch: what it is now, where it began, and its recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import asdict

from dorosim.batch.start import WorldStart
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.recording.format import MAGIC, Header, encode_record
from dorosim.recording.snapshot import snapshot_to_bytes
from dorosim.recording.sparse_writer import SparseWriter
from dorosim.world.command import Command
from dorosim.world.ordinary.batch import OrdinaryBatch
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step

WRITE_PERIOD = 30_000_000_000
"""Each time that so much simulated time has passed [ns], what was recorded before is in the file."""
DIGESTS = 2
"""Of so many times one has a digest, and the last tick of a recording has."""


@dataclass(frozen=True, slots=True, eq=False)
class WorldMoment:
    """A world at a tick, to go back to or to go on from in another world; it stays as it is.

    Attributes:
        start: where its world began.
        now: all that it was.
    """

    start: WorldStart
    now: Snapshot


class BatchWorld:
    """One world; `WorldBatch` steps many.

    Args:
        start: where it begins; its opening commands are done, in a tick of no duration.

    Attributes:
        start: where it began. noise: its randomness.
    """

    _now: Snapshot
    _batch: OrdinaryBatch | None = None
    _number: int = 0

    def __init__(self, start: WorldStart) -> None:
        self._recording: SparseWriter | None = None
        self.begin(start)

    @classmethod
    def at(cls, moment: WorldMoment) -> BatchWorld:
        """A world that is what another one was at a moment."""
        world = cls.__new__(cls)
        world._recording = None
        world.restore(moment)
        return world

    @property
    def now(self) -> Snapshot:
        """All that it is."""
        return self._now if self._batch is None else self._batch.now(self._number)

    @now.setter
    def now(self, snapshot: Snapshot) -> None:
        if self._batch is None:
            self._now = snapshot
        else:
            self._batch.put(self._number, snapshot, self.noise, self.start.scene)

    def join(self, batch: OrdinaryBatch) -> int:
        """Become one of the worlds that a batch steps; its number there. One that is in another leaves that."""
        if self._batch is not batch:
            self._number, self._batch = batch.add(self.start.scene, self.now, self.noise), batch
        return self._number

    def note(self, commands: Sequence[Command]) -> None:
        """Write a tick that a batch has made into the recording that goes on."""
        recording = self._recording
        if recording is not None:
            recording.add(tuple(commands))
            if recording.is_due():
                recording.tell(lambda: self.now)

    def note_place(self) -> int:
        """Address of what compiled code needs to go on with the recording (`NotePlace`); 0 if the world has none."""
        return 0 if self._recording is None else self._recording.settle()

    def begin(self, start: WorldStart) -> None:
        """Begin anew, there or elsewhere; a recording ends with what was before."""
        self.end_recording()
        self.start, self.noise = start, Noise(start.seed)
        self.now = step(start.scene, start.first, start.opening, self.noise, paused=True)

    def step(self, commands: Sequence[Command] = ()) -> Snapshot:
        """Go on by a tick; refused commands are in the outcomes of the snapshot.

        Args:
            commands: of the tick, in the order in which they apply.
        """
        self.now = now = step(self.start.scene, self.now, commands, self.noise)
        recording = self._recording
        if recording is not None:
            recording.add(tuple(commands))
            if now.tick >= recording.due:
                recording.tell(lambda: now)
        return now

    def moment(self) -> WorldMoment:
        """The world as it is; this costs nothing, since nothing changes it."""
        return WorldMoment(self.start, self.now)

    def restore(self, moment: WorldMoment) -> None:
        """Go back to a moment of this world, or become what another one was; a recording ends with what was before."""
        self.end_recording()
        self.start, self.noise = moment.start, Noise(moment.start.seed)
        self.now = moment.now

    @property
    def is_recorded(self) -> bool:
        """Whether a recording goes on."""
        return self._recording is not None

    def record(self, file: str | Path) -> None:
        """Record what follows to a file that `dorosim replay`, `plot` and `video` take, until `end_recording`.

        A world that is at its beginning is recorded from there, any other one from what it is now.

        Raises:
            InputError: the file cannot be written, or a recording goes on.
        """
        if self._recording is not None:
            raise InputError("recording", str(file), "the world is being recorded already", "end that recording first")
        start, now = self.start, self.now
        if now.tick == start.first.tick + 1 and now.time == start.first.time:
            begin: Sequence[bytes] = start.recorded(now)
        else:
            header = Header(**asdict(start.header), start=snapshot_to_bytes(start.header, now))
            begin = (MAGIC + encode_record(header),)
        writes = max(WRITE_PERIOD // start.scene.tick, 1)
        self._recording = SparseWriter(Path(file), begin, now, writes, writes * DIGESTS)
        self.now = now  # a batch that has it in a block looks at it anew

    def end_recording(self) -> None:
        """Finish the file of the recording that goes on, if there is one.

        Raises:
            InputError: the disk became full, and the file lacks its end.
        """
        writer, self._recording = self._recording, None
        if writer is None:
            return
        self.now = self.now
        writer.close(self.now)
        if writer.problem:
            raise InputError("recording", "", writer.problem, "free some space on the disk")
