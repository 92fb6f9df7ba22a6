"""One call a step: what all agents of a world perceive, how well they drive, and what happened to them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.surface import SurfaceArrays
from dorosim.sensor.agent.observation_kernel import write_ego, write_lights, write_neighbours, write_road
from dorosim.sensor.agent.ray_kernel import write_rays
from dorosim.sensor.agent.reward_kernel import find_events, judge_step
from dorosim.sensor.agent.state import (
    LIGHT_WIDTH,
    AgentShape,
    AgentState,
    EgoFeature,
    NeighbourFeature,
    RoadFeature,
    WorldArrays,
)
from dorosim.sensor.agent.way_kernel import follow_way
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_AGENT, _VEHICLE, _PARAMETER = AgentState.at, VehicleState.at, VehicleParameter.at
_EGO, _NEIGHBOUR, _ROAD, _LIGHT = len(EgoFeature), len(NeighbourFeature), len(RoadFeature), LIGHT_WIDTH


@inner_kernel
def _perceive(
    surface: SurfaceArrays,
    left: FloatArray,
    right: FloatArray,
    world: WorldArrays,
    shape: AgentShape,
    row: int,
    way: FloatArray,
    way_ints: IntArray,
    state: FloatArray,
    ints: IntArray,
    a: int,
    out: NDArray[np.float32],
) -> None:
    """Write the observation of one agent."""
    write_ego(way, world, row, state, ints, a, out)
    end = _EGO + shape.neighbours * _NEIGHBOUR
    write_neighbours(world, row, shape.neighbours, shape.neighbour_reach, out[_EGO:end])
    start, end = end, end + shape.road_points * _ROAD
    write_road(way, world, row, state, ints, a, shape, out[start:end])
    start, end = end, end + shape.lights * _LIGHT
    write_lights(way, way_ints, world, state, ints, a, shape, out[start:end])
    if shape.rings > 0:
        start, end = end, end + shape.rays * shape.rings
        write_rays(surface, left, right, world, row, shape.rays, shape.rings, shape.ray_reach, out[start:end])


@kernel
def read_agents(
    surface: SurfaceArrays,
    left: FloatArray,
    right: FloatArray,
    world: WorldArrays,
    shape: AgentShape,
    way: FloatArray,
    way_ints: IntArray,
    state: FloatArray,
    ints: IntArray,
    weight: FloatArray,
    observation: NDArray[np.float32],
    term: FloatArray,
    reward: FloatArray,
    event: IntArray,
) -> int:
    """Write what agents perceive and what their last step was worth.

    Args:
        surface: the lanes.
        left: `(P,)` distance of the left boundary at each of its points [m].
        right: `(P,)` the same of the right one.
        world: the world as it is now.
        shape: how much agents perceive.
        way: `(A, columns, points)` the way of each, as float blocks of `AgentWay`, longer ones than it has.
        way_ints: their int blocks.
        state: float block of `AgentState` of A rows in the order of ids, which are brought up to now.
        ints: their int block.
        weight: `(T,)` of the terms of the reward.
        observation: `(A, floats)` out: ego, neighbours, road points, lights, rays, each in -1 to 1.
        term: `(A, T)` out: the terms, times their weights.
        reward: `(A,)` out: their sum.
        event: `(A,)` out: `AgentEvent`.

    Returns:
        The first agent whose vehicle is not in the world, and nothing is written of it and those after it; -1 for none.
    """
    row, vehicles = 0, world.vehicle.shape[1]
    for a in range(reward.shape[0]):
        while row < vehicles and world.vehicle_ints[_VEHICLE.id, row] < ints[_AGENT.id, a]:
            row += 1
        if row == vehicles or world.vehicle_ints[_VEHICLE.id, row] != ints[_AGENT.id, a]:
            return a
        travelled, distance = state[_AGENT.travelled, a], state[_AGENT.goal_distance, a]
        front, stood, steer = state[_AGENT.front, a], state[_AGENT.stood, a], state[_AGENT.steer, a]
        if ints[_AGENT.fresh, a] == 1:
            travelled = distance = front = stood = steer = math.nan
        follow_way(way[a], world, row, state, ints, a)
        wheel = world.vehicle[_VEHICLE.steer, row] / max(world.parameter[_PARAMETER.max_steer, row], 1e-6)
        state[_AGENT.steer, a] = wheel
        _perceive(surface, left, right, world, shape, row, way[a], way_ints[a], state, ints, a, observation[a])
        earlier = (front, stood)
        happened = find_events(surface, left, right, world, row, way[a], way_ints[a], state, ints, a, shape, earlier)
        event[a] = happened
        before = (travelled, distance, steer)
        judge_step(way[a], world, row, state, ints, a, shape.step, before, happened, term[a])
        total = 0.0
        for number in range(weight.shape[0]):
            term[a, number] *= weight[number]
            total += term[a, number]
        reward[a] = total
        ints[_AGENT.fresh, a] = 0
    return -1
