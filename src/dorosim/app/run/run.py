"""Starts a run, shows what it listens to and sends, and sums it up at the end."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from dorosim.app.run.report.console import LastingConsole
from dorosim.app.run.report.log_output import LogOutput
from dorosim.app.run.report.run_summary import RunOutcome, print_summary, summary_of
from dorosim.app.run.run_file import RunFile, with_free_ports
from dorosim.app.run.stop_signal import StopSignals
from dorosim.app.setting.override import checked_speed
from dorosim.app.setting.port import check_port_offset, with_moved_ports
from dorosim.app.setting.settings import Settings
from dorosim.app.store.folder import data_folder
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.udp.socket import AddressInUseError
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from dorosim.app.run.kernel_warmup import Kernels
    from dorosim.app.run.output import Output
    from dorosim.app.run.report.report import RunReport
    from dorosim.app.run.session import RunContext, RunResources, RunSession
    from dorosim.app.serve.run_services import ServiceHost

PORT_CHOICES = 20
"""Times that free ports are chosen before a run gives up."""


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
        raise InputError(
            "settings", "speed", f"{speed!r} is not a valid speed", "use realtime, max or a factor such as 2.5"
        )
    return PacedClock(checked_speed(float(speed)))


class OutputMode(NamedTuple):
    """What a run prints about itself.

    Attributes:
        quiet: errors and the summary only.
        json: events for other programs on standard output (`dorosim.app.run.report.report`) in place of banner and
            summary.
        verbose: prints the addresses of all messages and sensors, too.
    """

    quiet: bool = False
    json: bool = False
    verbose: bool = False


def run_simulator(
    settings: Settings,
    signals: StopSignals,
    given: Collection[str] = (),
    notes: Collection[str] = (),
    output_mode: OutputMode | None = None,
) -> None:
    """Run until Ctrl-C, SIGTERM or the duration's end.

    Args:
        settings: all of them.
        signals: which end it; they are taken already.
        given: keys of those that a user gave; the others have their defaults.
        notes: where they come from, for the banner.
        output_mode: what the run prints; a banner at the start and a summary at the end if it is not given.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    output_mode = output_mode or OutputMode()
    console = LastingConsole(stderr=True, highlight=False)
    if not output_mode.quiet:
        for line in notes:
            console.print(line, markup=False, soft_wrap=True)
    clock = clock_of(settings.speed)
    data = data_folder(settings.data)
    log_output = LogOutput()
    journal = Journal(log_output)
    # the modules that are imported below load numba and the kernels, which the other subcommands can do without
    from dorosim.app.run.kernel_warmup import prepare_kernels, uncollected
    from dorosim.endpoint.traffic_threads import use_traffic_threads

    use_traffic_threads()
    with uncollected(), closing(RunFile()) as run_file:
        with prepare_kernels(console) as kernels:
            from dorosim.app.run.session import RunContext

            run_file.open()
            if run_file.notice:
                journal.write_line(f"notice: {run_file.notice}")
            check_port_offset(settings, data)
            context = RunContext(
                given=frozenset(given), data=data, journal=journal, clock=clock, run_id=run_file.run_id
            )
            settings, service_host, session = _open_at_free_ports(settings, context, run_file, kernels)
            if not output_mode.json:
                prepare_page(service_host, session.start.settings, kernels.wait)
            report = _add_report(service_host, run_file, json=output_mode.json)
            if report is None and console.is_terminal and settings.table and not output_mode.quiet:
                _show_table(service_host, console, log_output, context)
            kernels.prepare(session.start.ready, session.publisher, session.opening.commands)
        outcome, outputs = _play_all(session, service_host, console, signals, output_mode)
    summary = summary_of(outcome, journal.counts, clock.resyncs, service_host.counts)
    if report is not None:
        report.end(summary)
    else:
        print_summary(LastingConsole(highlight=False), summary)
    if service_host.problem is not None:
        raise service_host.problem
    for output in outputs:
        output.check()


