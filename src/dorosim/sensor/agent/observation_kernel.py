"""What an agent perceives, written as float32 in -1 to 1."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.sensor.agent.state import (
    LIGHT_WIDTH,
    AgentShape,
    AgentState,
    EgoFeature,
    LightFeature,
    NeighbourFeature,
    RoadFeature,
    WorldArrays,
)
from dorosim.sensor.agent.way import WAY_STEP, AgentWay
from dorosim.world.collision.body import BodyTable
from dorosim.world.signal.permission import LinkState
from dorosim.world.vehicle.mode import Gear
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_WAY, _AGENT, _VEHICLE, _PARAMETER = AgentWay.at, AgentState.at, VehicleState.at, VehicleParameter.at
_BODY, _LINK = BodyTable.at, LinkState.at
SPEED_SCALE, SIDE_SPEED_SCALE, YAW_RATE_SCALE, ACCELERATION_SCALE = 40.0, 10.0, 2.0, 10.0
"""What counts as 1 of each [m/s, m/s, rad/s, m/s²]."""
OFFSET_SCALE, WAY_SCALE, GOAL_SCALE, CURVATURE_SCALE = 4.0, 500.0, 100.0, 0.2
"""Likewise [m, m, m, 1/m]."""
LENGTH_SCALE, WIDTH_SCALE, KIND_SCALE = 20.0, 5.0, 5.0
"""Likewise of bodies [m, m, BodyKind]."""
NEIGHBOUR_LEVEL = 4.0
"""Bodies higher or lower than this are on another level, and are not perceived [m]."""
_EGO_WIDTH, _NEIGHBOUR_WIDTH, _ROAD_WIDTH = len(EgoFeature), len(NeighbourFeature), len(RoadFeature)
_LIGHT_WIDTH = LIGHT_WIDTH
_SPEED, _SIDE_SPEED, _YAW_RATE = int(EgoFeature.SPEED), int(EgoFeature.SIDE_SPEED), int(EgoFeature.YAW_RATE)
_ACCELERATION, _SIDE_ACCELERATION = int(EgoFeature.ACCELERATION), int(EgoFeature.SIDE_ACCELERATION)
_STEER, _ACCELERATOR, _BRAKE = int(EgoFeature.STEER), int(EgoFeature.ACCELERATOR), int(EgoFeature.BRAKE)
_OFFSET, _HEADING_SINE, _HEADING_COSINE = (
    int(EgoFeature.OFFSET),
    int(EgoFeature.HEADING_SINE),
    int(EgoFeature.HEADING_COSINE),
)
_LEFT_EDGE, _RIGHT_EDGE, _LIMIT = int(EgoFeature.LEFT_EDGE), int(EgoFeature.RIGHT_EDGE), int(EgoFeature.LIMIT)
_WAY_LEFT, _GOAL_X, _GOAL_Y = int(EgoFeature.WAY_LEFT), int(EgoFeature.GOAL_X), int(EgoFeature.GOAL_Y)
_GOAL_SINE, _GOAL_COSINE, _REVERSE = int(EgoFeature.GOAL_SINE), int(EgoFeature.GOAL_COSINE), int(EgoFeature.REVERSE)
_PRESENT, _X, _Y = int(NeighbourFeature.PRESENT), int(NeighbourFeature.X), int(NeighbourFeature.Y)
_SINE, _COSINE, _KIND = int(NeighbourFeature.SINE), int(NeighbourFeature.COSINE), int(NeighbourFeature.KIND)
_VELOCITY_X, _VELOCITY_Y = int(NeighbourFeature.VELOCITY_X), int(NeighbourFeature.VELOCITY_Y)
_LENGTH, _WIDTH = int(NeighbourFeature.LENGTH), int(NeighbourFeature.WIDTH)
_ROAD_X, _ROAD_Y, _CURVATURE = int(RoadFeature.X), int(RoadFeature.Y), int(RoadFeature.CURVATURE)
_ROAD_SINE, _ROAD_COSINE = int(RoadFeature.SINE), int(RoadFeature.COSINE)
_LIGHT_PRESENT, _LIGHT_DISTANCE = int(LightFeature.PRESENT), int(LightFeature.DISTANCE)
_LIGHT_STATE = len(LightFeature)
_BACKWARDS = int(Gear.R)

Float32Array = NDArray[np.float32]


@inner_kernel
def clipped(value: float) -> float:
    """A number within -1 to 1; 0 where it is none."""
    return min(max(value, -1.0), 1.0) if value == value else 0.0


@inner_kernel
def write_ego(
    way: FloatArray, world: WorldArrays, row: int, state: FloatArray, ints: IntArray, a: int, out: Float32Array
) -> None:
    """Write what an agent perceives of itself: `EgoFeature`."""
    vehicle, point = world.vehicle, ints[_AGENT.point, a]
    offset, error = state[_AGENT.offset, a], state[_AGENT.heading_error, a]
    out[_SPEED] = clipped(vehicle[_VEHICLE.velocity_x, row] / SPEED_SCALE)
    out[_SIDE_SPEED] = clipped(vehicle[_VEHICLE.velocity_y, row] / SIDE_SPEED_SCALE)
    out[_YAW_RATE] = clipped(vehicle[_VEHICLE.angular_velocity + 2, row] / YAW_RATE_SCALE)
    out[_ACCELERATION] = clipped(vehicle[_VEHICLE.acceleration, row] / ACCELERATION_SCALE)
    out[_SIDE_ACCELERATION] = clipped(vehicle[_VEHICLE.acceleration + 1, row] / ACCELERATION_SCALE)
    out[_STEER] = clipped(vehicle[_VEHICLE.steer, row] / max(world.parameter[_PARAMETER.max_steer, row], 1e-6))
    out[_ACCELERATOR] = clipped(vehicle[_VEHICLE.accelerator, row])
    out[_BRAKE] = clipped(vehicle[_VEHICLE.brake, row])
    out[_OFFSET] = clipped(offset / OFFSET_SCALE)
    out[_HEADING_SINE] = math.sin(error)
    out[_HEADING_COSINE] = math.cos(error)
    out[_LEFT_EDGE] = clipped((way[_WAY.left, point] - offset) / OFFSET_SCALE)
    out[_RIGHT_EDGE] = clipped((way[_WAY.right, point] + offset) / OFFSET_SCALE)
    out[_LIMIT] = clipped(state[_AGENT.limit, a] / SPEED_SCALE)
    left = (ints[_AGENT.points, a] - 1) * WAY_STEP - state[_AGENT.travelled, a]
    out[_WAY_LEFT] = clipped(left / WAY_SCALE)
    yaw = vehicle[_VEHICLE.yaw, row]
    cosine, sine = math.cos(yaw), math.sin(yaw)
    dx, dy = (
        state[_AGENT.goal_x, a] - vehicle[_VEHICLE.x, row],
        state[_AGENT.goal_y, a] - vehicle[_VEHICLE.y, row],
    )
    out[_GOAL_X] = clipped((cosine * dx + sine * dy) / GOAL_SCALE)
    out[_GOAL_Y] = clipped((cosine * dy - sine * dx) / GOAL_SCALE)
    out[_GOAL_SINE] = -math.sin(state[_AGENT.goal_error, a])
    out[_GOAL_COSINE] = math.cos(state[_AGENT.goal_error, a])
    out[_REVERSE] = 1.0 if world.vehicle_ints[_VEHICLE.gear, row] == _BACKWARDS else 0.0


@inner_kernel
def write_neighbours(world: WorldArrays, row: int, count: int, reach: float, out: Float32Array) -> None:
    """Write the bodies nearest to an agent: `NeighbourFeature` of each, zeros where there is none."""
    vehicle, body = world.vehicle, world.body
    x, y, yaw = vehicle[_VEHICLE.x, row], vehicle[_VEHICLE.y, row], vehicle[_VEHICLE.yaw, row]
    cosine, sine, level = math.cos(yaw), math.sin(yaw), body[_BODY.z, row]
    own_x, own_y = vehicle[_VEHICLE.velocity_x, row], vehicle[_VEHICLE.velocity_y, row]
    room = np.empty(count, np.int64), np.empty(count)
    nearest, square, found = bare(room[0]), bare(room[1]), 0
    for other in range(world.bodies):
        dx, dy = body[_BODY.x, other] - x, body[_BODY.y, other] - y
        far = dx * dx + dy * dy
        if other == row or far > reach * reach or abs(body[_BODY.z, other] - level) > NEIGHBOUR_LEVEL:
            continue
        if found == count and far >= square[count - 1]:
            continue
        place = min(found, count - 1)
        while place > 0 and square[place - 1] > far:
            square[place], nearest[place] = square[place - 1], nearest[place - 1]
            place -= 1
        square[place], nearest[place] = far, other
        found = min(found + 1, count)
    for number in range(out.shape[0]):
        out[number] = 0.0
    for number in range(found):
        other, at = nearest[number], number * _NEIGHBOUR_WIDTH
        dx, dy = body[_BODY.x, other] - x, body[_BODY.y, other] - y
        turn = body[_BODY.yaw, other] - yaw
        vx, vy = body[_BODY.velocity_x, other], body[_BODY.velocity_y, other]
        out[at + _PRESENT] = 1.0
        out[at + _X] = clipped((cosine * dx + sine * dy) / reach)
        out[at + _Y] = clipped((cosine * dy - sine * dx) / reach)
        out[at + _SINE] = math.sin(turn)
        out[at + _COSINE] = math.cos(turn)
        out[at + _VELOCITY_X] = clipped((cosine * vx + sine * vy - own_x) / SPEED_SCALE)
        out[at + _VELOCITY_Y] = clipped((cosine * vy - sine * vx - own_y) / SPEED_SCALE)
        out[at + _LENGTH] = clipped(2.0 * body[_BODY.half_length, other] / LENGTH_SCALE)
        out[at + _WIDTH] = clipped(2.0 * body[_BODY.half_width, other] / WIDTH_SCALE)
        out[at + _KIND] = world.body_ints[_BODY.kind, other] / KIND_SCALE
    hold(room)


@inner_kernel
def write_road(
    way: FloatArray,
    world: WorldArrays,
    row: int,
    state: FloatArray,
    ints: IntArray,
    a: int,
    shape: AgentShape,
    out: Float32Array,
) -> None:
    """Write points of an agent's way ahead: `RoadFeature` of each; beyond its end they are zeros."""
    x, y, yaw = world.vehicle[_VEHICLE.x, row], world.vehicle[_VEHICLE.y, row], world.vehicle[_VEHICLE.yaw, row]
    cosine, sine, last = math.cos(yaw), math.sin(yaw), ints[_AGENT.points, a] - 1
    reach = shape.road_points * shape.road_spacing
    for number in range(out.shape[0]):
        out[number] = 0.0
    for number in range(shape.road_points):
        place = (max(state[_AGENT.travelled, a], 0.0) + (number + 1) * shape.road_spacing) / WAY_STEP
        if place > last:
            break
        point = min(int(place), last - 1)
        share = place - point
        rest, at = 1.0 - share, number * _ROAD_WIDTH
        dx = rest * way[_WAY.x, point] + share * way[_WAY.x, point + 1] - x
        dy = rest * way[_WAY.y, point] + share * way[_WAY.y, point + 1] - y
        turn = rest * way[_WAY.heading, point] + share * way[_WAY.heading, point + 1] - yaw
        out[at + _ROAD_X] = clipped((cosine * dx + sine * dy) / reach)
        out[at + _ROAD_Y] = clipped((cosine * dy - sine * dx) / reach)
        out[at + _ROAD_SINE] = math.sin(turn)
        out[at + _ROAD_COSINE] = math.cos(turn)
        out[at + _CURVATURE] = clipped(way[_WAY.curvature, point] / CURVATURE_SCALE)


@inner_kernel
def write_lights(
    way: FloatArray,
    way_ints: IntArray,
    world: WorldArrays,
    state: FloatArray,
    ints: IntArray,
    a: int,
    shape: AgentShape,
    out: Float32Array,
) -> None:
    """Write the stop lines with lights ahead of an agent: `LightFeature` and the permission of each, else zeros."""
    for number in range(out.shape[0]):
        out[number] = 0.0
    front, number = state[_AGENT.front, a], 0
    for point in range(ints[_AGENT.point, a], ints[_AGENT.points, a]):
        if number == shape.lights or (point - 1) * WAY_STEP - front > shape.light_reach:
            break
        light = way_ints[_WAY.light, point]
        if light < 0 or way[_WAY.line, point] < front:
            continue
        at = number * _LIGHT_WIDTH
        out[at + _LIGHT_PRESENT] = 1.0
        out[at + _LIGHT_DISTANCE] = clipped((way[_WAY.line, point] - front) / shape.light_reach)
        out[at + _LIGHT_STATE + world.link[_LINK.entry, light]] = 1.0
        number += 1
