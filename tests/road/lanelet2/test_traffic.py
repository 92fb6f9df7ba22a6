"""Traffic drives on Lanelet2 files: no collision, nobody off the lanes."""

from __future__ import annotations

import pytest

from tests.road.lanelet2.exported import exported
from tests.world.traffic.rig import MIXED, run_on
from tests.world.traffic.watch import watch


def drive(name, seconds):
    return watch(run_on(exported(name)[4], 40, seed=1, bodies=MIXED), seconds)


@pytest.mark.parametrize("name", ["town", "village", "motorway"])
def test_half_a_minute(name):
    assert drive(name, 30.0).way.mean() > 60.0


@pytest.mark.soak
@pytest.mark.parametrize("name", ["town", "village", "motorway"])
def test_ten_minutes(name):
    assert drive(name, 600.0).way.mean() > 600.0
