"""The tab of the storyboard: what it shows, and what it asks of the run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dorosim.bridge.view.event import PageEvent
from dorosim.bridge.view.storyboard import StoryboardGuide
from dorosim.endpoint.view.message import Status
from dorosim.endpoint.view.page_context import PageRun
from dorosim.endpoint.view.panel.storyboard import ALL, StoryboardPart
from dorosim.endpoint.view.panel.storyboard_html import MAX_LISTED_ELEMENTS, tree_html
from dorosim.endpoint.view.stage.overlay import OverlayPart
from dorosim.ground.error import InputError
from tests.endpoint.view.stage import Page, change, click
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.world_run import scene_with, snapshots, start_of
from tests.timing import wait_for

NAME = "<b>go & see</b>"
TEXT = file_text(
    event("&lt;b&gt;go &amp; see&lt;/b&gt;", speed(5.0, "linear", over=1.0), TIME.format(time=0.5)), end=2.0
)


class StoryboardPage:
    """A page of a run with a storyboard, which the test shows.

    Attributes:
        page: the page. part: the tab. lines: draws. seen: snapshots, one each 0.01 s.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        scene = scene_with(TEXT)
        self.seen = [start_of(scene), *snapshots(scene, 300)]
        self.lines = OverlayPart(page.context)
        self.part = StoryboardPart(page.context, self.lines)
        self.guide = StoryboardGuide(scene.storyboard, "folder/a.xosc")
        self.begin(replace(page.run, scene=scene, first=self.seen[0], load_storyboard=lambda: self.guide))
        wait_for(lambda: self.part._guide is not None)

    def begin(self, run: PageRun) -> None:
        self.lines.begin(run)
        self.part.begin(run)

    def show(self, at: int) -> None:
        self.page.clock.advance(1.0)
        self.page.context.now = self.seen[at]
        self.lines.show(self.seen[at])
        self.part.show(self.seen[at])

    @property
    def tab(self):
        return self.part._tab


@pytest.fixture
def shown(page: Page) -> StoryboardPage:
    return StoryboardPage(page)


def test_the_tab_shows_tree_values_and_end(shown):
    shown.show(20)
    assert "a.xosc" in shown.tab.summary.content
    assert "0.20 s after its start" in shown.tab.summary.content
    assert "1 wait, 0 run, 0 complete" in shown.tab.summary.content
    assert "now 0.19 s" in shown.tab.tree.content
    shown.show(80)
    assert "0 wait, 1 run, 0 complete" in shown.tab.summary.content
    shown.show(290)
    assert "Over after 2.00 s" in shown.tab.summary.content


def test_names_of_a_file_are_text_and_no_markup(shown):
    shown.show(80)
    assert "&lt;b&gt;go &amp; see&lt;/b&gt;" in shown.tab.tree.content
    assert NAME not in shown.tab.tree.content


def test_what_is_complete_is_closed_until_all_is_asked_for(shown):
    shown.show(290)
    assert "maneuver" not in shown.tab.tree.content
    change(shown.tab.shown, ALL)
    shown.show(290)
    assert "maneuver" in shown.tab.tree.content


def test_names_of_entities_stand_over_their_actors_until_they_are_not_wanted(shown):
    shown.show(20)
    assert [text.text for text in shown.lines._labels._texts["entities"].values()] == ["car"]
    change(shown.tab.names, False)
    shown.show(30)
    assert shown.lines._labels._texts["entities"] == {}


def test_the_journal_has_what_happened(shown):
    happenings = ((1, 500_000_000, "storyboard: event go starts"), (2, 600_000_000, "collision of a and b"))
    shown.page.context.status = Status(wall=0.0, happenings=happenings)
    shown.show(80)
    assert "0.50 s" in shown.tab.journal.content
    assert "event go starts" in shown.tab.journal.content
    assert "collision" not in shown.tab.journal.content


def test_a_moment_is_gone_to(shown):
    proxy = shown.page.proxy
    click(shown.tab.go)
    assert "there is no moment yet" in shown.page.context.notes[-1]
    proxy.answers |= {"moments": (PageEvent(0.5, "before event go starts"),), "go_to": 0.5}
    shown.part.poll()
    shown.show(80)
    click(shown.tab.go)
    assert proxy.asked[-1] == ("page", "go_to", (0.5,))
    change(shown.tab.time, 1.25)
    click(shown.tab.go_to_time)
    assert proxy.asked[-1] == ("page", "go_to", (1.25,))
    for wrong in (float("nan"), float("inf"), -1.0):
        count = len(proxy.asked)
        change(shown.tab.time, wrong)
        click(shown.tab.go_to_time)
        assert len(proxy.asked) == count
        assert "is no time" in shown.page.context.notes[-1]


def test_a_run_without_a_storyboard_says_so_and_one_before_the_first_has_no_tab(page):
    part = StoryboardPart(page.context, OverlayPart(page.context))
    part.begin(page.run)
    part.show(page.now)
    assert part._tab is None
    shown = StoryboardPage(page)
    shown.show(20)
    shown.begin(page.run)
    shown.show(20)
    assert "plays no storyboard" in shown.tab.summary.content
    assert shown.tab.tree.content == ""


def test_a_scenario_that_cannot_be_read_is_told(shown):
    def broken() -> StoryboardGuide:
        raise InputError("a.xosc", "line 3", "<is> broken", "mend it")

    shown.begin(replace(shown.page.run, load_storyboard=broken))
    wait_for(lambda: shown.part._problem)
    shown.show(20)
    assert "&lt;is&gt; broken" in shown.tab.summary.content
    assert any("storyboard cannot be shown" in one for one in shown.page.proxy.told)


def test_a_large_tree_is_cut(shown):
    (line, *_) = shown.guide.lines(shown.seen[80].storyboard)
    assert "and 7 more" in tree_html([line] * (MAX_LISTED_ELEMENTS + 7), all_of_it=True)
