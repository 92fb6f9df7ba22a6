"""What entities are to do that follow commands by tyres, or whose driver has wishes: their orders.

An order is a row of `EntityTable` that moves as the default controller would move the entity, and that actions of the
entity write. The entity's own row is where the world has it, which conditions look at.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence

from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.motion import Before, derive_motion, move_along
from dorosim.scenario.openscenario.engine.placing import find_road, follow_road, is_forward
from dorosim.scenario.openscenario.engine.program import Domain, Program
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.scenario.openscenario.engine.tracking import drive_after, handling_of
from dorosim.world.actor.command import SetLaneOffset
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.spawn.mode import BiasRule
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.state import StoryboardState
from dorosim.world.storyboard.wish_kernel import MIN_BIAS_CHANGE, MIN_LANE_WIDTH
from dorosim.world.vehicle.command import PlaceVehicle, SelectMode, SetCruise, WishLane
from dorosim.world.vehicle.mode import ControlMode, Gear

_ORDERED = (int(Mover.DYNAMICS), int(Mover.DRIVER))
_DYNAMICS, _DRIVER = int(Mover.DYNAMICS), int(Mover.DRIVER)
MAX_BEHIND = 5.0
"""An order that its entity cannot follow waits for it, and does not get farther away along the road than this [m]."""
_NEAR = 1e-9
_POSE = ("x", "y", "z", "heading", "pitch", "roll", "speed", "velocity_x", "velocity_y", "velocity_z", "s", "t")
_PLACE = ("offset", "turn", "lift", "tilt", "lean", "road", "lane", "free", "route")


def begin_orders(frame: StoryboardFrame) -> None:
    """Make the orders of entities that have come to follow some."""
    if any(row.mover in _ORDERED for row in frame.entity) and not frame.order:
        frame.order = [copy.copy(row) for row in frame.entity]
    for entity in ordered_entities(frame):
        row, order = frame.entity[entity], frame.order[entity]
        if row.present != order.present or order.mover != row.mover:
            _copy(row, order)
            order.present, order.mover = row.present, row.mover
        if row.mover == int(Mover.DRIVER) and frame.dt:
            _catch_up(frame, row, order)


def ordered_entities(frame: StoryboardFrame) -> list[int]:
    """Entities that have orders."""
    return [number for number, row in enumerate(frame.entity) if row.mover in _ORDERED] if frame.order else []


def enter_order(frame: StoryboardFrame, entity: int) -> EntityRow | None:
    """Let actions write an entity's order in place of its row, which is returned; None if it has no order."""
    if not frame.order or entity < 0 or frame.entity[entity].mover not in _ORDERED:
        return None
    row, frame.entity[entity] = frame.entity[entity], frame.order[entity]
    return row


def leave_order(frame: StoryboardFrame, entity: int, row: EntityRow | None) -> None:
    """The end of `enter_order`, with what that returned."""
    if row is not None:
        frame.entity[entity] = row


def take_init_orders(frame: StoryboardFrame) -> None:
    """Put entities where the init actions have put their orders."""
    for entity in ordered_entities(frame):
        _copy(frame.order[entity], frame.entity[entity])


def motion_of_orders(frame: StoryboardFrame) -> list[Before]:
    """x, y, z, heading and velocities of all orders, before they move."""
    return [(one.x, one.y, one.z, one.heading, one.velocity_x, one.velocity_y, one.velocity_z) for one in frame.order]


def move_orders(frame: StoryboardFrame, before: Sequence[Before]) -> None:
    """Move orders as the default controller does, and let the world follow them.

    Args:
        frame: the tick.
        before: of `motion_of_orders`.
    """
    for entity in ordered_entities(frame):
        row = enter_order(frame, entity)
        order = frame.entity[entity]
        if order.present and frame.dt and abs(order.speed) > _NEAR and not order.moved & Domain.LONGITUDINAL:
            move_along(frame, entity, order.speed * frame.dt)
        leave_order(frame, entity, row)
        derive_motion(order, before[entity], frame.dt)
        if row is not None and order.present and row.actor > 0 and frame.dt:
            frame.commands += _commands(frame, row, order, before[entity])
        order.moved = order.placed = 0


