"""The process of the live page, `python -m dorosim.app.page CONNECTION SOCKET`; `dorosim.app.view_service` starts it.

The arguments are descriptors: of the connection to the run, and of the socket that listens for visitors.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from multiprocessing.connection import Connection

from dorosim.endpoint.view.door import lower_priority

PRIORITY = 5
"""Steps by which the run goes before the page (`nice`)."""


def main(connection: int, listener: int) -> None:
    """Serve the page until the run ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the run's, which ends the page
    lower_priority(PRIORITY)
    # in this order, so that the visitor's browser loads the page while the rest is imported
    from dorosim.endpoint.view.server import open_page_server

    server = open_page_server(socket.socket(fileno=listener), "dorosim")
    from dorosim.app.scene_store import load_actor_models, load_scenery, load_static_world
    from dorosim.bridge.view.scenery import page_origin
    from dorosim.endpoint.view.message import RunBegun
    from dorosim.endpoint.view.mirror import Mirror
    from dorosim.endpoint.view.page import Page
    from dorosim.endpoint.view.part import PageRun

    mirror = Mirror(Connection(connection))
    page = Page(server, mirror)

    def begin(begun: RunBegun) -> None:
        files, scene, seed = begun.given
        network = scene.network
        run = PageRun(
            scene=scene,
            models=load_actor_models(scene.models),
            first=begun.now,
            origin=page_origin(network),
            place=f"{files.name} {files.digest} {seed}",
            load_scenery=lambda: load_scenery(files, network, seed),
            load_static=lambda: load_static_world(files, network, seed),
            number=begun.number,
        )
        page.begin(run)

    mirror.follow(begin, page.show, page.hear)
    os._exit(0)  # the run is over: nobody waits for what visitors still asked for


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
