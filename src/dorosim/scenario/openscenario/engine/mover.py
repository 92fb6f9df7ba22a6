"""Entities that others than the default controller move: their rows come from the world, and what actions do to them.

A program that drives an entity has its speed and its way: actions that would set them end at once, with a line in the
journal. Init actions apply. Teleports, visibility and lights act.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.action.place_action import Teleport
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.motion import observe_row
from dorosim.scenario.openscenario.engine.placing import find_road
from dorosim.scenario.openscenario.engine.program import ActionPlan, ActorAction, Domain, Program
from dorosim.scenario.openscenario.engine.rows import EntityRow, table_of_rows
from dorosim.world.snapshot import WorldState
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.state import EntityTable, StoryboardState
from dorosim.world.vehicle.command import PlaceVehicle
from dorosim.world.vehicle.mode import Gear
from dorosim.world.vehicle.state import VehicleState

_EXTERNAL = int(Mover.EXTERNAL)
_DRIVEN = Domain.LONGITUDINAL | Domain.LATERAL
"""What a program drives."""


def is_driven(frame: StoryboardFrame, entity: int, plan: ActionPlan) -> bool:
    """Whether a program drives what an action would set, after the init actions; teleports act all the same."""
    if entity < 0 or frame.dt <= 0.0 or frame.entity[entity].mover != _EXTERNAL:
        return False
    return bool(plan.domain & _DRIVEN) and not isinstance(plan, Teleport)


def report_driven(frame: StoryboardFrame, entity: int, action: ActorAction) -> None:
    """Say that an action has no effect since a program drives the entity."""
    name, what = frame.program.entities[entity].name, type(action.plan).__name__
    frame.journal.append(f"{name}: {what} ends at once, since a program drives it")


def leave_to_world(frame: StoryboardFrame) -> None:
    """Let the default controller leave entities alone that the world moves."""
    for row in frame.entity:
        if row.mover:
            row.moved = _DRIVEN


def followed(program: Program, state: StoryboardState, now: WorldState) -> StoryboardState:
    """The state of a storyboard with the entities that the world moves where they are at the end of a tick.

    Args:
        program: of the scenario.
        state: after the tick.
        now: the world then.
    """
    entity = state.entity
    moved = np.flatnonzero((entity.mover != 0) & (entity.actor > 0))
    if not len(moved):
        return state
    rows: list[EntityRow] = EntityRow.of_table(entity.take(moved))
    for row in rows:
        at = now.row_of(row.actor)
        if at >= 0:
            _adopt(program.roads, row, now.vehicle, at)
            observe_row(program.roads, row, now.time - state.started)
    table, after = entity.copy(), table_of_rows(EntityTable, rows)
    table.floats[:, moved], table.ints[:, moved] = after.floats, after.ints
    return state.moved_by_world(table.freeze())


def _adopt(roads: CourseNetwork | None, row: EntityRow, vehicle: VehicleState, at: int) -> None:
    """Write place and motion of a vehicle into the row of its entity."""
    x, y = float(vehicle.x[at]), float(vehicle.y[at])
    row.travelled += math.hypot(x - row.x, y - row.y)
    row.x, row.y, row.z = x, y, float(vehicle.z[at])
    row.heading = float(vehicle.yaw[at]) % math.tau
    row.pitch, row.roll = float(vehicle.pitch[at]), float(vehicle.roll[at])
    cosine, sine = math.cos(row.heading), math.sin(row.heading)
    forward, left = float(vehicle.velocity_x[at]), float(vehicle.velocity_y[at])
    row.speed, level = forward, math.cos(row.pitch) * forward
    row.velocity_x, row.velocity_y = level * cosine - left * sine, level * sine + left * cosine
    row.velocity_z = -math.sin(row.pitch) * forward
    ahead, aside, up = vehicle.acceleration[:, at].tolist()
    row.acceleration_x, row.acceleration_y = ahead * cosine - aside * sine, ahead * sine + aside * cosine
    row.acceleration_z = up
    row.yaw_rate = float(vehicle.angular_velocity[2, at])
    find_road(roads, row)


def put_teleported(frame: StoryboardFrame) -> None:
    """Let the world put entities that it moves where a teleport has put them in this tick."""
    for row in frame.entity:
        if row.mover and row.placed and row.actor > 0 and frame.dt > 0.0:
            gear = Gear.R if row.speed < 0.0 else Gear.D
            place, lean = (row.x, row.y, row.z), (row.roll, row.pitch, row.heading)
            frame.commands.append(PlaceVehicle(row.actor, place, lean, row.speed, gear))


def end_driven(frame: StoryboardFrame) -> None:
    """End init actions that still run in domains that a program drives: it has them from now on."""
    for one in frame.program.init:
        for at, entity in enumerate(one.entities):
            row = frame.action[one.first_row + at]
            if (
                row.is_running
                and entity >= 0
                and frame.entity[entity].mover == _EXTERNAL
                and bool(one.plan.domain & _DRIVEN)
            ):
                row.finish()
                one.plan.stop(frame, entity, row)
