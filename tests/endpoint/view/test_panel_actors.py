"""Panels that put actors into the world, set lights and bring about faults."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dorosim.bridge.actor import ActorKind, kind_of
from dorosim.bridge.surroundings import LightFinder
from dorosim.bridge.view.signal import LightBoard
from dorosim.endpoint.view.panel.fault import FaultPart
from dorosim.endpoint.view.panel.head import PAUSE, HeadPart
from dorosim.endpoint.view.panel.light import LightPart
from dorosim.endpoint.view.panel.spawn import PLACE, SpawnPart
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from tests.endpoint.view.stage import VISITOR, change, click, ray_to
from tests.world.world import town_world


def made_at(page, x: float, y: float) -> ActorKind:
    page.context.now = page.now
    before = page.now.last_id
    page.parts[0].clicked(*ray_to(x, y))
    return kind_of(page.now, page.now.last_id) if page.now.last_id > before else ActorKind.NONE


@pytest.mark.parametrize(
    ("what", "model", "kind"),
    [
        ("NPC vehicle", "2018_Hyundai_ElecCity", ActorKind.NPC),
        ("ego vehicle", "2015_Kia_K5", ActorKind.EGO),
        ("pedestrian", "child", ActorKind.PEDESTRIAN),
        ("obstacle", "cone", ActorKind.OBSTACLE),
        ("slippery place", "Ice", ActorKind.MAP_OBJECT),
    ],
)
def test_a_click_on_the_road_places_what_is_chosen(page, what, model, kind):
    part = page.add(SpawnPart)
    change(part._kind, what)
    assert model in part._model.options
    change(part._model, model)
    click(part._place)
    assert part._place.label != PLACE
    assert page.context.clicking
    assert made_at(page, 200.0, 0.8) is kind
    assert not any("cannot" in note for note in page.context.notes)


def test_nothing_is_placed_before_and_after_clicking(page):
    part = page.add(SpawnPart)
    assert made_at(page, 200.0, 0.0) is ActorKind.NONE
    click(part._place)
    click(part._place)
    assert part._place.label == PLACE
    assert not page.context.clicking
    assert made_at(page, 200.0, 0.0) is ActorKind.NONE


def test_clicking_ends_after_one_where_one_is_wanted_and_by_itself(page, monkeypatch):
    part = page.add(SpawnPart)
    change(part._several, False)
    click(part._place)
    assert made_at(page, 200.0, 0.0) is ActorKind.NPC
    assert not page.context.clicking
    monkeypatch.setattr("dorosim.endpoint.view.panel.spawn.CLICKING_TIMEOUT_S", -1.0)
    monkeypatch.setattr(page.context.server, "get_clients", lambda: {VISITOR: None})
    click(part._place)
    page.show()
    assert not page.context.clicking


def test_clicking_ends_when_who_began_it_uses_another_tab(page):
    part, lights, head, faults = (page.add(kind) for kind in (SpawnPart, LightPart, HeadPart, FaultPart))
    click(part._place)
    change(part._kind, "pedestrian")
    click(part._list)
    click(head._buttons, PAUSE)
    assert page.context.clicking, "what belongs to it, and what stands above all tabs, goes on"
    click(lights._ahead, visitor=VISITOR + 1)
    assert page.context.clicking, "another visitor does what he likes"
    click(lights._ahead)
    assert not page.context.clicking
    assert part._place.label == PLACE
    click(part._remove)
    change(faults._where, faults._where.options[0])
    assert not page.context.clicking


def test_clicking_ends_when_who_began_it_leaves_the_page(page, monkeypatch):
    part = page.add(SpawnPart)
    clients = {VISITOR: None, VISITOR + 1: None}
    monkeypatch.setattr(page.context.server, "get_clients", lambda: clients)
    click(part._place)
    page.show()
    assert page.context.clicking
    del clients[VISITOR]
    page.show()
    assert not page.context.clicking


def test_a_click_where_nothing_can_be_is_told_of(page):
    part = page.add(SpawnPart)
    click(part._place)
    assert made_at(page, 200.0, 300.0) is ActorKind.NONE
    assert "no lane" in page.context.notes[-1]
    part.clicked((0.0, 0.0, 5.0), (0.0, 0.0, 1.0))
    assert "no ground" in page.context.notes[-1]
    change(part._model, "DeLorean")
    assert made_at(page, 200.0, 0.0) is ActorKind.NONE
    assert "no model" in page.context.notes[-1]
    change(part._kind, "dragon")
    assert "dragon" in page.context.notes[-1]


def test_clicks_and_the_list_remove_who_is_there_but_the_ego(page):
    part = page.add(SpawnPart)
    click(part._list)
    assert [text.split(" · ")[0] for text in part._who.options] == ["3", "2"], "nearest first"
    change(part._who, part._who.options[1])
    click(part._follow)
    assert page.context.followed == 2
    click(part._take)
    assert kind_of(page.now, 2) is ActorKind.NONE
    page.context.now = page.now
    click(part._remove)
    part.clicked(*ray_to(60.0, -8.0))
    assert kind_of(page.now, 3) is ActorKind.NONE
    page.context.now = page.now
    part.clicked(*ray_to(51.0, 0.0))
    assert kind_of(page.now, EGO) is ActorKind.EGO
    assert "stays" in page.context.notes[-1]
    part.clicked(*ray_to(400.0, 0.0))
    assert "there is no actor" in page.context.notes[-1]


def test_slippery_places_are_listed_and_removed(page):
    part = page.add(SpawnPart)
    change(part._kind, "slippery place")
    click(part._place)
    assert made_at(page, 55.0, 0.0) is ActorKind.MAP_OBJECT
    page.context.now = page.now
    click(part._list)
    assert "Puddle · 5 m" in part._who.options[0]
    click(part._take)
    assert page.now.friction.objects.rows == 0


def test_another_run_ends_clicking(page):
    part = page.add(SpawnPart)
    click(part._place)
    part.begin(page.run)
    assert not page.context.clicking


def test_panels_begin_again_with_another_run(page):
    """Nothing of the last run is left in them, and nothing is there twice."""
    parts = [page.add(kind) for kind in (SpawnPart, FaultPart, LightPart)]
    handles = len(page.context.server.gui._gui_input_handle_from_uuid)
    click(parts[0]._list)
    for part in parts:
        part.begin(page.run)
    page.show_later()
    assert parts[0]._who.options == ("none",)
    assert parts[1]._where.options[0] == "accelerator"
    assert len(page.context.server.gui._gui_input_handle_from_uuid) == handles


# faults ----------------------------------------------------------------------------------------------------------


def test_faults_are_brought_about_and_cleared(page):
    part = page.add(FaultPart)
    assert "steering" in part._where.options
    assert "tyre RR" in part._where.options
    change(part._where, "tyre RR")
    assert part._kind.options == ("puncture", "transform")
    click(part._inject)
    change(part._where, "brake")
    change(part._kind, "delayed")
    click(part._inject)
    page.show_later()
    assert page.now.fault.rows == 2
    assert "tyre RR: puncture" in part._text.content
    click(part._clear)
    assert page.now.fault.rows == 1
    page.context.now = page.now
    click(part._clear_all)
    assert page.now.fault.rows == 0
    assert not page.context.notes


def test_sensors_of_who_is_followed_can_fail(page):
    part = page.add(FaultPart)
    page.proxy.do(AddSensor(EGO, settings=ImuSettings()))
    page.show_later()
    assert "sensor 1 (imu)" in part._where.options
    change(part._where, "sensor 1 (imu)")
    change(part._kind, "loss and timeout")
    click(part._inject)
    assert page.now.fault.place.tolist() == [1]


def test_who_has_nothing_that_fails_is_told_of(page):
    part = page.add(FaultPart)
    page.context.followed = 3
    page.show_later()
    click(part._inject)
    assert "nothing that can fail" in page.context.notes[-1]
    change(part._where, "gearbox")
    assert len(page.context.notes) == 2


# lights ----------------------------------------------------------------------------------------------------------


def test_a_map_without_lights_is_told_of(page):
    part = page.add(LightPart)
    assert "no lights" in part._text.content
    click(part._ahead)
    click(part._free)
    click(part._set_state)
    assert len(page.context.notes) == 3
    assert np.array_equal(page.now.signal.light.command, [])


def test_the_panel_shows_the_light_ahead_until_somebody_chooses_one(page):
    page.proxy.world = world = town_world()
    page.run = replace(page.run, scene=world.scene, first=world.now)
    part, board = page.add(LightPart), LightBoard(world.scene)
    ahead = board.ahead_of(world.now, EGO)
    assert part._light.value == ahead != board.lights[0]
    assert part._crossing.value == board.view(world.now, ahead).intersection
    link = next(
        link
        for link in range(world.scene.network.link_count)
        if (found := LightFinder(world.scene).ahead(link)) and found.index != ahead
    )
    (other,) = world.do(CreateNpc(model=world.scene.models[0].name, link=link, s=5.0))
    page.context.follow(other)
    page.show_later()
    second = part._light.value
    assert second == board.ahead_of(world.now, other) != ahead, "of whom is followed now"
    change(part._light, board.lights[0])
    page.show_later()
    assert part._light.value == board.lights[0], "a visitor has chosen it"
    click(part._ahead)
    page.context.follow(EGO)
    page.show_later()
    assert part._light.value == second, "and asked for this one"
    part.begin(page.run)
    page.show_later()
    assert part._light.value == ahead
    page.context.follow(99)
    page.show_later()
    assert part._light.value == ahead, "nobody is there"
    assert not page.context.notes
