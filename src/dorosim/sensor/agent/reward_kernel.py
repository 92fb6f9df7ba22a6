"""What a step of an agent was worth, and what happened to it in that step."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.road.surface_kind import SurfaceKind
from dorosim.sensor.agent.ray_kernel import AgentLanes, is_on_lane
from dorosim.sensor.agent.state import AgentEvent, AgentShape, AgentState, RewardTerm, WorldArrays
from dorosim.sensor.agent.way import WAY_STEP, AgentWay
from dorosim.world.collision.contact import ContactTable
from dorosim.world.signal.permission import LinkState, Permission
from dorosim.world.vehicle.state import VehicleState

_WAY, _AGENT, _VEHICLE = AgentWay.at, AgentState.at, VehicleState.at
_CONTACT, _LINK = ContactTable.at, LinkState.at
OFF_ROAD_MARGIN = 0.5
"""The origin of the body may be this far beside all lanes [m]."""
OFF_ROAD_WHEELS = 2
"""Where the map knows what is under a wheel, so many wheels are off asphalt and paint before a vehicle is off road."""
COMFORTABLE = 5.0
"""An acceleration at which the term of comfort is 1 [m/s²]."""
STOP_DISTANCE = 15.0
"""Who stood within this before the line may turn on red where that is allowed [m]."""
_COLLISION, _OFF_ROAD, _RED_LIGHT = int(AgentEvent.COLLISION), int(AgentEvent.OFF_ROAD), int(AgentEvent.RED_LIGHT)
_ARRIVAL, _LOST = int(AgentEvent.ARRIVAL), int(AgentEvent.LOST)
_PROGRESS, _APPROACH, _SPEEDING = int(RewardTerm.PROGRESS), int(RewardTerm.APPROACH), int(RewardTerm.SPEEDING)
_LANE, _HEADING, _STEERING = int(RewardTerm.LANE), int(RewardTerm.HEADING), int(RewardTerm.STEERING)
_COMFORT, _WRONG_WAY, _TIME = int(RewardTerm.COMFORT), int(RewardTerm.WRONG_WAY), int(RewardTerm.TIME)
_COLLIDED, _LEFT_ROAD = int(RewardTerm.COLLISION), int(RewardTerm.OFF_ROAD)
_PASSED_RED, _ARRIVED = int(RewardTerm.RED_LIGHT), int(RewardTerm.ARRIVAL)
_STOP, _STOP_THEN_YIELD = int(Permission.STOP), int(Permission.STOP_THEN_YIELD)
_ROAD_KINDS = int(SurfaceKind.PAINT)


@inner_kernel
def _has_collided(world: WorldArrays, actor: int) -> bool:
    contact = world.contact
    for row in range(contact.shape[1]):
        if contact[_CONTACT.last, row] > world.since and (
            contact[_CONTACT.first_id, row] == actor or contact[_CONTACT.second_id, row] == actor
        ):
            return True
    return False


@inner_kernel
def _is_off_road(
    surface: AgentLanes, left: FloatArray, right: FloatArray, world: WorldArrays, row: int, has_terrain: bool
) -> bool:
    if surface.station.shape[0] == 0:
        return False
    if has_terrain:
        wheels = 0
        for wheel in range(4):
            wheels += world.vehicle[_VEHICLE.wheel_surface + wheel, row] > _ROAD_KINDS
        if wheels < OFF_ROAD_WHEELS:
            return False
    x, y, z = world.vehicle[_VEHICLE.x, row], world.vehicle[_VEHICLE.y, row], world.vehicle[_VEHICLE.z, row]
    return not is_on_lane(surface, left, right, x, y, z, OFF_ROAD_MARGIN)


@inner_kernel
def _has_passed_red(
    way: FloatArray, way_ints: IntArray, world: WorldArrays, before: float, front: float, stood: float, points: int
) -> bool:
    """Whether the front of an agent has passed a stop line in this step at which it had to stop."""
    first = max(int(before / WAY_STEP), 0)
    for point in range(first, min(int(max(front, 0.0) / WAY_STEP) + 2, points)):
        light = way_ints[_WAY.light, point]
        line = way[_WAY.line, point]
        if light < 0 or not before < line <= front:
            continue
        permission = world.link[_LINK.entry, light]
        if permission == _STOP or (permission == _STOP_THEN_YIELD and stood < line - STOP_DISTANCE):
            return True
    return False


@inner_kernel
def _has_arrived(world: WorldArrays, row: int, state: FloatArray, a: int, shape: AgentShape) -> bool:
    speed = math.hypot(world.vehicle[_VEHICLE.velocity_x, row], world.vehicle[_VEHICLE.velocity_y, row])
    return bool(
        state[_AGENT.goal_distance, a] <= shape.goal_radius
        and abs(state[_AGENT.goal_error, a]) <= shape.goal_angle
        and speed <= shape.goal_speed
    )


@inner_kernel
def find_events(
    surface: AgentLanes,
    left: FloatArray,
    right: FloatArray,
    world: WorldArrays,
    row: int,
    way: FloatArray,
    way_ints: IntArray,
    state: FloatArray,
    ints: IntArray,
    a: int,
    shape: AgentShape,
    before: tuple[float, float],
) -> int:
    """What happened to an agent in a step, by `AgentEvent`.

    Args:
        surface: the lanes.
        left: of their boundaries, as `read_agents` has them.
        right: likewise.
        world: the world.
        row: of the agent's vehicle.
        way: float block of its way.
        way_ints: its int block.
        state: float block of the agents, brought up to now.
        ints: their int block.
        a: row of the agent there.
        shape: what counts as arrived and lost.
        before: `front` and `stood` of a step ago; NaN for no such step.
    """
    happened = _COLLISION if _has_collided(world, ints[_AGENT.id, a]) else 0
    if _is_off_road(surface, left, right, world, row, shape.has_terrain):
        happened |= _OFF_ROAD
    front, points = state[_AGENT.front, a], ints[_AGENT.points, a]
    stood = max(before[1], state[_AGENT.stood, a])
    if before[0] == before[0] and _has_passed_red(way, way_ints, world, before[0], front, stood, points):
        happened |= _RED_LIGHT
    if shape.goal_radius >= 0.0 and _has_arrived(world, row, state, a, shape):
        happened |= _ARRIVAL
    left_of_way = (points - 1) * WAY_STEP - state[_AGENT.travelled, a]
    if abs(state[_AGENT.offset, a]) > shape.lost_offset or left_of_way < shape.way_left:
        happened |= _LOST
    return happened


@inner_kernel
def judge_step(
    way: FloatArray,
    world: WorldArrays,
    row: int,
    state: FloatArray,
    ints: IntArray,
    a: int,
    step: float,
    before: tuple[float, float, float],
    happened: int,
    value: FloatArray,
) -> None:
    """Write the terms of a reward, each before its weight: `RewardTerm`.

    Args:
        way: float block of the agent's way.
        world: the world.
        row: of the agent's vehicle.
        state: float block of the agents, brought up to now.
        ints: their int block.
        a: row of the agent there.
        step: simulated time of a step [s].
        before: `travelled`, `goal_distance` and `steer` of a step ago; NaN for no such step.
        happened: `AgentEvent` of the step.
        value: `(T,)` out.
    """
    fresh = before[0] != before[0]
    limit, point = max(state[_AGENT.limit, a], 1.0), ints[_AGENT.point, a]
    error, offset = state[_AGENT.heading_error, a], state[_AGENT.offset, a]
    half = max(0.5 * (way[_WAY.left, point] + way[_WAY.right, point]), 0.5)
    vehicle = world.vehicle
    felt = math.hypot(vehicle[_VEHICLE.acceleration, row], vehicle[_VEHICLE.acceleration + 1, row])
    value[_PROGRESS] = 0.0 if fresh else (state[_AGENT.travelled, a] - before[0]) / (limit * step)
    value[_APPROACH] = 0.0 if fresh else before[1] - state[_AGENT.goal_distance, a]
    value[_SPEEDING] = min(max(vehicle[_VEHICLE.velocity_x, row] / limit - 1.0, 0.0), 1.0)
    value[_LANE] = min((offset / half) ** 2, 1.0)
    value[_HEADING] = 0.5 * (1.0 - math.cos(error))
    value[_STEERING] = 0.0 if fresh else abs(state[_AGENT.steer, a] - before[2])
    value[_COMFORT] = min((felt / COMFORTABLE) ** 2, 1.0)
    value[_WRONG_WAY] = 1.0 if math.cos(error) < 0.0 else 0.0
    value[_TIME] = 1.0
    value[_COLLIDED] = 1.0 if happened & _COLLISION else 0.0
    value[_LEFT_ROAD] = 1.0 if happened & _OFF_ROAD else 0.0
    value[_PASSED_RED] = 1.0 if happened & _RED_LIGHT else 0.0
    value[_ARRIVED] = 1.0 if happened & _ARRIVAL else 0.0
