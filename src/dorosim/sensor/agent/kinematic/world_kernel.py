"""A step of worlds of kinematic agents, in one call for a range of them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.bare_kernel import bare, hold
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
    given: FloatArray,
    car: BicycleNumbers,
    rules: KinematicRules,
    choices: tuple[FloatArray, FloatArray],
    state: FloatArray,
    ints: IntArray,
) -> None:
    """Let the vehicles of a world go on by a tick, as their actions `(A, 2)` say; those that are done brake."""
    for a in range(state.shape[1]):
        asked, angle = _BRAKE_FULLY, state[_S.steer, a]
        if ints[_S.over, a] == 0:
            asked, angle = asked_of(rules, car, choices[0], choices[1], given[a, 0], given[a, 1], state[_S.speed, a])
        move(state, a, car, asked, angle, rules.tick)


@inner_kernel
def _judge(
    lanes: LaneTables,
    weight: FloatArray,
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
    step = rules.tick * rules.ticks
    for a in range(state.shape[1]):
        row, fresh = first + a, ints[_S.fresh, a] == 1
        last = (state[_S.travelled, a], state[_S.goal_distance, a], state[_S.steer_share, a])
        before = (state[_S.front, a], state[_S.stood, a])
        if fresh:
            last, before = (math.nan, math.nan, math.nan), (math.nan, math.nan)
        follow(lanes, car, way, state, ints, a)
        happened = events_of(lanes, lights, way, state, ints, a, rules, before)
        out.event[row] = happened
        done = ints[_S.over, a] == 1
        value = weigh_step(lanes, way, state, ints, a, car, step, last, happened, weight, out.term, row)
        state[_S.steer_share, a] = state[_S.steer, a] / car.max_steer
        ints[_S.fresh, a] = 0
        ints[_S.steps, a] += 1
        out.mask[row] = 0 if done else 1
        out.reward[row] = 0.0 if done else value
        out.terminated[row] = 1 if not done and happened & rules.ends != 0 else 0
        out.truncated[row] = 1 if not done and 0 < rules.max_steps <= ints[_S.steps, a] else 0
        out.fact[row, 0], out.fact[row, 1] = state[_S.travelled, a], state[_S.offset, a]
        out.fact[row, 2], out.steps[row] = state[_S.speed, a], ints[_S.steps, a]
        if out.terminated[row] + out.truncated[row] > 0:
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
    return begin_agent(bare(tables.lanes), tables.starts, car, way, state, ints, a, key)


@outlined_kernel
def _renew(
    tables: KinematicTables,
    car: BicycleNumbers,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    key: int,
) -> None:
    """See `renew_way`."""
    renew_way((bare(tables.lanes), tables.starts, car), way, state, ints, a, key)


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
    out: NDArray[np.float32],
    first: int,
) -> None:
    """Write what the agents of a world perceive, from a row on, one part after the other."""
    lanes, segments = bare(tables.lanes), bare(tables.segments)
    for a in range(state.shape[1]):
        row, at, x, y = first + a, 0, state[_S.x, a], state[_S.y, a]
        if rules.ego:
            write_own_numbers(lanes, way, state, ints, a, car, out, row, at)
            at += OWN_WIDTH
        if rules.neighbours > 0:
            found = find_nearest(grid, state, a, x, y, rules.neighbour_reach, rules.neighbours, nearest)
            write_vehicles(state, a, car, rules, nearest, found, out, row, at)
            at += rules.neighbours * VEHICLE_WIDTH
        if rules.road_points > 0:
            write_way_ahead(rules, lanes, way, state, ints, a, out, row, at)
            at += rules.road_points * AHEAD_WIDTH
        if rules.lights > 0:
            write_lines(lanes, lights, way, state, ints, a, rules, out, row, at)
            at += rules.lights * LIGHT_WIDTH
        if rules.own:
            write_self(state, ints, a, car, out, row, at)
            at += SELF_WIDTH
        if rules.partners > 0:
            found = find_nearest(grid, state, a, x, y, rules.partner_reach, rules.partners, nearest)
            write_partners(state, a, car, rules, nearest, found, out, row, at)
            at += rules.partners * PARTNER_WIDTH
        if rules.segments > 0:
            write_segments(segments, state, a, rules, out, row, at)


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
        tables: of the map.
        car: the vehicle of the agents.
        rules: of the settings.
        worlds: N of A agents each.
        out: rows of agents, world by world.
        actions: `(N, A, 2)` numbers of the space; of agents that are done they do not count.
        begin: first world of the range.
        end: the one after the last.
    """
    agents = worlds.state.shape[2]
    room, chosen = near_grid(agents), np.zeros(max(rules.neighbours, rules.partners, 1), np.int64)
    grid, nearest, lanes, weight = bare(room), bare(chosen), bare(tables.lanes), bare(tables.weight)
    choices, reach, written = (bare(tables.acceleration), bare(tables.share)), _grid_reach(car, rules), bare(out)
    for w in range(begin, end):
        state, ints, way, first = bare(worlds.state[w]), bare(worlds.ints[w]), bare(worlds.way[w]), w * agents
        given, key = bare(actions[w]), worlds.key[w]
        for a in range(agents):
            ints[_S.touched, a] = 0
        for _ in range(rules.ticks):
            _drive(given, car, rules, choices, state, ints)
            sort_agents(grid, state, car, reach)
            mark_touching(grid, state, ints, car)
            worlds.time[w] += rules.tick_ns
        lights = lights_at(tables.lights, worlds.time[w])
        _judge(lanes, weight, lights, car, rules, way, state, ints, first, written)
        begun = False
        for a in range(agents):
            if rules.respawn and ints[_S.over, a] == 1:
                _begin(tables, car, way, state, ints, a, key)
                begun = True
            elif written.event[first + a] & (_LOST | _ARRIVAL) == _LOST:
                _renew(tables, car, way, state, ints, a, key)
        if begun:
            sort_agents(grid, state, car, reach)
        _perceive(tables, lights, car, rules, way, state, ints, grid, nearest, written.observation, first)
    hold(room)
    hold(chosen)


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
        tables: as above.
        car: likewise.
        rules: likewise.
        worlds: likewise.
        out: its observations are written.
        only: numbers of these worlds.
        fresh: False: nothing begins, and what agents perceive is written.

    Returns:
        The least distance of two agents of one world [m].
    """
    agents, nearest_of_all = worlds.state.shape[2], np.inf
    room, chosen = near_grid(agents), np.zeros(max(rules.neighbours, rules.partners, 1), np.int64)
    grid, nearest, written = bare(room), bare(chosen), bare(out)
    for w in only:
        state, ints, way, first = bare(worlds.state[w]), bare(worlds.ints[w]), bare(worlds.way[w]), w * agents
        if fresh:
            worlds.time[w] = 0
            for a in range(agents):
                ints[_S.episode, a] = -1
            for a in range(agents):
                nearest_of_all = min(nearest_of_all, _begin(tables, car, way, state, ints, a, worlds.key[w]))
        sort_agents(grid, state, car, _grid_reach(car, rules))
        lights = lights_at(tables.lights, worlds.time[w])
        _perceive(tables, lights, car, rules, way, state, ints, grid, nearest, written.observation, first)
    hold(room)
    hold(chosen)
    return nearest_of_all


@kernel
def find_on_road(lanes: LaneTables, place: FloatArray, found: NDArray[np.bool_]) -> None:
    """Write whether places `(N, 3)` in map [m] are on a lane or a margin beside one.

    Args:
        lanes: of the map.
        place: the places.
        found: `(N,)` out.
    """
    known = bare(lanes)
    for number in range(len(place)):
        found[number] = is_lane_at(known, place[number, 0], place[number, 1], place[number, 2])
