"""The journal counts everything, and tells of each kind a few times a second at most."""

from __future__ import annotations

from dorosim.endpoint.journal import MOST_LINES, MOST_TEXTS, PERIOD, Journal


def test_lines_stand_beneath_what_they_belong_to_and_are_held_back_with_it():
    told: list[str] = []
    journal = Journal(told.append)
    journal.report("scenario loaded", "first", ("one\nline", "another"))
    journal.report("scenario loaded", "first", ("nobody sees this",))
    assert told == ["scenario loaded: first", "  one line", "  another"]
    assert journal.counts["scenario loaded"] == 2


def test_a_long_list_is_cut():
    told: list[str] = []
    Journal(told.append).report("scenario loaded", "first", tuple(map(str, range(MOST_LINES + 1500))))
    assert len(told) == MOST_LINES + 2
    assert told[-1] == "  and 1,500 more"


def test_different_problems_of_a_kind_are_told_and_the_same_one_once(monkeypatch):
    now, told = 5.0, []
    monkeypatch.setattr("dorosim.endpoint.journal.time.monotonic", lambda: now)
    journal = Journal(told.append)
    for text in ("no field a", "no field a", "no field b", "no field c", "no field d", "no field e"):
        journal.report("refused", text)
    assert told == [
        "refused: no field a",
        "refused: no field b (and 1 more of this kind before)",
        "refused: no field c",
    ]
    now += PERIOD
    journal.report("refused", "no field a")
    assert told[MOST_TEXTS:] == ["refused: no field a (and 2 more of this kind before)"]
    assert journal.counts["refused"] == 7
