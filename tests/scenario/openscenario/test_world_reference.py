"""Shared scenarios run by the world's step take the same way as without a world, and actors are where they say."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
import pytest

from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_run import world_ticks
from dorosim.ground.noise import Noise
from dorosim.world.storyboard.state import EntityTable
from tests.scenario.openscenario.reference import scenario_file
from tests.scenario.openscenario.worldless import ticks_of
from tests.shared import shared

TICK = 10_000_000
LIMIT = 12.0
OURS = [EntityTable.actor.index, EntityTable.mover.index]


@pytest.mark.parametrize(
    "name", ["add_delete_entity", "cut-in", "drop-bike", "lane_change_crest", "pedestrian_collision", "trajectory-test"]
)
def test_a_scenario_takes_the_same_way_in_the_world(name: str) -> None:
    root = shared("openscenario")
    ready = ready_scenario(str(scenario_file(root, name)), root, [root])
    alone = ticks_of(ready.program, TICK, LIMIT)
    seen = 0
    for plain, tick in zip_longest(alone, world_ticks(ready.world(TICK), Noise(0), LIMIT)):
        assert (plain.time, plain.state_time, plain.ended) == (tick.time, tick.state_time, tick.ended)
        assert plain.happened == tick.happened
        mine, theirs = tick.state.entity, plain.state.entity
        assert np.array_equal(mine.floats, theirs.floats)
        assert np.array_equal(np.delete(mine.ints, OURS, 0), np.delete(theirs.ints, OURS, 0))
        vehicle, actors = tick.world.vehicle, mine.actor.tolist()
        for row, actor in enumerate(actors):
            at = tick.world.row_of(actor)
            if at < 0 or actor == 0:
                continue
            place = (vehicle.x[at], vehicle.y[at], vehicle.z[at], vehicle.yaw[at], vehicle.pitch[at], vehicle.roll[at])
            asked = (mine.x, mine.y, mine.z, mine.heading, mine.pitch, mine.roll)
            assert np.allclose(place, [column[row] for column in asked], rtol=0.0, atol=1e-9)
            seen += 1
    assert seen > 100
