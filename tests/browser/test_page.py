"""The live page in a real browser. What it looked like stays in `build/screenshots` (`DOROSIM_SCREENSHOTS`)."""

from __future__ import annotations

import itertools
import math
import re
import time

import pytest
from selenium.webdriver.common.keys import Keys

from dorosim.road.signal import Lamp
from tests.browser.stage import browser, changed, paged

LOADED = re.compile(r"\d+ actors")
"""What can be read on the page with the first snapshot that it shows, and not before."""
SOON = 3.0
"""Wall time in which the page is to be there [s]."""


@pytest.fixture(scope="module")
def looking(tmp_path_factory):
    """A browser, a program with traffic, a client of it, and the page's address."""
    folder = tmp_path_factory.mktemp("page")
    with (
        browser(folder) as chromium,
        paged(folder, "--vehicles", "60", "--pedestrians", "15") as (program, client, url),
    ):
        yield chromium, program, client, url


@pytest.fixture
def page(looking):
    """The browser with the page open, on a run that stands where it began; a client; the program."""
    chromium, program, client, url = looking
    client.done("Simulation/Stop")
    chromium.open(url)
    chromium.until(lambda: LOADED.search(chromium.text()))
    client.done("Simulation/Resume")
    yield chromium, client, program
    assert chromium.errors() == [], "the console tells of an error"


def actors(client) -> int:
    """How many actors there are."""
    return len(client.ask("Actor/GetAllActorsState").states)


def colour(client, light: str) -> int:
    """What a light shows, told by gRPC."""
    return client.ask("Infrastructure/GetTrafficLightInfo", type=2, value=light).color


def crowding() -> float:
    """How much longer than alone something takes on this machine just now: wall time over processor time."""
    begun, busy = time.monotonic(), time.thread_time()
    while time.thread_time() - busy < 0.2:
        math.sqrt(2.0)
    return max((time.monotonic() - begun) / (time.thread_time() - busy), 1.0)


@pytest.mark.soak
def test_the_page_is_there_soon(looking):
    """Also for the first visitor, for whom its process starts. A machine with other work has three tries, and time
    in proportion.
    """
    chromium, _, _, url = looking
    loads, crowds = [], []
    for _ in range(3):
        crowds.append(crowding())
        begun = time.monotonic()
        chromium.open(url)
        chromium.until(lambda: LOADED.search(chromium.text()))
        loads.append(time.monotonic() - begun)
        if loads[-1] < SOON:
            break
    told = [
        f"{load:.2f} s where all takes {crowd:.1f} times as long" for load, crowd in zip(loads, crowds, strict=True)
    ]
    print("loaded in", ", ".join(told))
    assert any(load < SOON * crowd for load, crowd in zip(loads, crowds, strict=True)), told


def test_cars_move(page):
    """And stand while the run pauses, until it goes on."""
    chromium, client, _ = page
    chromium.press("top")
    for still in (False, True, False):
        client.done("Simulation/Pause" if still else "Simulation/Resume")
        chromium.until(lambda still=still: stands(chromium) is still)
    chromium.picture("cars")


def stands(chromium) -> bool:
    """Whether the picture has been the same for a second."""
    before = chromium.picture()
    time.sleep(1.0)
    return changed(before, chromium.picture()) < 1e-4


def test_the_ego_vehicle_is_driven_by_keys_and_stops_by_escape(page):
    chromium, _, program = page
    _, x, _ = program.ego()

    def driven() -> bool:
        chromium.keys(*"wwww")
        return program.ego()[1] > x + 2.0  # along the street; downhill is the other way

    chromium.until(driven)
    chromium.picture("drive")
    chromium.keys(Keys.ESCAPE)
    chromium.until(lambda: "Esc goes on" in chromium.text())
    first = program.ego()
    assert {program.ego() for _ in range(10)} == {first}
    chromium.keys(Keys.ESCAPE)
    chromium.until(lambda: program.ego()[0] > first[0])


def test_a_click_spawns_a_vehicle(page):
    chromium, client, _ = page
    chromium.press("top")
    chromium.press("Spawn")
    chromium.press("Place by click")
    chromium.until(lambda: "places what is chosen" in chromium.text())
    chromium.until(lambda: changed(chromium.picture(), chromium.picture()) < 0.1)  # the camera is there
    before = actors(client)
    places = itertools.cycle(((0.35, 0.45), (0.45, 0.3), (0.5, 0.6), (0.4, 0.7)))  # one is a road without a car

    def spawned() -> bool:
        if "places what is chosen" not in chromium.text():  # it ends by itself, which a busy machine may see
            chromium.press("Place by click")
        chromium.click_at(*next(places))
        time.sleep(1.0)
        return actors(client) > before

    chromium.until(spawned)
    chromium.picture("spawn")
    chromium.press("Lights")
    chromium.press("The light ahead of the followed vehicle")
    chromium.until(lambda: "places what is chosen" not in chromium.text())


def test_a_panel_sets_a_light_and_the_world_follows(page):
    chromium, client, _ = page
    chromium.press("Lights")
    chromium.press("The light ahead of the followed vehicle")
    light = chromium.value("Light")
    for lamp in (Lamp.RED, Lamp.GREEN, Lamp.RED):  # no programme changes so fast
        chromium.press(lamp.name.lower())
        chromium.until(lambda lamp=lamp: colour(client, light) == lamp)
    chromium.until(lambda: "set by a command" in chromium.text())
    chromium.picture("lights")
    chromium.press("Back to its programme")
    chromium.until(lambda: "by its programme" in chromium.text())


def test_the_network_tab_tells_rates_and_last_values(page):
    chromium, _, _ = page
    chromium.press("Network")
    chromium.until(lambda: "EgoVehicleStatus" in chromium.text())
    # 50 a second; a machine that draws by its processor has less
    chromium.until(lambda: re.search(r"EgoVehicleStatus\s+(2[5-9]|[34][0-9]|5[0-5])\.\d", chromium.text()))
    assert "ticks late by" in chromium.text()
    chromium.choose("Last value", "EgoVehicleStatus (UDP sent)")
    chromium.until(lambda: "map_data_id" in chromium.text())
    chromium.choose("Last value", "Simulation/Resume (gRPC called)")
    chromium.until(lambda: "answer.status" in chromium.text() and "map_data_id" not in chromium.text())
    chromium.picture("network")
