"""What the page offers beside the world, in a real browser: numbers, links, recordings, sensors, the last notice."""

from __future__ import annotations

import re

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser.stage import browser, paged
from tests.timing import wait_for

LOADED = re.compile(r"\d+ actors")
"""What can be read on the page with the first snapshot that it shows, and not before."""
FIELD = "//label[normalize-space(.)='{}']/following::input[@inputmode][1]"
COUNT = "window.heard = 0; document.addEventListener('input', () => { window.heard += 1; });"
"""Counts what viser's program hears of fields."""


@pytest.fixture(scope="module")
def looking(tmp_path_factory):
    """A browser, a program with traffic, a client of it, and the page's address."""
    folder = tmp_path_factory.mktemp("tools")
    with browser(folder) as chromium, paged(folder, "--vehicles", "10") as (program, client, url):
        yield chromium, program, client, url


@pytest.fixture
def chromium(looking):
    """The browser with the page open."""
    chromium, _, _, url = looking
    show(chromium, url)
    yield chromium
    assert chromium.errors() == [], "the console tells of an error"


def show(chromium, url: str) -> None:
    """Open the page anew."""
    chromium.open("about:blank")  # an address that differs in its fragment alone is not loaded again
    chromium.open(url)
    chromium.until(lambda: LOADED.search(chromium.text()))


def write(chromium, label: str, text: str) -> None:
    """Write into a field, in place of what is there."""
    field = chromium.driver.find_element(By.XPATH, FIELD.format(label))
    chromium.driver.execute_script("arguments[0].focus(); arguments[0].select();", field)
    field.send_keys(text)


def test_a_number_is_sent_when_it_is_done(chromium, looking):
    """The world has it, and so has the page for who comes next."""
    chromium.press("World")
    chromium.until(lambda: "Visibility [m]" in chromium.text())
    chromium.driver.execute_script(COUNT)
    write(chromium, "Visibility [m]", "1500")
    assert chromium.driver.execute_script("return window.heard") == 0, "not digit by digit"
    chromium.driver.find_element(By.XPATH, FIELD.format("Visibility [m]")).send_keys(Keys.ENTER)
    chromium.until(lambda: chromium.driver.execute_script("return window.heard") == 1)

    client, url = looking[2:]
    wait_for(lambda: client.ask("Sky/GetSky").visibility == 1500.0)
    show(chromium, url)
    chromium.press("World")
    field = chromium.until(lambda: chromium.driver.find_element(By.XPATH, FIELD.format("Visibility [m]")))
    chromium.until(lambda: field.get_attribute("value") == "1500")


def test_the_camera_is_marked_and_a_link_opens_the_same_view(chromium, looking):
    chromium.until(lambda: "● chase" in chromium.text())
    chromium.press("top")
    chromium.until(lambda: "● top" in chromium.text() and "● chase" not in chromium.text())
    chromium.press("View")
    chromium.press("Link to this view")
    link = "#view=camera=top&follow=1"
    chromium.until(lambda: chromium.driver.current_url.endswith(link))
    show(chromium, looking[3])
    chromium.until(lambda: "● chase" in chromium.text())
    show(chromium, looking[3] + "/" + link)
    chromium.until(lambda: "● top" in chromium.text())
    chromium.picture("link")


def test_a_sensor_is_added_and_shown(chromium):
    chromium.press("Sensors")
    chromium.press("Add to the followed vehicle")
    chromium.until(lambda: "camera 1" in chromium.text())
    chromium.press("Take it off")
    chromium.until(lambda: "No sensors" in chromium.text())
    chromium.picture("sensors")


def test_a_recording_is_replayed_and_jumped_in(chromium):
    chromium.press("Recording")
    chromium.until(lambda: "Finish the recording" in chromium.text())
    name = chromium.driver.find_element(By.XPATH, "//label[normalize-space(.)='Name']/following::input[1]")
    name.send_keys("lap")
    chromium.press("Record")
    chromium.until(lambda: "lap.rec" in chromium.text())
    begun = seconds(chromium)
    chromium.until(lambda: seconds(chromium) > begun + 4.0)
    chromium.press("Finish the recording")
    chromium.until(lambda: "is finished" in chromium.text())
    chromium.press("Replay")
    chromium.until(lambda: re.search(r"lap: \d+\.\d of \d+\.\d s", chromium.text()))
    write(chromium, "Time [s]", "2" + Keys.ENTER)
    chromium.press("Jump there")
    chromium.until(lambda: re.search(r"lap from 2\.0 s on", chromium.text()))
    chromium.picture("recording")


def seconds(chromium) -> float:
    """The simulated time that the page shows [s]."""
    return float(re.search(r"([\d.]+) s · ", chromium.text())[1])


def test_the_page_says_that_the_simulator_has_gone(looking):
    """Last: the program ends here."""
    chromium, program, _, url = looking
    show(chromium, url)
    assert not chromium.driver.find_elements(By.ID, "dorosim-notice")
    program.end()
    chromium.until(lambda: "The simulator has gone" in chromium.driver.find_element(By.ID, "dorosim-notice").text)
    chromium.picture("gone")
