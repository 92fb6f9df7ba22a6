"""What a step of a kinematic agent was worth, and what happened to it: as of agents with full dynamics."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.sensor.agent.kinematic.lane_kernel import is_on_road
from dorosim.sensor.agent.kinematic.light_kernel import LightsNow, line_of, permission_at
from dorosim.sensor.agent.kinematic.state import BicycleNumbers, KinematicRules, KinematicState, LaneTables, MapPoint
from dorosim.sensor.agent.reward_kernel import COMFORTABLE, STOP_DISTANCE
from dorosim.sensor.agent.state import AgentEvent, RewardTerm
from dorosim.world.signal.permission import Permission

_S = KinematicState.at
_LEFT, _RIGHT = int(MapPoint.LEFT), int(MapPoint.RIGHT)
_COLLISION, _OFF_ROAD, _RED_LIGHT = int(AgentEvent.COLLISION), int(AgentEvent.OFF_ROAD), int(AgentEvent.RED_LIGHT)
_ARRIVAL, _LOST = int(AgentEvent.ARRIVAL), int(AgentEvent.LOST)
_PROGRESS, _APPROACH, _SPEEDING = int(RewardTerm.PROGRESS), int(RewardTerm.APPROACH), int(RewardTerm.SPEEDING)
_LANE, _HEADING, _STEERING = int(RewardTerm.LANE), int(RewardTerm.HEADING), int(RewardTerm.STEERING)
_COMFORT, _WRONG_WAY, _TIME = int(RewardTerm.COMFORT), int(RewardTerm.WRONG_WAY), int(RewardTerm.TIME)
_FIRST_EVENT = int(RewardTerm.COLLISION)
_STOP, _STOP_THEN_YIELD = int(Permission.STOP), int(Permission.STOP_THEN_YIELD)


@inner_kernel
def _has_passed_red(
    lanes: LaneTables,
    lights: LightsNow,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    before: float,
    stood: float,
) -> bool:
    """Whether the front of an agent has passed a stop line in this step at which it had to stop.

    Its front was at `before` of its way a step ago [m], and has stood at `stood`.
    """
    front, part = state[_S.front, a], ints[_S.part, a]
    if front <= before:
        return False
    begin = state[_S.begin, a]
    if part > 0:
        # the line before a link that it has just come onto
        part -= 1
        begin -= lanes.length[way[a, part]]
    while part < ints[_S.parts, a] and begin <= front:
        link = way[a, part]
        if lanes.lit[link] == 1:
            line = line_of(lanes, way, a, part, begin)
            if before < line <= front:
                permission = permission_at(lights, link)
                if permission == _STOP or (permission == _STOP_THEN_YIELD and stood < line - STOP_DISTANCE):
                    return True
        begin += lanes.length[link]
        part += 1
    return False


@inner_kernel
def _has_arrived(state: FloatArray, a: int, rules: KinematicRules) -> bool:
    if state[_S.goal_distance, a] > rules.goal_radius or state[_S.speed, a] > rules.goal_speed:
        return False
    if rules.goal_angle >= math.pi:
        return True
    cosine = state[_S.cosine, a] * state[_S.goal_cosine, a] + state[_S.sine, a] * state[_S.goal_sine, a]
    return bool(cosine >= math.cos(rules.goal_angle))


@inner_kernel
def events_of(
    lanes: LaneTables,
    lights: LightsNow,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    rules: KinematicRules,
    before: tuple[float, float],
) -> int:
    """What happened to an agent in a step, by `AgentEvent`.

    Args:
        lanes: of the map.
        lights: as they are now.
        way: `(A, MAX_WAY_LINKS)` links of the ways.
        state: float block of `KinematicState`, brought up to now.
        ints: its int block.
        a: row of the agent there.
        rules: what counts as arrived and lost.
        before: `front` and `stood` of a step ago; NaN for no such step.
    """
    happened = _COLLISION if ints[_S.touched, a] == 1 else 0
    if not is_on_road(lanes, state, ints, a):
        happened |= _OFF_ROAD
    if before[0] == before[0]:
        stood = max(before[1], state[_S.stood, a])
        if _has_passed_red(lanes, lights, way, state, ints, a, before[0], stood):
            happened |= _RED_LIGHT
    if rules.goal_radius >= 0.0 and _has_arrived(state, a, rules):
        happened |= _ARRIVAL
    if abs(state[_S.offset, a]) > rules.lost_offset or state[_S.length, a] < state[_S.travelled, a]:
        happened |= _LOST
    return happened


@inner_kernel
def weigh_step(
    lanes: LaneTables,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    car: BicycleNumbers,
    step: float,
    before: tuple[float, float, float],
    happened: int,
    weight: FloatArray,
    value: FloatArray,
    row: int,
) -> float:
    """Write the terms of a reward, times their weights (`RewardTerm`); their sum.

    Args:
        lanes: of the map.
        way: `(A, MAX_WAY_LINKS)` links of the ways.
        state: float block of `KinematicState`, brought up to now.
        ints: its int block.
        a: row of the agent there.
        car: its vehicle.
        step: simulated time of a step [s].
        before: `travelled`, `goal_distance` and `steer_share` of a step ago; NaN for no step.
        happened: `AgentEvent` of the step.
        weight: `(T,)` of the terms.
        value: `(N, T)` out.
        row: of the agent there.
    """
    fresh, point = before[0] != before[0], ints[_S.point, a]
    limit, speed = max(lanes.limit[way[a, ints[_S.part, a]]], 1.0), state[_S.speed, a]
    half = max(0.5 * (lanes.point[point, _LEFT] + lanes.point[point, _RIGHT]), 0.5)
    beside, cosine = state[_S.offset, a] / half, state[_S.error_cosine, a]
    forward, aside = state[_S.acceleration, a], speed * state[_S.yaw_rate, a]
    felt = (forward * forward + aside * aside) / (COMFORTABLE * COMFORTABLE)
    value[row, _PROGRESS] = 0.0 if fresh else (state[_S.travelled, a] - before[0]) / (limit * step)
    value[row, _APPROACH] = 0.0 if fresh else before[1] - state[_S.goal_distance, a]
    value[row, _SPEEDING] = min(max(speed / limit - 1.0, 0.0), 1.0)
    value[row, _LANE] = min(beside * beside, 1.0)
    value[row, _HEADING] = 0.5 * (1.0 - cosine)
    value[row, _STEERING] = 0.0 if fresh else abs(state[_S.steer, a] / car.max_steer - before[2])
    value[row, _COMFORT] = min(felt, 1.0)
    value[row, _WRONG_WAY] = 1.0 if cosine < 0.0 else 0.0
    value[row, _TIME] = 1.0
    # the last terms are the events, in the order of their bits
    for number in range(4):
        value[row, _FIRST_EVENT + number] = 1.0 if happened & (1 << number) else 0.0
    total = 0.0
    for number in range(weight.shape[0]):
        value[row, number] *= weight[number]
        total += value[row, number]
    return total
