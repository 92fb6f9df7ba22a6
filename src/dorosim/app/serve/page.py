"""The process of the live page, `python -m dorosim.app.serve.page FORM CONNECTION SOCKET`.

`view_service` starts it. The arguments are a `PageForm` as JSON, and descriptors: of the connection to the run, and of
the socket that listens for visitors.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

import msgspec

from dorosim.endpoint.view.page_launcher import lower_priority

T = TypeVar("T")
SCENERY_WAIT_S = 2.0
"""Wall time that the first visitors wait at most for what stands still, so that no vehicle hangs in the sky [s]. A map
that was never drawn before takes longer: it comes later."""
PRIORITY = 5
"""Steps by which the run goes before the page (`nice`)."""


class PageForm(msgspec.Struct, frozen=True):
    """The settings of the page.

    Attributes:
        served: host at which it is served, as the user wrote it.
        origins: further addresses under which browsers may open it. visitors: most of them at a time.
    """

    served: str
    origins: tuple[str, ...]
    visitors: int


class StaticSceneCache:
    """What stands still at the place that was shown last: loaded once, however many ask for it at a time."""

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._place = ""
        self._loaded: dict[str, Any] = {}

    def get(self, place: str, kind: str, load: Callable[[], T]) -> T:
        """What is loaded of a place, by its kind: "scenery" that the page draws, or "static" triangles for sensors."""
        with self._loading:
            if place != self._place:
                self._place, self._loaded = place, {}
            if kind not in self._loaded:
                self._loaded[kind] = load()
            found: T = self._loaded[kind]
            return found


def main(form: PageForm, connection: int, listener: int) -> None:
    """Serve the page until the run ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the run's, which ends the page
    lower_priority(PRIORITY)
    # in this order, so that the visitor's browser loads the page while the rest is imported
    from dorosim.endpoint.view.server import open_page_server
    from dorosim.endpoint.web_origin import WebOrigins

    origins = WebOrigins("view.origins", form.origins, form.served)
    begun = threading.Event()
    server = open_page_server(socket.socket(fileno=listener), "dorosim", origins, form.visitors, _report, begun)
    from dorosim.app.serve.shown_run import GuideCache
    from dorosim.app.store.scene import load_actor_models, load_page_scenery, load_static_world
    from dorosim.bridge.view.scenery import page_origin
    from dorosim.endpoint.view.message import RunBegun
    from dorosim.endpoint.view.page import Page
    from dorosim.endpoint.view.page_context import PageRun
    from dorosim.endpoint.view.run_proxy import RunProxy

    proxy = RunProxy(Connection(connection))
    page, still, guides = Page(server, proxy, furnished=begun.set), StaticSceneCache(), GuideCache()

    def begin(given: RunBegun) -> None:
        files, scene, seed, kept = given.given
        network, place = scene.network, f"{files.name} {files.digest} {seed}"
        run = PageRun(
            scene=scene,
            models=load_actor_models(scene.models),
            first=given.now,
            origin=page_origin(network),
            place=place,
            load_scenery=lambda: still.get(place, "scenery", lambda: load_page_scenery(files, network, seed)),
            load_static=lambda: still.get(place, "static", lambda: load_static_world(files, network, seed)),
            number=given.number,
            load_storyboard=None if kept is None else lambda: guides.get(kept, files),
        )
        page.begin(run)
        wait = threading.Timer(SCENERY_WAIT_S, begun.set)
        wait.daemon = True
        wait.start()

    proxy.follow(begin, page.show, page.hear)
    os._exit(0)  # the run is over: requests of visitors that are still open are not answered


def _report(problem: str) -> None:
    """Report a problem to the program (`dorosim.endpoint.view.page_launcher`)."""
    sys.stderr.write(f"{problem}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main(msgspec.json.decode(sys.argv[1], type=PageForm), int(sys.argv[2]), int(sys.argv[3]))
