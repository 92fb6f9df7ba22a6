"""The mini-map, and links that open the same view."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.view.camera import Mode
from dorosim.bridge.view.minimap import MAP_SIDE, MiniMap
from dorosim.bridge.view.view_link import MAX_LENGTH, ViewLink
from dorosim.endpoint.view.panel.minimap import REACHES, MiniMapPart
from dorosim.endpoint.view.panel.share import SharePart, link_html
from dorosim.endpoint.view.stage.camera import CameraPart
from dorosim.ground.error import InputError
from dorosim.world.snapshot import EGO
from tests.endpoint.view.stage import change
from tests.endpoint.view.visitor import visitor
from tests.timing import wait_for

EGO_COLOUR, NPC_COLOUR, PERSON_COLOUR, LANE = (0, 220, 255), (255, 190, 60), (120, 230, 120), (150, 156, 164)


def places(picture: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """`(N, 2)` columns and rows of the pixels of a colour."""
    return np.argwhere((picture == colour).all(axis=2))[:, ::-1]


def test_the_map_shows_lanes_and_who_is_where_with_north_up(page):
    drawn = MiniMap(page.run.scene)
    picture = drawn.picture(page.now, EGO, 150.0)
    assert picture.shape == (MAP_SIDE, MAP_SIDE, 3)
    pixel = 0.5 * MAP_SIDE / 150.0
    npc, person = (places(picture, colour).mean(axis=0) - 0.5 * MAP_SIDE for colour in (NPC_COLOUR, PERSON_COLOUR))
    assert npc[0] == pytest.approx(50.0 * pixel, abs=4.0)
    assert abs(npc[1]) < 5.0
    assert person == pytest.approx((10.0 * pixel, 8.0 * pixel), abs=2.0), "south of the lane is down"
    assert len(places(picture, LANE)) > 50
    assert abs(places(picture, EGO_COLOUR)[:, 1].mean() - 0.5 * MAP_SIDE) < 2.0
    whole = drawn.picture(page.now, EGO, math.inf)
    lanes = places(whole, LANE)
    assert np.ptp(lanes[:, 0]) > 0.8 * MAP_SIDE
    assert drawn.picture(page.now, 999, 150.0) is None


def test_the_window_comes_and_goes_with_its_box(page):
    part = page.add(MiniMapPart)
    assert part._image is None
    change(part._shown, True)
    page.show_later()
    image = part._image
    near = np.array(image.image)
    change(part._width, "whole map")
    page.show_later()
    assert part._image is image
    assert not np.array_equal(near, image.image)
    change(part._width, "the moon")
    assert "the moon" in page.context.notes[0]
    assert part._reach == REACHES["whole map"]
    page.context.followed = 999
    page.show_later()
    assert part._image is None
    page.context.followed = EGO
    page.show_later()
    change(part._shown, False)
    page.show()
    assert part._image is part._window is None


@pytest.mark.parametrize(
    "view",
    [ViewLink(Mode.CHASE, 1), ViewLink(Mode.FREE, 23, (4_181_000.25, -3.5, 12.0), (0.0, 1.0, -2.0))],
)
def test_a_link_says_the_view_and_reads_back(view):
    assert ViewLink.from_text(view.to_text()) == view


@pytest.mark.parametrize(
    "text",
    [
        "",
        "camera=sideways&follow=1",
        "camera=top",
        "camera=top&follow=-1",
        "camera=top&follow=\u0663",
        "camera=free&follow=1&at=1,2,3",
        "camera=free&follow=1&at=1,2&to=1,2,3",
        "camera=free&follow=1&at=nan,2,3&to=1,2,3",
        "camera=free&follow=1&at=1e300,2,3&to=1,2,3",
        "camera=top&follow=1&" + "x" * MAX_LENGTH,
        "<script>",
    ],
)
def test_what_is_no_view_is_refused(text):
    with pytest.raises(InputError):
        ViewLink.from_text(text)


def test_a_visitor_gets_the_view_of_a_link_and_one_of_his_own(page):
    camera = page.add(CameraPart)
    part = SharePart(page.context, camera)
    part.begin(page.run)
    with visitor(page):
        (client,) = page.context.server.get_clients().values()
        wait_for(lambda: client.camera.position is not None)
        part.open(client, ViewLink(Mode.TOP, 2).to_text())
        assert camera.mode(client.client_id) is Mode.TOP
        assert page.context.followed == 2
        assert part.text_of(client) == "camera=top&follow=2"
        part.open(client, ViewLink(Mode.FREE, 2, (120.0, -40.0, 30.0), (100.0, -50.0, 0.0)).to_text())
        assert client.camera.position == pytest.approx((20.0, 10.0, 30.0))
        found = ViewLink.from_text(part.text_of(client))
        assert found.position == pytest.approx((120.0, -40.0, 30.0), abs=0.01)
        assert found.look_at == pytest.approx((100.0, -50.0, 0.0), abs=0.01)
        with pytest.raises(InputError, match="999"):
            part.open(client, ViewLink(Mode.TOP, 999).to_text())
        assert page.context.followed == 2


def test_a_link_is_text_on_the_page():
    assert "<b>" not in link_html('"><b>')
