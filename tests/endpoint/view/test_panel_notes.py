"""What visitors are told by themselves: what happened, why not, and that the simulator is silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dorosim.endpoint.view.message import Status
from dorosim.endpoint.view.page_context import DoneText
from dorosim.endpoint.view.panel.event import EventPart, colour_of
from dorosim.endpoint.view.panel.head import RESET, HeadPart
from dorosim.ground.error import InputError
from tests.endpoint.view.stage import click


def tell(page, *texts: str, seconds: float = 3.0) -> None:
    """These events have happened so far, and the page looks again after some time."""
    rows = tuple((number, number * 10**9, text) for number, text in enumerate(texts, 1))
    page.context.status = Status(wall=0.0, happenings=rows)
    page.clock.advance(seconds)
    page.show()


def test_news_is_noted_once_and_what_was_before_is_not(page):
    page.add(EventPart)
    tell(page, "collision of Ego and 3")
    assert page.context.notes == [], "it was before this page looked"
    tell(page, "collision of Ego and 3", "fault: Ego: brake: open", "refused: no vehicle 9")
    assert page.context.notes == ["At 2.0 s: fault: Ego: brake: open; refused: no vehicle 9"]
    tell(page, "collision of Ego and 3", "fault: Ego: brake: open", "refused: no vehicle 9")
    assert len(page.context.notes) == 1


def test_many_events_are_one_note(page):
    page.add(EventPart)
    tell(page)
    tell(page, *(f"collision of {number} and Ego at (1.0, 2.0)" for number in range(2, 9)))
    (note,) = page.context.notes
    assert note.count("collision") == 3
    assert "4 more" in note


def test_notes_keep_a_distance(page):
    page.add(EventPart)
    tell(page)
    tell(page, "collision of Ego and 3")
    tell(page, "collision of Ego and 3", "collision of 5 and Ego", seconds=0.5)
    assert len(page.context.notes) == 1
    tell(page, "collision of Ego and 3", "collision of 5 and Ego")
    assert page.context.notes[1:] == ["At 2.0 s: collision of 5 and Ego"]


def test_a_refusal_of_the_pages_own_command_is_told_once(page):
    page.add(EventPart)
    tell(page)
    page.context._notes.append("no light 4")  # as `notify` keeps it, which tests replace
    tell(page, "refused: no light 4")
    assert page.context.notes == []


def test_collisions_of_others_are_only_listed_until_one_of_them_is_followed(page):
    part = page.add(EventPart)
    tell(page)
    tell(page, "collision of 2 and 33", "collision of 33 and 22")
    assert page.context.notes == []
    assert "collision of 2 and 33" in part._text.content
    page.context.followed = 2
    tell(page, "collision of 2 and 33", "collision of 33 and 22", "collision of 33 and 2")
    assert page.context.notes == ["At 3.0 s: collision of 33 and 2"]


def test_events_of_another_run_are_no_news(page):
    part = page.add(EventPart)
    tell(page)
    tell(page, "collision of Ego and 3", seconds=0.3)
    part.begin(replace(page.run, number=2))
    page.context.notes.clear()
    page.clock.advance(5.0)
    page.show()
    assert page.context.notes == []


@pytest.mark.parametrize(
    ("event", "colour"),
    [("collision of 1 and 2", "red"), ("fault ended: x", "orange"), ("run on town", None), ("", None)],
)
def test_only_what_matters_is_noted(event, colour):
    assert colour_of(event) == colour


def test_what_was_done_is_told_and_what_not_with_the_reason(page):
    def refuse() -> None:
        raise InputError("light", "", "there is no light 4")

    assert page.context.trying("Light", lambda: DoneText("it is red"))
    assert not page.context.trying("Light", refuse)
    assert page.context.trying("Light", lambda: "an answer that is for no visitor")
    assert page.context.notes == ["Light: it is red", "Light: light: there is no light 4"]


def test_what_was_done_is_sent_to_a_visitor_who_stays(page, monkeypatch):
    """A text of a class of its own cannot be packed, by which visitors lost their connection."""
    sent = []
    monkeypatch.setattr(type(page.context), "notify", lambda _self, _title, text, **_: sent.append(type(text)))
    page.context.trying("Light", lambda: DoneText("it is red"))
    assert sent == [str]


def test_a_reset_is_told(page):
    part = page.add(HeadPart)
    click(part._buttons, RESET)
    assert page.context.notes == ["Reset: the run is back at its beginning"]


def test_a_silent_simulator_is_told_of_until_it_answers(page):
    part = page.add(HeadPart)
    part.note_silence()
    assert "No picture" not in part._text.content, "the page has not asked yet"
    page.context.heard = page.clock()
    page.clock.advance(4.0)
    part.note_silence()
    assert "No picture" not in part._text.content
    page.clock.advance(3.0)
    part.note_silence()
    assert "No picture from the simulator for 7 s" in part._text.content
    page.show_later()
    assert "No picture" not in part._text.content
