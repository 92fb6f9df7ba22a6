"""The TCP server: accepts clients, each on a thread of its own, and lets them serve the present run."""

from __future__ import annotations

import socket
import threading

from dorosim.endpoint.tcp_step.answers import StepPlace
from dorosim.endpoint.tcp_step.connection import StepConnection
from dorosim.endpoint.tcp_step.log import HEAD, StepLog
from dorosim.endpoint.tcp_step.sender import StepSender
from dorosim.endpoint.tcp_step.settings import StepLimits, StepOptions
from dorosim.endpoint.udp.socket import Address

STEP_CLOSING_TIMEOUT_S = 1.0
"""Wall time that the threads of clients have to end when the server closes [s]."""


class StepServer:
    """A server on a port.

    Args:
        listener: its socket, bound.
        sender: sends datagrams.
        log: where requests are counted, and failures reported.
        limits, options: of it.

    Attributes:
        sender, log, limits, options: as given. port: of the address.
        current: the run that is served, None between two runs.
    """

    def __init__(
        self,
        listener: socket.socket,
        sender: StepSender,
        log: StepLog,
        limits: StepLimits | None = None,
        options: StepOptions | None = None,
    ) -> None:
        self.sender, self.log = sender, log
        self.limits, self.options = limits or StepLimits(), options or StepOptions()
        self._listener, self.port = listener, int(listener.getsockname()[1])
        self.current: StepPlace | None = None
        self._lock = threading.Lock()
        self._clients: dict[StepConnection, tuple[socket.socket, threading.Thread]] = {}
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def clients(self) -> tuple[str, ...]:
        """Names of those that are connected."""
        with self._lock:
            return tuple(one.name for one in self._clients)

    def serve(self, place: StepPlace | None) -> None:
        """Serve a run from now on; None between two runs."""
        self.current = place
        with self._lock:
            connections = tuple(self._clients)
        for one in connections:
            one.wake()
        if self._thread is None and place is not None:
            self._thread = threading.Thread(target=self._accept, name="dorosim-tcp-step", daemon=True)
            self._thread.start()

    def notify(self, data: bytes) -> None:
        """Send a frame to all clients that read notifications. Safe from any thread, and does not wait."""
        with self._lock:
            connections = tuple(self._clients)
        for one in connections:
            one.notify(data)

    def close(self) -> None:
        """Close all connections."""
        self._closing.set()
        _shut(self._listener)
        self._listener.close()
        with self._lock:
            clients = dict(self._clients)
        for connection, (sock, _) in clients.items():
            _shut(sock)
            connection.wake()
        for _, thread in clients.values():
            thread.join(STEP_CLOSING_TIMEOUT_S)
        if self._thread is not None:
            self._thread.join(STEP_CLOSING_TIMEOUT_S)

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                sock, peer = self._listener.accept()
            except OSError:
                if self._closing.is_set():
                    return
                self.log.report("refused client", "a connection could not be accepted")
                continue
            address = Address(*peer[:2])
            with self._lock:
                full = len(self._clients) >= self.limits.clients
            if full:
                most = f"{self.limits.clients} clients are connected; allow more by tcp_step.clients"
                self.log.report("refused client", f"{address}: {most}")
                sock.close()
                continue
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = StepConnection(self, sock, f"{HEAD}{address}")
            thread = threading.Thread(target=self._run, args=(connection, sock), name="dorosim-tcp-client", daemon=True)
            with self._lock:
                self._clients[connection] = sock, thread
            thread.start()

    def _run(self, connection: StepConnection, sock: socket.socket) -> None:
        """Serve a client; when it has gone, no other client waits for it."""
        self.log.count("clients")
        try:
            connection.run()
        except Exception as error:
            text = f"{connection.name}: {type(error).__name__}: {error}; this is a fault of dorosim"
            self.log.report("failed", text)
        finally:
            with self._lock:
                self._clients.pop(connection, None)
            sock.close()
            place = self.current
            if place is not None:
                place.gateway.loop.gate.leave(connection.name)


def _shut(sock: socket.socket) -> None:
    """Let a thread that waits at a socket go on."""
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
