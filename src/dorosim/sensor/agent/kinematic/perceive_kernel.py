"""What a kinematic agent perceives, in the parts that agents with full dynamics perceive, too: float32 in -1 to 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.sensor.agent.kinematic.bicycle_kernel import drive_at
from dorosim.sensor.agent.kinematic.light_kernel import LightsNow, line_of, permission_at
from dorosim.sensor.agent.kinematic.state import BicycleNumbers, KinematicRules, KinematicState, LaneTables, MapPoint
from dorosim.sensor.agent.observation_kernel import (
    ACCELERATION_SCALE,
    CURVATURE_SCALE,
    GOAL_SCALE,
    LENGTH_SCALE,
    OFFSET_SCALE,
    SPEED_SCALE,
    WAY_SCALE,
    WIDTH_SCALE,
    YAW_RATE_SCALE,
)
from dorosim.sensor.agent.state import LIGHT_WIDTH, EgoFeature, LightFeature, NeighbourFeature, RoadFeature

_S = KinematicState.at
_X, _Y = int(MapPoint.X), int(MapPoint.Y)
_TANGENT_X, _TANGENT_Y, _BEND = int(MapPoint.TANGENT_X), int(MapPoint.TANGENT_Y), int(MapPoint.CURVATURE)
_LEFT, _RIGHT = int(MapPoint.LEFT), int(MapPoint.RIGHT)
_EGO_WIDTH, _NEIGHBOUR_WIDTH, _ROAD_WIDTH = len(EgoFeature), len(NeighbourFeature), len(RoadFeature)
_ENTRY = len(LightFeature)
_LIGHT_PRESENT, _LIGHT_DISTANCE = int(LightFeature.PRESENT), int(LightFeature.DISTANCE)

Numbers = NDArray[np.float32]


@inner_kernel
def bounded(value: float) -> float:
    """A number within -1 to 1."""
    return min(max(value, -1.0), 1.0)


@inner_kernel
def write_own_numbers(
    lanes: LaneTables,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    car: BicycleNumbers,
    out: Numbers,
    row: int,
    at: int,
) -> None:
    """Write `EgoFeature` of an agent, in the order of that class."""
    speed, given, point = state[_S.speed, a], state[_S.acceleration, a], ints[_S.point, a]
    cosine, sine, offset = state[_S.cosine, a], state[_S.sine, a], state[_S.offset, a]
    dx, dy = state[_S.goal_x, a] - state[_S.x, a], state[_S.goal_y, a] - state[_S.y, a]
    goal_cosine, goal_sine = state[_S.goal_cosine, a], state[_S.goal_sine, a]
    out[row, at] = bounded(speed / SPEED_SCALE)
    out[row, at + 1] = 0.0
    out[row, at + 2] = bounded(state[_S.yaw_rate, a] / YAW_RATE_SCALE)
    out[row, at + 3] = bounded(given / ACCELERATION_SCALE)
    out[row, at + 4] = bounded(speed * state[_S.yaw_rate, a] / ACCELERATION_SCALE)
    out[row, at + 5] = bounded(state[_S.steer, a] / car.max_steer)
    out[row, at + 6] = bounded(max(given, 0.0) / drive_at(car, speed))
    out[row, at + 7] = bounded(max(-given, 0.0) / car.brake)
    out[row, at + 8] = bounded(offset / OFFSET_SCALE)
    out[row, at + 9] = bounded(state[_S.error_sine, a])
    out[row, at + 10] = bounded(state[_S.error_cosine, a])
    out[row, at + 11] = bounded((lanes.point[point, _LEFT] - offset) / OFFSET_SCALE)
    out[row, at + 12] = bounded((lanes.point[point, _RIGHT] + offset) / OFFSET_SCALE)
    out[row, at + 13] = bounded(lanes.limit[way[a, ints[_S.part, a]]] / SPEED_SCALE)
    out[row, at + 14] = bounded((state[_S.length, a] - state[_S.travelled, a]) / WAY_SCALE)
    out[row, at + 15] = bounded((cosine * dx + sine * dy) / GOAL_SCALE)
    out[row, at + 16] = bounded((cosine * dy - sine * dx) / GOAL_SCALE)
    out[row, at + 17] = bounded(cosine * goal_sine - sine * goal_cosine)
    out[row, at + 18] = bounded(cosine * goal_cosine + sine * goal_sine)
    out[row, at + 19] = 0.0


@inner_kernel
def write_vehicles(
    state: FloatArray,
    a: int,
    car: BicycleNumbers,
    rules: KinematicRules,
    nearest: IntArray,
    found: int,
    out: Numbers,
    row: int,
    at: int,
) -> None:
    """Write `NeighbourFeature` of the nearest vehicles, in the order of that class; zeros where there is none."""
    x, y, cosine, sine, speed = (
        state[_S.x, a],
        state[_S.y, a],
        state[_S.cosine, a],
        state[_S.sine, a],
        state[_S.speed, a],
    )
    length, width = bounded(2.0 * car.half_length / LENGTH_SCALE), bounded(2.0 * car.half_width / WIDTH_SCALE)
    end, reach = at + rules.neighbours * _NEIGHBOUR_WIDTH, rules.neighbour_reach
    for number in range(found):
        other = nearest[number]
        other_cosine, other_sine = state[_S.cosine, other], state[_S.sine, other]
        dx, dy = state[_S.x, other] + car.middle * other_cosine - x, state[_S.y, other] + car.middle * other_sine - y
        turn_cosine, turn_sine = cosine * other_cosine + sine * other_sine, cosine * other_sine - sine * other_cosine
        out[row, at] = 1.0
        out[row, at + 1] = bounded((cosine * dx + sine * dy) / reach)
        out[row, at + 2] = bounded((cosine * dy - sine * dx) / reach)
        out[row, at + 3] = bounded(turn_sine)
        out[row, at + 4] = bounded(turn_cosine)
        out[row, at + 5] = bounded((state[_S.speed, other] * turn_cosine - speed) / SPEED_SCALE)
        out[row, at + 6] = bounded(state[_S.speed, other] * turn_sine / SPEED_SCALE)
        out[row, at + 7] = length
        out[row, at + 8] = width
        out[row, at + 9] = 0.0
        at += _NEIGHBOUR_WIDTH
    for rest in range(at, end):
        out[row, rest] = 0.0


@inner_kernel
def write_way_ahead(
    rules: KinematicRules,
    lanes: LaneTables,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    out: Numbers,
    row: int,
    at: int,
) -> None:
    """Write `RoadFeature` of points of an agent's way ahead, in the order of that class; zeros beyond its end."""
    x, y, cosine, sine = state[_S.x, a], state[_S.y, a], state[_S.cosine, a], state[_S.sine, a]
    part, begin, table = ints[_S.part, a], state[_S.begin, a], lanes.point
    scale, end = 1.0 / (rules.road_points * rules.road_spacing), at + rules.road_points * _ROAD_WIDTH
    place, link = max(state[_S.travelled, a], 0.0), way[a, part]
    for _ in range(rules.road_points):
        place += rules.road_spacing
        if place > state[_S.length, a]:
            break
        while place > begin + lanes.length[link] and part + 1 < ints[_S.parts, a]:
            begin += lanes.length[link]
            part += 1
            link = way[a, part]
        number = (place - begin) / lanes.step[link]
        segment = min(max(int(number), 0), lanes.first[link + 1] - lanes.first[link] - 2)
        point = lanes.first[link] + segment
        share = min(max(number - segment, 0.0), 1.0)
        rest = 1.0 - share
        dx = rest * table[point, _X] + share * table[point + 1, _X] - x
        dy = rest * table[point, _Y] + share * table[point + 1, _Y] - y
        tangent_x = rest * table[point, _TANGENT_X] + share * table[point + 1, _TANGENT_X]
        tangent_y = rest * table[point, _TANGENT_Y] + share * table[point + 1, _TANGENT_Y]
        # beyond 2 m of lane the two differ so little that the length of their mean is 1 but for a hundredth
        out[row, at] = bounded(scale * (cosine * dx + sine * dy))
        out[row, at + 1] = bounded(scale * (cosine * dy - sine * dx))
        out[row, at + 2] = bounded(cosine * tangent_y - sine * tangent_x)
        out[row, at + 3] = bounded(cosine * tangent_x + sine * tangent_y)
        out[row, at + 4] = bounded(table[point, _BEND] / CURVATURE_SCALE)
        at += _ROAD_WIDTH
    for beyond in range(at, end):
        out[row, beyond] = 0.0


