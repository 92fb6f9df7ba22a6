"""Starts a run, shows what it listens to and sends, and sums it up at the end."""

from __future__ import annotations

import gc
import select
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from rich.console import Console

from dorosim.app.folder import data_folder
from dorosim.app.override import checked_speed
from dorosim.app.settings import Settings
from dorosim.app.show import Outcome, print_summary
from dorosim.endpoint.clock import PacedClock
from dorosim.endpoint.journal import Journal
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from types import FrameType

    from dorosim.app.hosting import Hosting
    from dorosim.app.output import Output
    from dorosim.app.session import Equipment, Session


def clock_of(speed: str | float) -> PacedClock:
    """The clock of a `speed` setting.

    Raises:
        InputError: it is none.
    """
    if speed == "max":
        return PacedClock(None)
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
    from dorosim.app.warm import prepare_kernels, uncollected

    with uncollected():
        with prepare_kernels(console) as kernels:
            from dorosim.app.grpc_service import GrpcService
            from dorosim.app.hosting import Hosting
            from dorosim.app.ros_service import RosService
            from dorosim.app.session import Surroundings, open_session
            from dorosim.app.view_service import ViewService

            around = Surroundings(given=frozenset(given), data=data, journal=journal, clock=clock)
            hosting = Hosting(settings, around, kernels.wait)
            hosting.services.append(ViewService(settings, around, hosting))
            hosting.services.append(GrpcService(settings, around, hosting))
            hosting.services.append(RosService(settings, around, hosting))
            session = open_session(settings, around)
            kernels.prepare(session.start.ready, session.publisher, session.opening.commands)
        outcome, outputs = _play_all(session, hosting, console, quiet=quiet)
    print_summary(Console(highlight=False), outcome, journal.counts, clock.resyncs, hosting.counts)
    if hosting.problem is not None:
        raise hosting.problem
    for output in outputs:
        output.check()


def _play_all(session: Session, hosting: Hosting, console: Console, *, quiet: bool) -> tuple[Outcome, list[Output]]:
    """Play a run, and those that clients begin after it; what all of them did, and their files."""
    whole, outputs = Outcome(), []
    duration = session.start.settings.duration
    try:
        equipment = _equipped(session, console)
        if not quiet:
            session.show(console, hosting)
        gc.freeze()  # what is loaded by now stays: the collector need not look through it between ticks
        gc.enable()
        waiting: tuple[Session, Equipment] | None = (session, equipment)
        with _stopped_by_signals(hosting.switch.stop):
            while waiting is not None:
                left = None if duration is None else max(duration - whole.simulated, 0.0)
                outcome, output = waiting[0].play(waiting[1], left, hosting)
                whole.add(outcome)
                outputs.append(output)
                waiting = hosting.switch.take_next()
    except Exception as error:
        hosting.switch.fail(error)
        raise
    finally:
        hosting.close()
    return whole, outputs


def _equipped(session: Session, console: Console) -> Equipment:
    """What the first run opens besides its sockets, which are closed where that cannot be."""
    try:
        return session.equip(console)
    except Exception:
        session.endpoint.close()
        raise


@contextmanager
def _stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the program cleanly; a second Ctrl-C ends it at once."""

    def ask(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        stop()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
