"""What the rosbridge figures say: a value beside a target."""

from __future__ import annotations

import re

from tools.bench import rosbridge as bench


def test_every_figure_has_a_value(monkeypatch):
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "SECONDS", 0.5)
    figures = list(bench.figures())
    assert [figure.target for figure in figures] == [1.5, 5.0, 5.0]
    assert all(figure.value for figure in figures)
    # five are published; on a busy machine a cloud takes the place of one that has not left
    assert re.search(r" [1-5] messages$", figures[0].detail)