@inner_kernel
def write_lines(
    lanes: LaneTables,
    lights: LightsNow,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    rules: KinematicRules,
    out: Numbers,
    row: int,
    at: int,
) -> None:
    """Write `LightFeature` and the permission of the stop lines with lights ahead of an agent, else zeros."""
    end = at + rules.lights * LIGHT_WIDTH
    for place in range(at, end):
        out[row, place] = 0.0
    front, begin = state[_S.front, a], state[_S.begin, a]
    for part in range(ints[_S.part, a], ints[_S.parts, a]):
        if at == end or begin - front > rules.light_reach:
            break
        link = way[a, part]
        if lanes.lit[link] == 1:
            line = line_of(lanes, way, a, part, begin)
            if front <= line <= state[_S.length, a] and line - front <= rules.light_reach:
                out[row, at + _LIGHT_PRESENT] = 1.0
                out[row, at + _LIGHT_DISTANCE] = bounded((line - front) / rules.light_reach)
                out[row, at + _ENTRY + permission_at(lights, link)] = 1.0
                at += LIGHT_WIDTH
        begin += lanes.length[link]


OWN_WIDTH, VEHICLE_WIDTH, AHEAD_WIDTH = _EGO_WIDTH, _NEIGHBOUR_WIDTH, _ROAD_WIDTH
"""Numbers of each part."""
