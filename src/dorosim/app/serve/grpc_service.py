"""gRPC beside the runs of a program.

The server outlives runs. It is imported and opened on a thread of its own after the first tick, so that a run does not
start later for it; whether its address is free is found out before.
"""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from dorosim.app.run.session import RunContext
from dorosim.app.run.switch import CurrentRun
from dorosim.app.serve.run_service import RunService
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.setting.address import address_from_text, address_refused, not_served
from dorosim.app.setting.settings import GrpcSettings, Settings
from dorosim.bridge.first_start import WHY
from dorosim.endpoint.loop.at_once import SeldomObserver
from dorosim.endpoint.loop.loop import Observer
from dorosim.ground.error import DorosimError, InputError
from dorosim.recording.whole_file import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dorosim.endpoint.grpc.server import GrpcServer
    from dorosim.wire.value_text import ValueText
    from dorosim.world.command import Command
    from dorosim.world.snapshot import Snapshot

STEP_TIME = 20.0
"""Wall time that a step may take beyond what other clients may let it wait [s]."""


class GrpcService(RunService):
    """The gRPC interface of a program.

    Args:
        settings: of the program.
        context: what all runs share.
        service_host: the program around the world.

    Raises:
        InputError: an address or a file that the user gave cannot be used.

    Attributes:
        notices: for the banner. lines: for the banner, too.
        problem: why the program ended, None for nothing.
    """

    def __init__(self, settings: Settings, context: RunContext, service_host: ServiceHost) -> None:
        self._settings = settings.grpc
        self._explicit = "grpc.address" in context.given
        self._journal, self._run_id = context.journal, context.run_id
        self._service_host = service_host
        self._server: GrpcServer | None = None
        self._thread: threading.Thread | None = None
        self._serving = threading.Lock()
        self._closing = threading.Event()
        self._tls = tls_of(self._settings)
        self._enabled = self._settings.enabled and self._is_free()

    @property
    def counts(self) -> Counter[str]:
        """Calls by procedure, and those that failed by status."""
        return Counter() if self._server is None else Counter(dict(self._server.counts))

    def last_of(self, kind: str) -> list[ValueText]:
        """Request and answer of the last call of a procedure."""
        last = None if self._server is None else self._server.last_values.get(kind)
        if last is None:
            return []
        from dorosim.wire.grpc.value import grpc_texts

        return list(grpc_texts(last))

    @property
    def observers(self) -> Collection[Observer]:
        """One that opens the server after the first tick."""
        late = SeldomObserver(self._open_late, lambda: self._thread is not None)
        return (late,) if self._enabled and self._thread is None else ()

    @property
    def addresses(self) -> Mapping[str, str] | None:
        """Where gRPC is served, None while it is being opened."""
        if not self._enabled:
            return {}
        host = self._settings.address.rpartition(":")[0]
        return None if self._server is None else {"grpc": f"{host}:{self._server.port}"}

    def serve(self, current: CurrentRun) -> None:
        """A run is about to begin: serve it."""
        with self._serving:
            if self._server is not None:
                self._serve(self._server, current)

    def close(self) -> None:
        """End all calls and let go of the address."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()
        if self._server is not None:
            self._server.serve(None)
            self._server.close()

    def _is_free(self) -> bool:
        """Whether the address can be used; a default one that cannot is a notice."""
        text = self._settings.address
        address = address_from_text("settings", "grpc.address", text)
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind((address.host, address.port))
            except OSError as error:
                refused = address_refused("gRPC", text, error, "--grpc")
                if self._explicit:
                    raise refused from None
                self.notices = (not_served(refused),)
                return False
        secure = ", with TLS" if self._tls else ""
        self.lines = (f"gRPC at {text}{secure}: the documented API and the Standard API",)
        return True

    def open_now(self) -> None:
        """Open the server beside the run, once."""
        if self._enabled and self._thread is None:
            self._thread = threading.Thread(target=self._open, name="dorosim-grpc-start")
            self._thread.start()

    def _open_late(self, _: Snapshot, __: Sequence[Command]) -> None:
        """Open the server after the first tick."""
        self.open_now()

    def _open(self) -> None:
        try:
            server = self._opened()
        except DorosimError as error:
            self._enabled = False
            self._journal.report("gRPC is not served", str(error))
            if self._explicit:
                self.problem = error
                self._service_host.switch.stop()
            return
        if server is None:
            return
        with self._serving:
            self._server = server
            self._serve(server, self._service_host.switch.current)
        server.start()
        if self._settings.address.endswith(":0"):
            self._journal.write_line(f"gRPC is served at port {server.port}")

    def _opened(self) -> GrpcServer | None:
        """The server; None where the program ends meanwhile."""
        import google.protobuf.message  # noqa: F401 - a part of the time, after which a short run may be over

        if self._closing.is_set():
            return None
        import grpc  # noqa: F401 - as above

        if self._closing.is_set():
            return None
        from dorosim.endpoint.grpc.connect import STREAMS
        from dorosim.endpoint.grpc.server import GrpcLimits, GrpcServer, Tls

        asked = self._settings
        limits = GrpcLimits(
            workers=asked.workers,
            streams=asked.streams,
            message=asked.message_mib << 20,
            entries=asked.entries,
            timeout=asked.step_patience_s + STEP_TIME,
        )
        tls = None if self._tls is None else Tls(*self._tls)
        return GrpcServer(asked.address, self._journal.report, limits, tls, STREAMS, self._run_id)

    def _ready(self, seconds: float) -> bool:
        """Wait until no command has to wait for a kernel in the loop, which would stand meanwhile."""
        if self._service_host.ready(0.0):
            return True
        self._journal.report("first start", f"commands by gRPC wait: {WHY}")
        return self._service_host.ready(seconds)

    def _serve(self, server: GrpcServer, current: CurrentRun) -> None:
        """Serve the present run."""
        from dorosim.bridge.situation import GrpcForm
        from dorosim.endpoint.grpc.call import GrpcPlace

        form = GrpcForm(self._settings.json, self._settings.step_patience_s + STEP_TIME)
        situations = self._service_host.situations(current, form)
        server.serve(GrpcPlace(current.gateway.of("grpc"), situations, self._ready, current.station))


def tls_of(settings: GrpcSettings) -> tuple[bytes, bytes] | None:
    """The certificate and its key as PEM, None for none.

    Raises:
        InputError: one of them is missing, cannot be read, or is not what it should be.
    """
    if settings.certificate is None and settings.key is None:
        return None
    if settings.certificate is None or settings.key is None:
        missing = "certificate" if settings.certificate is None else "key"
        raise InputError("settings", f"grpc.{missing}", "is missing", "TLS needs a certificate and its key")
    import ssl

    found = read_file(Path(settings.certificate)), read_file(Path(settings.key))
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.certificate, settings.key)
    except (ssl.SSLError, OSError) as error:
        problem = f"is not a valid certificate for the key {settings.key}: {error.strerror or error}"
        raise InputError(
            settings.certificate, "", problem, "give both as PEM files, the key without a password"
        ) from None
    return found
