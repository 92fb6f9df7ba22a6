"""The XML-RPC server of a node: what the master and other nodes ask of it (ROS wiki, "Slave API")."""

from __future__ import annotations

import socket
import threading
import xmlrpc.client
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any

from dorosim.endpoint.ros.node.accept_socket import AcceptSocket
from dorosim.endpoint.ros.node.reactor import Reactor
from dorosim.endpoint.ros.node.remote import MAX_BODY, checked
from dorosim.endpoint.web_origin import WebOrigins

SUCCESS, FAILURE, ERROR = 1, 0, -1
"""Status of an answer: done, could not be done, and asked in a wrong way."""
MAX_CALLERS = 64
"""Most connections at a time. One more ends the one on which nothing was called for longest."""
CALL_TIMEOUT_S = 30.0
"""Time after which a connection ends if no call, or only a part of one, comes [s]."""
Method = Callable[..., list[Any]]


class SlaveServer:
    """Listens for calls, and answers each connection on a thread of its own.

    Args:
        address: host and port to listen at; 0 for any port.
        reactor: waits for connections. methods: by name.
        refused: is called with the reason of each call or connection that is refused.
        origins: which web pages may call; those of the address itself if it is not given.

    Raises:
        OSError: the address cannot be used.

    Attributes:
        port: at which it listens.
    """

    def __init__(
        self,
        address: tuple[str, int],
        reactor: Reactor,
        methods: Mapping[str, Method],
        refused: Callable[[str], None],
        origins: WebOrigins | None = None,
    ) -> None:
        self.methods, self.refused = methods, refused
        self.origins = origins or WebOrigins("ros.origins", (), address[0])
        self._lock = threading.Lock()
        # connections and whether one is being answered just now; in the order in which they called last or came
        self._callers: dict[socket.socket, bool] = {}
        self._listener = AcceptSocket(address, reactor, self._take, refused)
        self.port = self._listener.port

    def close(self) -> None:
        """End all connections. On the thread of the reactor."""
        self._listener.close()
        with self._lock:
            for sock in self._callers:
                _shut(sock)

    def _take(self, sock: socket.socket, address: Any) -> None:
        with self._lock:
            if len(self._callers) >= MAX_CALLERS and not self._make_room():
                sock.close()
                self.refused(f"{MAX_CALLERS} XML-RPC calls are being answered already")
                return
            self._callers[sock] = False
        sock.setblocking(True)
        threading.Thread(target=self._serve, args=(sock, address), name="dorosim-ros-xmlrpc", daemon=True).start()

    def _make_room(self) -> bool:
        """End the connection that has been silent for longest; returns False where all are being answered."""
        silent = next((sock for sock, answered in self._callers.items() if not answered), None)
        if silent is None:
            return False
        del self._callers[silent]
        _shut(silent)
        self.refused(f"{MAX_CALLERS} XML-RPC connections are open already; the one that is silent longest is ended")
        return True

    def mark(self, sock: socket.socket, *, answered: bool) -> None:
        """Note whether a connection is being answered; it becomes the last one that has to make room."""
        with self._lock:
            if self._callers.pop(sock, None) is not None:
                self._callers[sock] = answered

    def _serve(self, sock: socket.socket, address: Any) -> None:
        try:
            _Handler(sock, address, self)  # type: ignore[arg-type]
        except OSError:  # the caller has gone
            pass
        except Exception as error:  # whatever a parser of HTTP says of bytes that are none
            self.refused(f"what came is no HTTP: {error}")
        finally:
            with self._lock:
                self._callers.pop(sock, None)
            sock.close()

    def answer(self, body: bytes) -> bytes:
        """The answer to the body of a call.

        Raises:
            ValueError: it is no call.
        """
        try:
            arguments, name = xmlrpc.client.loads(checked(body))
        except Exception as error:  # whatever parsers say of bytes that are none
            raise ValueError(f"no call of XML-RPC: {error}") from None
        method = self.methods.get(name or "")
        if method is None:
            self.refused(f"there is no method {str(name)[:80]!r}")
            fault = xmlrpc.client.Fault(1, f"there is no method {str(name)[:80]!r}")
            return xmlrpc.client.dumps(fault, methodresponse=True).encode()
        try:
            found = method(*arguments)
        except (TypeError, ValueError) as error:
            self.refused(f"{name}: {error}")
            found = [ERROR, f"{name}: {error}", 0]
        return xmlrpc.client.dumps((found,), methodresponse=True).encode()


def _shut(sock: socket.socket) -> None:
    """Shut a socket down, which also ends the wait of a thread that reads from it."""
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


class _Handler(BaseHTTPRequestHandler):
    """A connection, which may bring one call after another."""

    protocol_version = "HTTP/1.1"
    timeout = CALL_TIMEOUT_S
    disable_nagle_algorithm = True
    wbufsize = -1
    server: SlaveServer  # type: ignore[assignment]

    def do_POST(self) -> None:
        """Answer a call, or refuse it if it comes from a web page that may not call."""
        headers = self.headers
        refusal = self.server.origins.refusal(headers.get_all("Origin", []), headers.get_all("Host", []))
        if refusal is not None:
            self.send_error(403, refusal)
            return
        text = self.headers.get("Content-Length", "")
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            self.send_error(411, "a call without its length")
            return
        if int(text) > MAX_BODY:
            self.send_error(413, f"a call of {int(text):,} bytes; at most {MAX_BODY:,} are taken")
            return
        body = self.rfile.read(int(text))
        if len(body) < int(text):  # the caller has gone
            self.close_connection = True
            return
        self.server.mark(self.connection, answered=True)
        try:
            answer = self.server.answer(body)
        except ValueError as error:
            self.send_error(400, str(error))
            return
        finally:
            self.server.mark(self.connection, answered=False)
        self.send_response(200)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
        self.wfile.flush()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request, and end the connection."""
        self.server.refused(f"{message or code}")
        self.close_connection = True
        super().send_error(code, " ".join((message or "").split())[:300], explain)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        """Log nothing: calls are not logged one by one."""
