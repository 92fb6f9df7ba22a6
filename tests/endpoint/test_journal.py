"""The journal counts everything, and tells of each kind a few times a second at most."""

from __future__ import annotations

from dorosim.endpoint.journal import MAX_LINES, MAX_TEXTS, SELDOM_PERIOD_S, TEXT_PERIOD_S, Journal


def test_lines_stand_beneath_what_they_belong_to_and_are_held_back_with_it():
    told: list[str] = []
    journal = Journal(told.append)
    journal.report("scenario loaded", "first", ("one\nline", "another"))
    journal.report("scenario loaded", "first", ("nobody sees this",))
    assert told == ["scenario loaded: first", "  one line", "  another"]
    assert journal.counts["scenario loaded"] == 2


def test_a_long_list_is_cut():
    told: list[str] = []
    Journal(told.append).report("scenario loaded", "first", tuple(map(str, range(MAX_LINES + 1500))))
    assert len(told) == MAX_LINES + 2
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
    now += TEXT_PERIOD_S
    journal.report("refused", "no field a")
    assert told[MAX_TEXTS:] == ["refused: no field a (and 2 more of this kind before)"]
    assert journal.counts["refused"] == 7


def test_what_comes_all_the_time_is_told_once_a_minute_a_thing_with_a_count(monkeypatch):
    now, told = [5.0], []
    monkeypatch.setattr("dorosim.endpoint.journal.time.monotonic", lambda: now[0])
    journal = Journal(told.append)
    for number in range(6_000):
        now[0] = 5.0 + number * 0.01
        journal.report_seldom("clamped", ["EgoCtrlCmd: steer", "EgoCtrlCmd: accel"][: 1 + number % 2], "port 9093")
    assert told == ["clamped: port 9093: EgoCtrlCmd: steer", "clamped: port 9093: EgoCtrlCmd: accel"]
    now[0] = 5.0 + SELDOM_PERIOD_S
    journal.report_seldom("clamped", ["EgoCtrlCmd: steer"], "port 9093")
    assert told[2:] == ["clamped: port 9093: EgoCtrlCmd: steer, 6,000 times since it was told last"]
    now[0] += SELDOM_PERIOD_S
    journal.report_seldom("clamped", ["EgoCtrlCmd: accel"], "port 9094")
    assert told[3:] == ["clamped: port 9094: EgoCtrlCmd: accel, 3,000 times since it was told last"]
    assert journal.counts["clamped"] == 6_002
