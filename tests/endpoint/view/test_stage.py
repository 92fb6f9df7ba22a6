"""What the stage sends to its visitors: a real server on a port of its own, without any browser."""

from __future__ import annotations

import pickle
import socket
import sys
import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from viser._messages import BatchedMeshesMessage

from dorosim.bridge.actor_state import ActorReader
from dorosim.bridge.view.camera import Mode
from dorosim.bridge.view.sky import light_of
from dorosim.bridge.view.townscape import Layer
from dorosim.endpoint.view.page_context import PageContext
from dorosim.endpoint.view.server import open_page_server
from dorosim.endpoint.view.stage import actors as actors_module
from dorosim.endpoint.view.stage import map as map_module
from dorosim.endpoint.view.stage import sky as sky_module
from dorosim.endpoint.view.stage.actors import ActorsPart
from dorosim.endpoint.view.stage.camera import CameraPart
from dorosim.endpoint.view.stage.map import MapPart
from dorosim.endpoint.view.stage.overlay import OverlayPart
from dorosim.endpoint.view.stage.signals import SignalsPart
from dorosim.endpoint.view.stage.sky import SkyPart
from dorosim.endpoint.view.stage.street_lamps import StreetLampsPart
from dorosim.world.actor.command import PlaceActor
from dorosim.world.environment.command import PlaceShade, SetSeason, SetTimeOfDay, SetWeather
from dorosim.world.environment.weather import DAY, Season, WeatherKind
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from tests.bridge.view.shown import shown_street, world_on_street
from tests.endpoint.view.stage import page_run


class Recorder:
    """What is sent, by the names of nodes and properties."""

    def __init__(self, monkeypatch, server) -> None:
        self.sent: list[tuple[str, str]] = []
        interface = server.scene._websock_interface
        queue = interface.queue_message

        def record(message: Any) -> None:
            updates = ",".join(getattr(message, "updates", {}))
            self.sent.append((type(message).__name__, f"{getattr(message, 'name', '')} {updates}".strip()))
            queue(message)

        monkeypatch.setattr(interface, "queue_message", record)

    def take(self) -> list[tuple[str, str]]:
        """What was sent since the last call."""
        sent, self.sent = self.sent, []
        return sent


class Stage:
    def __init__(self, monkeypatch) -> None:
        self.server = open_page_server(socket.create_server(("127.0.0.1", 0)), "test")
        self.context = PageContext(self.server, None)
        self.recorder = Recorder(monkeypatch, self.server)
        self.map, self.lines, self.camera = MapPart(self.context), OverlayPart(self.context), CameraPart(self.context)
        self.parts = [
            SkyPart(self.context),
            self.map,
            SignalsPart(self.context),
            StreetLampsPart(self.context),
            ActorsPart(self.context),
            self.lines,
            self.camera,
        ]
        self.world = world_on_street()
        run = shown_street()
        shown = page_run(run, self.world.now)
        scenery = shown.load_scenery()
        for part in self.parts:
            part.begin(shown)
            part.furnish(scenery)
        self.run = shown

    def show(self) -> list[tuple[str, str]]:
        """Show the world as it is; what that sent."""
        self.recorder.take()
        self.lines._look.wait(0.0)
        for part in self.parts:
            part.show(self.world.now)
        return self.recorder.take()


@pytest.fixture
def stage(monkeypatch):
    made = Stage(monkeypatch)
    yield made
    made.server.stop()


def test_what_stands_still_is_sent_once(stage):
    assert any(name.startswith("/actor/") for _, name in stage.show())
    assert stage.show() == []


def test_who_moves_costs_few_messages(stage):
    stage.show()
    stage.world.run(2.0)
    sent = stage.show()
    assert 0 < len(sent) < 40
    assert all(
        kind in {"SceneNodeUpdateMessage", "SetPositionMessage", "SetSceneNodeVisibilityMessage"} for kind, _ in sent
    )
    moved = {name.split()[0] for _, name in sent}
    assert any(name.startswith("/actor/") for name in moved)
    assert not any(name.startswith("/map/") for name in moved)


