"""A run that waits for its sensors is told of only if that costs it time, and rarely."""

from __future__ import annotations

import pytest

from dorosim.endpoint.loop.lag import LAG_REPORT_PERIOD_S, MIN_SPAN_S, Lag

EVERY = 0.2
"""Wall time from one wait to the next [s]."""


def tellings(seconds: float, pace: float, waited: float, wanted: float = 1.0) -> list[float]:
    """The paces that are told of a run that waits so long each time, and comes on at a pace."""
    lag, told = Lag(), []
    for number in range(round(seconds / EVERY)):
        late = lag.note(1e4 + EVERY * number, pace * EVERY * number, wanted, waited)
        if late is not None and late[1]:
            told.append(late[0])
    return told


@pytest.mark.parametrize("pace", [1.0, 0.98, 0.96])
def test_a_run_that_waits_and_catches_up_tells_nothing(pace):
    assert tellings(120.0, pace, 0.1) == []


def test_a_run_that_falls_behind_tells_its_pace_once_a_minute():
    told = tellings(3 * LAG_REPORT_PERIOD_S + 2 * MIN_SPAN_S, 0.7, 0.1)
    assert told == pytest.approx([0.7] * len(told))
    assert 3 <= len(told) <= 4


def test_what_is_lost_otherwise_is_not_put_on_the_sensors():
    assert tellings(120.0, 0.5, 0.001) == [], "a pause, or a slow loop"


def test_the_pace_that_is_wanted_counts():
    assert tellings(30.0, 2.0, 0.1, wanted=2.0) == []
    assert tellings(30.0, 1.0, 0.1, wanted=2.0) == pytest.approx([1.0])


def test_a_single_wait_tells_nothing():
    lag = Lag()
    assert lag.note(5.0, 1.0, 1.0, 3.0) is None
    assert lag.note(5.0 + 10 * MIN_SPAN_S, 1.0 + 10 * MIN_SPAN_S, 1.0, 0.5) is None
