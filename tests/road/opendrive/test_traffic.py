"""Traffic drives on OpenDRIVE files: no collision, nobody off the lanes."""

from __future__ import annotations

import pytest

from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.reader import read_opendrive
from tests.shared import shared
from tests.world.traffic.rig import MIXED, run_on
from tests.world.traffic.watch import watch

RESOURCES = "openscenario/resources/xodr/"
MAPS = (
    "opendrive/Town01.xodr",
    *(f"{RESOURCES}{name}.xodr" for name in ("fabriksgatan", "multi_intersections", "soderleden", "e6mini-lht")),
    *(
        f"{RESOURCES}{name}.xodr"
        for name in ("e6mini", "jolengatan", "crest-curve", "curves_elevation", "straight_500m")
    ),
)
METRES_A_VEHICLE, MAX_VEHICLES = 40.0, 50


def drive(place, seconds):
    network = network_from_mgeo(map_from_opendrive(read_opendrive(place, shared(place).read_bytes()), "shared"))
    length = float(network.link_length[network.link_drivable].sum())
    count = min(MAX_VEHICLES, int(length / METRES_A_VEHICLE))
    return watch(run_on(network, count, seed=1, bodies=MIXED), seconds)


@pytest.mark.parametrize("place", MAPS)
def test_half_a_minute(place):
    assert drive(place, 30.0).way.mean() > 60.0


@pytest.mark.soak
@pytest.mark.parametrize("place", MAPS)
def test_ten_minutes(place):
    assert drive(place, 600.0).way.mean() > 600.0
