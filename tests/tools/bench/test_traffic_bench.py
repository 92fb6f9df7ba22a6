"""What the traffic figures say: alike conditions for both sides, and a reason where SUMO cannot be had."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from dorosim.mapmaking.track import grid_map
from dorosim.road.network import network_from_mgeo
from tools.bench import sumo, traffic
from tools.bench.figure import Figure, FigureTable
from tools.bench.sumo import SumoRun, run_sumo
from tools.traffic_run import TrafficRun

NO_SUMO = "libsumo is not installed (extra bench)"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench of a second."""
    monkeypatch.setattr(traffic, "COUNTS", (100,))
    monkeypatch.setattr(traffic, "PROMISED", (100,))
    for name, value in (("WARM_STEPS", 2), ("OWN_ROUNDS", 2), ("ROUND_STEPS", 2)):
        monkeypatch.setattr(traffic, name, value)


@pytest.mark.parametrize("count", [100, 1_000])
def test_the_grid_has_about_ten_vehicles_on_a_kilometre_of_lane(count: int) -> None:
    network = network_from_mgeo(grid_map(traffic.side_of(count)))
    lanes = network.link_length > 100
    assert count / (network.link_length[lanes].sum() / 1000) == pytest.approx(traffic.DENSITY, rel=0.25)
    run = TrafficRun.fill(network, count, seed=1)
    for _ in range(20):
        run.step()
    read = run.read()
    assert read.shape == (4, count)
    assert np.isfinite(read).all()
    assert read[3].max() > 1


@pytest.mark.usefixtures("short")
def test_without_sumo_the_bench_tells_why_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "run_sumo", lambda *_: SumoRun(problem="not here"))
    rate, ratio, table = traffic.figures()
    assert isinstance(rate, Figure)
    assert rate.target == 3.0
    assert isinstance(ratio, Figure)
    assert (ratio.value, ratio.detail, ratio.reached) == (None, "not here", True)
    assert isinstance(table, FigureTable)
    assert table.rows[0][0] == "100"
    assert len(table.rows[0]) == len(table.head)


@pytest.mark.usefixtures("short")
def test_with_sumo_there_is_a_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "run_sumo", lambda *_: SumoRun(100, 1000.0, "SUMO 1"))
    _, ratio, table = traffic.figures()
    assert isinstance(ratio, Figure)
    assert ratio.value is not None
    assert ratio.value > 1
    assert isinstance(table, FigureTable)
    assert "1,000,000" in table.rows[0]


def test_whatever_goes_wrong_in_sumo_becomes_a_reason() -> None:
    assert run_sumo(10, -1).problem
    assert run_sumo(10, -1).rate == 0


@pytest.mark.skipif(importlib.util.find_spec("libsumo") is None, reason=NO_SUMO)
def test_sumo_drives_as_many_vehicles_and_nobody_arrives() -> None:
    found = run_sumo(30, 2)
    assert (found.problem, found.vehicles) == ("", 30)
    assert found.rate > 0
    assert found.version.startswith("SUMO")
    way = 14.0 * sumo.TICK * (sumo.WARM_STEPS + sumo.ROUNDS * sumo.ROUND_STEPS)
    assert 2 * way < sumo.MAX_DRIVE_TIME * 180.0
