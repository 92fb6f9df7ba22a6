"""One call a step: what all agents of a world perceive, how well they drive, and what happened to them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.adjacency import FlagArray
from dorosim.sensor.agent.observation_kernel import write_ego, write_lights, write_neighbours, write_road
from dorosim.sensor.agent.ray_kernel import AgentLanes, write_rays
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
from dorosim.world.actor.body_kernel import write_npc_bodies
from dorosim.world.collision.vehicle_kernel import write_vehicle_bodies
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_AGENT, _VEHICLE, _PARAMETER = AgentState.at, VehicleState.at, VehicleParameter.at
_EGO, _NEIGHBOUR, _ROAD, _LIGHT = len(EgoFeature), len(NeighbourFeature), len(RoadFeature), LIGHT_WIDTH


@inner_kernel
def _perceive(
    surface: AgentLanes,
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
    write_ego(way, world, row, state, ints, a, bare(out))
    end = _EGO + shape.neighbours * _NEIGHBOUR
    write_neighbours(world, row, shape.neighbours, shape.neighbour_reach, bare(out[_EGO:end]))
    start, end = end, end + shape.road_points * _ROAD
    write_road(way, world, row, state, ints, a, shape, bare(out[start:end]))
    start, end = end, end + shape.lights * _LIGHT
    write_lights(way, way_ints, world, state, ints, a, shape, bare(out[start:end]))
    if shape.rings > 0:
        start, end = end, end + shape.rays * shape.rings
        write_rays(surface, left, right, world, row, shape.rays, shape.rings, shape.ray_reach, bare(out[start:end]))


@inner_kernel
def _row_of(vehicle_ints: IntArray, actor: int) -> int:
    """The row of a vehicle, -1 if there is none."""
    for row in range(vehicle_ints.shape[1]):
        if vehicle_ints[_VEHICLE.id, row] == actor:
            return row
    return -1


@inner_kernel
def _step_ago(state: FloatArray, ints: IntArray, a: int) -> tuple[float, float, float, float, float]:
    """What an agent remembers of a step ago: travelled, distance of the goal, front, stood, steer; NaN for no step."""
    if ints[_AGENT.fresh, a] == 1:
        return math.nan, math.nan, math.nan, math.nan, math.nan
    travelled, distance = state[_AGENT.travelled, a], state[_AGENT.goal_distance, a]
    return travelled, distance, state[_AGENT.front, a], state[_AGENT.stood, a], state[_AGENT.steer, a]


@inner_kernel
def _weighed(value: FloatArray, weight: FloatArray) -> float:
    """Weigh the terms of a reward; their sum."""
    total = 0.0
    for number in range(weight.shape[0]):
        value[number] *= weight[number]
        total += value[number]
    return total


@inner_kernel
def _lanes(
    station: FloatArray,
    link: IntArray,
    drivable: FlagArray,
    grid_origin: FloatArray,
    grid_size: IntArray,
    cell_first: IntArray,
    cell_segment: IntArray,
    raster: FloatArray,
    free: NDArray[np.uint8],
) -> AgentLanes:
    """The lanes as bare arrays, which the caller holds."""
    flags, cells, parts = bare(drivable.view(np.uint8)), bare(cell_first), bare(cell_segment)
    origin, size = bare(grid_origin), bare(grid_size)
    return AgentLanes(bare(station), bare(link), flags, origin, size, cells, parts, bare(raster), bare(free))


@inner_kernel
def _shape_of(counts: IntArray, reaches: FloatArray) -> AgentShape:
    return AgentShape(
        counts[0],
        counts[1],
        counts[2],
        counts[3],
        counts[4],
        reaches[0],
        reaches[1],
        reaches[2],
        reaches[3],
        reaches[4],
        reaches[5],
        reaches[6],
        reaches[7],
        reaches[8],
        reaches[9],
        counts[5] == 1,
    )


@kernel
def read_agents(
    station: FloatArray,
    segment_link: IntArray,
    drivable: FlagArray,
    grid_origin: FloatArray,
    grid_size: IntArray,
    cell_first: IntArray,
    cell_segment: IntArray,
    left: FloatArray,
    right: FloatArray,
    raster: FloatArray,
    free: NDArray[np.uint8],
    vehicle: FloatArray,
    vehicle_ints: IntArray,
    parameter: FloatArray,
    traffic: FloatArray,
    traffic_ints: IntArray,
    body_size: FloatArray,
    bodies: FloatArray,
    bodies_ints: IntArray,
    npc_rows: IntArray,
    contact: IntArray,
    link: IntArray,
    since: int,
    counts: IntArray,
    reaches: FloatArray,
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

    It takes plain arrays, since each of a named tuple costs five times as much to hand over.

    Args:
        station: of the lanes, as the next six are parts of `SurfaceArrays`.
        segment_link: link of each segment.
        drivable: of each link.
        grid_origin: of the grid.
        grid_size: likewise.
        cell_first: likewise.
        cell_segment: likewise.
        left: `(P,)` distance of the left boundary at each of its points [m].
        right: `(P,)` the same of the right one.
        raster: of `AgentLanes`.
        free: likewise; without rows where there are no rays to the edge of the lanes.
        vehicle: float block of vehicles with full dynamics.
        vehicle_ints: their int block.
        parameter: float block of their parameters.
        traffic: float block of NPC vehicles.
        traffic_ints: their int block.
        body_size: of the models (`Scene.body_sizes`).
        bodies: float block of a `BodyTable`: of all bodies, or room for those of all vehicles.
        bodies_ints: its int block.
        npc_rows: room for the rows of NPC vehicles; none where `bodies` has all bodies by now.
        contact: int block of contacts.
        link: int block of what lights let links do.
        since: contacts after this simulated time count [ns].
        counts: the ints and the flag of `AgentShape`.
        reaches: the floats of `AgentShape`.
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
    lanes = _lanes(station, segment_link, drivable, grid_origin, grid_size, cell_first, cell_segment, raster, free)
    shape, count = _shape_of(counts, reaches), bodies.shape[1]
    if len(npc_rows):
        write_vehicle_bodies(parameter, vehicle, vehicle_ints, bodies, bodies_ints, 0)
        own = vehicle.shape[1]
        count = own + write_npc_bodies(traffic, traffic_ints, body_size, bodies, bodies_ints, own, True, npc_rows)[0]
    moving, sizes, table = (bare(vehicle), bare(vehicle_ints)), bare(parameter), (bare(bodies), bare(bodies_ints))
    world = WorldArrays(moving[0], moving[1], sizes, table[0], table[1], count, bare(contact), bare(link), since)
    left, right, state, ints, weight = bare(left), bare(right), bare(state), bare(ints), bare(weight)
    for a in range(reward.shape[0]):
        row = _row_of(moving[1], ints[_AGENT.id, a])
        if row < 0:
            return a
        before, own_way, own_ints, value = _step_ago(state, ints, a), bare(way[a]), bare(way_ints[a]), bare(term[a])
        follow_way(own_way, world, row, state, ints, a)
        state[_AGENT.steer, a] = vehicle[_VEHICLE.steer, row] / max(parameter[_PARAMETER.max_steer, row], 1e-6)
        _perceive(lanes, left, right, world, shape, row, own_way, own_ints, state, ints, a, observation[a])
        last = before[2], before[3]
        event[a] = find_events(lanes, left, right, world, row, own_way, own_ints, state, ints, a, shape, last)
        judge_step(own_way, world, row, state, ints, a, shape.step, (before[0], before[1], before[4]), event[a], value)
        reward[a] = _weighed(value, weight)
        ints[_AGENT.fresh, a] = 0
    return -1
