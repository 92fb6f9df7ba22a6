"""The tab of the view: who is followed, by clicks and from a list, and what is shown."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dorosim.bridge.view import townscape
from dorosim.bridge.view.backdrop import backdrop_roads
from dorosim.bridge.view.townscape import Layer
from dorosim.endpoint.view.panel.look import EGO_TEXT, LookPart
from dorosim.endpoint.view.panel.spawn import SpawnPart
from dorosim.endpoint.view.stage.map import MapPart
from dorosim.endpoint.view.stage.overlay import KINDS, OverlayPart
from dorosim.world.snapshot import EGO
from tests.endpoint.view.stage import change, click, ray_to


@pytest.fixture
def parts(page):
    """The map, the lines over it, and the tab."""
    town, lines = page.add(MapPart), page.add(OverlayPart)
    return SimpleNamespace(town=town, lines=lines, look=page.add(lambda context: LookPart(context, town, lines)))


def point_at(parts, x: float, y: float) -> None:
    """A visitor clicks on a place in the map."""
    origin, direction = ray_to(x, y)
    parts.look._clicked(SimpleNamespace(ray_origin=origin, ray_direction=direction))


def handle_of(page, label: str):
    handles = page.context.server.gui._gui_input_handle_from_uuid.values()
    return next(one for one in handles if one.label == label)


def test_a_click_follows_who_is_there(page, parts):
    point_at(parts, 60.0, -8.0)
    assert page.context.followed == 3
    assert parts.look._who.value == "3 · followed"
    point_at(parts, 400.0, 0.0)
    assert page.context.followed == 3, "nobody is there"
    point_at(parts, 51.0, 0.0)
    assert (page.context.followed, parts.look._who.value) == (EGO, EGO_TEXT)
    parts.look._clicked(SimpleNamespace(ray_origin=None, ray_direction=None))
    assert not page.context.notes


def test_a_click_that_places_follows_nobody(page, parts):
    page.context.clicking = "places what is chosen"
    point_at(parts, 60.0, -8.0)
    assert page.context.followed == EGO


def test_the_nearest_are_listed_and_followed(page, parts):
    click(handle_of(page, "List the nearest"))
    assert [text.split(" · ")[0] for text in parts.look._who.options] == ["1", "3", "2"], "nearest first"
    change(parts.look._who, parts.look._who.options[2])
    assert page.context.followed == 2
    change(parts.look._who, ["nobody of this name"])
    assert "no actor is chosen" in page.context.notes[-1]
    assert page.context.followed == 2
    parts.look.begin(page.run)
    assert parts.look._who.options == (EGO_TEXT,)


def test_boxes_show_and_hide(page, parts):
    change(handle_of(page, "Buildings"), False)
    assert not parts.town._layers[Layer.BUILDINGS].visible
    assert not parts.town._layers[Layer.WINDOWS].visible
    assert parts.town._layers[Layer.TREES].visible
    assert {name for name, kind in KINDS.items() if kind.shown} == parts.lines.shown
    for label, name in (("Names of actors", "names"), ("Ids of links", "links"), ("Stop lines", "stop")):
        change(handle_of(page, label), True)
        assert name in parts.lines.shown
    change(handle_of(page, "Goals"), False)
    assert "goals" not in parts.lines.shown
    change(handle_of(page, "Detail"), "endless")
    assert len(page.context.notes) == 1


def test_what_is_not_drawn_of_a_map_stands_in_the_tab(page, monkeypatch):
    monkeypatch.setattr(townscape, "MAX_TRIANGLES", len(backdrop_roads(page.run.scene.network).faces))
    town, lines = page.add(MapPart), page.add(OverlayPart)
    look = page.add(lambda context: LookPart(context, town, lines))
    assert "too large to be drawn whole" in look._notice.content
    monkeypatch.undo()
    look.furnish(page.run.load_scenery())
    assert look._notice.content == ""


def test_the_ground_is_made_ready_once_for_all_who_point_at_it(page, parts):
    assert page.add(SpawnPart)._picker is parts.look._picker
