"""Where an agent is on its way."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.sensor.agent.state import AgentState, WorldArrays
from dorosim.sensor.agent.way import WAY_STEP, AgentWay
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_WAY, _AGENT, _VEHICLE, _PARAMETER = AgentWay.at, AgentState.at, VehicleState.at, VehicleParameter.at
STANDING_AGENT_SPEED = 0.3
"""Slower than this a vehicle stands, as far as lights ask [m/s]."""


@inner_kernel
def turned(angle: float) -> float:
    """An angle in -pi to pi [rad]."""
    return angle - 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))


@inner_kernel
def _square(way: FloatArray, point: int, x: float, y: float) -> float:
    dx, dy = way[_WAY.x, point] - x, way[_WAY.y, point] - y
    return float(dx * dx + dy * dy)


@inner_kernel
def _nearest_point(way: FloatArray, count: int, point: int, fresh: bool, x: float, y: float) -> int:
    """The point of a way that is nearest: of all, or of those next to where it was a step ago."""
    if fresh:
        point, best = 0, _square(way, 0, x, y)
        for other in range(1, count):
            far = _square(way, other, x, y)
            if far < best:
                point, best = other, far
        return point
    best = _square(way, point, x, y)
    while point + 1 < count and _square(way, point + 1, x, y) <= best:
        point += 1
        best = _square(way, point, x, y)
    while point > 0 and _square(way, point - 1, x, y) < best:
        point -= 1
        best = _square(way, point, x, y)
    return point


@inner_kernel
def follow_way(way: FloatArray, world: WorldArrays, row: int, state: FloatArray, state_ints: IntArray, a: int) -> None:
    """Write where an agent is on its way and how far from its goal; what it was is overwritten.

    Args:
        way: float block of its `AgentWay`.
        world: the world.
        row: of the agent's vehicle.
        state: float block of the agents.
        state_ints: their int block.
        a: row of the agent there.
    """
    x, y, yaw = world.vehicle[_VEHICLE.x, row], world.vehicle[_VEHICLE.y, row], world.vehicle[_VEHICLE.yaw, row]
    count, fresh = state_ints[_AGENT.points, a], state_ints[_AGENT.fresh, a] == 1
    point = _nearest_point(way, count, state_ints[_AGENT.point, a], fresh, x, y)
    # the chord on which the foot lies is that after the nearest point, or that before it
    heading = way[_WAY.heading, point]
    if (x - way[_WAY.x, point]) * math.cos(heading) + (y - way[_WAY.y, point]) * math.sin(heading) < 0.0 and point > 0:
        point -= 1
    point = min(point, count - 2)
    dx, dy = way[_WAY.x, point + 1] - way[_WAY.x, point], way[_WAY.y, point + 1] - way[_WAY.y, point]
    chord = max(math.hypot(dx, dy), 1e-9)
    to_x, to_y = x - way[_WAY.x, point], y - way[_WAY.y, point]
    along = (to_x * dx + to_y * dy) / chord
    share = min(max(along / chord, 0.0), 1.0)
    heading = way[_WAY.heading, point] + share * (way[_WAY.heading, point + 1] - way[_WAY.heading, point])
    error = turned(yaw - heading)
    state_ints[_AGENT.point, a] = point
    state[_AGENT.travelled, a] = point * WAY_STEP + along
    state[_AGENT.offset, a] = (dx * to_y - dy * to_x) / chord
    state[_AGENT.heading_error, a] = error
    state[_AGENT.limit, a] = way[_WAY.limit, point]
    goal_x, goal_y = state[_AGENT.goal_x, a] - x, state[_AGENT.goal_y, a] - y
    state[_AGENT.goal_distance, a] = math.hypot(goal_x, goal_y)
    state[_AGENT.goal_error, a] = turned(yaw - state[_AGENT.goal_heading, a])
    ahead = world.parameter[_PARAMETER.wheelbase, row] + world.parameter[_PARAMETER.front_overhang, row]
    front = state[_AGENT.travelled, a] + ahead * math.cos(error)
    if fresh:
        state[_AGENT.front, a] = front
        state[_AGENT.stood, a] = -1.0
    else:
        state[_AGENT.front, a] = max(front, state[_AGENT.front, a])
    if abs(world.vehicle[_VEHICLE.velocity_x, row]) < STANDING_AGENT_SPEED:
        state[_AGENT.stood, a] = front
