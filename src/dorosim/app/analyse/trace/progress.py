"""A progress bar for recordings that are run again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dorosim.app.analyse.trace.recorded import Recorded
from dorosim.app.run.report.progress import counted
from dorosim.world.snapshot import Snapshot

Watch = Callable[[Iterator[Snapshot], int], Iterator[Snapshot]]


def watched(recorded: Recorded, label: str, end: float | None, *, quiet: bool) -> Watch:
    """What hands snapshots on and shows how far they are, on a terminal.

    Args:
        recorded: what is run again.
        label: what is being done.
        end: simulated time up to which it is looked at [s], None: to the end of the recording.
        quiet: show nothing.
    """

    def watch(snapshots: Iterator[Snapshot], count: int) -> Iterator[Snapshot]:
        ticks = count
        if end is not None:
            ticks = min(count, round((end - recorded.start) * 1e9 / recorded.ready.scene.tick))
        return snapshots if quiet else counted(snapshots, lambda: ticks, label, "ticks")

    return watch
