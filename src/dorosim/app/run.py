"""Starts a run, shows what it listens to and sends, and sums it up at the end."""

from __future__ import annotations

import select
import sys
from collections.abc import Collection
from typing import TextIO

from rich.console import Console

from dorosim.app.folder import data_folder
from dorosim.app.override import checked_speed
from dorosim.app.settings import Settings
from dorosim.app.show import print_summary
from dorosim.endpoint.clock import Clock, FreeClock, PacedClock
from dorosim.endpoint.journal import Journal
from dorosim.ground.error import InputError


def clock_of(speed: str | float) -> Clock:
    """The clock of a `speed` setting.

    Raises:
        InputError: it is none.
    """
    if speed == "max":
        return FreeClock()
    if speed == "realtime":
        return PacedClock()
    if isinstance(speed, str):
        raise InputError("settings", "speed", f"{speed!r} is no speed", "use realtime, max or a factor such as 2.5")
    return PacedClock(checked_speed(float(speed)))


def run_simulator(settings: Settings, given: Collection[str] = (), *, quiet: bool = False) -> None:
    """Run until Ctrl-C, SIGTERM or the duration's end.

    Args:
        settings: all of them.
        given: keys of those that a user gave; the others have their defaults.
        quiet: say nothing before the end.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    console = Console(stderr=True, highlight=False)
    clock = clock_of(settings.speed)
    data = data_folder(settings.data)
    journal = Journal(_tell)
    # the modules that are imported below load numba and the kernels, which the other subcommands can do without
    from dorosim.app.warm import prepare_kernels

    with prepare_kernels(console) as prepared:
        from dorosim.app.session import open_session

        session = open_session(settings, given, data, journal, clock)
        prepared(session.start.ready, session.publisher, session.opening.commands)
    outcome, output = session.play(console, quiet=quiet)
    print_summary(Console(highlight=False), outcome)
    output.check()


def _tell(line: str) -> None:
    """Write a line, unless nobody takes it: a reader that has gone, or does not read, must not stop the run.

    It goes past rich, which answers a broken pipe by ending the program.
    """
    try:
        if _takes_more(sys.stderr):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
    except (OSError, ValueError):
        return


def _takes_more(file: TextIO) -> bool:
    """Whether a line can be written without waiting. Where a system cannot tell, it can."""
    if not hasattr(select, "poll"):
        return True
    return bool(select.select([], [file], [], 0.0)[1])
