"""The storyboard of a run on the live page in a real browser: its tree, its values, and going back."""

from __future__ import annotations

import re

import pytest

from tests.browser.stage import browser, paged
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed

LOADED = re.compile(r"\d+ actors?")
"""What can be read on the page with the first snapshot that it shows, and not before."""
LONG = 10_000.0
"""Time that does not come [s]."""
TEXT = file_text(
    event("go", speed(3.0, "linear", over=1.0), TIME.format(time=2))
    + event("brake", speed(0.0), TIME.format(time=LONG)),
    end=LONG,
)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    """A browser with the tab of a scenario's storyboard open."""
    folder = tmp_path_factory.mktemp("storyboard")
    (folder / "go.xosc").write_text(TEXT)
    with browser(folder) as made, paged(folder, "--scenario", str(folder / "go.xosc")) as (_, _, url):
        made.open(url)
        made.until(lambda: LOADED.search(made.text()))
        made.press("Storyboard")
        yield made
        assert made.errors() == [], "the console tells of an error"


def since_start(chromium) -> float:
    """The time that the storyboard has gone on for [s]."""
    return float(re.search(r"Goes on, ([\d.]+) s after its start", chromium.text())[1])


def test_the_tree_shows_what_waits_with_its_values(chromium):
    chromium.until(lambda: "go.xosc" in chromium.text())
    chromium.until(lambda: "simulation time ≥ 10000 s" in chromium.text())
    first = chromium.until(lambda: re.search(r"now [\d.]+ s", chromium.text()))[0]
    chromium.until(lambda: first not in chromium.text())
    chromium.press("Reset")
    chromium.until(lambda: "event go starts" in chromium.text())
    chromium.until(lambda: "1 wait, 0 run, 1 complete" in chromium.text())
    chromium.picture("storyboard")


def test_the_run_goes_back_to_the_moment_before_an_event(chromium):
    chromium.until(lambda: re.search(r"[\d.]+ s, before event go starts", chromium.value("Moment")))
    chromium.press("Pause / play")
    chromium.until(lambda: "Esc goes on" in chromium.text())
    chromium.press("Go there")
    chromium.until(lambda: since_start(chromium) < 2.005 and "Esc goes on" in chromium.text())
    chromium.until(lambda: "2 wait, 0 run, 0 complete" in chromium.text())
    chromium.press("Step")
    chromium.press("Step")
    chromium.press("Step")
    chromium.until(lambda: "1 wait, 1 run, 0 complete" in chromium.text())
    chromium.press("Pause / play")
    chromium.until(lambda: "1 wait, 0 run, 1 complete" in chromium.text())
    chromium.picture("storyboard_back")


def test_what_is_complete_opens_on_request(chromium):
    assert "go action" not in chromium.text()
    chromium.choose("Elements", "all")
    chromium.until(lambda: "go action" in chromium.text())
