"""The kinds of environments: their names, tasks and usual settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dorosim.app.store.map import EMPTY
from dorosim.ground.error import InputError
from dorosim.gym.parking_task import ParkingTask
from dorosim.gym.scenario_task import ScenarioTask
from dorosim.gym.setting import EnvSettings
from dorosim.gym.task import IntersectionTask, LaneTask, Task


@dataclass(frozen=True, slots=True)
class EnvKind:
    """A kind of environment.

    Attributes:
        make: makes its task of settings. usual: its settings where none are given.
    """

    make: Callable[[EnvSettings], Task]
    usual: EnvSettings


KINDS: Mapping[str, EnvKind] = MappingProxyType(
    {
        "Town": EnvKind(LaneTask, EnvSettings()),
        "Motorway": EnvKind(
            LaneTask, EnvSettings(map="motorway", vehicles=60, start_speed=20.0, max_speed=35.0, way_length=2000.0)
        ),
        "Intersection": EnvKind(
            IntersectionTask, EnvSettings(vehicles=60, start_speed=5.0, max_speed=15.0, max_steps=600)
        ),
        "Parking": EnvKind(
            ParkingTask,
            EnvSettings(
                map=EMPTY,
                vehicles=0,
                actions="velocity",
                max_speed=3.0,
                observations=("ego", "neighbours"),
                max_steps=400,
            ),
        ),
        "Scenario": EnvKind(ScenarioTask, EnvSettings(vehicles=0)),
    }
)
"""By name; `dorosim/Town-v0` is the environment of "Town"."""


def kind_named(name: str) -> EnvKind:
    """The kind of a name.

    Raises:
        InputError: there is none.
    """
    if name not in KINDS:
        raise InputError("environment", "kind", f"there is no {name!r}", f"use {', '.join(KINDS)}")
    return KINDS[name]


def task_of(kind: EnvKind, settings: EnvSettings) -> Task:
    """The task of an environment.

    Raises:
        InputError: a setting is wrong, or a file that it names.
    """
    return kind.make(settings)
