"""Runs a recording ahead of its viewers: what happens when, and snapshots to jump to."""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections.abc import Sequence

from dorosim.app.analyse.trace.recorded import Recorded
from dorosim.app.serve.shown_run import told_elements
from dorosim.bridge.view.event import PageEvent
from dorosim.endpoint.view.watch import RunWatch
from dorosim.ground.error import DorosimError
from dorosim.ground.noise import Noise
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step

MAX_KEPT = 400
"""Most snapshots that are kept to jump to; one of a busy town takes some hundred kilobytes."""
MIN_SPACING = 100
"""Ticks from one of them to the next, at least."""
MAX_LISTED = 5_000
"""Most events that are listed."""
SEEK_TIMEOUT_S = 50.0
"""Wall time for which a jump to a moment that is not known yet waits [s]; the page waits a little longer for it."""
END = "end of the recording"


class _EventList(RunWatch):
    """All refusals, contacts and so on of a recording, not only the last ones."""

    def __init__(self, elements: Sequence[str]) -> None:
        super().__init__(elements)
        self.events: list[PageEvent] = []

    def _note(self, kind: str, time: int, text: str) -> None:
        if len(self.events) >= MAX_LISTED:
            return
        event = PageEvent(time * 1e-9, kind + text)
        # a client that is refused tick by tick says one thing
        if not self.events or self.events[-1].text != event.text:
            self.events.append(event)


class RecordingIndex:
    """What is known of a recording. A thread of its own finds it out; the rest is safe from any thread.

    Args:
        recorded: the recording.

    Attributes:
        problem: why the recording cannot be run again beyond `known`, "" while it can.
    """

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded
        first = recorded.ready.first
        self._times = [first.time]
        spacing = -(-len(recorded.ticks) // MAX_KEPT)
        self._spacing = max(MIN_SPACING, spacing)
        self._kept: list[Snapshot] = [first]
        self._watch = _EventList(told_elements(recorded.ready.scene))
        self._changed = threading.Condition()
        self._waited_for = 0
        self._stopping = self._done = False
        self.problem = ""
        self._thread = threading.Thread(target=self._read_on, name="dorosim-recording", daemon=True)

    def start(self) -> None:
        """Begin to run the recording ahead."""
        self._thread.start()

    def close(self) -> None:
        """End early."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    @property
    def known(self) -> int:
        """Ticks that are known, from the first on."""
        return len(self._times) - 1

    @property
    def is_done(self) -> bool:
        """Whether all of the recording is known, or as much of it as there will be."""
        return self._done

    @property
    def end(self) -> int:
        """Simulated time of the end [ns]: as if time never stood, as long as the end is not known."""
        if self._done:
            return self._times[-1]
        left = sum(not tick.held for tick in self._recorded.ticks[self.known :])
        return self._times[self.known] + left * self._recorded.ready.scene.tick

    def time_of(self, frame: int) -> int:
        """Simulated time after so many ticks, which are known [ns]."""
        return self._times[frame]

    def events(self, first: int = 0) -> tuple[PageEvent, ...]:
        """What happened so far as it is known, in order, from the event of this number on."""
        return tuple(self._watch.events[first:])

    def snapshot_before(self, frame: int) -> tuple[int, Snapshot]:
        """The last snapshot that is kept at or before a number of ticks, and how many ticks it is after the first."""
        number = min(frame // self._spacing, len(self._kept) - 1)
        return number * self._spacing, self._kept[number]

    def frame_at(self, time_ns: int) -> int:
        """How many ticks there are up to a simulated time [ns]; waits until that is known.

        Raises:
            DorosimError: it is not known in time.
        """
        deadline = time.monotonic() + SEEK_TIMEOUT_S
        with self._changed:
            self._waited_for += 1
            try:
                while not self._done and self._times[-1] < time_ns:
                    if self._stopping or time.monotonic() >= deadline:
                        known = f"it is known up to {self._times[-1] * 1e-9:.1f} s"
                        raise DorosimError(f"the recording is still being read, {known}; ask again")
                    self._changed.wait(0.2)
            finally:
                self._waited_for -= 1
        return max(bisect_right(self._times, time_ns) - 1, 0)

    def _read_on(self) -> None:
        recorded, noise = self._recorded, Noise(self._recorded.header.seed)
        now = recorded.ready.first
        for count, tick in enumerate(recorded.ticks, start=1):
            begin = time.monotonic()
            now = step(recorded.ready.scene, now, tick.commands, noise, paused=tick.held)
            if not tick.is_of(now):
                self.problem = f"differs from the recording from tick {tick.tick:,} on"
                break
            self._watch.see(now, tick.commands)
            with self._changed:
                if self._stopping:
                    return
                if count % self._spacing == 0:
                    self._kept.append(now)
                self._times.append(now.time)
                self._changed.notify_all()
                if not self._waited_for:
                    # who looks at the recording goes before; who waits for this does not
                    self._changed.wait_for(lambda: self._stopping or self._waited_for > 0, time.monotonic() - begin)
        self._watch.events.append(PageEvent(now.time * 1e-9, self.problem or END))
        with self._changed:
            self._done = True
            self._changed.notify_all()
