"""A recording as the script of a run: its commands at its ticks, each tick compared with what was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dorosim.app.run.build import Build
from dorosim.bridge.drive import leave_keyboards
from dorosim.bridge.host import RecordStatus
from dorosim.endpoint.loop.cue import Cue
from dorosim.ground.noise import Noise
from dorosim.recording.duration import elapsed_ticks
from dorosim.recording.format import DIGEST_SIZE, Tick
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step


@dataclass(frozen=True, slots=True)
class ReplayPart:
    """Ticks that are replayed one after another.

    Attributes:
        start: the snapshot before the first. first: the snapshot to which a reset inside leads.
        ticks: in order. frame: of the recording before the first.
        epoch: of stamps at the first [ns since 1970]; None: as it is.
        commands: more of the first one; where there are some, nothing is compared.
    """

    start: Snapshot
    first: Snapshot
    ticks: tuple[Tick, ...]
    frame: int = 0
    commands: tuple[Command, ...] = ()
    epoch: int | None = None


def parts_of(
    ready: Build,
    ticks: Sequence[Tick],
    noise: Noise,
    spans: Sequence[tuple[int, int]] = (),
    takes: Sequence[tuple[Command, ...]] = ((),),
    epoch: int | None = None,
) -> tuple[ReplayPart, ...]:
    """What is to be replayed: every span in every take.

    The ticks before a span are stepped through here, as fast as that goes.

    Args:
        ready: the start of the recording.
        ticks: of the recording.
        noise: of its run.
        spans: first and last frame of each; none: all.
        takes: commands at the start of each span, one replay for each.
        epoch: of stamps at its start [ns since 1970]; None: whatever it is then.
    """
    first = ready.first
    wanted = list(spans) or [(0, len(ticks))]
    starts = {0: first}
    now = first
    epochs = {0: epoch}
    furthest = max(begin for begin, _ in wanted)
    begins = {begin for begin, _ in wanted}
    for number, tick in enumerate(ticks[:furthest], start=1):
        now = step(ready.scene, _before(now, first, tick), tick.commands, noise, paused=tick.held)
        epoch = epoch if tick.epoch is None else tick.epoch
        if number in begins:
            starts[number], epochs[number] = now, epoch
    return tuple(
        ReplayPart(starts[begin], first, tuple(ticks[begin:end]), begin, take, epochs[begin])
        for take in takes
        for begin, end in wanted
    )


def frame_times(ready: Build, ticks: Sequence[Tick]) -> tuple[float, ...]:
    """Simulated time of each frame of a recording since its beginning [s], `(ticks + 1,)`.

    Args:
        ready: the start of the recording.
        ticks: of the recording.
    """
    counts = elapsed_ticks(ticks, paused=ready.first.paused)
    return (0.0, *(count * ready.scene.tick * 1e-9 for count in counts))


def _before(now: Snapshot, first: Snapshot, tick: Tick) -> Snapshot:
    """The snapshot before a tick: the first one where the run was reset."""
    return first if tick.tick == first.tick + 1 else now


class ReplayScript:
    """The script of a run that replays a recording (`dorosim.endpoint.loop.loop.Script`).

    Args:
        name: of the recording.
        parts: what is replayed, in order; at least one.
        times: simulated time of each frame of the recording since its beginning [s], of `frame_times`.

    Attributes:
        parts: the same.
    """

    def __init__(self, name: str, parts: Sequence[ReplayPart], times: Sequence[float]) -> None:
        self.parts = tuple(parts)
        self._name = name
        self._end = sum(len(part.ticks) for part in self.parts)
        self._done = self._left = False
        self._count = 0
        self._times = times
        self._frame = self._next_frame = parts[0].frame
        self._problem = ""
        self._last: Snapshot | None = None
        self._digest: bytes | None = None
        self._cues = self._all()

    @property
    def status(self) -> RecordStatus:
        """How far it is."""
        times = self._times
        return RecordStatus(
            active=not self._done,
            name=self._name,
            ticks=self._frame,
            end=len(times) - 1,
            problem=self._problem,
            time=times[self._frame],
            length=times[-1],
        )

    def stop(self, problem: str) -> None:
        """End early."""
        if not self._done:
            self._done, self._problem = True, self._problem or problem

    def __call__(self, now: Snapshot) -> Cue | None:
        """What the next tick holds, None after the end."""
        if self._count and not self._done and now is not self._last:
            self.stop("the run began anew")
        if self._done:
            return self._farewell(now)
        cue, self._digest, self._next_frame = next(self._cues)
        return cue

    def _farewell(self, now: Snapshot) -> Cue | None:
        """A cue after the end, and after each reset since: ends driving by keys, since that client is not there now."""
        fresh, self._left, self._last = not self._left or now is not self._last, True, now
        commands = leave_keyboards(now) if fresh else ()
        return Cue(commands) if commands else None

    def compare(self, now: Snapshot) -> None:
        """Hold a tick against what was recorded. Called after each tick of the run."""
        self._last = now
        digest, self._digest = self._digest, None
        if digest is None:
            return
        self._count += 1
        self._frame = self._next_frame
        if digest and not self._problem and now.digest()[:DIGEST_SIZE] != digest:
            self._problem = f"differs from the recording from its tick {now.tick:,} on"
        self._done = self._count == self._end

    def _all(self) -> Iterator[tuple[Cue, bytes, int]]:
        for number, part in enumerate(self.parts):
            for place, tick in enumerate(part.ticks):
                start = part.start if place == 0 and number else None
                if place and tick.tick == part.first.tick + 1:
                    start = part.first
                commands = (*part.commands, *tick.commands) if place == 0 else tick.commands
                digest = b"" if part.commands else tick.digest
                epoch = part.epoch if place == 0 and tick.epoch is None else tick.epoch
                yield Cue(commands, tick.held, start, epoch=epoch), digest, part.frame + place + 1
