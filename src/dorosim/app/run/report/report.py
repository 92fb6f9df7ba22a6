"""`dorosim run --json`: the events of a run for other programs, one a line on standard output.

    {"event": "ready", "run": 1, ..., "interfaces": {...}}   every interface can be reached; again for each further run
    {"event": "end", ...}                                    the program is over; what it did

`ready` holds `dorosim.app.run.report.run_facts.RunFacts`, `end` what `dorosim.app.run.report.run_summary.summary_of`
returns.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from dorosim.app.run.report.json_output import Facts, print_json
from dorosim.app.serve.run_service import RunService

if TYPE_CHECKING:
    from dorosim.app.run.switch import CurrentRun
    from dorosim.endpoint.loop.loop import Observer
    from dorosim.world.command import Command
    from dorosim.world.snapshot import Snapshot


class RunReport(RunService):
    """Writes an event when a run is ready.

    Args:
        services: of the program.
        write: takes an event; prints it if it is not given.
    """

    def __init__(self, services: Iterable[RunService], write: Callable[[Any], None] = print_json) -> None:
        self._services, self._write = services, write
        self._waiting: dict[str, Any] | None = None

    @property
    def observers(self) -> Collection[Observer]:
        """One that writes the event as soon as all interfaces can be reached."""
        from dorosim.endpoint.loop.at_once import SeldomObserver

        return (SeldomObserver(self._observe, lambda: self._waiting is None),)

    def serve(self, current: CurrentRun) -> None:
        """A run is about to begin."""
        lines = [line for one in self._services for line in one.lines]
        notices = [line for one in self._services for line in one.notices]
        from dorosim.app.run.report.run_facts import run_facts_of

        facts = msgspec.to_builtins(run_facts_of(current.session, lines, notices))
        self._waiting = {"event": "ready", "run": current.number, **facts}

    def close(self) -> None:
        """Write the event of a run that ended before all its interfaces could be reached."""
        self._write_ready(self._reached()[0])

    def end(self, summary: Facts) -> None:
        """The program is over."""
        self._put({"event": "end", **summary})

    def _observe(self, _: Snapshot, __: Sequence[Command]) -> None:
        if self._waiting is None:
            return
        found, complete = self._reached()
        if complete:
            self._write_ready(found)

    def _reached(self) -> tuple[dict[str, str], bool]:
        """The addresses that are known, and whether these are all."""
        services = [one.addresses for one in self._services]
        found = {name: address for one in services if one is not None for name, address in one.items()}
        return found, None not in services

    def _write_ready(self, interfaces: Mapping[str, str]) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._put({**waiting, "interfaces": dict(interfaces)})

    def _put(self, event: Mapping[str, Any]) -> None:
        """Write an event. Where its reader has gone, this and all later events are dropped, and the run goes on."""
        try:
            self._write(event)
        except OSError:
            self._write = lambda _: None
            # Python writes the rest of the buffer at the end; it goes to the null device
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
