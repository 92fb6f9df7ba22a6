"""What the rosbridge figures say: a value beside a target."""

from __future__ import annotations

from tools.bench import rosbridge as bench


def test_every_figure_has_a_value(monkeypatch):
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "SECONDS", 0.5)
    figures = list(bench.figures())
    assert [figure.target for figure in figures] == [1.5, 5.0, 5.0]
    assert all(figure.value for figure in figures)
    assert "5 messages" in figures[0].detail
