"""A progress bar for recordings that are run again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.console import Console

from dorosim.world.snapshot import Snapshot

Watch = Callable[[Iterator[Snapshot], int], Iterator[Snapshot]]


def watched(console: Console, label: str, start: float, end: float | None) -> Watch:
    """What hands snapshots on and shows how far they are, on a terminal.

    Args:
        console: to show it on.
        label: what is being done.
        start: simulated time at the start of the recording [s].
        end: and at the end of what is looked at, None: of the recording.
    """

    def watch(snapshots: Iterator[Snapshot], count: int) -> Iterator[Snapshot]:
        if not console.is_terminal or console.quiet:
            yield from snapshots
            return
        from rich.progress import Progress

        with Progress(console=console, transient=True) as bar:
            task = bar.add_task(label, total=count if end is None else max(end - start, 1e-3))
            for number, now in enumerate(snapshots):
                yield now
                bar.update(task, completed=number if end is None else now.time * 1e-9 - start)

    return watch
