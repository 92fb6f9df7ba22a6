"""Calls of services over TCPROS; each connection has a thread, since an answer may take as long as a tick does."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from dorosim.endpoint.ros.hub import Hub, ServiceError
from dorosim.endpoint.ros.node.settings import NodeSettings
from dorosim.endpoint.ros.node.stream import GoneError, read_frame, shut
from dorosim.endpoint.ros.node.subscriber_connection import Traffic
from dorosim.wire.error import RosError
from dorosim.wire.ros.registry import ServiceType
from dorosim.wire.ros.tcpros import ANY, LENGTH, encode_header

MAX_CALLERS = 64
"""Most connections to services at a time. One more ends the oldest on which nothing was ever called."""
IDLE_TIMEOUT_S = 600.0
"""Time after which a persistent connection ends on which nothing is called [s]."""
REQUEST_TIMEOUT_S = 10.0
"""Time for the request of a connection that is not persistent, and for taking an answer [s]."""


@dataclass(slots=True)
class _Caller:
    """A connection to a service."""

    sock: socket.socket
    service: str
    type: ServiceType
    client: str
    persistent: bool
    called: bool = False


class ServiceServer:
    """Answers calls.

    Args:
        hub: has the services. settings: of the user.
    """

    def __init__(self, hub: Hub, settings: NodeSettings) -> None:
        self._hub, self._settings = hub, settings
        self._lock = threading.Lock()
        self._callers: dict[threading.Thread, _Caller] = {}
        self._over = False
        self.traffic = Traffic()

    def receive(self, sock: socket.socket, header: Mapping[str, str]) -> None:
        """Serve a connection, on a thread of its own.

        Args:
            sock: the connection, after the peer's header was read.
            header: that header.

        Raises:
            RosError: there is no such service, or its type is another.
        """
        name = header["service"]
        provided = self._hub.provided.get(name)
        if provided is None:
            raise RosError(f"there is no service {name[:80]}")
        for field in ("callerid", "md5sum"):
            if field not in header:
                raise RosError(f"{name}: its connection header lacks {field}")
        kind = self._hub.registry.services[provided.type]
        if header["md5sum"] not in (ANY, kind.md5):
            raise RosError(f"{name}: {header['callerid'][:80]} has another type, here it is {kind.name} ({kind.md5})")
        caller = _Caller(sock, name, kind, header["callerid"], header.get("persistent") == "1")
        with self._lock:
            if self._over or (len(self._callers) >= MAX_CALLERS and not self._make_room()):
                raise RosError(f"{name}: {len(self._callers)} connections to services are open already")
            probe = header.get("probe") == "1"
            thread = threading.Thread(
                target=self._probed if probe else self._serve, args=(caller,), name="dorosim-ros-service", daemon=True
            )
            self._callers[thread] = caller
        thread.start()

    def close(self) -> None:
        """End all connections, and wait a little for their threads."""
        with self._lock:
            self._over = True
            callers = dict(self._callers)
        for caller in callers.values():
            shut(caller.sock)
        for thread in callers:
            thread.join(0.5)

    def _make_room(self) -> bool:
        """End the oldest connection that has never called; returns False where all have called."""
        for thread, caller in self._callers.items():
            if not caller.called:
                del self._callers[thread]
                shut(caller.sock)
                return True
        return False

    def _probed(self, caller: _Caller) -> None:
        """Send only the header with the type of the service."""
        try:
            self._greet(caller)
        except OSError:
            pass
        finally:
            self._end(caller)

    def _serve(self, caller: _Caller) -> None:
        """Answer one call, or all of a persistent connection."""
        try:
            self._greet(caller)
            while True:
                caller.sock.settimeout(IDLE_TIMEOUT_S if caller.persistent else REQUEST_TIMEOUT_S)
                request = read_frame(caller.sock, self._settings.max_message)
                caller.called = True
                answer = self._answer(caller, request)
                caller.sock.settimeout(REQUEST_TIMEOUT_S)
                caller.sock.sendall(answer)
                self.traffic.messages += 1
                self.traffic.bytes += len(answer)
                if not caller.persistent:
                    return
        except RosError as error:
            self._hub.report("ROS message refused", f"{caller.service} from {caller.client}: {error}")
        except (GoneError, OSError):
            return
        except Exception as error:  # a fault of ours; the run goes on
            self._hub.report("ROS internal error", f"{caller.service}: {type(error).__name__}: {error}")
        finally:
            self._end(caller)

    def _greet(self, caller: _Caller) -> None:
        kind = caller.type
        caller.sock.settimeout(REQUEST_TIMEOUT_S)
        caller.sock.sendall(
            encode_header(
                {
                    "callerid": self._settings.node,
                    "md5sum": kind.md5,
                    "type": kind.name,
                    "request_type": kind.request,
                    "response_type": kind.response,
                }
            )
        )

    def _answer(self, caller: _Caller, data: memoryview) -> bytes:
        """The bytes of an answer: 1, length and response; or 0, length and the reason why there is none."""
        registry = self._hub.registry
        try:
            request = registry.decode(caller.type.request, data)
        except RosError as error:
            self._hub.report("ROS message refused", f"{caller.service} from {caller.client}: {error}")
            return _refusal(error)
        try:
            response = bytes(registry.encode(self._hub.call(caller.service, request, caller.client)))
        except ServiceError as error:  # the hub has reported it
            return _refusal(error)
        except RosError as error:
            self._hub.report("ROS internal error", f"{caller.service}: {error}")
            return _refusal(error)
        return b"\x01" + LENGTH.pack(len(response)) + response

    def _end(self, caller: _Caller) -> None:
        shut(caller.sock)
        caller.sock.close()
        with self._lock:
            self._callers.pop(threading.current_thread(), None)


def _refusal(error: Exception) -> bytes:
    text = str(error).encode()
    return b"\0" + LENGTH.pack(len(text)) + text