def _commands(frame: StoryboardFrame, row: EntityRow, order: EntityRow, before: Before) -> list[Command]:
    """What makes the world follow an order for a tick."""
    if order.placed:
        gear = Gear.R if order.speed < 0.0 else Gear.D
        place, lean = (order.x, order.y, order.z), (order.roll, order.pitch, order.heading)
        return [PlaceVehicle(row.actor, place, lean, order.speed, gear)]
    if row.mover == _DYNAMICS:
        at = -1 if frame.world is None else frame.world.row_of(row.actor)
        if frame.world is None or at < 0:
            return []
        _wait_for(frame, row, order)
        return [drive_after(row, order, before, frame.dt, handling_of(frame.world.parameter, at))]
    return _wishes(frame.program.roads, frame.world, row, order)


def _wait_for(frame: StoryboardFrame, row: EntityRow, order: EntityRow) -> None:
    """Let an order that is too far from its entity along the road be beside it, unless it is on a trajectory."""
    cosine, sine = math.cos(order.heading), math.sin(order.heading)
    ahead = cosine * (order.x - row.x) + sine * (order.y - row.y)
    if abs(ahead) > MAX_BEHIND and not order.free:
        _catch_up(frame, row, order)


def _catch_up(frame: StoryboardFrame, row: EntityRow, order: EntityRow) -> None:
    """Put an order beside its entity: same place along the road, its own lane and offset."""
    roads = frame.program.roads
    if roads is None or order.road < 0:
        order.x, order.y = row.x, row.y
        return
    lane, offset, side, turn = order.lane, order.offset, row.lane * order.lane, order.turn
    order.x, order.y = row.x, row.y
    find_road(roads, order)
    if side > 0 and lane in {
        one.id for one in roads.roads[order.road].lanes(roads.roads[order.road].section_at(order.s))
    }:
        order.lane, order.offset = lane, offset
    order.turn = turn
    follow_road(roads, order)


def wishes_of(program: Program, state: StoryboardState, world: Snapshot | None) -> list[Command]:
    """What all drivers wish that they have not wished so far, after a quiet tick.

    Args:
        program: of the scenario.
        state: the next one; the world has not moved its entities yet.
        world: the last snapshot.
    """
    rows: list[EntityRow] = EntityRow.of_table(state.entity)
    orders: list[EntityRow] = EntityRow.of_table(state.order)
    return [
        wish
        for row, order in zip(rows, orders, strict=True)
        if row.mover == _DRIVER and order.present and row.actor > 0
        for wish in _wishes(program.roads, world, row, order)
    ]


def _wishes(roads: CourseNetwork | None, world: Snapshot | None, row: EntityRow, order: EntityRow) -> list[Command]:
    """What a driver wishes that it has not wished so far: its speed, its lane, and its place in that."""
    at = -1 if world is None else world.row_of(row.actor)
    if world is None or at < 0:
        return []
    vehicle = world.vehicle
    found: list[Command] = []
    if vehicle.control_mode[at] != ControlMode.CRUISE:
        found.append(SelectMode(row.actor, ControlMode.CRUISE))
    speed = max(order.speed, 0.0)
    if vehicle.cruise_speed[at] != speed or vehicle.cruise_ratio[at] != 0.0:
        found.append(SetCruise(row.actor, ratio=0.0, speed=speed))
    course = None if roads is None or order.road < 0 else roads.roads[order.road]
    middle = None if course is None else course.middle(order.s, order.lane)
    if course is None or middle is None:
        return found
    if order.lane != row.lane and order.road == row.road:
        pose = course.pose(order.s, middle.t)
        found.append(WishLane(row.actor, (pose.x, pose.y, pose.z), row.heading))
    else:
        half = 0.5 * max(middle.width, MIN_LANE_WIDTH)
        bias = min(max(order.offset * (1.0 if is_forward(order) else -1.0) / half, -1.0), 1.0)
        if abs(vehicle.cruise_bias[at] - bias) > MIN_BIAS_CHANGE:
            found.append(SetLaneOffset(row.actor, BiasRule.FIX, bias))
    return found


def _copy(source: EntityRow, target: EntityRow) -> None:
    """Write place and motion of a row into another one."""
    for name in (*_POSE, *_PLACE):
        setattr(target, name, getattr(source, name))
