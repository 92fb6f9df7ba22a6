"""What the plots show is true: the runs behind them are held against formulas and against the light."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dorosim.mapmaking.track import TRACK_LANE_WIDTH
from dorosim.road.signal import Lamp
from tools.figures import collision, fundamental, lane_change, time_space

IMAGES = Path(__file__).parents[4] / "docs" / "images"


@pytest.fixture(scope="module")
def passage() -> time_space.LightPassage:
    return time_space.measure(200.0)


@pytest.fixture(scope="module")
def change() -> lane_change.LaneChange:
    return lane_change.measure()


def test_nobody_passes_the_line_on_red(passage: time_space.LightPassage) -> None:
    before, after = passage.place[:-1] < time_space.LIGHT_AT, passage.place[1:] >= time_space.LIGHT_AT
    step, _ = np.nonzero(before & after)
    assert len(step) > 10
    assert not (passage.lamps[step] & int(Lamp.RED)).any()


def test_a_queue_forms_at_red_and_leaves_at_green_one_after_another(passage: time_space.LightPassage) -> None:
    assert (passage.speed < 0.1).sum(axis=1).max() >= 5
    gaps = -np.diff(passage.place, axis=1)
    assert np.nanmin(gaps[np.isfinite(gaps)]) > 4.6


@pytest.mark.parametrize(("count", "tolerance"), [(20, 0.03), (90, 0.02), (200, 0.02)])
def test_drivers_that_are_alike_flow_as_the_formula_says(count: int, tolerance: float) -> None:
    """Free, at the most that flows, and jammed."""
    found = fundamental.measure((count,), settling=300.0, measuring=200.0)
    point = found.alike[0]
    assert point.density == pytest.approx(count / fundamental.LAP, rel=1e-4)
    assert point.speed == pytest.approx(point.formula_speed, rel=tolerance)
    # passages are counted: one more or less at each of the four places
    assert point.flow == pytest.approx(point.formula_flow, rel=tolerance, abs=1 / 200)
    assert found.spread[0].flow < point.flow + 1 / 200
    assert f"{count / 2:.1f}" in "\n".join(fundamental.lines(found))


def test_the_change_waits_for_a_gap_and_brakes_nobody_hard(change: lane_change.LaneChange) -> None:
    begin, end = time_space.spans(change.changing)[0]
    changer, passer, follower = (lane_change.CHANGER, lane_change.PASSER, lane_change.FOLLOWER)
    assert change.x[begin, passer] > change.x[begin, changer] > change.x[begin, follower]
    assert change.y[begin, changer] == pytest.approx(-TRACK_LANE_WIDTH, abs=0.05)
    assert change.y[end, changer] == pytest.approx(0.0, abs=0.1)
    assert np.all(np.diff(change.y[begin:end, changer]) > -1e-9)
    braking = np.diff(change.speed, axis=0) / np.diff(change.time)[:, None]
    assert braking.min() > -4.0
    assert braking[begin + 1 : end, follower].min() < -0.3


def test_the_impulse_is_the_change_of_momentum_of_either_car() -> None:
    crash = collision.measure()
    gain = crash.mass * (crash.after - crash.before)
    np.testing.assert_allclose(gain, [-crash.impulse, crash.impulse], rtol=1e-9, atol=1e-6)
    assert np.abs(crash.velocity[-1]).max() < 0.1


def test_every_plot_is_drawn(passage, change, tmp_path: Path) -> None:
    flow = fundamental.measure((60,), settling=20.0, measuring=20.0)
    figures = {
        "traffic-light.png": time_space.draw(passage),
        "fundamental-diagram.png": fundamental.draw(flow),
        "lane-change.png": lane_change.draw(change),
        "collision.png": collision.draw(collision.measure()),
    }
    for name, figure in figures.items():
        figure.savefig(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 10_000
        assert (IMAGES / name).exists(), "run make plots"
