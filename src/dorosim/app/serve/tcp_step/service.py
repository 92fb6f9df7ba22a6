"""The fixed step over TCP beside the runs of a program.

Its socket listens from the start on; clients are accepted as soon as there is a run.
"""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dorosim.app.run.session import RunContext
from dorosim.app.run.switch import CurrentRun
from dorosim.app.serve.run_service import RunService
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.setting.address import address_from_text, address_refused
from dorosim.app.setting.settings import Settings
from dorosim.endpoint.loop.at_once import SeldomObserver
from dorosim.endpoint.loop.loop import Observer
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from dorosim.app.serve.tcp_step.interface import ProjectOutputs
    from dorosim.bridge.tcp_step.situation import StepPeer, StepSituation
    from dorosim.endpoint.tcp_step.control import ControlReceiver
    from dorosim.endpoint.tcp_step.log import StepLog
    from dorosim.endpoint.tcp_step.sender import StepSender
    from dorosim.endpoint.tcp_step.server import StepServer
    from dorosim.world.command import Command
    from dorosim.world.snapshot import Snapshot

CLIENT = "TCP "
"""With which the names of its clients begin at the gate."""
ANSWER_TIME = 20.0
"""Wall time that a step may take beyond what other clients may let it wait [s]."""


class TcpStepService(RunService):
    """The interface of a program.

    Args:
        settings: of the program.
        context: what all runs share.
        service_host: the program around the world.

    Raises:
        InputError: an address or a file that the user gave cannot be used.

    Attributes:
        lines, notices: for the banner.
    """

    def __init__(self, settings: Settings, context: RunContext, service_host: ServiceHost) -> None:
        self._settings = settings.tcp_step
        self._patience = settings.grpc.step_patience_s + ANSWER_TIME
        self._service_host = service_host
        self._current: CurrentRun | None = None
        self._server: StepServer | None = None
        if self._settings.enabled:
            self._open(context)

    def _open(self, context: RunContext) -> None:
        """Open the sockets; what is needed for it is imported here, since most runs do without."""
        from dorosim.app.serve.tcp_step.outputs import outputs_of
        from dorosim.app.serve.tcp_step.suite import HostSuites
        from dorosim.bridge.tcp_step.situation import StepSession, TimeForm
        from dorosim.bridge.tcp_step.suite import state_of
        from dorosim.endpoint.tcp_step.control import ControlReceiver
        from dorosim.endpoint.tcp_step.log import StepLog
        from dorosim.endpoint.tcp_step.sender import StepSender
        from dorosim.endpoint.tcp_step.server import StepServer
        from dorosim.endpoint.tcp_step.settings import StepLimits, StepOptions
        from dorosim.wire.tcp_step.notification import scenario_notification
        from dorosim.wire.tcp_step.response import ScenarioState

        asked = self._settings
        self._outputs = outputs = outputs_of(asked)
        self._log: StepLog = StepLog(context.journal)
        self._session = StepSession()
        self._sender: StepSender = StepSender(outputs, self._log)
        self._control: ControlReceiver = ControlReceiver(outputs.controls, self._log)
        try:
            listener = _listener(asked.address)
        except InputError:
            self._control.close()
            raise
        limits = StepLimits(clients=asked.clients, frame_s=asked.frame_timeout_s, answer_s=self._patience)
        options = StepOptions(time_form=TimeForm[asked.time_form.upper()], info_after=asked.info_after)
        self._server = StepServer(listener, self._sender, self._log, limits, options)
        self._state_of, self._notification = state_of, scenario_notification
        self._doing = (ScenarioState.PLAY, "")
        self._suites = HostSuites(context, self._service_host, self._use)
        infos = ", ".join(str(one.to) for one in outputs.infos) or "nowhere"
        self.lines = (f"fixed step over TCP at {self._address}: MORAI SIM 2's clients; Vehicle Info goes to {infos}",)

    def _use(self, asked: ProjectOutputs) -> None:
        """Send and take datagrams as a project asks for, and as the settings do of what it does not ask for.

        Where it sends to, programs of the user listen, so that none can be taken there.
        """
        usual = self._outputs
        left = tuple(one for one in usual.controls if one.at not in asked.goals)
        outputs = replace(usual, infos=asked.infos or usual.infos, events=asked.events or usual.events)
        try:
            self._sender.change(outputs)
            self._control.change(asked.controls or left)
        except InputError as error:
            self._log.report("interface not used", str(error))

    @property
    def _address(self) -> str:
        host = self._settings.address.rpartition(":")[0]
        return f"{host}:{self._server.port}" if self._server is not None else ""

    @property
    def counts(self) -> Counter[str]:
        """Requests by name, datagrams, and failures."""
        return Counter() if self._server is None else Counter(dict(self._log.counts))

    @property
    def observers(self) -> Collection[Observer]:
        """One that moves actors along trajectories, and sends what is due after a tick."""
        # ordinary ticks that clients of this interface step have no collision, and do not end a scenario
        return () if self._server is None else (SeldomObserver(self._observe, lambda: not self._session.player.plays),)

    @property
    def addresses(self) -> Mapping[str, str]:
        """Where it is served."""
        return {} if self._server is None else {"tcp_step": self._address}

    def serve(self, current: CurrentRun) -> None:
        """A run is about to begin: serve it."""
        if self._server is None:
            return
        from dorosim.bridge.situation import GrpcForm
        from dorosim.bridge.tcp_step.publish import StepPublisher
        from dorosim.bridge.tcp_step.situation import StepPeer, StepSituation
        from dorosim.endpoint.tcp_step.answers import StepPlace

        self._current, session, suites = current, self._session, self._suites
        suites.serve()
        ask = self._service_host.situations(current, GrpcForm(timeout=self._patience))
        nobody = StepPeer()

        def situate(client: str, peer: StepPeer = nobody) -> StepSituation:
            return StepSituation(ask(client), session, peer, suites)

        gateway, scene = current.gateway.of("tcp_step"), current.loop.scene
        self._sender.begin(StepPublisher(scene), scene.tick, current.loop.now.time)
        self._control.serve(situate, gateway.put)
        pace = self._service_host.pace

        def frame() -> int:
            return pace.frame if pace.synchronous else 0

        control, ready = self._control, self._service_host.ready
        self._server.serve(StepPlace(gateway, situate, ready, control.drain, control.heard, frame))

    def close(self) -> None:
        """Close all connections and sockets."""
        if self._server is not None:
            self._server.close()
            self._control.close()
            self._sender.close()

    def _observe(self, now: Snapshot, _: Sequence[Command]) -> None:
        current = self._current
        if current is None or self._server is None:
            return
        player = self._session.player
        if player.plays:
            current.gateway.of("tcp_step").put(player.commands(now, current.loop.scene.tick))
        doing = self._state_of(now), self._suites.active
        if doing != self._doing:
            self._doing = doing
            self._server.notify(self._notification(*doing))
        if self._sender.sends:
            gate = current.loop.gate
            stepped = gate.holds and (not gate.last or gate.last.startswith(CLIENT))
            self._sender.pass_tick(now, stepped=stepped)


def _listener(text: str) -> socket.socket:
    """A socket that listens.

    Raises:
        InputError: the address is not valid, or cannot be used.
    """
    address = address_from_text("settings", "tcp_step.address", text)
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((address.host, address.port))
        sock.listen()
    except OSError as error:
        sock.close()
        raise address_refused("fixed step over TCP", text, error, "--tcp-step") from None
    return sock
