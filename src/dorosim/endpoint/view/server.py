"""The web server of the page: viser's, on a socket that is open already, for visitors from this page only.

viser opens a port of its own and takes websockets from any page that the visitor has open, and as many as come. So
the function that viser calls to serve is replaced by one that uses the given socket and checks `Host` and `Origin`
first: a foreign page cannot drive the simulator, and neither can a name that points here (DNS rebinding). Visitors
beyond the limit are refused with that reason.
"""

from __future__ import annotations

import asyncio
import gzip
import http
import logging
import socket
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import viser
import websockets.asyncio.server as asyncio_server
from websockets.datastructures import Headers
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.web_origin import WebOrigins

COMPLETION_CHECK_S = 0.02
"""Wall time from one look whether the server is complete to the next [s]."""
MAX_VISITORS = 16
"""Visitors at a time, where the settings do not say. Each is sent all that the page shows."""
ALIVE = "/alive"
"""Path at which the page asks whether its program is still there."""
SCRIPT = Path(__file__).with_name("page_script.js")
"""What the page does in the browser beside viser's program."""
_serve = asyncio_server.serve
_TAKES_MESSAGE = "_handle_incoming_message"
"""Name of the coroutine of viser's task for each message of a visitor."""


class _PageServer(viser.ViserServer):
    """viser's server, which does not offer the page to the whole internet."""

    def request_share_url(self, verbose: bool = True) -> str | None:  # noqa: ARG002 - the name is viser's
        """Returns no public address, whatever a visitor asks for."""
        return None


def open_page_server(
    listener: socket.socket,
    label: str,
    origins: WebOrigins | None = None,
    visitors: int = MAX_VISITORS,
    report: Callable[[str], None] = lambda _: None,
    ready: threading.Event | None = None,
) -> viser.ViserServer:
    """A server on a listening socket.

    Args:
        listener: is the server's from now on.
        label: above its panel.
        origins: pages that may come; those of the socket's own address if it is not given.
        visitors: how many at a time, at most.
        report: is called with the reason of a refusal, once a second at most.
        ready: visitors are sent nothing until it is set, so that they see no page that is half made, from no place;
            meanwhile their browsers load viser's program.
    """
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # a client of another protocol is not worth a log line
    # a visitor may leave at any moment, also while the page is drawn for that visitor
    warnings.filterwarnings("ignore", r"Queued a \w+ on a closed connection", UserWarning)
    host, port = listener.getsockname()[:2]
    made = threading.Event()
    scripted = _Scripted()
    admission = _Admission(origins or WebOrigins("view.origins", (), str(host)), visitors, report)

    def serve(handler: Any, _host: str, _port: int, **options: Any) -> Any:
        pages = options.pop("process_request")

        def checked(connection: Any, request: Request) -> Any:
            refused = admission.refusal(connection, request)
            if refused is not None:
                return refused
            if request.path == ALIVE:
                return connection.respond(http.HTTPStatus.OK, "dorosim\n")
            return scripted.answer(pages(connection, request))

        async def handled(connection: Any) -> None:
            asyncio.get_running_loop().set_exception_handler(_note_problem)
            if not admission.enter(connection):  # as many others have come between its request and now
                await connection.close(CloseCode.TRY_AGAIN_LATER, admission.full)
                return
            try:
                # viser serves before the server is complete
                while not made.is_set() or (ready is not None and not ready.is_set()):
                    await asyncio.sleep(COMPLETION_CHECK_S)
                await handler(connection)
            except Exception as problem:  # not a message of the page: its sender is disconnected
                await connection.close(CloseCode.PROTOCOL_ERROR, type(problem).__name__)
            finally:
                admission.leave(connection)

        return _serve(handled, sock=listener, process_request=checked, **options)

    asyncio_server.serve = serve  # type: ignore[misc, assignment]  # viser looks it up here when it starts
    try:
        server = _PageServer(host=str(host), port=int(port), label=label, verbose=False)
    finally:
        asyncio_server.serve = _serve  # type: ignore[misc]
        made.set()
    return server


class _Scripted:
    """Puts `SCRIPT` into viser's page, on the thread of the server."""

    def __init__(self) -> None:
        self._known: dict[bytes, bytes] = {}

    def answer(self, response: Response | None) -> Response | None:
        """Returns an answer of viser, with the script if it is a page."""
        if response is None or not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        zipped = response.headers.get("Content-Encoding") == "gzip"
        given = bytes(response.body)
        body = self._known.get(given)
        if body is None:
            page = gzip.decompress(given) if zipped else given
            body = with_script(page, SCRIPT.read_bytes())
            if zipped:
                body = gzip.compress(body, compresslevel=1)
            self._known = {given: body}  # a browser asks for one of the two
        response.body = body
        del response.headers["Content-Length"]
        response.headers["Content-Length"] = str(len(body))
        return response


def with_script(page: bytes, script: bytes) -> bytes:
    """A page of HTML with a script as the first thing in its head; without a head, the page as it is."""
    return page.replace(b"<head>", b"<head><script>" + script + b"</script>", 1)


class _Admission:
    """Decides which connections the server takes, on the thread of the server."""

    def __init__(self, origins: WebOrigins, max_visitors: int, report: Callable[[str], None]) -> None:
        self._origins, self._max_visitors, self._report = origins, max_visitors, report
        self._visitors: set[Any] = set()
        self._rest = Throttle(1.0)
        self.full = f"{max_visitors} visitors are here already; close one, or raise view.visitors"

    def refusal(self, connection: Any, request: Request) -> Response | None:
        """Returns the answer to a request that is refused, and reports the reason; None for other requests."""
        why, status = refusal_of(request.headers, self._origins), http.HTTPStatus.FORBIDDEN
        if why is None and len(self._visitors) >= self._max_visitors:
            why, status = self.full, http.HTTPStatus.SERVICE_UNAVAILABLE
        if why is None:
            return None
        if self._rest.due():
            self._report(why)
        refused: Response = connection.respond(status, f"{why}\n")
        return refused

    def enter(self, connection: Any) -> bool:
        """Count a visitor. Returns whether there was room."""
        if len(self._visitors) >= self._max_visitors:
            return False
        self._visitors.add(connection)
        return True

    def leave(self, connection: Any) -> None:
        """Count a visitor no longer."""
        self._visitors.discard(connection)


def _note_problem(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the server, but not one of a visitor's message: viser takes no wrong values from it."""
    task = context.get("future", context.get("task"))
    coroutine = task.get_coro() if isinstance(task, asyncio.Task) else None
    if getattr(coroutine, "__name__", "") != _TAKES_MESSAGE:
        loop.default_exception_handler(context)


def refusal_of(headers: Headers, origins: WebOrigins) -> str | None:
    """Returns why a request that is not from this page is refused; None for one that is.

    Args:
        headers: of the request.
        origins: pages that may come, and names under which they are served.
    """
    hosts = headers.get_all("Host")
    return origins.host_refusal(hosts) or origins.refusal(headers.get_all("Origin"), hosts)
