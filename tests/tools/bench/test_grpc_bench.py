"""What the gRPC figures say: every one has a value or a reason, and the bulk stream carries what it counts."""

from __future__ import annotations

import pytest

from tools.bench import grpc as bench


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench of a few seconds."""
    for name, value in (("ROUNDS", 1), ("CALLS", 5), ("FLIGHT_CALLS", 64), ("FLIGHT_ROUNDS", 1), ("COMMANDS", 5)):
        monkeypatch.setattr(bench, name, value)
    monkeypatch.setattr(bench, "SECONDS", 0.3)


@pytest.mark.usefixtures("short")
def test_every_figure_has_a_value_or_a_reason() -> None:
    figures = list(bench.figures())
    assert len({figure.name for figure in figures}) == len(figures) == 8
    for figure in figures:
        assert figure.detail or figure.value, figure.name
    bulk = next(figure for figure in figures if "dorosim.Bulk" in figure.name)
    assert bulk.target == 2.0
    assert bulk.value is not None
    assert bulk.value > 0.0
    assert "1,000 vehicles, 6 columns" in bulk.detail
