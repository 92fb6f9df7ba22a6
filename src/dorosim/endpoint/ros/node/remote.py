"""XML-RPC as ROS 1 uses it: calls of the master and of other nodes; their answers are checked."""

from __future__ import annotations

import http.client
import threading
import xmlrpc.client
from typing import Any

from dorosim.ground.error import DorosimError
from dorosim.wire.ros.tcpros import host_and_port

MAX_BODY = 1 << 20
"""Bytes of a call or an answer."""


class RemoteError(DorosimError):
    """A call that was not answered, or answered with a refusal; the text says why.

    Attributes:
        reached: whether there was any answer.
    """

    def __init__(self, text: str, *, reached: bool = False) -> None:
        super().__init__(text)
        self.reached = reached


def checked(body: bytes) -> bytes:
    """The body of a call or an answer.

    Raises:
        ValueError: it is no text in UTF-8, or holds declarations, which XML-RPC has no use for, and bombs are made of.
    """
    # a parser takes UTF-16, too, in which declarations look otherwise; it has a zero in each letter of ASCII
    if b"\0" in body:
        raise ValueError("it is no text in UTF-8")
    body.decode()
    if b"<!" in body:
        raise ValueError("it holds declarations")
    return body


class Remote:
    """A node, or the master.

    Args:
        uri: of its XML-RPC server. timeout: for an answer [s].

    Raises:
        ValueError: `uri` is none.
    """

    def __init__(self, uri: str, timeout: float = 3.0) -> None:
        self.uri = uri
        host, port = host_and_port(uri)
        self._connection = http.client.HTTPConnection(host, port, timeout=timeout)
        self._lock = threading.Lock()

    def call(self, method: str, *arguments: Any) -> Any:
        """The value of an answer [status, reason, value].

        Raises:
            RemoteError: there is no answer, the bytes that come are none, or the status is not 1.
        """
        found = self._answer(method, arguments)
        if not isinstance(found, list) or len(found) != 3:
            raise RemoteError(f"{self.uri} answers {method} with no status", reached=True)
        if found[0] != 1:
            raise RemoteError(f"{self.uri} answers {method} with: {found[1]}", reached=True)
        return found[2]

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    def _answer(self, method: str, arguments: tuple[Any, ...]) -> Any:
        body = xmlrpc.client.dumps(arguments, method).encode()
        with self._lock:
            for last in (False, True):
                fresh = self._connection.sock is None
                try:
                    return self._asked(body)
                except xmlrpc.client.Fault as error:
                    text = f"{self.uri} cannot do {method}: {error.faultString}"
                    raise RemoteError(text, reached=True) from None
                except (OSError, http.client.HTTPException) as error:
                    self._connection.close()
                    if fresh or last or isinstance(error, TimeoutError):
                        raise RemoteError(f"{self.uri} does not answer: {_reason(error)}") from None
                    # a connection that was kept open has ended meanwhile: once more
                except Exception as error:  # whatever a parser says of bytes that are none
                    self._connection.close()
                    raise RemoteError(f"{self.uri} answers {method} with no XML-RPC: {_reason(error)}") from None
        raise AssertionError

    def _asked(self, body: bytes) -> Any:
        self._connection.request("POST", "/", body, {"Content-Type": "text/xml"})
        response = self._connection.getresponse()
        answer = response.read(MAX_BODY + 1)
        if len(answer) > MAX_BODY:
            raise ValueError(f"more than {MAX_BODY:,} bytes")
        if response.status != 200:
            raise http.client.HTTPException(f"status {response.status}")
        values, _ = xmlrpc.client.loads(checked(answer))
        return values[0]


def _reason(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return text or type(error).__name__
