"""Drive an entity of a scenario of OpenSCENARIO."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from dorosim.app.run.scenario_ready import ReadyScenario
from dorosim.app.run.storyboard_build import engine_of
from dorosim.batch.world_map import open_scenario_for_batch, scenario_start
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.gym.setting import EnvSettings
from dorosim.gym.task import Beginning, GoalRule, way_on_from
from dorosim.sensor.agent.agents import AgentGoal
from dorosim.sensor.agent.way import AgentWay
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot

_KEPT_ENGINES = 64


class ScenarioTask:
    """Drive the ego vehicle of a scenario; an episode is over when its storyboard is.

    Args:
        settings: of the environment; `scenario` names the file.

    Raises:
        InputError: there is no scenario, it cannot be read or run, or it has no ego vehicle.
    """

    def __init__(self, settings: EnvSettings) -> None:
        if settings.scenario is None:
            raise InputError("environment", "scenario", "is missing", "give a file: scenario='cut_in.xosc'")
        if settings.agents != 1:
            raise InputError("environment", "agents", "a scenario has one ego vehicle", "leave it at 1")
        self.settings, self.goal, self.backwards = settings, GoalRule(radius=-1.0), 0.0
        self.weights: Mapping[str, float] = {}
        self._opened = open_scenario_for_batch(
            settings.scenario, ego_name=settings.ego_name, parameters=settings.parameters, data=settings.data
        )
        self._first = scenario_start(self._opened, tick_ms=settings.tick_ms)
        if self._first.first.row_of(EGO) < 0:
            problem = f"{self._opened.source} has no ego vehicle with full dynamics"
            raise InputError("environment", "ego_name", problem, "name the entity that is to be driven")
        self._ready = lru_cache(_KEPT_ENGINES)(self._ready_with)

    @property
    def scene(self) -> Scene:
        """See `Task`."""
        return self._first.scene

    def _ready_with(self, seed: int) -> ReadyScenario:
        """The scenario as it runs with a seed: what it leaves to chance is drawn when it is compiled."""
        opened = self._opened
        return replace(opened, engine=engine_of(opened.opened.kept, opened.map_files, seed=seed), seed=seed)

    def begin(self, seed: int, opening: Sequence[Command]) -> Beginning:
        """See `Task`."""
        start = scenario_start(self._ready(seed), tick_ms=self.settings.tick_ms, commands=opening)
        return Beginning(start, {EGO: self.renew(start.first, EGO, seed)})

    def renew(self, now: Snapshot, agent: int, seed: int) -> tuple[AgentWay, AgentGoal | None]:
        """See `Task`."""
        return way_on_from(self.scene, now, agent, self.settings.way_length, Noise(seed)), None
