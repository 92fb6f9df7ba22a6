"""A step of worlds of kinematic agents, in one call for a range of them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel, outlined_kernel
from dorosim.sensor.agent.kinematic.begin_kernel import begin_agent, renew_way
from dorosim.sensor.agent.kinematic.bicycle_kernel import asked_of, move
from dorosim.sensor.agent.kinematic.judge_kernel import events_of, weigh_step
from dorosim.sensor.agent.kinematic.lane_kernel import follow, is_lane_at
from dorosim.sensor.agent.kinematic.light_kernel import LightsNow, lights_at
from dorosim.sensor.agent.kinematic.near_kernel import NearGrid, find_nearest, mark_touching, near_grid, sort_agents
from dorosim.sensor.agent.kinematic.perceive_kernel import (
    AHEAD_WIDTH,
    OWN_WIDTH,
    VEHICLE_WIDTH,
    write_lines,
    write_own_numbers,
    write_vehicles,
    write_way_ahead,
)
from dorosim.sensor.agent.kinematic.segment_kernel import (
    PARTNER_WIDTH,
    SEGMENT_WIDTH,
    SELF_WIDTH,
    write_partners,
    write_segments,
    write_self,
)
from dorosim.sensor.agent.kinematic.state import (
    BicycleNumbers,
    KinematicArrays,
    KinematicOut,
    KinematicRules,
    KinematicState,
    KinematicTables,
    LaneTables,
)
from dorosim.sensor.agent.state import LIGHT_WIDTH, AgentEvent

_S = KinematicState.at
_ARRIVAL, _LOST = int(AgentEvent.ARRIVAL), int(AgentEvent.LOST)
_BRAKE_FULLY = -1e3


@inner_kernel
def _drive(
    given: FloatArray, car: BicycleNumbers, rules: KinematicRules, choices: tuple[FloatArray, FloatArray],
    state: FloatArray, ints: IntArray,
) -> None:
    """Let the vehicles of a world go on by a tick, as their actions `(A, 2)` say; those that are done brake."""
    for a in range(state.shape[1]):
        asked, angle = _BRAKE_FULLY, state[_S.steer, a]
        if ints[_S.over, a] == 0:
            asked, angle = asked_of(rules, car, choices[0], choices[1], given[a, 0], given[a, 1], state[_S.speed, a])
        move(state, a, car, asked, angle, rules.tick)


@inner_kernel
def _judge(
    tables: KinematicTables,
    lights: LightsNow,
    car: BicycleNumbers,
    rules: KinematicRules,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    first: int,
    out: KinematicOut,
) -> None:
    """Write what a step was worth and what happened, of the agents of a world, whose first row is `first`."""
    lanes, step = tables.lanes, rules.tick * rules.ticks
    for a in range(state.shape[1]):
        row, fresh = first + a, ints[_S.fresh, a] == 1
        last = (state[_S.travelled, a], state[_S.goal_distance, a], state[_S.steer_share, a])
        before = (state[_S.front, a], state[_S.stood, a])
        if fresh:
            last, before = (math.nan, math.nan, math.nan), (math.nan, math.nan)
        follow(lanes, car, way[a], state, ints, a)
        happened = events_of(lanes, lights, way[a], state, ints, a, rules, before)
        out.event[row] = happened
        done = ints[_S.over, a] == 1
        value = weigh_step(
            lanes, way[a], state, ints, a, car, step, last, happened, tables.weight, out.term[row]
        )
        state[_S.steer_share, a] = state[_S.steer, a] / car.max_steer
        ints[_S.fresh, a] = 0
        ints[_S.steps, a] += 1
        out.mask[row] = not done
        out.reward[row] = 0.0 if done else value
        out.terminated[row] = not done and happened & rules.ends != 0
        out.truncated[row] = not done and 0 < rules.max_steps <= ints[_S.steps, a]
        out.fact[row, 0], out.fact[row, 1] = state[_S.travelled, a], state[_S.offset, a]
        out.fact[row, 2], out.steps[row] = state[_S.speed, a], ints[_S.steps, a]
        if out.terminated[row] or out.truncated[row]:
            ints[_S.over, a] = 1


@outlined_kernel
def _begin(
    tables: KinematicTables,
    car: BicycleNumbers,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    key: int,
) -> float:
    """See `begin_agent`."""
    return begin_agent(tables.lanes, tables.starts, car, way, state, ints, a, key)


@outlined_kernel
def _perceive(
    tables: KinematicTables,
    lights: LightsNow,
    car: BicycleNumbers,
    rules: KinematicRules,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    grid: NearGrid,
    nearest: IntArray,
    observation: NDArray[np.float32],
) -> None:
    """Write what the agents of a world perceive, `(A, floats)`, one part after the other."""
    lanes = tables.lanes
    for a in range(state.shape[1]):
        out, at = observation[a], 0
        x, y = state[_S.x, a], state[_S.y, a]
        if rules.ego:
            write_own_numbers(lanes, way[a], state, ints, a, car, out[:OWN_WIDTH])
            at = OWN_WIDTH
        if rules.neighbours > 0:
            found = find_nearest(grid, state, a, x, y, rules.neighbour_reach, rules.neighbours, nearest)
            end = at + rules.neighbours * VEHICLE_WIDTH
            write_vehicles(state, a, car, rules.neighbour_reach, nearest, found, out[at:end])
            at = end
        if rules.road_points > 0:
            end = at + rules.road_points * AHEAD_WIDTH
            write_way_ahead(lanes, way[a], state, ints, a, rules, out[at:end])
            at = end
        if rules.lights > 0:
            end = at + rules.lights * LIGHT_WIDTH
            write_lines(lanes, lights, way[a], state, ints, a, rules, out[at:end])
            at = end
        if rules.own:
            write_self(state, ints, a, car, out[at : at + SELF_WIDTH])
            at += SELF_WIDTH
        if rules.partners > 0:
            found = find_nearest(grid, state, a, x, y, rules.partner_reach, rules.partners, nearest)
            end = at + rules.partners * PARTNER_WIDTH
            write_partners(state, a, car, rules.partner_reach, nearest, found, out[at:end])
            at = end
        if rules.segments > 0:
            write_segments(tables.segments, state, a, out[at : at + rules.segments * SEGMENT_WIDTH])


@inner_kernel
def _grid_reach(car: BicycleNumbers, rules: KinematicRules) -> float:
    """The side of cells with which all that is looked for around an agent is in the cells next to its own [m]."""
    reach = 2.0 * (car.half_length + car.half_width)
    if rules.neighbours > 0:
        reach = max(reach, rules.neighbour_reach)
    return max(reach, rules.partner_reach) if rules.partners > 0 else reach


@kernel
def step_worlds(
    tables: KinematicTables,
    car: BicycleNumbers,
    rules: KinematicRules,
    worlds: KinematicArrays,
    out: KinematicOut,
    actions: FloatArray,
    begin: int,
    end: int,
) -> None:
    """Let a range of worlds go on by a step, and write what came of it.

    Args:
        tables: of the map. car: the vehicle of the agents. rules: of the settings.
        worlds: N of A agents each.
        out: rows of agents, world by world.
        actions: `(N, A, 2)` numbers of the space; of agents that are done they do not count.
        begin: first world of the range. end: the one after the last.
    """
    agents = worlds.state.shape[2]
    grid, nearest = near_grid(agents), np.zeros(max(rules.neighbours, rules.partners, 1), np.int64)
    choices, reach = (tables.acceleration, tables.share), _grid_reach(car, rules)
    for w in range(begin, end):
        state, ints, way, first = worlds.state[w], worlds.ints[w], worlds.way[w], w * agents
        ints[_S.touched, :] = 0
        for _ in range(rules.ticks):
            _drive(actions[w], car, rules, choices, state, ints)
            sort_agents(grid, state, car, reach)
            mark_touching(grid, state, ints, car)
            worlds.time[w] += rules.tick_ns
        lights = lights_at(tables.lights, worlds.time[w])
        _judge(tables, lights, car, rules, way, state, ints, first, out)
        begun = False
        for a in range(agents):
            if rules.respawn and ints[_S.over, a] == 1:
                _begin(tables, car, way[a], state, ints, a, worlds.key[w])
                begun = True
            elif out.event[first + a] & (_LOST | _ARRIVAL) == _LOST:
                renew_way(tables.lanes, tables.starts, car, way[a], state, ints, a, worlds.key[w])
        if begun:
            sort_agents(grid, state, car, reach)
        seen = out.observation[first : first + agents]
        _perceive(tables, lights, car, rules, way, state, ints, grid, nearest, seen)


@kernel
def begin_worlds(
    tables: KinematicTables,
    car: BicycleNumbers,
    rules: KinematicRules,
    worlds: KinematicArrays,
    out: KinematicOut,
    only: IntArray,
    fresh: bool,
) -> float:
    """Begin an episode in some worlds, and write what their agents perceive.

    Args:
        tables: as above. car: likewise. rules: likewise. worlds: likewise.
        out: its observations are written.
        only: numbers of these worlds.
        fresh: False: nothing begins, and what agents perceive is written.

    Returns:
        The least distance of two agents of one world [m].
    """
    agents, nearest_of_all = worlds.state.shape[2], np.inf
    grid, nearest = near_grid(agents), np.zeros(max(rules.neighbours, rules.partners, 1), np.int64)
    for w in only:
        state, ints, way = worlds.state[w], worlds.ints[w], worlds.way[w]
        if fresh:
            ints[_S.episode, :] = -1
            worlds.time[w] = 0
            for a in range(agents):
                nearest_of_all = min(nearest_of_all, _begin(tables, car, way[a], state, ints, a, worlds.key[w]))
        sort_agents(grid, state, car, _grid_reach(car, rules))
        lights = lights_at(tables.lights, worlds.time[w])
        seen = out.observation[w * agents : (w + 1) * agents]
        _perceive(tables, lights, car, rules, way, state, ints, grid, nearest, seen)
    return nearest_of_all


@kernel
def find_on_road(lanes: LaneTables, place: FloatArray, found: NDArray[np.bool_]) -> None:
    """Write whether places `(N, 3)` in map [m] are on a lane or a margin beside one.

    Args:
        lanes: of the map.
        place: the places.
        found: `(N,)` out.
    """
    for number in range(len(place)):
        found[number] = is_lane_at(lanes, place[number, 0], place[number, 1], place[number, 2])
