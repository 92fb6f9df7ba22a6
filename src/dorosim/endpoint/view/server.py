"""The web server of the page: viser's, on a socket that is open already, for visitors from this page only.

viser opens a port of its own and takes websockets from any page that the visitor has open. So what it calls to serve is
given the socket, and a look at `Host` and `Origin` first: a foreign page cannot drive the simulator, and neither can a
name that points here (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import http
import ipaddress
import logging
import socket
import threading
import warnings
from typing import Any
from urllib.parse import SplitResult, urlsplit

import viser
import websockets.asyncio.server as asyncio_server
from websockets.datastructures import Headers
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

GLANCE = 0.02
"""Wall time from one look whether the server is complete to the next [s]."""
_serve = asyncio_server.serve
_TAKES_MESSAGE = "_handle_incoming_message"
"""What viser begins a task with for each message of a visitor."""


class _PageServer(viser.ViserServer):
    """viser's, which does not offer the page to the whole internet."""

    def request_share_url(self, verbose: bool = True) -> str | None:  # noqa: ARG002 - the name is viser's
        """No public address, whatever a visitor asks for."""
        return None


def open_page_server(listener: socket.socket, label: str) -> viser.ViserServer:
    """A server on a listening socket.

    Args:
        listener: is the server's from now on.
        label: above its panel.
    """
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # who does not speak its language is no news
    # a visitor may leave at any moment, also while the page is drawn for him
    warnings.filterwarnings("ignore", r"Queued a \w+ on a closed connection", UserWarning)
    host, port = listener.getsockname()[:2]
    made = threading.Event()

    def serve(handler: Any, _host: str, _port: int, **options: Any) -> Any:
        pages = options.pop("process_request")

        def judged(connection: Any, request: Request) -> Any:
            return refusal_of(request.headers, str(host)) or pages(connection, request)

        async def guarded(connection: Any) -> None:
            asyncio.get_running_loop().set_exception_handler(_note_problem)
            try:
                while not made.is_set():  # viser serves before all is there that a visitor needs
                    await asyncio.sleep(GLANCE)
                await handler(connection)
            except Exception as problem:  # what is no message of the page's: whoever sent it is let go
                await connection.close(CloseCode.PROTOCOL_ERROR, type(problem).__name__)

        return _serve(guarded, sock=listener, process_request=judged, **options)

    asyncio_server.serve = serve  # type: ignore[misc, assignment]  # viser looks it up here when it starts
    try:
        server = _PageServer(host=str(host), port=int(port), label=label, verbose=False)
    finally:
        asyncio_server.serve = _serve  # type: ignore[misc]
        made.set()
    return server


def _note_problem(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Tell of what goes wrong in the server, but not of a visitor's wrong values, of which viser takes none."""
    task = context.get("future", context.get("task"))
    coroutine = task.get_coro() if isinstance(task, asyncio.Task) else None
    if getattr(coroutine, "__name__", "") != _TAKES_MESSAGE:
        loop.default_exception_handler(context)


def refusal_of(headers: Headers, host: str) -> Response | None:
    """The answer to a request that is not from this page; None for one that is.

    Args:
        headers: of the request.
        host: that the page is served at.
    """
    asked = headers.get("Host", "")
    name = _split(f"//{asked}").hostname or ""
    if not ((name and name in ("localhost", host)) or _is_number(name)):
        return _refused(f"this page is not served as {asked!r}; use its address in numbers, or localhost")
    origin = headers.get("Origin")
    if origin is not None and _split(origin).netloc != asked:
        return _refused(f"a page of {origin!r} may not use this one")
    return None


def _split(address: str) -> SplitResult:
    """The parts of an address; none of one that is wrong."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _refused(why: str) -> Response:
    body = f"{why}\n".encode()
    headers = Headers({"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body))})
    return Response(http.HTTPStatus.FORBIDDEN, "Forbidden", headers, body)
