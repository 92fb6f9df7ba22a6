"""What kinematic agents are at a moment, and what kernels take of a map, a vehicle and the settings."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Columns, FloatArray, IntArray, float64, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, RADIAN, RADIAN_PER_SECOND, RATIO

MAX_WAY_LINKS = 128
"""A way has at most so many links."""


class KinematicState(Columns):
    """One row per agent. The origin of its body is the middle of the rear axle, on the road."""

    x = float64(METRE, "of the origin, east", frame="map")
    y = float64(METRE, "of the origin, north", frame="map")
    z = float64(METRE, "of the road where it is, up", frame="map")
    yaw = float64(RADIAN, "heading, counter-clockwise from east, -pi to pi", frame="map")
    cosine = float64(RATIO, "of yaw")
    sine = float64(RATIO, "of yaw")
    speed = float64(METRE_PER_SECOND, "forward, never below 0")
    steer = float64(RADIAN, "front wheel angle, left positive")
    acceleration = float64(METRE_PER_SECOND2, "forward, in the last tick")
    yaw_rate = float64(RADIAN_PER_SECOND, "in the last tick, left positive")
    travelled = float64(METRE, "along its way so far, at the origin")
    offset = float64(METRE, "from the middle of the way, left positive")
    error_sine = float64(RATIO, "of the angle from the way, left positive")
    error_cosine = float64(RATIO, "of the same")
    front = float64(METRE, "along its way, at its front bumper, at the most so far")
    stood = float64(METRE, "along its way, where its front stood last; -1 for nowhere")
    steer_share = float64(RATIO, "wheel angle over the largest one, a step ago")
    goal_x = float64(METRE, "of the goal, east", frame="map")
    goal_y = float64(METRE, "of the goal, north", frame="map")
    goal_cosine = float64(RATIO, "of the heading at the goal")
    goal_sine = float64(RATIO, "of the same")
    goal_distance = float64(METRE, "from the goal, in the plan")
    begin = float64(METRE, "along its way, of the link on which it is")
    length = float64(METRE, "of its way")
    part = int64("number of the link of its way on which it is")
    parts = int64("how many links its way has")
    point = int64("point of the map that it has passed last")
    fresh = int64("1 until its first step: nothing can be compared with the step before")
    over = int64("1 where its episode is over: it brakes and stands")
    touched = int64("1 where it was in a collision in the last step")
    steps = int64("of its episode")
    episode = int64("number of its episode in this world, from 0")


class MapPoint(IntEnum):
    """Columns of a point on the middle of a lane."""

    X = 0
    Y = 1
    Z = 2
    TANGENT_X = 3
    TANGENT_Y = 4
    CURVATURE = 5
    LEFT = 6
    """Distance of the lane's left boundary [m]; then the same of the right one."""
    RIGHT = 7


class LaneTables(NamedTuple):
    """The lanes of a map for vehicles, at even points, as kernels see them; all arrays are read-only.

    Attributes:
        point: `(P, 8)` `MapPoint`: those of a link one after the other, from its beginning to its end, in map [m].
        link: `(P,)` the link of each; -1 at the last point of a link, where no segment begins.
        first: `(L + 1,)` first point of each link; those of links that no vehicle uses have none.
        step: `(L,)` arc length between two points of a link [m].
        length: `(L,)` of each link [m].
        limit: `(L,)` speed limit [m/s].
        line: `(L,)` arc length of its stop line [m], infinite where it has none.
        lit: `(L,)` 1 where a light governs the link.
        next_first, next_link: links that follow each link, and that vehicles use.
        grid: `(3,)` x and y of the corner of a grid in map [m], side of a cell [m].
        grid_size: `(2,)` columns and rows.
        cell_first, cell_point: segments that begin in each cell, by their first point; cell = column + columns * row.
    """

    point: FloatArray
    link: IntArray
    first: IntArray
    step: FloatArray
    length: FloatArray
    limit: FloatArray
    line: FloatArray
    lit: IntArray
    next_first: IntArray
    next_link: IntArray
    grid: FloatArray
    grid_size: IntArray
    cell_first: IntArray
    cell_point: IntArray


class StartTables(NamedTuple):
    """Where agents begin, as kernels see it.

    Attributes:
        link: `(N,)` a place is on one of these links.
        low, high: `(N,)` arc lengths between which it is [m].
        weight: `(N,)` running sum of how likely each is; the last is 1.
        after: metres of a way after the second of its links; below 0: `length` counts.
        length: of a way [m].
        spacing: agents begin at least so far apart [m].
        speed: with which they begin [m/s].
    """

    link: IntArray
    low: FloatArray
    high: FloatArray
    weight: FloatArray
    after: float
    length: float
    spacing: float
    speed: float


class SegmentTables(NamedTuple):
    """Segments of lanes and of their boundaries, and those near each cell of a grid, as kernels see them.

    Attributes:
        segment: `(S, 8)` float32: x, y of its middle and z in map [m], cosine and sine of its direction, then the last
            three of `SegmentFeature` as they are perceived.
        grid: `(3,)` x and y of the corner of the grid in map [m], side of a cell [m].
        grid_size: `(2,)` columns and rows.
        cell_first: `(C + 1,)` where the list of each cell begins.
        cell_segment: `(sum,)` int32, the nearest to the middle of the cell first.
    """

    segment: NDArray[np.float32]
    grid: FloatArray
    grid_size: IntArray
    cell_first: IntArray
    cell_segment: NDArray[np.int32]


