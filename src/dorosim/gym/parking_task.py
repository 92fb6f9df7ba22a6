"""Park in a slot between vehicles that stand, on a square without lanes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dorosim.batch.world_map import WorldMap
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.gym.setting import EnvSettings
from dorosim.gym.task import Beginning, GoalRule, environment_of
from dorosim.recording.format import EgoStart
from dorosim.sensor.agent.agents import AgentGoal
from dorosim.sensor.agent.way import AgentWay, straight_way
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.catalogue import model_of
from dorosim.world.vehicle.command import CreateVehicle

PARKING_SLOTS = 9
SLOT_WIDTH = 2.8
"""Of a slot across [m]; Korean slots are 2.5 to 2.6 (Parking Lot Act, Enforcement Rule, article 3)."""
LANE_TO_SLOTS = 7.0
"""The vehicle starts so far before the row of slots [m]."""
OCCUPIED = 0.8
"""Chance that a vehicle stands in a slot."""
_LIMIT = 5.0


class ParkingTask:
    """Park nose first in one slot of a row.

    Args:
        settings: of the environment.

    Raises:
        InputError: more agents than one are asked for.
    """

    def __init__(self, settings: EnvSettings) -> None:
        if settings.agents != 1:
            raise InputError("environment", "agents", "one vehicle parks at a time", "leave it at 1")
        self.settings = settings
        self.goal = GoalRule(0.5, math.radians(10.0), 0.2)
        self.weights: Mapping[str, float] = {
            "progress": 0.0,
            "approach": 1.0,
            "lane": 0.0,
            "heading": 0.0,
            "wrong_way": 0.0,
            "time": -0.01,
        }
        self.backwards = min(settings.max_speed, 3.0)
        self.map = WorldMap.open(settings.map, tick_ms=settings.tick_ms, data=settings.data)
        self.environment = environment_of(settings)
        self.model = model_of(settings.vehicle, "environment", "vehicle")

    @property
    def scene(self) -> Scene:
        """See `Task`."""
        return self.map.scene

    def begin(self, seed: int, opening: Sequence[Command]) -> Beginning:
        """See `Task`."""
        stream = Noise(seed).stream("gym/start")
        free = int(stream.integers(1, PARKING_SLOTS - 1))
        heading, back = 0.5 * math.pi, -0.5 * self.model.wheelbase
        commands: list[Command] = list(opening)
        for slot in range(PARKING_SLOTS):
            if slot != free and stream.uniform() < OCCUPIED:
                place = ((slot - free) * SLOT_WIDTH, back, math.nan)
                commands.append(
                    CreateVehicle(model=self.model.name, position=place, rotation=(0.0, 0.0, heading), paused=True)
                )
        x, y = float(stream.uniform(-8.0, -4.0)), -LANE_TO_SLOTS + float(stream.uniform(-1.0, 1.0))
        ego = EgoStart(self.model.name, (x, y, math.nan), float(stream.uniform(-0.2, 0.2)))
        start = self.map.start(seed=seed, egos=(ego,), environment=self.environment, commands=commands)
        goal = AgentGoal(0.0, back, heading)
        return Beginning(start, {EGO: (straight_way((x, y), (0.0, back), SLOT_WIDTH, _LIMIT), goal)})

    def renew(self, now: Snapshot, agent: int, seed: int) -> tuple[AgentWay, AgentGoal | None]:  # noqa: ARG002
        """See `Task`: straight to the slot."""
        row, back = now.row_of(agent), -0.5 * self.model.wheelbase
        here = float(now.vehicle.x[row]), float(now.vehicle.y[row])
        goal = AgentGoal(0.0, back, 0.5 * math.pi)
        return straight_way(here, (0.0, back), SLOT_WIDTH, _LIMIT), goal
