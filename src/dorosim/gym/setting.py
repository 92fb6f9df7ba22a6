"""The settings of an environment: what `gymnasium.make` takes besides the name."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from dorosim.ground.error import InputError
from dorosim.sensor.agent.state import AgentEvent, RewardTerm

ACTIONS = ("pedals", "velocity", "discrete", "lanes")
FULL_PARTS = ("ego", "neighbours", "road", "lights", "lidar", "picture")
"""Parts of an observation of agents with full dynamics, in their order."""
KINEMATIC_PARTS = ("ego", "neighbours", "road", "lights", "self", "partners", "segments")
"""Likewise of kinematic ones."""
PARTS = tuple(dict.fromkeys((*FULL_PARTS, *KINEMATIC_PARTS)))
DYNAMICS = ("full", "kinematic")
RENDER_MODES = ("rgb_array", "human")
ENDS = tuple(event.name.lower() for event in AgentEvent if event is not AgentEvent.LOST and event.name)
WEIGHTS: Mapping[str, float] = {
    "progress": 1.0,
    "approach": 0.0,
    "speeding": -1.0,
    "lane": -0.2,
    "heading": -0.2,
    "steering": -0.1,
    "comfort": -0.05,
    "wrong_way": -0.5,
    "time": 0.0,
    "collision": -10.0,
    "off_road": -10.0,
    "red_light": -10.0,
    "arrival": 10.0,
}
"""Usual weights of the terms of a reward (`RewardTerm`)."""


@dataclass(frozen=True, kw_only=True)
class EnvSettings:
    """All settings of an environment; a task has other defaults of some of them.

    Attributes:
        map: as of `dorosim run`: "town", "village", "motorway", a file or a folder.
        vehicles: NPC vehicles.
        pedestrians: people who cross roads.
        mistakes: of each NPC driver, per hour of driving.
        weather: the table [environment] of the settings, as {"weather": "rainy", "time_of_day": 22.0}.
        vehicle: model of the agents' vehicles.
        dynamics: how they move: "full", as in `dorosim run`, or "kinematic", the kinematic bicycle, in worlds in which
            every vehicle is an agent.
        agents: how many vehicles programs drive; 1 for an `Env`.
        actions: "pedals" (pedal and wheel), "velocity" (velocity and curvature), "discrete" (7 accelerations and 13
            wheel angles) or "lanes" (keep, left, right, faster, slower; the built-in driver does the rest).
        observations: parts of the observation, of "ego", "neighbours", "road", "lights", "lidar" and "picture"; of
            kinematic agents also "self", "partners" and "segments", and neither of the last two before.
        flat: whether it is one array, else a dict with an array for each part.
        neighbours: how many bodies are perceived, the nearest first.
        road_points: how many points of the way ahead.
        lights: how many stop lines with lights ahead.
        partners: how many other vehicles are in the part "partners", the nearest first.
        segments: how many segments of lanes and their boundaries are in the part "segments".
        rays: how many rays of the lidar.
        rings: 1: distances along rays to bodies; 2: also to the edge of the lanes.
        neighbour_reach: how far bodies are perceived [m].
        partner_reach: how far partners are perceived [m].
        road_spacing: between points of the way [m].
        light_reach: how far ahead stop lines are perceived [m].
        ray_reach: of rays [m].
        picture_size: width and height of pictures [pixels].
        masks: whether a dict has "action_mask", too; info has it always.
        rewards: weights of terms, in place of those of the task.
        ends: events that end an episode.
        max_steps: after so many an episode is truncated; 0: never.
        respawn: whether a kinematic agent whose episode is over begins another one at once, elsewhere in its world.
        tick_ms: simulated time of a tick [ms].
        ticks: of a step.
        start_speed: of the agents [m/s].
        way_length: of the way that they are to go [m].
        max_speed: of actions [m/s].
        max_curvature: of actions [1/m].
        scenario: file of OpenSCENARIO.
        parameters: values of its parameters, by name.
        ego_name: its entity that is the agent.
        record: folder in which each episode is recorded; None for none.
        data: the data folder; None for the user's.
        speed: of the render mode "human", over wall time; 0: as fast as steps come.
        threads: that step the worlds of a vector environment; 0: one a processor.
        beginnings: how many different episodes there are: the seeds of their worlds are 0 to one less, and each is
            built once and copied then; 0: as many as seeds.
    """

    map: str = "town"
    vehicles: int = 25
    pedestrians: int = 0
    mistakes: float = 0.0
    weather: Mapping[str, Any] = field(default_factory=dict)
    vehicle: str = "2016_Hyundai_Ioniq"
    dynamics: str = "full"
    agents: int = 1
    actions: str = "pedals"
    observations: tuple[str, ...] = ("ego", "neighbours", "road", "lights")
    flat: bool = True
    neighbours: int = 12
    road_points: int = 20
    lights: int = 2
    partners: int = 31
    segments: int = 232
    rays: int = 64
    rings: int = 1
    neighbour_reach: float = 100.0
    partner_reach: float = 50.0
    road_spacing: float = 5.0
    light_reach: float = 100.0
    ray_reach: float = 50.0
    picture_size: tuple[int, int] = (96, 64)
    masks: bool = False
    rewards: Mapping[str, float] = field(default_factory=dict)
    ends: tuple[str, ...] = ENDS
    max_steps: int = 1000
    respawn: bool = False
    tick_ms: float = 100.0
    ticks: int = 1
    start_speed: float = 0.0
    way_length: float = 1000.0
    max_speed: float = 25.0
    max_curvature: float = 0.2
    scenario: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    ego_name: str = ""
    record: str | None = None
    data: str | None = None
    speed: float = 1.0
    threads: int = 1
    beginnings: int = 0

    def has(self, part: str) -> bool:
        """Whether observations have a part."""
        return part in self.observations

    @property
    def step_s(self) -> float:
        """Simulated time of a step [s]."""
        return self.tick_ms * 1e-3 * self.ticks

    def weights(self, usual: Mapping[str, float]) -> tuple[float, ...]:
        """The weight of each `RewardTerm`."""
        chosen = {**WEIGHTS, **usual, **self.rewards}
        return tuple(float(chosen[term.name.lower()]) for term in RewardTerm)


BOUNDS: Mapping[str, tuple[float, float]] = {
    "agents": (1, 1000),
    "neighbours": (0, 500),
    "road_points": (0, 500),
    "lights": (0, 50),
    "partners": (0, 500),
    "segments": (0, 2000),
    "rays": (1, 4096),
    "rings": (1, 2),
    "neighbour_reach": (1.0, 1e4),
    "partner_reach": (1.0, 1e4),
    "road_spacing": (0.5, 1e3),
    "light_reach": (1.0, 1e4),
    "ray_reach": (1.0, 1e3),
    "max_steps": (0, 10**9),
    "tick_ms": (1.0, 100.0),
    "ticks": (1, 1000),
    "start_speed": (0.0, 100.0),
    "way_length": (20.0, 2000.0),
    "max_speed": (0.1, 100.0),
    "max_curvature": (1e-3, 1.0),
    "speed": (0.0, 1000.0),
    "threads": (0, 1000),
    "beginnings": (0, 10_000),
}
"""Least and greatest value of settings that no world checks."""


def settings_of(usual: EnvSettings, given: Mapping[str, Any]) -> EnvSettings:
    """The settings of an environment.

    Args:
        usual: those of its task.
        given: others, by name.

    Raises:
        InputError: a name, type or number among them is wrong.
    """
    known = {one.name for one in fields(EnvSettings)}
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            cure = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(sorted(known))}"
            raise InputError("environment", name, "is no setting", cure)
    settings = replace(usual, **{name: _of_kind(name, value) for name, value in given.items()})
    _check_numbers(settings)
    _check_names(settings)
    return settings


_TEXT = ((str,), "give a text")
_PATH = ((str, type(None)), "give a path")
_TABLE = ((Mapping,), "give a table, as a dict")
_LIST = ((tuple, list, set, frozenset), "give a list")
_FLAG = ((bool,), "give True or False")
_KINDS: Mapping[str, tuple[tuple[type[Any], ...], str]] = {
    **dict.fromkeys(("map", "vehicle", "dynamics", "actions", "ego_name"), _TEXT),
    **dict.fromkeys(("scenario", "record", "data"), _PATH),
    **dict.fromkeys(("weather", "rewards", "parameters"), _TABLE),
    **dict.fromkeys(("observations", "ends", "picture_size"), _LIST),
    **dict.fromkeys(("flat", "masks", "respawn"), _FLAG),
}
"""Types of settings that are no numbers, and what to do where a value has none of them."""


def _of_kind(name: str, value: Any) -> Any:
    """A value as settings have it; see `settings_of`."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    elif isinstance(value, np.generic):
        value = value.item()
    types, cure = _KINDS.get(name, ((), ""))
    if types and not isinstance(value, types):
        raise InputError("environment", name, f"is {value!r}", cure)
    if name == "parameters":
        return {str(key): _as_text(one) for key, one in value.items()}
    return tuple(value) if types is _LIST[0] else value


