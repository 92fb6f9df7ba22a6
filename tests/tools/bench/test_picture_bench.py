"""What the picture figures say: both ways have a value, also to bare copies, and shared memory costs less."""

from __future__ import annotations

import re

import pytest

from tools.bench import picture as bench


def test_both_ways_are_measured_and_shared_memory_costs_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.7)
    monkeypatch.setattr(bench, "ROUNDS", 2)
    memory, memory_ratio, messages, messages_ratio = bench.figures()
    assert (memory.target, memory.at_most, memory.unit) == (5.0, True, "% of a core")
    assert messages.target is None
    assert memory.value is not None
    assert messages.value is not None
    assert 0.0 < memory.value < messages.value
    assert (memory_ratio.target, memory_ratio.at_most, memory_ratio.unit) == (1.5, True, "x")
    assert messages_ratio.target is None
    for share, ratio in ((memory, memory_ratio), (messages, messages_ratio)):
        copies = float(re.search(r"two bare copies at this pace take [\d.]+ ms, ([\d.]+) % of a core", ratio.detail)[1])
        assert ratio.value == pytest.approx(share.value / copies, rel=0.05)