def test_painted_actors_are_never_told_more_colours_than_places(stage):
    """Also not to a browser that comes later, which is told of each property when it was last changed."""
    stage.show()
    for x in (130.0, 160.0, 190.0):
        stage.world.do(CreateNpc(model="2015_Kia_K5", link=1, s=x))
        stage.show()
        stage.world.run(0.1)
        stage.show()
    count: dict[str, int] = {}
    told = 0
    for message in list(stage.server._websock_server._broadcast_buffer.message_from_id.values()):
        name = getattr(message, "name", "")
        if isinstance(message, BatchedMeshesMessage):
            count[name] = len(message.props.batched_positions)
            assert len(message.props.batched_colors) == count[name]
            told += count[name]
        for key, value in getattr(message, "updates", {}).items():
            if key.startswith("batched_") and name in count:
                assert len(value) == count[name], key
    assert told >= 5


def test_one_actor_more_or_less_sends_no_shape_again(stage):
    """A shape is some kilobytes for each visitor, and a new node may blink."""
    for s in (130.0, 142.0):
        stage.world.do(CreateNpc(model="2015_Kia_K5", link=1, s=s))
    stage.show()
    stage.world.do(CreateNpc(model="2015_Kia_K5", link=1, s=160.0))
    sent = stage.show()
    assert any("batched_positions" in name for _, name in sent)
    assert [one for one in sent if one[0].startswith(("Batched", "Remove"))] == []
    for s in range(170, 290, 12):
        stage.world.do(CreateNpc(model="2015_Kia_K5", link=1, s=float(s)))
    assert any(kind == "BatchedMeshesMessage" for kind, _ in stage.show())


def test_lamps_and_map_of_another_place_go_at_once_and_those_of_the_same_stay(monkeypatch, stage):
    signals = stage.parts[2]
    stage.show()
    hidden = []
    for batch in signals._batches.values():
        monkeypatch.setattr(batch, "hide", lambda: hidden.append(1))
    signals.begin(stage.run)
    assert not hidden
    assert signals._lenses is not None
    signals.begin(replace(stage.run, place="elsewhere"))
    assert len(hidden) == len(signals._batches)
    assert signals._lenses is None


def test_light_may_change_while_the_map_is_on_its_way(stage):
    other = replace(stage.run, place="elsewhere")
    for part in stage.parts:
        part.begin(other)
    stage.show()
    stage.world.do(SetTimeOfDay(0.0))
    stage.show()
    stage.map.furnish(stage.run.load_scenery())
    dark = stage.map._tiles[0][1].glb_data
    stage.world.do(SetTimeOfDay(0.5 * DAY))
    stage.show()
    assert stage.map._tiles[0][1].glb_data != dark


def test_the_map_is_coloured_anew_once_the_light_has_changed(stage):
    stage.show()
    stage.world.do(SetTimeOfDay(0.0))
    night = [name for _, name in stage.show() if name.startswith("/map/")]
    assert night
    assert all(name.endswith("glb_data") for name in night)
    assert [name for _, name in stage.show() if name.startswith("/map/")] == []
    stage.world.do(SetWeather(WeatherKind.SUNNY))
    assert [name for _, name in stage.show() if name.startswith("/map/")] == []


def test_layers_and_details_can_be_switched(stage):
    stage.show()
    stage.recorder.take()
    stage.map.set_shown(Layer.BUILDINGS, shown=False)
    assert stage.recorder.take() == [
        ("SetSceneNodeVisibilityMessage", "/map/buildings"),
        ("SetSceneNodeVisibilityMessage", "/map/windows"),
    ]
    assert not any(handle.visible for tile, handle in stage.map._tiles if tile.layer is Layer.STREET), "it is far away"
    stage.map.set_detail("all")
    stage.show()
    assert all(handle.visible for tile, handle in stage.map._tiles if tile.layer is Layer.STREET)