def _as_text(value: Any) -> str:
    """The value of a scenario's parameter, as the file would have it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check_numbers(settings: EnvSettings) -> None:
    for name in ("vehicles", "pedestrians"):
        value = getattr(settings, name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise InputError("environment", name, f"{value!r} is no number of them", "give a whole number from 0")
    for name, (low, high) in BOUNDS.items():
        value = getattr(settings, name)
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            problem = f"{value!r} is outside {low:g} to {high:g}"
            raise InputError("environment", name, problem, "give a number inside")
        if isinstance(low, int) and value != int(value):
            raise InputError("environment", name, f"{value!r} is no whole number", "give one")
    size = settings.picture_size
    if len(size) != 2 or not all(isinstance(side, int) and 8 <= side <= 4096 for side in size):
        problem = f"{size!r} is no width and height of 8 to 4096 pixels"
        raise InputError("environment", "picture_size", problem, "give two whole numbers")


def _check_names(settings: EnvSettings) -> None:
    parts = KINEMATIC_PARTS if settings.dynamics == "kinematic" else FULL_PARTS
    for name, values, known in (
        ("dynamics", (settings.dynamics,), DYNAMICS),
        ("actions", (settings.actions,), ACTIONS),
        ("observations", settings.observations, parts),
        ("ends", settings.ends, ENDS),
        ("rewards", tuple(settings.rewards), tuple(WEIGHTS)),
    ):
        for value in values:
            if value not in known:
                raise InputError("environment", name, f"there is no {value!r}", f"use {', '.join(known)}")
    for name, weight in settings.rewards.items():
        if not isinstance(weight, int | float) or not math.isfinite(weight):
            raise InputError("environment", f"rewards.{name}", f"{weight!r} is no number", "give a finite one")
    if not settings.observations:
        raise InputError("environment", "observations", "are empty", f"give some of {', '.join(parts)}")
    if settings.flat and settings.has("picture"):
        problem = "a picture does not go into one array with numbers"
        raise InputError("environment", "observations", problem, "set flat=False, or leave the picture out")


def check_full(settings: EnvSettings) -> None:
    """See that agents have full dynamics: what environments need that have no kinematic ones.

    Raises:
        InputError: they have not.
    """
    for name, usual in (("dynamics", "full"), ("respawn", False)):
        if getattr(settings, name) != usual:
            problem = f"{getattr(settings, name)!r} is for worlds of kinematic agents, which this environment has not"
            cure = 'use AgentPool or parallel_env with dynamics="kinematic"'
            raise InputError("environment", name, problem, cure)
