"""`dorosim run --json`: the events of a run for other programs, one a line on standard output.

    {"event": "ready", "run": 1, ..., "interfaces": {...}}   every interface can be reached; again for each further run
    {"event": "end", ...}                                    the program is over; what it did

`ready` holds `dorosim.app.run.report.banner.RunFacts`, `end` holds `dorosim.app.run.report.run_summary.Summary`.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import msgspec

from dorosim.app.run.report.json_output import print_json
from dorosim.app.run.report.run_summary import Summary
from dorosim.ground.error import DorosimError

if TYPE_CHECKING:
    from dorosim.app.run.switch import CurrentRun
    from dorosim.endpoint.loop.loop import Observer
    from dorosim.world.command.catalogue import Command
    from dorosim.world.snapshot import Snapshot


@runtime_checkable
class Reachable(Protocol):
    """A service that has addresses."""

    @property
    def addresses(self) -> Mapping[str, str] | None:
        """Where it can be reached, by the interface's name; None while that is not known yet."""


class RunReport:
    """Writes an event when a run is ready (`dorosim.app.serve.run_services.RunService`).

    Args:
        services: of the program.
        write: takes an event; prints it if it is not given.

    Attributes:
        lines, notices, problem: nothing, as of a service.
    """

    lines: Collection[str] = ()
    notices: Collection[str] = ()
    problem: DorosimError | None = None

    def __init__(self, services: Iterable[object], write: Callable[[Any], None] = print_json) -> None:
        self._services, self._write = services, write
        self._waiting: dict[str, Any] | None = None

    @property
    def counts(self) -> Counter[str]:
        """Nothing is counted here."""
        return Counter()

    @property
    def observers(self) -> Collection[Observer]:
        """One that writes the event as soon as all interfaces can be reached."""
        return (self._observe,)

    def serve(self, current: CurrentRun) -> None:
        """A run is about to begin."""
        services = [one for one in self._services if one is not self]
        lines = [line for one in services for line in getattr(one, "lines", ())]
        notices = [line for one in services for line in getattr(one, "notices", ())]
        from dorosim.app.run.report.banner import run_facts_of

        facts = msgspec.to_builtins(run_facts_of(current.session, lines, notices))
        self._waiting = {"event": "ready", "run": current.number, **facts}

    def close(self) -> None:
        """Write the event of a run that ended before all its interfaces could be reached."""
        self._write_ready(self._reached()[0])

    def end(self, summary: Summary) -> None:
        """The program is over."""
        self._put({"event": "end", **msgspec.to_builtins(summary)})

    def _observe(self, _: Snapshot, __: Sequence[Command]) -> None:
        if self._waiting is None:
            return
        found, complete = self._reached()
        if complete:
            self._write_ready(found)

    def _reached(self) -> tuple[dict[str, str], bool]:
        """The addresses that are known, and whether these are all."""
        services = [one.addresses for one in self._services if isinstance(one, Reachable)]
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
            self._write = _discard
            # Python writes the rest of the buffer at the end; it goes to the null device
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _discard(_: Any) -> None:
    """Takes events after their reader has gone, and drops them."""
