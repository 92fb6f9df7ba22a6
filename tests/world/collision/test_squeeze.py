"""A light body between something fast and a wall: it does not come out on the other side of the wall, however thin."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import Snapshot
from tests.world.collision.standing import changed, deepest, scenery_of, world_among

FACE = 20.0
"""Where the wall begins [m]."""
INSIDE = 0.1
"""Nothing is deeper than this inside of it [m]."""


@pytest.mark.parametrize("tick_ms", [10.0, 50.0])
@pytest.mark.parametrize("speed", [15.0, 30.0, 60.0, 100.0])
@pytest.mark.parametrize("thickness", [0.05, 0.3])
def test_a_car_does_not_push_a_light_body_through_a_wall(tick_ms, speed, thickness):
    wall = scenery_of([(FACE + 0.5 * thickness, 0.0, 0.5 * math.pi, 400.0, thickness)])
    for thing in ("person", "cone", "dog", "barrier"):
        world = world_among(wall, (0.0, 0.0, 0.0), tick_ms=tick_ms)
        if thing == "person":
            world.do(SpawnPedestrian(actor=0, model=0, position=(10.0, 0.2, 0.0), yaw=0.0))
        else:
            world.do(SpawnObstacle(actor=0, model=obstacle_model_row(thing)[0], position=(10.0, 0.2, 0.0)))
        world.now = changed(world.now, velocity_x=speed)
        reached = 0.0

        def look(now: Snapshot, thing: str = thing) -> None:
            nonlocal reached
            state = now.people.state if thing == "person" else now.obstacles.state
            reached = max(reached, float(state.x[0]))
            assert state.x[0] < FACE, (thing, now.time)
            assert deepest(now, wall) < INSIDE, (thing, now.time)
            assert np.isfinite((now.vehicle.x[0], state.x[0], state.y[0])).all()

        world.run(2.0, look)
        assert reached > 18.0, f"the {thing} came to the wall"
