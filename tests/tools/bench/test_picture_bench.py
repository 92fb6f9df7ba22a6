"""What the picture figures say: both ways have a value, and shared memory costs less."""

from __future__ import annotations

import pytest

from tools.bench import picture as bench


def test_both_ways_are_measured_and_shared_memory_costs_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.7)
    monkeypatch.setattr(bench, "ROUNDS", 2)
    memory, messages = bench.figures()
    assert (memory.target, memory.at_most, memory.unit) == (5.0, True, "% of a core")
    assert messages.target is None
    assert memory.value is not None
    assert messages.value is not None
    assert 0.0 < memory.value < messages.value
    assert "two bare copies" in memory.detail
