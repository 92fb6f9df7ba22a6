"""Recordings on the page: begin, finish, replay, and jump to a time or an event."""

from __future__ import annotations

import math

import pytest

from dorosim.bridge.host import RecordStatus
from dorosim.bridge.view.event import PageEvent
from dorosim.bridge.view.timeline import MAX_TIMELINE_EVENTS, TimeLine
from dorosim.endpoint.view.message import Status
from dorosim.endpoint.view.panel.record import NO_EVENT, RecordPart, bar_html
from dorosim.ground.error import InputError
from tests.endpoint.view.stage import change, click

END, LENGTH = 6500, 60.0
"""Last frame of the recording, and how long it is [s]: in 500 of its frames time stood."""
FRAME = 4711
"""The frame that the run finds for any time."""


@pytest.fixture
def part(page):
    page.proxy.answers["replaying"] = RecordStatus()
    return page.add(RecordPart)


def replay(page, part, *happenings) -> None:
    """The recording `lap` is replayed, and these events have happened so far."""
    ticks = page.now.tick
    page.proxy.answers["replaying"] = RecordStatus(
        active=True, name="lap", ticks=ticks, end=END, time=ticks * 0.01, length=LENGTH
    )
    page.proxy.answers |= {"load": RecordStatus(name="lap", end=END, length=LENGTH), "frame_at": FRAME}
    part.poll()
    page.context.status = Status(wall=0.0, happenings=happenings)
    page.show_later()


def asked(page) -> list[tuple]:
    """What the page has asked of recordings, but not how it goes."""
    return [(name, *given) for where, name, given in page.proxy.asked if where == "records" and name != "replaying"]


def test_a_recording_is_begun_finished_and_replayed_by_its_name(page, part):
    change(part._name, "lap")
    page.proxy.answers |= {"begin": "/data/lap.rec", "finish": "/data/lap.rec", "load": RecordStatus(name="lap", end=9)}
    for button in (part._record, part._stop, part._replay):
        click(button)
    assert asked(page) == [("begin", "lap"), ("finish",), ("load", "lap"), ("play",)]
    assert page.context.notes == [
        "Recording: into /data/lap.rec",
        "Recording: /data/lap.rec is finished",
        "Replay: lap",
    ]


def test_what_cannot_be_is_told_with_a_reason(page, part):
    page.proxy.answers["finish"] = ""
    for button, why in (
        (part._stop, "none goes on"),
        (part._replay, "no recording is named"),
        (part._jump, "nothing is being replayed"),
        (part._go, "nothing is being replayed"),
    ):
        page.context.notes.clear()
        click(button)
        assert why in page.context.notes[0]
    change(part._name, "no such")
    page.proxy.answers["load"] = InputError("recording", "", "there is no 'no such'")
    page.context.notes.clear()
    click(part._replay)
    assert "no such" in page.context.notes[0]
    assert ("play",) not in asked(page)


def test_the_time_line_has_the_events_that_were_replayed_and_jumps_before_them(page, part):
    page.proxy.run(1.0)
    begin = page.now.time - page.now.tick * page.run.scene.tick
    rows = ((1, begin + 500_000_000, "collision of Ego and 2"), (2, begin + 10 * 10**9, "fault: Ego: <b>"))
    replay(page, part, rows[0])
    replay(page, part, *rows)
    assert part._event.options == ("0.5 s: collision of Ego and 2", "10.0 s: fault: Ego: <b>")
    assert "of 60.0 s" in part._bar.content
    assert "&lt;b&gt;" in part._bar.content
    assert "<b>" not in part._bar.content
    change(part._event, part._event.options[1])
    click(part._go)
    change(part._event, part._event.options[0])
    click(part._go)
    change(part._time, 30.0)
    click(part._jump)
    times = [given for given in asked(page) if given[0] == "frame_at"]
    assert times == [("frame_at", 8.0), ("frame_at", 0.0), ("frame_at", 30.0)]
    assert [given for given in asked(page) if given[0] == "add_span"] == 3 * [("add_span", FRAME, END)]
    part.begin(page.run)  # the run from there on
    replay(page, part)
    assert len(part._event.options) == 2, "events stay known when the replay is elsewhere"


@pytest.mark.parametrize("wrong", [-1.0, 60.1, math.nan, math.inf, 1e300])
def test_no_jump_leads_out_of_the_recording(page, part, wrong):
    replay(page, part)
    change(part._time, wrong)
    click(part._jump)
    assert "is not within its 60.0 s" in page.context.notes[0]
    assert asked(page) == []


def test_a_run_that_replays_nothing_has_no_time_line(page, part):
    part.poll()
    page.show_later()
    assert "Nothing is being replayed" in part._bar.content
    assert part._event.options == (NO_EVENT,)


def test_a_time_line_keeps_what_lies_in_it():
    line = TimeLine("lap", 2.0)
    assert not line.note([PageEvent(1.0, "too early to say when")])
    line.begin = 5.0
    assert line.note([PageEvent(5.5, "a"), PageEvent(4.0, "before"), PageEvent(9.0, "after")])
    assert not line.note([PageEvent(5.5, "a")])
    assert line.events == (PageEvent(0.5, "a"),)
    assert line.checked(2.0) == 2.0
    assert line.time_before(PageEvent(0.5, "a")) == 0.0
    line.note([PageEvent(5.0 + 0.001 * number, "b") for number in range(MAX_TIMELINE_EVENTS + 9)])
    assert len(line.events) == MAX_TIMELINE_EVENTS
    assert "Nothing" in bar_html(TimeLine("empty", 0.0), 0.0)
