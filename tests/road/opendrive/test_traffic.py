"""Traffic drives on OpenDRIVE files: no collision, nobody off the lanes, nobody past a red light."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.world.signal.permission import Permission
from dorosim.world.traffic.state import Presence
from tests.shared import shared
from tests.world.traffic.rig import MIXED, TrafficRun, describe, run_on
from tests.world.traffic.watch import watch

RESOURCES = "openscenario/resources/xodr/"
MAPS = (
    "opendrive/Town01.xodr",
    f"{RESOURCES}fabriksgatan_traffic_lights.xodr",
    *(f"{RESOURCES}{name}.xodr" for name in ("fabriksgatan", "multi_intersections", "soderleden", "e6mini-lht")),
    *(
        f"{RESOURCES}{name}.xodr"
        for name in ("e6mini", "jolengatan", "crest-curve", "curves_elevation", "straight_500m")
    ),
)
METRES_A_VEHICLE, MAX_VEHICLES = 40.0, 50


class LitRun(TrafficRun):
    """Traffic that is watched at its lights: nobody passes one that is red before and after the tick."""

    __slots__ = ("passed",)

    def step(self, permission=None, **more):
        before, stop = self.state.link.copy(), self.signal.link.entry == Permission.STOP
        here = self.state.present == Presence.ON_LANE
        super().step(permission, **more)
        stop &= self.signal.link.entry == Permission.STOP
        new = here & (self.state.present == Presence.ON_LANE) & (self.state.link != before)
        rows = [row for row in np.flatnonzero(new) if self.state.link[row] in self.network.successors.of(before[row])]
        lit = [
            self.state.link[row] for row in rows if len(self.network.signals.lights_of_link.of(self.state.link[row]))
        ]
        assert not stop[lit].any(), [describe(self, row) for row in rows if stop[self.state.link[row]]]
        self.passed += len(lit)


def drive(place, seconds):
    network = network_from_mgeo(map_from_opendrive(read_opendrive(place, shared(place).read_bytes()), "shared"))
    length = float(network.link_length[network.link_drivable].sum())
    count = min(MAX_VEHICLES, int(length / METRES_A_VEHICLE))
    run = run_on(network, count, seed=1, bodies=MIXED)
    run = LitRun(**{one.name: getattr(run, one.name) for one in fields(run)})
    run.passed = 0
    journal = watch(run, seconds)
    assert (run.passed > 0) == bool(network.signals.lights) or seconds < 100.0
    return journal


@pytest.mark.parametrize("place", MAPS)
def test_half_a_minute(place):
    assert drive(place, 30.0).way.mean() > 60.0


@pytest.mark.soak
@pytest.mark.parametrize("place", MAPS)
def test_ten_minutes(place):
    assert drive(place, 600.0).way.mean() > 600.0