def test_lines_are_sent_when_they_change_and_hidden_when_they_go(stage):
    stage.show()
    stage.world.do(PlaceShade(alias=1, position=(10.0, 20.0, 5.0), size=(8.0, 4.0, 2.0)))
    assert any(name.startswith("/overlay/shade") for _, name in stage.show())
    assert not any(name.startswith("/overlay/shade") for _, name in stage.show())
    stage.lines.shown.discard("shade")
    assert ("SetSceneNodeVisibilityMessage", "/overlay/shade") in stage.show()


def test_names_are_shown_on_request_and_go_again(stage):
    stage.show()
    stage.lines.shown.add("names")
    assert sum(kind == "LabelMessage" for kind, _ in stage.show()) == 3, "both cars and the person"
    stage.lines.shown.discard("names")
    assert sum(kind == "RemoveSceneNodeMessage" for kind, _ in stage.show()) == 3


def test_names_are_those_within_reach_of_who_is_followed_and_his_own(stage):
    stage.show()
    stage.lines.shown.add("names")
    stage.world.do(PlaceActor(3, (180.0, -8.0, 0.0), (0.0, 0.0, 0.0)))
    labels = [name for kind, name in stage.show() if kind == "LabelMessage"]
    assert sorted(labels) == ["/text/names/1", "/text/names/2"], "the person is 130 m away"
    stage.context.followed = 3
    texts = {name.split()[0] for _, name in stage.show() if name.startswith("/text/names/")}
    assert "/text/names/3" in texts
    assert "/text/names/1" in texts, "it is taken away"


def test_who_leaves_is_followed_no_longer(stage):
    stage.context.follow(999)
    stage.show()
    assert stage.context.followed == EGO


def test_another_run_takes_the_place_of_the_last(stage):
    stage.show()
    before = len(stage.server.scene._handle_from_node_name)
    other = replace(stage.run, place="elsewhere")
    for part in stage.parts:
        part.begin(other)
    stage.show()
    assert not any(name.startswith("/map/street/") for name in stage.server.scene._handle_from_node_name)
    for part in stage.parts:
        part.furnish(stage.run.load_scenery())
    stage.show()
    assert len(stage.server.scene._handle_from_node_name) == before


def test_the_same_map_is_not_sent_again(stage):
    """As after a reset: a town is 25 MB for each visitor."""
    stage.show()
    for part in stage.parts:
        part.begin(stage.run)
        part.furnish(stage.run.load_scenery())
    assert not any(name.startswith("/map/") for _, name in stage.show())


def test_each_visitor_has_a_camera_of_his_own(stage):
    stage.camera.set_mode(7, Mode.TOP)
    assert (stage.camera.mode(7), stage.camera.mode(8)) == (Mode.TOP, Mode.CHASE)


def test_a_visitor_moves_his_camera_while_the_run_goes_on(stage):
    over, problems, updated = threading.Event(), [], []
    actor = ActorReader(stage.run.scene).state(stage.world.now, EGO)
    client = MagicMock(client_id=7)
    client.camera.on_update = updated.append
    stage.camera._come(client)
    rig = stage.camera._rig(7)
    reported = SimpleNamespace(position=(3.0, 3.0, 3.0), look_at=(0.0, 0.0, 0.0))

    def hear() -> None:
        try:
            while not over.is_set():
                updated[0](reported)
        except RuntimeError as problem:
            problems.append(problem)

    visitor = threading.Thread(target=hear)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        visitor.start()
        for _ in range(3000):
            stage.camera._move(client, rig, actor, 0.03)
    finally:
        over.set()
        sys.setswitchinterval(interval)
        visitor.join()
    assert not problems, "they are heard on threads of their own"


def test_the_light_is_reckoned_when_the_surroundings_change_only(stage, monkeypatch):
    stage.show()
    reckoned = []
    for part in (map_module, sky_module, actors_module):
        monkeypatch.setattr(part, "light_of", lambda state: reckoned.append(1) or light_of(state))
    now = pickle.loads(pickle.dumps(stage.world.now))
    for part in stage.parts:
        part.show(now)
    assert not reckoned, "another snapshot has the same surroundings in a state of its own"
    stage.world.do(SetSeason(Season.WINTER))
    for part in stage.parts:
        part.show(stage.world.now)
    assert len(reckoned) == 3, "a season is no real number, but counts"
