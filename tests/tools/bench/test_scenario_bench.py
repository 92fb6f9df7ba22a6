"""What the figures of scenarios say: every one has a value, and the run has what it measures."""

from __future__ import annotations

import pytest

from tools.bench import scenario as bench


def test_every_figure_has_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "PIECE_ROUNDS", 1)
    monkeypatch.setattr(bench, "VARIANTS", 2)
    figures = list(bench.figures())
    assert len({figure.name for figure in figures}) == len(figures) == 6
    assert all(figure.value is not None and figure.target is not None for figure in figures)
    branches = figures[-1]
    assert branches.value is not None
    assert (
        branches.value > 1.0
    )  # a tenth of the ticks; what it comes to on a machine that is busy is the bench's matter
    added = figures[0]
    assert "2,00" in added.detail
    assert "not compiled" not in added.detail


def test_the_run_has_a_lane_change_braking_and_following() -> None:
    made = bench.world()
    run = bench.snapshots(made)
    engine = made.scene.storyboard
    assert engine is not None
    names = {engine.program.elements[one.element].name for now in run for one in now.storyboard_report.happened}
    assert {"cuts in", "brakes", "follows"} <= names
    assert run[-1].storyboard.ended == 20_000_000_000
    speeds = [now.storyboard.entity.speed.tolist() for now in run]
    assert min(one[0] for one in speeds) < 12.5 < max(one[0] for one in speeds)
