"""How well a run keeps the pace, as the meter of its loop tells it."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.pace_monitor import MAX_TICKS, PaceMonitor

TICK = 10_000_000


class Wall:
    """The monotonic clock, set by hand [ns]."""

    def __init__(self, monkeypatch) -> None:
        self.now = 5_000_000_000_000
        monkeypatch.setattr(time, "monotonic_ns", lambda: self.now)


def _metered(monkeypatch, clock, late_ms, factor: float = 1.0) -> PaceMonitor:
    """A meter of ticks that were done so late each."""
    wall = Wall(monkeypatch)
    clock.start(0)
    begun, meter = wall.now, PaceMonitor(clock)
    meter.begin(TICK)
    for number, late in enumerate(late_ms, start=1):
        wall.now = begun + round(number * TICK / factor) + round(late * 1e6)
        meter(SimpleNamespace(tick=number, time=number * TICK), (), lambda: wall.now)
    return meter


def test_lateness_and_factor(monkeypatch):
    late = [1.0] * 490 + [30.0] * 10
    figures = _metered(monkeypatch, PacedClock(), late).figures()
    assert figures.ticks == 499
    assert figures.late_p50 == pytest.approx(1e-3, abs=1e-8)
    assert figures.late_p99 == pytest.approx(30e-3, abs=1e-8)
    assert figures.late_most == pytest.approx(30e-3, abs=1e-8)
    assert figures.factor == pytest.approx(4.99 / (4.99 + 0.029))


def test_the_factor_is_that_of_the_clock(monkeypatch):
    figures = _metered(monkeypatch, PacedClock(2.5), [0.5] * 300, 2.5).figures()
    assert figures.factor == pytest.approx(2.5, rel=1e-6)
    assert figures.late_p99 == pytest.approx(0.5e-3, abs=1e-8)


def test_only_the_last_seconds_count(monkeypatch):
    meter = _metered(monkeypatch, PacedClock(), [50.0] * 300 + [2.0] * 200)
    assert meter.figures(1.5).late_most == pytest.approx(2e-3, abs=1e-8)
    assert len(meter.late(1.5)) == 150
    assert meter.figures(4.0).late_most == pytest.approx(50e-3, abs=1e-8)


def test_more_ticks_than_it_remembers(monkeypatch):
    figures = _metered(monkeypatch, PacedClock(10.0), [1.0] * (3 * MAX_TICKS + 7), 10.0).figures(1e3)
    assert figures.ticks == MAX_TICKS - 1
    assert figures.factor == pytest.approx(10.0, rel=1e-6)


def test_as_fast_as_possible_nothing_is_late(monkeypatch):
    figures = _metered(monkeypatch, PacedClock(None), [0.0] * 100).figures()
    assert figures.late_p99 is None
    assert figures.factor == pytest.approx(1.0, rel=1e-6)


def test_nothing_is_known_at_the_start(monkeypatch):
    meter = _metered(monkeypatch, PacedClock(), [1.0] * 50)
    meter.begin(TICK)
    assert meter.figures().factor is None
    assert len(meter.late(10.0)) == 0


def test_a_clock_that_begins_anew_says_nothing_of_the_ticks_before(monkeypatch):
    clock = PacedClock()
    meter = _metered(monkeypatch, clock, [1.0] * 50)
    clock.start(51 * TICK)
    assert meter.figures().late_p99 is None
    assert meter.figures().ticks == 49
