"""A scenario whose ego vehicle a program drives over UDP, ROS or gRPC, run to its verdict."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from rich.console import Console

from dorosim.app.run.kernel_warmup import prepare_kernels, uncollected
from dorosim.app.run.run import PORT_CHOICES, clock_of
from dorosim.app.run.run_file import RunFile, with_free_ports
from dorosim.app.run.scenario_run import RunTick, tick_of
from dorosim.app.run.stack_program import StackProgram
from dorosim.app.serve.run_service import RunService
from dorosim.app.setting.port import with_moved_ports
from dorosim.app.setting.settings import Settings
from dorosim.app.store.folder import data_folder
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.udp.socket import AddressInUseError
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.app.run.scenario_interface import StackOptions
    from dorosim.app.run.session import RunContext, RunSession
    from dorosim.app.run.switch import CurrentRun
    from dorosim.app.serve.run_services import ServiceHost
    from dorosim.endpoint.loop.loop import Observer

Look = Callable[[RunTick], bool]
"""Takes a tick; returns whether the run can end."""


def run_with_stack(
    settings: Settings, given: Collection[str], look: Look, write_line: Callable[[str], None], stack: StackOptions
) -> str:
    """Play a scenario with the interfaces of a run, until it ends or its duration is over.

    Args:
        settings: of the run, which name the scenario and by which interface a program drives.
        given: keys of those that a user gave; the others have their defaults.
        look: takes each tick, that of the start first.
        write_line: takes lines about what goes wrong at the interfaces.
        stack: how the program is started.

    Returns:
        Why the run could not go on, "" where it could.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    from dorosim.app.run.session import RunContext

    data = data_folder(settings.data)
    console = Console(stderr=True, highlight=False)
    with uncollected(), closing(RunFile()) as run_file, prepare_kernels(console) as kernels:
        run_file.open()
        clock = clock_of(settings.speed)
        context = RunContext(given=given, data=data, journal=Journal(write_line), clock=clock, run_id=run_file.run_id)
        host, session, watcher = _open_at_free_ports(settings, context, run_file, kernels.wait, look, stack)
        try:
            try:
                resources = session.open_resources(console)
            except Exception:
                session.endpoint.close()
                raise
            kernels.prepare(session.start.ready, session.publisher, session.opening.commands)
            _, output = session.play(resources, settings.duration, host)
        finally:
            host.close()
        output.check()
        return watcher.broken


def _open_at_free_ports(
    asked: Settings,
    context: RunContext,
    run_file: RunFile,
    wait: Callable[[float], bool],
    look: Look,
    stack: StackOptions,
) -> tuple[ServiceHost, RunSession, TickWatcher]:
    """The run at ports that are free, if the settings leave the choice.

    Another program, such as that of another run, may take a port after it was found free: then others are found.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    # these load numba and all interfaces
    from dorosim.app.run.session import open_session
    from dorosim.app.serve.grpc_service import GrpcService
    from dorosim.app.serve.ros.service import RosService
    from dorosim.app.serve.run_services import ServiceHost

    for left in reversed(range(PORT_CHOICES)):
        settings = with_free_ports(asked, context.data, run_file)
        host, served = ServiceHost(settings, context, wait), with_moved_ports(settings)
        try:
            if settings.storyboard.ego == "grpc":
                host.services.append(GrpcService(served, context, host))
            if settings.storyboard.ego == "ros":
                host.services.append(RosService(served, context, host))
            program = StackProgram(stack.command, run_file, tuple(host.services), stack.guard, stack.variables)
            watcher = TickWatcher(look, program)
            host.services += (program, watcher)
            return host, open_session(settings, context), watcher
        except AddressInUseError:
            host.close()
            if asked.ports != "auto" or not left:
                raise
        except BaseException:
            host.close()
            raise
    raise AssertionError


class TickWatcher(RunService):
    """Shows the ticks of a run to a function, and ends the run where that says so.

    Args:
        look: takes each tick.
        program: drives.
    """

    def __init__(self, look: Look, program: StackProgram) -> None:
        self._look, self._program = look, program
        self._current: CurrentRun | None = None
        self._time = 0

    @property
    def observers(self) -> Collection[Observer]:
        """One that shows each tick."""
        return (self._see,)

    @property
    def broken(self) -> str:
        """Why the run could not go on, "" where it could."""
        lockstep = None if self._current is None else self._current.loop.lockstep
        if lockstep is None or not lockstep.broken:
            return self._program.broken
        if lockstep.heard or self._program.broken or not self._program.where:
            return lockstep.broken
        return f"{lockstep.broken}; {self._program.where}"

    def serve(self, current: CurrentRun) -> None:
        """The run is about to begin: show its start."""
        self._current = current
        self._show(current.loop.now, current.loop.now.time)

    def close(self) -> None:
        """There is nothing to close."""

    def _see(self, now: Snapshot, _: Sequence[Command]) -> None:
        self._show(now, self._time)

    def _show(self, now: Snapshot, begun: int) -> None:
        self._time = now.time
        ended = self._look(tick_of(now, begun - now.storyboard.started)) or now.storyboard_report.ended
        if ended or self._program.broken:
            assert self._current is not None
            self._current.loop.stop()
