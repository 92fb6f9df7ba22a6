"""Where kinematic agents begin, and which way they are to go: drawn from the key of their world."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.draw_kernel import stream_at, uniform
from dorosim.ground.jit import inner_kernel
from dorosim.sensor.agent.kinematic.lane_kernel import LANE_LEVEL, follow, nearest_segment
from dorosim.sensor.agent.kinematic.state import (
    MAX_WAY_LINKS,
    BicycleNumbers,
    KinematicState,
    LaneTables,
    MapPoint,
    StartTables,
)

_S = KinematicState.at
_X, _Y, _Z = int(MapPoint.X), int(MapPoint.Y), int(MapPoint.Z)
_TANGENT_X, _TANGENT_Y = int(MapPoint.TANGENT_X), int(MapPoint.TANGENT_Y)
TRIES = 40
"""So many places are drawn for an agent; where none is free it begins at the one that is farthest from the others."""
WAY_REACH = 30.0
"""An agent that has left its way gets another one from a lane within this [m]."""
_EPISODES = 1 << 20


@inner_kernel
def _pose(lanes: LaneTables, link: int, s: float) -> tuple[int, float, float, float, float, float]:
    """The segment at an arc length of a link by its first point, then x, y, z and tangent x, y there."""
    segments = lanes.first[link + 1] - lanes.first[link] - 1
    number = min(max(int(s / lanes.step[link]), 0), segments - 1)
    point = lanes.first[link] + number
    share = min(max(s / lanes.step[link] - number, 0.0), 1.0)
    rest, table = 1.0 - share, lanes.point
    tangent_x = rest * table[point, _TANGENT_X] + share * table[point + 1, _TANGENT_X]
    tangent_y = rest * table[point, _TANGENT_Y] + share * table[point + 1, _TANGENT_Y]
    scale = 1.0 / max(np.sqrt(tangent_x * tangent_x + tangent_y * tangent_y), 1e-9)
    return (
        point,
        rest * table[point, _X] + share * table[point + 1, _X],
        rest * table[point, _Y] + share * table[point + 1, _Y],
        rest * table[point, _Z] + share * table[point + 1, _Z],
        scale * tangent_x,
        scale * tangent_y,
    )


@inner_kernel
def draw_way(
    lanes: LaneTables,
    starts: StartTables,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    link: int,
    s: float,
    stream: np.uint64,
) -> None:
    """Write the way of an agent from a place on, and its goal, which is the end of it.

    Args:
        lanes: of the map.
        starts: how long ways are.
        way: `(A, MAX_WAY_LINKS)` links of the ways, out.
        state: float block of `KinematicState`.
        ints: its int block.
        a: row of the agent there.
        link: on which it begins.
        s: arc length there [m].
        stream: of the chance by which it turns at forks.
    """
    way[a, 0], parts, begin = link, 1, -s
    wanted = starts.length
    while parts < MAX_WAY_LINKS:
        ends = begin + lanes.length[link]
        if starts.after >= 0.0 and parts == 2:
            wanted = ends + starts.after
        choices = lanes.next_first[link + 1] - lanes.next_first[link]
        if ends >= wanted or choices == 0:
            break
        # draws 0 and 1 of the stream are the place where it begins
        chosen = min(int(uniform(stream, 2 + parts) * choices), choices - 1)
        link = lanes.next_link[lanes.next_first[link] + chosen]
        way[a, parts] = link
        begin = ends
        parts += 1
    length = min(wanted, begin + lanes.length[link])
    _, x, y, _, tangent_x, tangent_y = _pose(lanes, link, length - begin)
    state[_S.goal_x, a], state[_S.goal_y, a] = x, y
    state[_S.goal_cosine, a], state[_S.goal_sine, a] = tangent_x, tangent_y
    state[_S.begin, a], state[_S.length, a] = -s, length
    ints[_S.part, a], ints[_S.parts, a], ints[_S.fresh, a] = 0, parts, 1


@inner_kernel
def _square_to_others(state: FloatArray, ints: IntArray, a: int, x: float, y: float, z: float) -> float:
    """The square of the distance of a place from the nearest of the agents that are there, but for one [m²]."""
    nearest = np.inf
    for other in range(state.shape[1]):
        if other == a or ints[_S.episode, other] < 0 or abs(state[_S.z, other] - z) > LANE_LEVEL:
            continue
        dx, dy = state[_S.x, other] - x, state[_S.y, other] - y
        nearest = min(nearest, dx * dx + dy * dy)
    return nearest


@inner_kernel
def begin_agent(
    lanes: LaneTables,
    starts: StartTables,
    car: BicycleNumbers,
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    key: int,
) -> float:
    """Begin an agent's next episode: at a place and on a way that chance gives; how far it is from the others [m].

    Args:
        lanes: of the map.
        starts: where agents begin.
        car: its vehicle.
        way: `(A, MAX_WAY_LINKS)` links of the ways, out.
        state: float block of `KinematicState`.
        ints: its int block; an agent with an episode below 0 is not there yet.
        a: row of the agent there.
        key: of the world's chance.
    """
    episode = max(ints[_S.episode, a] + 1, 0)
    best, chosen, place = -1.0, 0, 0.0
    stream = stream_at(key, a * _EPISODES + episode)
    for number in range(TRIES):
        one = min(np.searchsorted(starts.weight, uniform(stream, 1000 + 2 * number)), starts.link.shape[0] - 1)
        share = uniform(stream, 1001 + 2 * number)
        s = starts.low[one] + share * (starts.high[one] - starts.low[one])
        _, x, y, z, _, _ = _pose(lanes, starts.link[one], s)
        square = _square_to_others(state, ints, a, x, y, z)
        if square > best:
            best, chosen, place = square, starts.link[one], s
        if square >= starts.spacing * starts.spacing:
            break
    point, x, y, z, tangent_x, tangent_y = _pose(lanes, chosen, place)
    for column in range(state.shape[0]):
        state[column, a] = 0.0
    for column in range(ints.shape[0]):
        ints[column, a] = 0
    ints[_S.episode, a], ints[_S.point, a] = episode, point
    state[_S.x, a], state[_S.y, a], state[_S.z, a] = x, y, z
    state[_S.yaw, a] = np.arctan2(tangent_y, tangent_x)
    state[_S.cosine, a], state[_S.sine, a] = tangent_x, tangent_y
    state[_S.speed, a] = min(starts.speed, car.max_speed)
    draw_way(lanes, starts, way, state, ints, a, chosen, place, stream)
    follow(lanes, car, way, state, ints, a)
    return float(np.sqrt(best))


@inner_kernel
def renew_way(
    known: tuple[LaneTables, StartTables, BicycleNumbers],
    way: NDArray[np.int32],
    state: FloatArray,
    ints: IntArray,
    a: int,
    key: int,
) -> None:
    """Give an agent another way, from the lane under it on; where none is near it keeps its own. Arguments as above."""
    lanes, starts, car = known
    x, y, z = state[_S.x, a], state[_S.y, a], state[_S.z, a]
    point, share = nearest_segment(lanes, x, y, z, state[_S.cosine, a], state[_S.sine, a], WAY_REACH)
    if point < 0:
        return
    link = lanes.link[point]
    s = (point - lanes.first[link] + share) * lanes.step[link]
    stream = stream_at(key ^ 0x5DEECE66D, (a * _EPISODES + ints[_S.episode, a]) * 4096 + ints[_S.steps, a])
    draw_way(lanes, starts, way, state, ints, a, link, s, stream)
    ints[_S.point, a] = point
    follow(lanes, car, way, state, ints, a)
