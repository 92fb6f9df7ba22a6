"""How often something is done."""

from __future__ import annotations

import pytest

from dorosim.endpoint.view import pace as module
from dorosim.endpoint.view.pace import Beat, Throttle


@pytest.fixture
def clock(monkeypatch):
    """Wall time that a test sets [s]."""
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_it_is_time_at_once_and_then_once_in_a_period(clock):
    throttle, due = Throttle(0.5), []
    for moment in range(20):
        clock[0] = 100.0 + 0.125 * moment
        due.append(throttle.due())
    assert [row for row, one in enumerate(due) if one] == [0, 4, 8, 12, 16]


def test_the_next_time_can_be_put_off_and_brought_on(clock):
    throttle = Throttle(0.5)
    throttle.wait(2.0)
    clock[0] += 1.0
    assert not throttle.due()
    throttle.wait(0.0)
    assert throttle.due()
    assert not throttle.due()


def test_a_beat_that_was_missed_is_not_made_up_for(clock):
    beat = Beat(10.0)
    assert beat.left() == 0.0
    assert beat.left() == pytest.approx(0.1)
    clock[0] += 5.0
    assert [beat.left(), beat.left()] == pytest.approx([0.0, 0.1])
