"""What visitors send that no browser would: the page goes on, for them and for others."""

from __future__ import annotations

import gc
import itertools

import pytest

from dorosim.bridge.view.camera import Mode
from dorosim.endpoint.view.stage.camera import ACTIVE, CameraPart
from dorosim.endpoint.view.stage.overlay import OverlayPart
from dorosim.world.snapshot import EGO
from tests.endpoint.view.visitor import CAMERA, visitor
from tests.timing import wait_for


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


def test_the_camera_that_a_visitor_has_is_marked_for_that_visitor_alone(page, two):
    part = page.add(CameraPart)
    groups = lambda: [  # noqa: E731
        handle
        for client in page.context.server.get_clients().values()
        for handle in client.gui._gui_input_handle_from_uuid.values()
    ]
    wait_for(lambda: len(groups()) == 2)
    assert [group.options for group in groups()] == [(f"{ACTIVE}chase", "top", "driver", "free")] * 2
    for pressed in ("driver", f"{ACTIVE}driver"):  # once more changes nothing
        two[1].set(groups()[1], pressed)
        wait_for(lambda: groups()[1].options == ("chase", "top", f"{ACTIVE}driver", "free"))
    assert groups()[0].options[0] == f"{ACTIVE}chase"
    assert part.mode(list(page.context.server.get_clients())[1]) is Mode.DRIVER
    assert page.context.notes == []


def test_names_that_would_lie_over_each_other_are_hidden_from_who_sees_them_so(page, two):
    part = page.add(OverlayPart)
    part.shown.add("names")
    clients = list(page.context.server.get_clients().values())
    down = [0.0, 1.0, 0.0, 0.0]  # from above, with +y up in the picture
    far, near = [-20.0, 50.0, 3000.0], [-20.0, 50.0, 60.0]  # over the ego and the others, in the page's frame
    for visitor_, place in zip(two, (far, near), strict=True):
        visitor_.send(**(CAMERA | {"position": place, "wxyz": down, "look_at": [*place[:2], 0.0]}))
    wait_for(lambda: all(client.camera.position[2] > 50.0 for client in clients))
    page.show_later()
    hidden = [set(part._labels._seen[client.client_id].covered) for client in clients]
    assert len(hidden[0]) == 2, "from 3 km away all three are one"
    assert f"/text/names/{EGO}" not in hidden[0], "the followed one is seen"
    assert len(hidden[1]) < 2
    two[0].send(**(CAMERA | {"position": near, "wxyz": down, "look_at": [*near[:2], 0.0]}))
    wait_for(lambda: clients[0].camera.position[2] < 100.0)
    page.show_later()
    assert set(part._labels._seen[clients[0].client_id].covered) == hidden[1]
    part.shown.discard("names")
    page.show_later()
    own = part._labels._seen[clients[0].client_id]
    assert (own.covered, own.hidden, own.moved) == (set(), {}, {})


def test_names_lie_beside_vehicles_for_who_looks_from_above_and_for_nobody_else(page, two):
    part = page.add(OverlayPart)
    part.shown.add("names")
    clients = list(page.context.server.get_clients().values())
    down, level = [0.0, 1.0, 0.0, 0.0], [0.5, -0.5, 0.5, -0.5]  # with +y up in the picture; along +x, with +z up
    place = [-20.0, 50.0, 60.0]
    for visitor_, turn in zip(two, (down, level), strict=True):
        visitor_.send(**(CAMERA | {"position": place, "wxyz": turn, "look_at": [0.0, 50.0, 0.0]}))
    wait_for(lambda: all(client.camera.position[2] > 50.0 for client in clients))
    page.show_later()
    name = f"/text/names/{EGO}"
    shared = part._labels._labels[name].position
    above, beside = (part._labels._seen[client.client_id] for client in clients)
    assert beside.moved == {}
    assert name in above.hidden, "the shared text is not seen, too"
    moved = above.moved[name].position
    assert moved[0] == pytest.approx(shared[0])
    assert 1.5 < moved[1] - shared[1] < 3.5, "beyond the roof, whichever way the vehicle stands"
    two[0].send(**(CAMERA | {"position": [*place[:2], 70.0], "wxyz": level, "look_at": [0.0, 50.0, 0.0]}))
    wait_for(lambda: clients[0].camera.position[2] > 65.0)
    page.show_later()
    assert (above.moved, name in above.hidden) == ({}, name in above.covered)
