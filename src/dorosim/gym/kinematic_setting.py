"""What settings mean for kinematic agents: what kernels take of them, of the task and of the vehicle's model."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np

from dorosim.ground.column import read_only
from dorosim.ground.error import InputError
from dorosim.ground.physics import GRAVITY
from dorosim.gym.action import ACCELERATIONS, STEERS
from dorosim.gym.compiled_steps import action_code
from dorosim.gym.episode import LOST_OFFSET
from dorosim.gym.setting import ENDS, EnvSettings
from dorosim.gym.task import AGENT_SPACING, MIN_LINK, IntersectionTask, Task
from dorosim.sensor.agent.kinematic.lane_table import lane_tables
from dorosim.sensor.agent.kinematic.light_table import light_tables
from dorosim.sensor.agent.kinematic.segment_table import no_segments, segment_tables
from dorosim.sensor.agent.kinematic.state import (
    BicycleNumbers,
    KinematicRules,
    KinematicTables,
    PartnerFeature,
    SegmentFeature,
    SelfFeature,
    StartTables,
)
from dorosim.sensor.agent.state import LIGHT_WIDTH, AgentEvent, EgoFeature, NeighbourFeature, RoadFeature
from dorosim.world.vehicle.catalogue import model_of, parameters_of

KINEMATIC_KINDS = ("Town", "Motorway", "Intersection")
_NONE = {"vehicles": 0, "pedestrians": 0, "mistakes": 0.0, "record": None, "scenario": None}
"""Settings that kinematic agents have no use of, with the value that says so."""


def check_kinematic(kind: str, settings: EnvSettings) -> None:
    """See that kinematic agents can do what is asked.

    Raises:
        InputError: they cannot.
    """
    if kind not in KINEMATIC_KINDS:
        problem = f"there are no kinematic agents of {kind!r}"
        raise InputError("environment", "dynamics", problem, f'use {", ".join(KINEMATIC_KINDS)}, or "full"')
    for name, value in _NONE.items():
        if getattr(settings, name) != value:
            problem = f"{getattr(settings, name)!r} does not go with kinematic agents: they are alone in their worlds"
            raise InputError("environment", name, problem, f'leave it at {value!r}, or use dynamics="full"')
    if settings.weather:
        problem = "kinematic agents do not slip, and know no weather"
        raise InputError("environment", "weather", problem, 'leave it out, or use dynamics="full"')
    if settings.actions == "lanes":
        problem = "kinematic agents have no driver that changes lanes"
        raise InputError("environment", "actions", problem, "use pedals, velocity, discrete")


def kinematic_parts(settings: EnvSettings) -> dict[str, tuple[int, ...]]:
    """The parts that are perceived, in their order, with the shape of each."""
    shapes: dict[str, tuple[int, ...]] = {
        "ego": (len(EgoFeature),),
        "neighbours": (settings.neighbours, len(NeighbourFeature)),
        "road": (settings.road_points, len(RoadFeature)),
        "lights": (settings.lights, LIGHT_WIDTH),
        "self": (len(SelfFeature),),
        "partners": (settings.partners, len(PartnerFeature)),
        "segments": (settings.segments, len(SegmentFeature)),
    }
    return {name: shape for name, shape in shapes.items() if settings.has(name)}


def numbers_of_model(name: str) -> BicycleNumbers:
    """The numbers of a vehicle model that the kinematic bicycle has.

    Raises:
        InputError: there is no such model, or it does not steer by its front wheels.
    """
    model = model_of(name, "environment", "vehicle")
    table = parameters_of((model,))
    found = {column.name: float(table.floats[column.index, 0]) for column in type(table).float_columns}
    if min(found["wheelbase"], found["max_steer"], found["mass"], found["drive_force"], found["brake_force"]) <= 0.0:
        problem = f"{model.name} is no vehicle with front wheels that steer"
        raise InputError("environment", "vehicle", problem, "use another model")
    grip, mass = found["friction"] * GRAVITY, found["mass"]
    return BicycleNumbers(
        wheelbase=found["wheelbase"],
        max_steer=found["max_steer"],
        steer_rate=found["steer_rate"],
        drive=min(found["drive_force"] / mass, grip),
        power=found["drive_power"] / mass,
        brake=min(found["brake_force"] / mass, grip),
        max_speed=found["max_speed"],
        half_length=0.5 * found["length"],
        half_width=0.5 * found["width"],
        middle=0.5 * (found["wheelbase"] + found["front_overhang"] - found["rear_overhang"]),
        front=found["wheelbase"] + found["front_overhang"],
    )


def _type_of(value: object) -> type[Any]:
    return type(value)


def rules_of(settings: EnvSettings, task: Task) -> KinematicRules:
    """What the settings say, as kernels take it."""
    counts: dict[str, Any] = {
        name: getattr(settings, name) if settings.has(part) else 0
        for name, part in (
            ("neighbours", "neighbours"),
            ("road_points", "road"),
            ("lights", "lights"),
            ("partners", "partners"),
            ("segments", "segments"),
        )
    }
    kept: dict[str, Any] = {
        one.name: _type_of(one.default)(getattr(settings, one.name))
        for one in fields(EnvSettings)
        if one.name in KinematicRules._fields and one.name not in counts and one.name not in ("ends", "ticks")
    }
    code = action_code(settings.actions)
    assert code is not None
    return KinematicRules(
        **kept,
        **counts,
        action=int(code),
        tick=settings.tick_ms * 1e-3,
        tick_ns=round(settings.tick_ms * 1e6),
        ticks=settings.ticks,
        goal_radius=float(task.goal.radius),
        goal_angle=float(task.goal.angle),
        goal_speed=float(task.goal.speed),
        lost_offset=LOST_OFFSET,
        ends=sum(int(AgentEvent[name.upper()]) for name in ENDS if name in settings.ends),
        ego=settings.has("ego"),
        own=settings.has("self"),
    )


def tables_of(settings: EnvSettings, task: Task) -> KinematicTables:
    """What all worlds on the map of a task have in common.

    Raises:
        InputError: agents have nowhere to begin.
    """
    scene = task.scene
    network, plan = scene.network, scene.signal_plan
    lanes = lane_tables(network, tuple(plan.links.governed.tolist()))
    segments = segment_tables(network, lanes, settings.segments) if settings.has("segments") else no_segments()
    return KinematicTables(
        lanes=lanes,
        segments=segments,
        lights=light_tables(plan),
        starts=_starts(settings, task),
        acceleration=read_only(np.array(ACCELERATIONS)),
        share=read_only(np.array(STEERS)),
        weight=read_only(np.array(settings.weights(task.weights))),
    )


def _starts(settings: EnvSettings, task: Task) -> StartTables:
    """Where agents begin: anywhere on lanes, or before a junction."""
    network = task.scene.network
    length = network.link_length
    if isinstance(task, IntersectionTask):
        link = np.array(task.approaches, np.int64)
        low = np.maximum(length[link] - IntersectionTask.BEFORE, 0.3 * length[link])
        # those that begin on one lane stand behind each other
        high, weight, after = np.maximum(length[link] - 10.0, low), np.ones(len(link)), IntersectionTask.AFTER
    else:
        link = np.flatnonzero(network.link_drivable & (length >= MIN_LINK))
        low, high, weight, after = 0.3 * length[link], 0.7 * length[link], length[link], -1.0
    if not len(link):
        raise InputError("environment", "map", f"map {network.name} has no lanes", "use another one")
    return StartTables(
        link=read_only(link),
        low=read_only(low),
        high=read_only(high),
        weight=read_only(np.cumsum(weight) / weight.sum()),
        after=after,
        length=float(settings.way_length) if after < 0.0 else math.inf,
        spacing=AGENT_SPACING,
        speed=float(settings.start_speed),
    )