def _open_at_free_ports(
    asked: Settings, context: RunContext, run_file: RunFile, kernels: Kernels
) -> tuple[Settings, ServiceHost, RunSession]:
    """The first run, at ports that are free if the settings leave the choice; with the settings that have them.

    Another program may take a port after it was found free: then others are found.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    from dorosim.app.serve.run_services import ServiceHost

    for left in reversed(range(PORT_CHOICES)):
        settings = with_free_ports(asked, context.data, run_file)
        service_host = ServiceHost(settings, context, kernels.wait)
        try:
            return settings, service_host, _open(settings, context, service_host)
        except AddressInUseError:
            service_host.close()
            if asked.ports != "auto" or not left:
                raise
    raise AssertionError


def _open(settings: Settings, context: RunContext, service_host: ServiceHost) -> RunSession:
    """The first run; the interfaces other than UDP are added to the services of the program.

    Raises:
        InputError: a setting, file or address cannot be used. An address that another program has is reported after
            everything else has been checked, so that a wrong map does not wait for free ports.
    """
    from dorosim.app.run.session import open_session
    from dorosim.app.serve.grpc_service import GrpcService
    from dorosim.app.serve.ros.service import RosService
    from dorosim.app.serve.tcp_step.service import TcpStepService
    from dorosim.app.serve.view_service import ViewService

    served, taken = with_moved_ports(settings), None
    for interface in (ViewService, GrpcService, RosService, TcpStepService):
        try:
            service_host.services.append(interface(served, context, service_host))
        except AddressInUseError as error:
            taken = taken or error
    session = open_session(settings, context)
    if taken is not None:
        session.endpoint.close()
        raise taken
    return session


def prepare_page(service_host: ServiceHost, settings: Settings, ready: Callable[[float], bool]) -> None:
    """Let the live page be loaded before its first visitor comes, unless the run is soon over or has no time for it.

    Args:
        service_host: has the page among its services.
        settings: of the run.
        ready: waits for a time [s] until all kernels are compiled, and returns whether they are.
    """
    from dorosim.app.serve.view_service import ViewService

    if not settings.view.prepare or settings.duration is not None or settings.speed == "max":
        return
    for service in service_host.services:
        if isinstance(service, ViewService):
            service.prepare(ready)


def _add_report(service_host: ServiceHost, run_file: RunFile, *, json: bool) -> RunReport | None:
    """Add what reports that a run is ready: to the run's file, and as `json` to other programs.

    Both read the addresses of the interfaces, so they come after them. Returns the report to other programs.
    """
    from dorosim.app.run.report.report import RunReport

    interfaces = tuple(service_host.services)
    service_host.services.append(RunReport(interfaces, run_file.write))
    if not json:
        return None
    report = RunReport(interfaces)
    service_host.services.append(report)
    return report


def _show_table(service_host: ServiceHost, console: Console, log_output: LogOutput, context: RunContext) -> None:
    """Show a table of rates while the program runs. It is the first to be closed."""
    from dorosim.app.run.report.table import RunTable

    def calls() -> Iterator[Mapping[str, int]]:
        yield from (service.counts for service in service_host.services)

    service_host.metered = True
    service_host.services.insert(0, RunTable(console, log_output, context.journal, service_host.meter, calls))


def _play_all(
    session: RunSession, service_host: ServiceHost, console: Console, signals: StopSignals, output_mode: OutputMode
) -> tuple[RunOutcome, list[Output]]:
    """Play a run, and those that clients begin after it. Returns what all of them did, and their files."""
    whole, outputs = RunOutcome(), []
    duration = session.start.settings.duration
    try:
        from dorosim.app.run.report.banner import print_banner
        from dorosim.app.run.report.run_facts import run_facts_of

        resources = _open_resources(session, console)
        if not (output_mode.quiet or output_mode.json):
            facts = run_facts_of(session, service_host.lines, service_host.notices)
            driven = console.is_terminal and duration is None and session.start.settings.speed != "max"
            print_banner(console, facts, verbose=output_mode.verbose, driven=driven)
        gc.freeze()  # what is loaded by now stays: the collector need not look through it between ticks
        gc.enable()
        waiting: tuple[RunSession, RunResources] | None = (session, resources)
        playing = resources
        signals.lead_to(service_host.switch.stop, lambda: service_host.switch.busy, lambda: playing.output.close())  # noqa: PLW0108 - of the run that is
        while waiting is not None:
            playing = waiting[1]
            left = None if duration is None else max(duration - whole.simulated_s, 0.0)
            outcome, output = waiting[0].play(waiting[1], left, service_host)
            whole += outcome
            outputs.append(output)
            waiting = service_host.switch.take_next()
    except Exception as error:
        service_host.switch.fail(error)
        raise
    finally:
        service_host.close(signals.closing_timeout)
    return whole, outputs


def _open_resources(session: RunSession, console: Console) -> RunResources:
    """What the first run opens besides its sockets, which are closed where that cannot be."""
    try:
        return session.open_resources(console)
    except Exception:
        session.endpoint.close()
        raise
