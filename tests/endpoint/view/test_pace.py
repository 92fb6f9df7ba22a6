"""How often something is done."""

from __future__ import annotations

import pytest

from dorosim.endpoint.view.pace import Beat, Throttle
from tests.timing import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    """Wall time that a test sets [s]."""
    return ManualClock(100.0)


def test_it_is_time_at_once_and_then_once_in_a_period(clock):
    throttle, due = Throttle(0.5, clock), []
    for moment in range(20):
        clock.now = 100.0 + 0.125 * moment
        due.append(throttle.due())
    assert [row for row, one in enumerate(due) if one] == [0, 4, 8, 12, 16]


def test_the_next_time_can_be_put_off_and_brought_on(clock):
    throttle = Throttle(0.5, clock)
    throttle.wait(2.0)
    clock.advance(1.0)
    assert not throttle.due()
    throttle.wait(0.0)
    assert throttle.due()
    assert not throttle.due()


def test_a_beat_that_was_missed_is_not_made_up_for(clock):
    beat = Beat(10.0, clock)
    assert beat.left() == 0.0
    assert beat.left() == pytest.approx(0.1)
    clock.advance(5.0)
    assert [beat.left(), beat.left()] == pytest.approx([0.0, 0.1])
