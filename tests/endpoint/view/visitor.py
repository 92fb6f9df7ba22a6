"""Visitors of a page that are no browsers: they send what a test wants."""

from __future__ import annotations

from contextlib import contextmanager

import msgspec
import viser
from websockets.sync.client import connect

from tests.timing import wait_for

CAMERA = {
    "type": "ViewerCameraMessage",
    "wxyz": [1.0, 0.0, 0.0, 0.0],
    "position": [1.0, 2.0, 3.0],
    "fov": 1.0,
    "near": 0.1,
    "far": 100.0,
    "image_height": 600,
    "image_width": 800,
    "look_at": [0.0, 0.0, 0.0],
    "up_direction": [0.0, 0.0, 1.0],
}


class Visitor:
    """A browser that tells what a test wants, and reads nothing."""

    def __init__(self, socket) -> None:
        self._socket = socket

    def send(self, **message) -> None:
        self._socket.send(msgspec.msgpack.encode(message))

    def set(self, field, value) -> None:
        self.send(type="GuiUpdateMessage", uuid=field._impl.uuid, updates={"value": value})


@contextmanager
def visitor(page):
    known = set(page.context.server.get_clients())
    address = f"ws://127.0.0.1:{page.context.server.get_port()}"
    with connect(address, subprotocols=[f"viser-v{viser.__version__}"], max_size=None) as socket:
        made = Visitor(socket)
        made.send(**CAMERA)
        wait_for(lambda: set(page.context.server.get_clients()) - known)
        yield made
