"""What the ROS figures say: a value beside a target, or a reason."""

from __future__ import annotations

import re

import pytest

from tools.bench import ros as bench


def test_every_figure_has_a_value(monkeypatch):
    if bench.why_not() is not None:
        pytest.skip(str(bench.why_not()))
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "SECONDS", 0.5)
    figures = list(bench.figures())
    assert [figure.target for figure in figures] == [1.2, 1.5, 5.0]
    assert all(figure.value for figure in figures)
    # five are published; on a busy machine the last may be under way when the listener is asked
    assert re.search(r" [1-5] messages$", figures[0].detail)


def test_without_ros_every_figure_has_a_reason(monkeypatch):
    monkeypatch.setattr(bench, "why_not", lambda: "no ROS here")
    assert [figure.detail for figure in bench.figures()] == ["no ROS here"] * 3
    assert all(figure.value is None for figure in bench.figures())
