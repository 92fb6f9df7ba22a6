"""The journal counts everything and tells of each kind once a second."""

from __future__ import annotations

from dorosim.endpoint.journal import MOST_LINES, Journal


def test_lines_stand_beneath_what_they_belong_to_and_are_held_back_with_it():
    told: list[str] = []
    journal = Journal(told.append)
    journal.report("scenario loaded", "first", ("one\nline", "another"))
    journal.report("scenario loaded", "second", ("nobody sees this",))
    assert told == ["scenario loaded: first", "  one line", "  another"]
    assert journal.counts["scenario loaded"] == 2


def test_a_long_list_is_cut():
    told: list[str] = []
    Journal(told.append).report("scenario loaded", "first", tuple(map(str, range(MOST_LINES + 1500))))
    assert len(told) == MOST_LINES + 2
    assert told[-1] == "  and 1,500 more"
