"""The page as a whole: what comes first."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import viser

from dorosim.app.serve.page import StaticSceneCache
from dorosim.bridge.view.scenery import PageScenery
from dorosim.endpoint.view.message import Choices
from dorosim.endpoint.view.page import Page
from dorosim.endpoint.view.panel.head import HeadPart
from dorosim.endpoint.view.server import open_page_server
from dorosim.ground.error import InputError
from tests.bridge.view.shown import shown_street, world_on_street
from tests.endpoint.view.stage import WorldMirror, page_run
from tests.world.world import World


@pytest.fixture
def server() -> Iterator[viser.ViserServer]:
    made = open_page_server(socket.create_server(("127.0.0.1", 0)), "test")
    yield made
    for thread in threading.enumerate():
        if thread.name == "dorosim-page-scenery":
            thread.join()
    made.stop()


def mirror_of(world: World) -> WorldMirror:
    """A way to a run."""
    made = WorldMirror(world)
    made.answers["choices"] = Choices("street", "2015_Kia_K5", ("street",), ())
    return made


def nodes(server: viser.ViserServer, kind: str) -> list[str]:
    """Names of what is shown of a kind."""
    return [name for name in list(server.scene._handle_from_node_name) if name.startswith(f"/{kind}/")]


def test_what_moves_is_there_before_the_map(server):
    """The map comes by itself, also where no snapshot follows the first, as while nobody steps the run."""
    built, world = threading.Event(), world_on_street()
    proxy, street = mirror_of(world), page_run(shown_street(), world.now)

    def load() -> PageScenery:
        assert built.wait(60.0)
        return street.load_scenery()

    furnished = threading.Event()
    try:
        Page(server, proxy, furnished.set).begin(replace(street, load_scenery=load))
        assert nodes(server, "actor")
        assert not nodes(server, "map/land")
        assert not furnished.is_set()
    finally:
        built.set()
    assert furnished.wait(60.0)
    assert nodes(server, "map/land")
    assert proxy.told == []


def test_the_map_of_a_run_that_is_over_does_not_come(server):
    built, world = threading.Event(), world_on_street()
    street = page_run(shown_street(), world.now)

    def load() -> PageScenery:
        assert built.wait(60.0)
        return street.load_scenery()

    page = Page(server, mirror_of(world))
    try:
        page.begin(replace(street, load_scenery=load))
        (waiting,) = (one for one in threading.enumerate() if one.name == "dorosim-page-scenery")
        page.begin(replace(street, place="elsewhere", load_scenery=PageScenery.empty))
    finally:
        built.set()
    waiting.join()
    assert not nodes(server, "map/land")


def test_a_map_that_cannot_be_drawn_is_told_and_the_page_goes_on(server):
    world = world_on_street()
    proxy = mirror_of(world)

    def load() -> PageScenery:
        raise InputError("town", "links", "are gone")

    furnished = threading.Event()
    page = Page(server, proxy, furnished.set)
    page.begin(replace(page_run(shown_street(), world.now), load_scenery=load))
    assert furnished.wait(60.0), "visitors do not wait for what cannot come"
    assert "the map cannot be drawn: town" in proxy.told[0]
    page.show(world.run(0.1))
    assert nodes(server, "actor")
    assert "on its way" not in next(part for part in page._parts if isinstance(part, HeadPart))._map


def test_a_place_is_loaded_once_for_all_who_ask_for_it():
    still, loads, together = StaticSceneCache(), [], threading.Barrier(4)

    def load() -> PageScenery:
        loads.append(1)
        time.sleep(0.01)
        return PageScenery.empty()

    def ask() -> PageScenery:
        together.wait(30.0)
        return still.get("here", "scenery", load)

    with ThreadPoolExecutor(4) as pool:
        found = [one.result() for one in [pool.submit(ask) for _ in range(4)]]
    assert len(loads) == 1
    assert all(one is found[0] for one in found)
    assert still.get("there", "scenery", load) is not found[0]
    assert len(loads) == 2
