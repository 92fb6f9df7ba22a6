"""Starts a run, shows what it listens to and sends, and sums it up at the end."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from dorosim.app.run.report.console import LastingConsole
from dorosim.app.run.report.log_output import Teller
from dorosim.app.run.report.run_summary import RunOutcome, print_summary, summary_of
from dorosim.app.run.stop_signal import StopSignals
from dorosim.app.setting.override import checked_speed
from dorosim.app.setting.settings import Settings
from dorosim.app.store.folder import data_folder
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from dorosim.app.run.output import Output
    from dorosim.app.run.report.report import RunReport
    from dorosim.app.run.session import Equipment, RunSession, RunSurroundings
    from dorosim.app.serve.run_services import Hosting


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


class Telling(NamedTuple):
    """What a run prints about itself.

    Attributes:
        quiet: errors and the summary only.
        json: events for other programs on standard output (`dorosim.app.run.report.report`) in place of banner and
            summary.
        verbose: prints where each sensor sends, too.
    """

    quiet: bool = False
    json: bool = False
    verbose: bool = False


def run_simulator(
    settings: Settings,
    signals: StopSignals,
    given: Collection[str] = (),
    notes: Collection[str] = (),
    telling: Telling | None = None,
) -> None:
    """Run until Ctrl-C, SIGTERM or the duration's end.

    Args:
        settings: all of them.
        signals: which end it; they are taken already.
        given: keys of those that a user gave; the others have their defaults.
        notes: where they come from, for the banner.
        telling: what the run prints; a banner at the start and a summary at the end if it is not given.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    telling = telling or Telling()
    console = LastingConsole(stderr=True, highlight=False)
    if not telling.quiet:
        for line in notes:
            console.print(line, markup=False, soft_wrap=True)
    clock = clock_of(settings.speed)
    data = data_folder(settings.data)
    teller = Teller()
    journal = Journal(teller)
    # the modules that are imported below load numba and the kernels, which the other subcommands can do without
    from dorosim.app.run.kernel_warmup import prepare_kernels, uncollected

    with uncollected():
        with prepare_kernels(console) as kernels:
            from dorosim.app.run.session import RunSurroundings, open_session
            from dorosim.app.serve.run_services import Hosting

            around = RunSurroundings(given=frozenset(given), data=data, journal=journal, clock=clock)
            hosting = Hosting(settings, around, kernels.wait)
            _add_interfaces(hosting, settings, around)
            report = _add_report(hosting) if telling.json else None
            if report is None and console.is_terminal and settings.table and not telling.quiet:
                _show_table(hosting, console, teller, around)
            session = open_session(settings, around)
            kernels.prepare(session.start.ready, session.publisher, session.opening.commands)
        outcome, outputs = _play_all(session, hosting, console, signals, telling)
    summary = summary_of(outcome, journal.counts, clock.resyncs, hosting.counts)
    if report is not None:
        report.end(summary)
    else:
        print_summary(LastingConsole(highlight=False), summary)
    if hosting.problem is not None:
        raise hosting.problem
    for output in outputs:
        output.check()


def _add_interfaces(hosting: Hosting, settings: Settings, around: RunSurroundings) -> None:
    """Add the interfaces other than UDP to the services of the program."""
    from dorosim.app.serve.grpc_service import GrpcService
    from dorosim.app.serve.ros.service import RosService
    from dorosim.app.serve.view_service import ViewService

    hosting.services.append(ViewService(settings, around, hosting))
    hosting.services.append(GrpcService(settings, around, hosting))
    hosting.services.append(RosService(settings, around, hosting))


def _add_report(hosting: Hosting) -> RunReport:
    """Add the report of events. It reads the addresses of the interfaces, so it comes after them."""
    from dorosim.app.run.report.report import RunReport

    report = RunReport(hosting.services)
    hosting.services.append(report)
    return report


def _show_table(hosting: Hosting, console: Console, teller: Teller, around: RunSurroundings) -> None:
    """Show a table of rates while the program runs. It is the first to be closed."""
    from dorosim.app.run.report.table import RunTable

    def calls() -> Iterator[Mapping[str, int]]:
        yield from (service.counts for service in hosting.services)

    hosting.metered = True
    hosting.services.insert(0, RunTable(console, teller, around.journal, hosting.meter, calls))


def _play_all(
    session: RunSession, hosting: Hosting, console: Console, signals: StopSignals, telling: Telling
) -> tuple[RunOutcome, list[Output]]:
    """Play a run, and those that clients begin after it. Returns what all of them did, and their files."""
    whole, outputs = RunOutcome(), []
    duration = session.start.settings.duration
    try:
        from dorosim.app.run.report.banner import facts_of, print_banner

        equipment = _equipped(session, console)
        if not (telling.quiet or telling.json):
            print_banner(console, facts_of(session, hosting.lines, hosting.notices), verbose=telling.verbose)
        gc.freeze()  # what is loaded by now stays: the collector need not look through it between ticks
        gc.enable()
        waiting: tuple[RunSession, Equipment] | None = (session, equipment)
        playing = equipment
        signals.lead_to(hosting.switch.stop, lambda: hosting.switch.busy, lambda: playing.output.close())  # noqa: PLW0108 - of the run that is
        while waiting is not None:
            playing = waiting[1]
            left = None if duration is None else max(duration - whole.simulated, 0.0)
            outcome, output = waiting[0].play(waiting[1], left, hosting)
            whole.add(outcome)
            outputs.append(output)
            waiting = hosting.switch.take_next()
    except Exception as error:
        hosting.switch.fail(error)
        raise
    finally:
        hosting.close(signals.patience)
    return whole, outputs


def _equipped(session: RunSession, console: Console) -> Equipment:
    """What the first run opens besides its sockets, which are closed where that cannot be."""
    try:
        return session.equip(console)
    except Exception:
        session.endpoint.close()
        raise
