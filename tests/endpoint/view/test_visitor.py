"""What visitors send that no browser would: the page goes on, for them and for others."""

from __future__ import annotations

import gc
import itertools
from contextlib import contextmanager

import msgspec
import pytest
import viser
from websockets.sync.client import connect

from dorosim.bridge.view.camera import Mode
from dorosim.endpoint.view.stage.camera import CameraPart
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


@pytest.fixture
def two(page):
    with visitor(page) as first, visitor(page) as second:
        yield first, second


def test_values_of_the_wrong_kind_change_nothing_and_fill_no_journal(page, two, caplog, capfd):
    slider = page.context.server.gui.add_slider("Rain", 0.0, 60.0, 0.5, 4.0)
    for value in ("much", None, [], {}):
        two[0].set(slider, value)
    two[1].set(slider, 7.5)
    wait_for(lambda: slider.value == 7.5)
    two[0].set(slider, 8.0)  # messages of a visitor are taken in their order
    wait_for(lambda: slider.value == 8.0)
    gc.collect()
    assert not caplog.records
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.filterwarnings("ignore::UserWarning")  # by which viser lets such values through
def test_a_camera_that_is_none_leaves_those_of_others(page, two, capfd):
    part = page.add(CameraPart)
    groups = lambda: [  # noqa: E731
        handle
        for client in page.context.server.get_clients().values()
        for handle in client.gui._gui_input_handle_from_uuid.values()
    ]
    wait_for(lambda: len(groups()) == 2)
    page.context.notes.clear()
    two[0].set(groups()[0], "sideways")
    wait_for(lambda: page.context.notes)
    assert "sideways" in page.context.notes[0]
    two[1].set(groups()[1], Mode.TOP.value)
    clients = list(page.context.server.get_clients())
    wait_for(lambda: part.mode(clients[1]) is Mode.TOP)
    assert part.mode(clients[0]) is Mode.CHASE
    slider = page.context.server.gui.add_slider("Sent", 0.0, 60.0, 1.0, 0.0)
    wrong = itertools.product(([1.0], [], [float("nan")] * 3), ("position", "look_at", "wxyz"))
    for number, (value, name) in enumerate(wrong, 1):
        two[0].send(**(CAMERA | {name: value}))
        two[0].set(slider, number)
        wait_for(lambda number=number: slider.value == number)
        page.show()
    assert "Traceback" not in capfd.readouterr().err


def test_who_leaves_while_the_page_is_drawn_for_him_is_no_news(page):
    """viser warns of it, which the run would print as trouble of the page."""
    with visitor(page):
        (client,) = page.context.server.get_clients().values()
    wait_for(lambda: not page.context.server.get_clients())
    client.gui.add_button_group("Camera", ("chase", "top"))
