"""The decisions of pedestrians: when to start, where to go next, and when to wait at a crosswalk."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.draw_kernel import scramble
from dorosim.ground.jit import inner_kernel
from dorosim.world.pedestrian.gap_kernel import CrosswalkArrays, way_to_area
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.signal.state import WalkSignal
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.waypoint import PAUSE, SPEED

_PEDESTRIAN = PedestrianState.at

RELAXATION_TIME = 0.5
"""Time in which the velocity comes up to the desired one [s] (Helbing and Molnar 1995)."""
BRAKING_RELAXATION_TIME = 0.2
"""The same while a pedestrian slows down to stop [s], short enough that it does not overshoot the kerb."""
HURRY_FACTOR = 1.4
"""Factor on the speed of a pedestrian on a crosswalk when green flashes or is over; fast walking over comfortable
walking (R. W. Bohannon, Age and Ageing 26 (1997) 15)."""
LAST_STEP_SPEED = 0.05
"""Speed with which a pedestrian takes the last step [m/s]."""
WALKER_DECELERATION = 1.0
"""Deceleration with which a pedestrian stops at a kerb or at the end of its way [m/s^2]."""
CROSSING_START_DISTANCE = 0.5
"""A pedestrian that may cross counts as crossing from this distance before the place to wait on [m]."""
STEPS_BACK = 2
"""`side` of a pedestrian that waits, but steps back before a body that comes too near."""
MAX_WAITING_OFFSET = 0.2
"""A pedestrian that waits farther than this from the place to wait goes there [m]."""
WAYPOINT_TOLERANCE = 0.03
"""A waypoint counts as reached this far before it [m]."""
CROSSING_START_UP_TIME = 3.0
"""Time beyond that for crossing, in the gap that a pedestrian accepts where there is no light [s] (Highway Capacity
Manual 2010, equation 19-69)."""
_MIN_CROSSING_LENGTH = 1.0
"""A way that cuts less than this [m] off a crosswalk does not cross it."""


_IDLE, _WALK, _WAIT, _CROSS = int(Stage.IDLE), int(Stage.WALK), int(Stage.WAIT), int(Stage.CROSS)
_RESTING, _ARRIVED, _DRIVEN = int(Stage.REST), int(Stage.ARRIVED), int(Stage.DRIVEN)
_ONCE, _CLOSED, _REPEAT = int(CharacterMode.ONCE), int(CharacterMode.CLOSED_LOOP), int(CharacterMode.REPEAT)
_LOOP, _NEW, _STAND = int(CharacterMode.LOOP), int(CharacterMode.NEW_PATH), int(CharacterMode.STAND)
_NO_LIGHT, _GO = int(WalkSignal.NONE), int(WalkSignal.GO)


class WalkScene(NamedTuple):
    """What the pedestrian kernels read in a tick.

    Attributes:
        route_first, route_point: their routes (see `RouteTable`), read-only.
        crosswalks: where they cross.
        walk: `(K,)` what the lights of each crosswalk show (`WalkSignal`), read-only.
        gap: `(K,)` time until the next vehicle is at each crosswalk [s], read-only.
        kerb: `(K,)` how far before the edge of each crosswalk pedestrians wait [m], read-only.
        radius: `(models,)` of a circle that stands for each model's body [m], read-only.
        height: `(models,)` of each model [m], read-only.
        ego_x, ego_y: `(E,)` the ego vehicles, in map [m], writable.
    """

    route_first: IntArray
    route_point: FloatArray
    crosswalks: CrosswalkArrays
    walk: IntArray
    gap: FloatArray
    kerb: FloatArray
    radius: FloatArray
    height: FloatArray
    ego_x: FloatArray
    ego_y: FloatArray


@inner_kernel
def find_crossing(
    crosswalks: CrosswalkArrays, x: float, y: float, way_x: float, way_y: float, length: float, after: float
) -> tuple[int, float, float]:
    """The next crosswalk on a leg.

    Args:
        crosswalks: the areas.
        x: where the leg begins, in map [m].
        y: likewise.
        way_x: its direction, of length 1.
        way_y: likewise.
        length: of the leg [m].
        after: crosswalks that end before this place on the leg do not count [m].

    Returns:
        Row of the area, and where the leg enters and leaves it [m]; -1 and infinities for none.
    """
    best, best_begin, best_end = -1, math.inf, math.inf
    for k in range(crosswalks.circle.shape[0]):
        gap_x, gap_y = crosswalks.circle[k, 0] - x, crosswalks.circle[k, 1] - y
        along, radius = gap_x * way_x + gap_y * way_y, crosswalks.circle[k, 2]
        if abs(gap_x * way_y - gap_y * way_x) > radius or along + radius < after or along - radius > length:
            continue
        begin, end = way_to_area(crosswalks, k, x, y, way_x, way_y)
        if end > after and min(end, length) - max(begin, 0.0) >= _MIN_CROSSING_LENGTH and begin < best_begin:
            best, best_begin, best_end = k, begin, end
    return best, best_begin, best_end


@inner_kernel
def start_leg(floats: FloatArray, ints: IntArray, i: int) -> None:
    """Begin the leg from where a pedestrian is to its waypoint; the first step looks for its first crosswalk."""
    floats[_PEDESTRIAN.aside_x, i], floats[_PEDESTRIAN.aside_y, i], ints[_PEDESTRIAN.side, i] = 0.0, 0.0, 0
    floats[_PEDESTRIAN.leg_x, i], floats[_PEDESTRIAN.leg_y, i] = floats[_PEDESTRIAN.x, i], floats[_PEDESTRIAN.y, i]
    ints[_PEDESTRIAN.stage, i], ints[_PEDESTRIAN.crosswalk, i] = _WALK, -1
    floats[_PEDESTRIAN.crossing_begin, i] = floats[_PEDESTRIAN.crossing_end, i] = -math.inf


@inner_kernel
def choose(seed: int, actor: int, number: int, count: int) -> int:
    """A choice of 0 to count - 1, always the same for the same seed, actor and number of the choice."""
    gamma = np.uint64(0x9E3779B97F4A7C15)
    address = scramble(np.uint64(seed) + gamma)
    address = scramble(address + np.uint64(actor) * gamma)
    address = scramble(address + np.uint64(number) * gamma)
    return int(address % np.uint64(count))


@inner_kernel
def take_next_waypoint(ints: IntArray, scene: WalkScene, i: int, seed: int) -> bool:
    """Choose the next waypoint by the character mode. Returns whether there is one."""
    count = scene.route_first[i + 1] - scene.route_first[i]
    mode, present = ints[_PEDESTRIAN.mode, i], ints[_PEDESTRIAN.waypoint, i]
    following = present + 1
    if mode == _CLOSED:
        following = following % count
    elif mode == _REPEAT:
        if not 0 <= present + ints[_PEDESTRIAN.direction, i] < count:
            ints[_PEDESTRIAN.direction, i] = -ints[_PEDESTRIAN.direction, i]
        following = present + ints[_PEDESTRIAN.direction, i]
    elif mode == _LOOP and following >= count:
        following = 1
    elif mode == _NEW and count > 2:
        # another destination at random; the first point of the route is where it came in
        following = 1 + choose(seed, ints[_PEDESTRIAN.id, i], ints[_PEDESTRIAN.drawn, i], count - 2)
        if following >= present:
            following += 1
        ints[_PEDESTRIAN.drawn, i] += 1
    if following == present or not 0 <= following < count:
        return False
    ints[_PEDESTRIAN.waypoint, i] = following
    return True


@inner_kernel
def is_awake(floats: FloatArray, ints: IntArray, scene: WalkScene, i: int) -> bool:
    """Whether an idle pedestrian starts now: by a command, or because an ego vehicle is near."""
    if ints[_PEDESTRIAN.mode, i] == _STAND:
        return False
    if ints[_PEDESTRIAN.started, i] != 0:
        return True
    reach = floats[_PEDESTRIAN.active_distance, i]
    for e in range(scene.ego_x.shape[0]):
        if math.hypot(scene.ego_x[e] - floats[_PEDESTRIAN.x, i], scene.ego_y[e] - floats[_PEDESTRIAN.y, i]) < reach:
            return True
    return False


@inner_kernel
def may_cross(floats: FloatArray, ints: IntArray, scene: WalkScene, i: int) -> bool:
    """Whether a pedestrian may step on the next crosswalk: by its light, else by the gap in traffic."""
    k = ints[_PEDESTRIAN.crosswalk, i]
    way = floats[_PEDESTRIAN.crossing_end, i] - floats[_PEDESTRIAN.crossing_begin, i] + scene.kerb[k]
    needed = way / max(floats[_PEDESTRIAN.desired_speed, i], 0.1) + CROSSING_START_UP_TIME
    return bool(scene.walk[k] == _GO or (scene.walk[k] == _NO_LIGHT and scene.gap[k] >= needed))


@inner_kernel
def place_on_leg(floats: FloatArray, scene: WalkScene, goal: int, i: int) -> tuple[float, float, float, float]:
    """Direction of the leg to a waypoint, of length 1, its length [m], and how far along it the pedestrian is [m]."""
    x, y = floats[_PEDESTRIAN.leg_x, i], floats[_PEDESTRIAN.leg_y, i]
    leg_x, leg_y = scene.route_point[goal, 0] - x, scene.route_point[goal, 1] - y
    length = math.hypot(leg_x, leg_y)
    way_x, way_y = (leg_x / length, leg_y / length) if length > 0.0 else (1.0, 0.0)
    along = (floats[_PEDESTRIAN.x, i] - x) * way_x + (floats[_PEDESTRIAN.y, i] - y) * way_y
    return way_x, way_y, length, along


@inner_kernel
def change_stage(floats: FloatArray, ints: IntArray, scene: WalkScene, i: int, dt: float, seed: int) -> None:
    """Start a pedestrian that stands idle, let it go on after a rest, and to the next waypoint where it reaches one."""
    stage = ints[_PEDESTRIAN.stage, i]
    ready = False
    if stage == _IDLE and is_awake(floats, ints, scene, i):
        ints[_PEDESTRIAN.waypoint, i] = 0
        ints[_PEDESTRIAN.stage, i] = _ARRIVED
        if scene.route_first[i + 1] - scene.route_first[i] > 1:
            ints[_PEDESTRIAN.waypoint, i] = 1
            start_leg(floats, ints, i)
    elif stage == _RESTING:
        floats[_PEDESTRIAN.rest, i] -= dt
        ready = floats[_PEDESTRIAN.rest, i] <= 0.0
    elif _WALK <= stage <= _CROSS:
        goal = scene.route_first[i] + ints[_PEDESTRIAN.waypoint, i]
        _, _, length, along = place_on_leg(floats, scene, goal, i)
        if along >= length - WAYPOINT_TOLERANCE or ints[_PEDESTRIAN.barred, i] == 1:
            ints[_PEDESTRIAN.barred, i] = 0
            floats[_PEDESTRIAN.rest, i] = scene.route_point[goal, PAUSE]
            ints[_PEDESTRIAN.stage, i] = _RESTING
            ready = floats[_PEDESTRIAN.rest, i] <= 0.0
    if ready:
        if take_next_waypoint(ints, scene, i, seed):
            start_leg(floats, ints, i)
        else:
            ints[_PEDESTRIAN.stage, i], ints[_PEDESTRIAN.crosswalk, i] = _ARRIVED, -1


@inner_kernel
def way_to_goal(floats: FloatArray, ints: IntArray, scene: WalkScene, i: int) -> tuple[float, float, float, float]:
    """Where a pedestrian goes, and how fast.

    Returns:
        Direction of length 1, or zeros for nowhere, the distance, infinite where a command gives the direction [m],
        and speed [m/s].
    """
    stage = ints[_PEDESTRIAN.stage, i]
    if stage == _DRIVEN:
        speed = math.hypot(floats[_PEDESTRIAN.drive_x, i], floats[_PEDESTRIAN.drive_y, i])
        if speed > 0.0:
            return floats[_PEDESTRIAN.drive_x, i] / speed, floats[_PEDESTRIAN.drive_y, i] / speed, math.inf, speed
    if not _WALK <= stage <= _CROSS:
        return 0.0, 0.0, 0.0, 0.0
    goal = scene.route_first[i] + ints[_PEDESTRIAN.waypoint, i]
    out_x = scene.route_point[goal, 0] - floats[_PEDESTRIAN.x, i]
    out_y = scene.route_point[goal, 1] - floats[_PEDESTRIAN.y, i]
    distance, speed = max(math.hypot(out_x, out_y), 1e-9), scene.route_point[goal, SPEED]
    if not speed > 0.0:
        speed = floats[_PEDESTRIAN.desired_speed, i]
    return out_x / distance, out_y / distance, distance, speed


@inner_kernel
def wish_of(floats: FloatArray, ints: IntArray, scene: WalkScene, i: int) -> tuple[float, float, float]:
    """The velocity that a pedestrian wants: direction of length 1, or zeros to stand, and speed [m/s]."""
    out_x, out_y, distance, limit = way_to_goal(floats, ints, scene, i)
    if limit <= 0.0:
        if ints[_PEDESTRIAN.side, i] == STEPS_BACK:
            speed = HURRY_FACTOR * floats[_PEDESTRIAN.desired_speed, i]
            return floats[_PEDESTRIAN.aside_x, i], floats[_PEDESTRIAN.aside_y, i], speed
        return 0.0, 0.0, 0.0
    if distance < math.inf:
        goal = scene.route_first[i] + ints[_PEDESTRIAN.waypoint, i]
        way_x, way_y, length, along = place_on_leg(floats, scene, goal, i)
        if along > floats[_PEDESTRIAN.crossing_end, i]:
            x, y = floats[_PEDESTRIAN.leg_x, i], floats[_PEDESTRIAN.leg_y, i]
            found, begin, end = find_crossing(scene.crosswalks, x, y, way_x, way_y, length, along)
            ints[_PEDESTRIAN.crosswalk, i] = found
            floats[_PEDESTRIAN.crossing_begin, i], floats[_PEDESTRIAN.crossing_end, i] = begin, end
            ints[_PEDESTRIAN.stage, i] = _WALK
        limit = cross(floats, ints, scene, i, along, limit)
        if ints[_PEDESTRIAN.stage, i] == _WAIT and ints[_PEDESTRIAN.side, i] != STEPS_BACK:
            back = along - floats[_PEDESTRIAN.crossing_begin, i] + scene.kerb[ints[_PEDESTRIAN.crosswalk, i]]
            if back > MAX_WAITING_OFFSET:
                return -way_x, -way_y, min(slow_down(back), floats[_PEDESTRIAN.allowed_speed, i])
        ends = ints[_PEDESTRIAN.mode, i] == _ONCE and goal == scene.route_first[i + 1] - 1
        if ends or scene.route_point[goal, PAUSE] > 0.0:
            limit = min(limit, slow_down(length - along) + LAST_STEP_SPEED)
    if ints[_PEDESTRIAN.stage, i] == _WAIT and ints[_PEDESTRIAN.side, i] == STEPS_BACK:
        return floats[_PEDESTRIAN.aside_x, i], floats[_PEDESTRIAN.aside_y, i], floats[_PEDESTRIAN.desired_speed, i]
    if floats[_PEDESTRIAN.aside_x, i] != 0.0 or floats[_PEDESTRIAN.aside_y, i] != 0.0:
        out_x, out_y = floats[_PEDESTRIAN.aside_x, i], floats[_PEDESTRIAN.aside_y, i]
    return out_x, out_y, min(limit, floats[_PEDESTRIAN.allowed_speed, i])


@inner_kernel
def slow_down(distance: float) -> float:
    """Speed from which a pedestrian can still stop within a distance [m], the lag of its legs allowed for [m/s]."""
    left = max(distance, 0.0)
    return min(math.sqrt(2.0 * WALKER_DECELERATION * left), left / RELAXATION_TIME)


@inner_kernel
def cross(floats: FloatArray, ints: IntArray, scene: WalkScene, i: int, along: float, speed: float) -> float:
    """Apply the rules of the next crosswalk on the leg: writes the stage. Returns the speed that they allow [m/s]."""
    k = ints[_PEDESTRIAN.crosswalk, i]
    if k < 0:
        return speed
    stage, kerb = ints[_PEDESTRIAN.stage, i], floats[_PEDESTRIAN.crossing_begin, i] - scene.kerb[k] - along
    over = scene.walk[k] != _NO_LIGHT and scene.walk[k] != _GO
    if along > floats[_PEDESTRIAN.crossing_begin, i] or (stage == _CROSS and not over):
        ints[_PEDESTRIAN.stage, i] = _CROSS
        return HURRY_FACTOR * speed if over else speed
    if may_cross(floats, ints, scene, i):
        if kerb < CROSSING_START_DISTANCE:
            ints[_PEDESTRIAN.stage, i] = _CROSS
        elif stage == _WAIT:
            ints[_PEDESTRIAN.stage, i] = _WALK
        return speed
    if kerb < WAYPOINT_TOLERANCE or (
        stage == _WAIT and (kerb < MAX_WAITING_OFFSET or ints[_PEDESTRIAN.side, i] == STEPS_BACK)
    ):
        # a pedestrian that had started but is not on the road yet does not step on it any more
        ints[_PEDESTRIAN.stage, i] = _WAIT
        return 0.0
    ints[_PEDESTRIAN.stage, i] = _WALK
    return min(speed, slow_down(kerb) + LAST_STEP_SPEED)