class LightTables(NamedTuple):
    """When lights let vehicles onto links: a round of phases, as kernels see it.

    Attributes:
        since: `(T,)` simulated time at which each phase begins [ns], ascending from 0.
        entry: `(T, L)` uint8 `Permission` of each link in it.
        period: of the round [ns].
    """

    since: IntArray
    entry: NDArray[np.uint8]
    period: int


class BicycleNumbers(NamedTuple):
    """The vehicle of the agents.

    Attributes:
        wheelbase: [m]. max_steer: largest front wheel angle [rad]. steer_rate: [rad/s].
        drive, power: largest drive force [m/s²] and power [m²/s³] over the mass.
        brake: largest deceleration [m/s²]. max_speed: [m/s].
        half_length, half_width: of the body [m]. middle: of the body ahead of the rear axle [m].
        front: bumper ahead of the rear axle [m].
    """

    wheelbase: float
    max_steer: float
    steer_rate: float
    drive: float
    power: float
    brake: float
    max_speed: float
    half_length: float
    half_width: float
    middle: float
    front: float


class KinematicRules(NamedTuple):
    """What the settings say.

    Attributes:
        action: `ActionCode`. max_speed, max_curvature: of actions [m/s, 1/m].
        tick: [s]. tick_ns: [ns]. ticks: of a step.
        goal_radius, goal_angle, goal_speed: within these of its goal an agent has arrived [m, rad, m/s].
        lost_offset: farther than this beside its way an agent gets another one [m].
        ends: sum of `AgentEvent` that end an episode. max_steps: 0 for no end.
        respawn: whether an agent whose episode is over begins another one at once.
        ego, own: whether the parts "ego" and "self" are perceived.
        neighbours, road_points, lights, partners, segments: how many of each.
        neighbour_reach, road_spacing, light_reach, partner_reach: [m].
    """

    action: int
    max_speed: float
    max_curvature: float
    tick: float
    tick_ns: int
    ticks: int
    goal_radius: float
    goal_angle: float
    goal_speed: float
    lost_offset: float
    ends: int
    max_steps: int
    respawn: bool
    ego: bool
    own: bool
    neighbours: int
    road_points: int
    lights: int
    partners: int
    segments: int
    neighbour_reach: float
    road_spacing: float
    light_reach: float
    partner_reach: float


class KinematicTables(NamedTuple):
    """What all worlds have in common.

    Attributes:
        lanes, segments, lights, starts: of the map.
        acceleration, share: of discrete actions, `ACCELERATIONS` and `STEERS` of `dorosim.gym.action`.
        weight: `(T,)` of the terms of a reward.
    """

    lanes: LaneTables
    segments: SegmentTables
    lights: LightTables
    starts: StartTables
    acceleration: FloatArray
    share: FloatArray
    weight: FloatArray


class KinematicArrays(NamedTuple):
    """N worlds of A agents each.

    Attributes:
        state: `(N, columns, A)` float blocks of `KinematicState`. ints: their int blocks.
        way: `(N, A, MAX_WAY_LINKS)` int32 links of each agent's way.
        time: `(N,)` simulated time [ns]. key: `(N,)` of their chance.
    """

    state: FloatArray
    ints: IntArray
    way: NDArray[np.int32]
    time: IntArray
    key: IntArray


class KinematicOut(NamedTuple):
    """What a step writes, one row an agent, world by world.

    Attributes:
        observation: `(N * A, floats)` float32.
        term: `(N * A, T)` terms of the reward, weighed. reward: `(N * A,)` their sum; 0 of agents that were done.
        event: `(N * A,)` `AgentEvent`.
        terminated, truncated: `(N * A,)` uint8, 1 where the step ended an episode.
        mask: `(N * A,)` uint8, 0 of agents that were done before the step.
        fact: `(N * A, 3)` metres along the way of the episode that the step was part of, offset from it [m], and
            speed [m/s].
        steps: `(N * A,)` of that episode.
    """

    observation: NDArray[np.float32]
    term: FloatArray
    reward: FloatArray
    event: IntArray
    terminated: NDArray[np.uint8]
    truncated: NDArray[np.uint8]
    mask: NDArray[np.uint8]
    fact: FloatArray
    steps: IntArray


class SelfFeature(IntEnum):
    """What an agent perceives of itself beside partners and segments, in the frame of its body."""

    GOAL_X = 0
    GOAL_Y = 1
    SPEED = 2
    STEER = 3
    LENGTH = 4
    WIDTH = 5
    COLLIDED = 6


class PartnerFeature(IntEnum):
    """What an agent perceives of each other vehicle near it, the nearest first, in the frame of its body."""

    X = 0
    Y = 1
    LENGTH = 2
    WIDTH = 3
    COSINE = 4
    SINE = 5
    SPEED = 6


class SegmentFeature(IntEnum):
    """What an agent perceives of each segment of lanes and their boundaries near it, in the frame of its body."""

    X = 0
    Y = 1
    COSINE = 2
    SINE = 3
    LENGTH = 4
    WIDTH = 5
    KIND = 6


class SegmentKind(IntEnum):
    """What a segment is part of; `SegmentFeature.KIND` is this over 3."""

    LANE = 1
    LINE = 2
    EDGE = 3
