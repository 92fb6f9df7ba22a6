"""The decisions of pedestrians: when to start, where to go next, and when to wait at a crosswalk."""

from __future__ import annotations

import math
from typing import NamedTuple

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.pedestrian.gap_kernel import way_to_area
from dorosim.world.pedestrian.random_choice_kernel import choose
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.signal.state import WalkSignal
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.waypoint import PAUSE, SPEED

RELAXATION = 0.5
"""Time in which the velocity comes up to the desired one [s] (Helbing and Molnar 1995)."""
BRAKING = 0.2
"""The same while a pedestrian slows down to stop [s], short enough that it does not overshoot the kerb."""
HURRY = 1.4
"""Factor on the speed of a pedestrian on a crosswalk when green flashes or is over; fast walking over comfortable
walking (R. W. Bohannon, Age and Ageing 26 (1997) 15)."""
CREEP = 0.05
"""Speed with which a pedestrian takes the last step [m/s]."""
STOPPING = 1.0
"""Deceleration with which a pedestrian stops at a kerb or at the end of its way [m/s^2]."""
KERB = 0.5
"""A pedestrian that may cross counts as crossing from this distance before the place to wait on [m]."""
FLEEING = 2
"""`side` of a pedestrian that waits, but steps back before a body that comes too near."""
STEP_BACK = 0.2
"""A pedestrian that waits farther than this from the place to wait goes there [m]."""
ARRIVAL = 0.03
"""A waypoint counts as reached this far before it [m]."""
START_UP = 3.0
"""Time beyond that for crossing, in the gap that a pedestrian accepts where there is no light [s] (Highway Capacity
Manual 2010, equation 19-69)."""
SHORTEST_CROSSING = 1.0
"""A way that cuts less than this [m] off a crosswalk does not cross it."""

_S = PedestrianState
_X, _Y, _DESIRED, _ACTIVE = _S.x.index, _S.y.index, _S.desired_speed.index, _S.active_distance.index
_LEG_X, _LEG_Y, _REST = _S.leg_x.index, _S.leg_y.index, _S.rest.index
_ALLOWED, _ASIDE_X, _ASIDE_Y = _S.allowed_speed.index, _S.aside_x.index, _S.aside_y.index
_BARRED, _SIDE = _S.barred.index, _S.side.index
_BEGIN, _END, _DRIVE_X, _DRIVE_Y = _S.crossing_begin.index, _S.crossing_end.index, _S.drive_x.index, _S.drive_y.index
_ID, _MODE, _STAGE, _STARTED = _S.id.index, _S.mode.index, _S.stage.index, _S.started.index
_WAYPOINT, _DIRECTION, _CROSSWALK, _DRAWN = _S.waypoint.index, _S.direction.index, _S.crosswalk.index, _S.drawn.index

_IDLE, _WALK, _WAIT, _CROSS = int(Stage.IDLE), int(Stage.WALK), int(Stage.WAIT), int(Stage.CROSS)
_RESTING, _ARRIVED, _DRIVEN = int(Stage.REST), int(Stage.ARRIVED), int(Stage.DRIVEN)
_ONCE, _CLOSED, _REPEAT = int(CharacterMode.ONCE), int(CharacterMode.CLOSED_LOOP), int(CharacterMode.REPEAT)
_LOOP, _NEW, _STAND = int(CharacterMode.LOOP), int(CharacterMode.NEW_PATH), int(CharacterMode.STAND)
_NO_LIGHT, _GO = int(WalkSignal.NONE), int(WalkSignal.GO)


class CrosswalkArrays(NamedTuple):
    """Crosswalks as the kernels see them; all arrays are read-only.

    Attributes:
        first: `(K + 1,)` first corner of each area.
        corner: `(P, 3)` corners in order around each area, in map [m].
        circle: `(K, 3)` x, y and radius of a circle around each area, in map [m].
    """

    first: WholeArray
    corner: RealArray
    circle: RealArray


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

    route_first: WholeArray
    route_point: RealArray
    crosswalks: CrosswalkArrays
    walk: WholeArray
    gap: RealArray
    kerb: RealArray
    radius: RealArray
    height: RealArray
    ego_x: RealArray
    ego_y: RealArray


@inner_kernel
def bare_scene(scene: WalkScene) -> WalkScene:
    """The same scene with bare arrays."""
    crosswalks = CrosswalkArrays(
        bare(scene.crosswalks.first), bare(scene.crosswalks.corner), bare(scene.crosswalks.circle)
    )
    return WalkScene(
        bare(scene.route_first),
        bare(scene.route_point),
        crosswalks,
        bare(scene.walk),
        bare(scene.gap),
        bare(scene.kerb),
        bare(scene.radius),
        bare(scene.height),
        bare(scene.ego_x),
        bare(scene.ego_y),
    )


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
        begin, end = way_to_area(crosswalks.first, crosswalks.corner, k, x, y, way_x, way_y)
        if end > after and min(end, length) - max(begin, 0.0) >= SHORTEST_CROSSING and begin < best_begin:
            best, best_begin, best_end = k, begin, end
    return best, best_begin, best_end


@inner_kernel
def start_leg(real: RealArray, whole: WholeArray, i: int) -> None:
    """Begin the leg from where a pedestrian is to its waypoint; the first step looks for its first crosswalk."""
    real[_ASIDE_X, i], real[_ASIDE_Y, i], whole[_SIDE, i] = 0.0, 0.0, 0
    real[_LEG_X, i], real[_LEG_Y, i] = real[_X, i], real[_Y, i]
    whole[_STAGE, i], whole[_CROSSWALK, i] = _WALK, -1
    real[_BEGIN, i] = real[_END, i] = -math.inf


@inner_kernel
def take_next_waypoint(whole: WholeArray, scene: WalkScene, i: int, seed: int) -> bool:
    """Choose the next waypoint by the character mode. Returns whether there is one."""
    count = scene.route_first[i + 1] - scene.route_first[i]
    mode, present = whole[_MODE, i], whole[_WAYPOINT, i]
    following = present + 1
    if mode == _CLOSED:
        following = following % count
    elif mode == _REPEAT:
        if not 0 <= present + whole[_DIRECTION, i] < count:
            whole[_DIRECTION, i] = -whole[_DIRECTION, i]
        following = present + whole[_DIRECTION, i]
    elif mode == _LOOP and following >= count:
        following = 1
    elif mode == _NEW and count > 2:
        # another destination at random; the first point of the route is where it came in
        following = 1 + choose(seed, whole[_ID, i], whole[_DRAWN, i], count - 2)
        if following >= present:
            following += 1
        whole[_DRAWN, i] += 1
    if following == present or not 0 <= following < count:
        return False
    whole[_WAYPOINT, i] = following
    return True


@inner_kernel
def is_awake(real: RealArray, whole: WholeArray, scene: WalkScene, i: int) -> bool:
    """Whether an idle pedestrian starts now: by a command, or because an ego vehicle is near."""
    if whole[_MODE, i] == _STAND:
        return False
    if whole[_STARTED, i] != 0:
        return True
    reach = real[_ACTIVE, i]
    for e in range(scene.ego_x.shape[0]):
        if math.hypot(scene.ego_x[e] - real[_X, i], scene.ego_y[e] - real[_Y, i]) < reach:
            return True
    return False


@inner_kernel
def may_cross(real: RealArray, whole: WholeArray, scene: WalkScene, i: int) -> bool:
    """Whether a pedestrian may step on the next crosswalk: by its light, else by the gap in traffic."""
    k = whole[_CROSSWALK, i]
    needed = (real[_END, i] - real[_BEGIN, i] + scene.kerb[k]) / max(real[_DESIRED, i], 0.1) + START_UP
    free: bool = scene.walk[k] == _GO or (scene.walk[k] == _NO_LIGHT and scene.gap[k] >= needed)
    return free


@inner_kernel
def place_on_leg(real: RealArray, scene: WalkScene, goal: int, i: int) -> tuple[float, float, float, float]:
    """Direction of the leg to a waypoint, of length 1, its length [m], and how far along it the pedestrian is [m]."""
    leg_x, leg_y = scene.route_point[goal, 0] - real[_LEG_X, i], scene.route_point[goal, 1] - real[_LEG_Y, i]
    length = math.hypot(leg_x, leg_y)
    way_x, way_y = (leg_x / length, leg_y / length) if length > 0.0 else (1.0, 0.0)
    along = (real[_X, i] - real[_LEG_X, i]) * way_x + (real[_Y, i] - real[_LEG_Y, i]) * way_y
    return way_x, way_y, length, along


@inner_kernel
def change_stage(real: RealArray, whole: WholeArray, scene: WalkScene, i: int, dt: float, seed: int) -> None:
    """Start a pedestrian that stands idle, let it go on after a rest, and to the next waypoint where it reaches one."""
    stage = whole[_STAGE, i]
    ready = False
    if stage == _IDLE and is_awake(real, whole, scene, i):
        whole[_WAYPOINT, i] = 0
        whole[_STAGE, i] = _ARRIVED
        if scene.route_first[i + 1] - scene.route_first[i] > 1:
            whole[_WAYPOINT, i] = 1
            start_leg(real, whole, i)
    elif stage == _RESTING:
        real[_REST, i] -= dt
        ready = real[_REST, i] <= 0.0
    elif _WALK <= stage <= _CROSS:
        goal = scene.route_first[i] + whole[_WAYPOINT, i]
        _, _, length, along = place_on_leg(real, scene, goal, i)
        if along >= length - ARRIVAL or whole[_BARRED, i] == 1:
            whole[_BARRED, i] = 0
            real[_REST, i] = scene.route_point[goal, PAUSE]
            whole[_STAGE, i] = _RESTING
            ready = real[_REST, i] <= 0.0
    if ready:
        if take_next_waypoint(whole, scene, i, seed):
            start_leg(real, whole, i)
        else:
            whole[_STAGE, i], whole[_CROSSWALK, i] = _ARRIVED, -1


@inner_kernel
def way_to_goal(real: RealArray, whole: WholeArray, scene: WalkScene, i: int) -> tuple[float, float, float, float]:
    """Where a pedestrian goes, and how fast.

    Returns:
        Direction of length 1, or zeros for nowhere, the distance, infinite where a command gives the direction [m],
        and speed [m/s].
    """
    stage = whole[_STAGE, i]
    if stage == _DRIVEN:
        speed = math.hypot(real[_DRIVE_X, i], real[_DRIVE_Y, i])
        if speed > 0.0:
            return real[_DRIVE_X, i] / speed, real[_DRIVE_Y, i] / speed, math.inf, speed
    if not _WALK <= stage <= _CROSS:
        return 0.0, 0.0, 0.0, 0.0
    goal = scene.route_first[i] + whole[_WAYPOINT, i]
    out_x, out_y = scene.route_point[goal, 0] - real[_X, i], scene.route_point[goal, 1] - real[_Y, i]
    distance = max(math.hypot(out_x, out_y), 1e-9)
    speed = scene.route_point[goal, SPEED] if scene.route_point[goal, SPEED] > 0.0 else real[_DESIRED, i]
    return out_x / distance, out_y / distance, distance, speed


@inner_kernel
def wish_of(real: RealArray, whole: WholeArray, scene: WalkScene, i: int) -> tuple[float, float, float]:
    """The velocity that a pedestrian wants: direction of length 1, or zeros to stand, and speed [m/s]."""
    out_x, out_y, distance, limit = way_to_goal(real, whole, scene, i)
    if limit <= 0.0:
        return 0.0, 0.0, 0.0
    if distance < math.inf:
        goal = scene.route_first[i] + whole[_WAYPOINT, i]
        way_x, way_y, length, along = place_on_leg(real, scene, goal, i)
        if along > real[_END, i]:
            found = find_crossing(scene.crosswalks, real[_LEG_X, i], real[_LEG_Y, i], way_x, way_y, length, along)
            whole[_CROSSWALK, i], real[_BEGIN, i], real[_END, i] = found
            whole[_STAGE, i] = _WALK
        limit = cross(real, whole, scene, i, along, limit)
        if whole[_STAGE, i] == _WAIT and whole[_SIDE, i] != FLEEING:
            back = along - real[_BEGIN, i] + scene.kerb[whole[_CROSSWALK, i]]
            if back > STEP_BACK:
                return -way_x, -way_y, min(slow_down(back), real[_ALLOWED, i])
        ends = whole[_MODE, i] == _ONCE and goal == scene.route_first[i + 1] - 1
        if ends or scene.route_point[goal, PAUSE] > 0.0:
            limit = min(limit, slow_down(length - along) + CREEP)
    if whole[_STAGE, i] == _WAIT and whole[_SIDE, i] == FLEEING:
        return real[_ASIDE_X, i], real[_ASIDE_Y, i], real[_DESIRED, i]
    if real[_ASIDE_X, i] != 0.0 or real[_ASIDE_Y, i] != 0.0:
        out_x, out_y = real[_ASIDE_X, i], real[_ASIDE_Y, i]
    return out_x, out_y, min(limit, real[_ALLOWED, i])


@inner_kernel
def slow_down(distance: float) -> float:
    """Speed from which a pedestrian can still stop within a distance [m], the lag of its legs allowed for [m/s]."""
    left = max(distance, 0.0)
    return min(math.sqrt(2.0 * STOPPING * left), left / RELAXATION)


@inner_kernel
def cross(real: RealArray, whole: WholeArray, scene: WalkScene, i: int, along: float, speed: float) -> float:
    """Apply the rules of the next crosswalk on the leg: writes the stage. Returns the speed that they allow [m/s]."""
    k = whole[_CROSSWALK, i]
    if k < 0:
        return speed
    stage, kerb = whole[_STAGE, i], real[_BEGIN, i] - scene.kerb[k] - along
    over = scene.walk[k] != _NO_LIGHT and scene.walk[k] != _GO
    if along > real[_BEGIN, i] or (stage == _CROSS and not over):
        whole[_STAGE, i] = _CROSS
        return HURRY * speed if over else speed
    if may_cross(real, whole, scene, i):
        if kerb < KERB:
            whole[_STAGE, i] = _CROSS
        elif stage == _WAIT:
            whole[_STAGE, i] = _WALK
        return speed
    if kerb < ARRIVAL or (stage == _WAIT and (kerb < STEP_BACK or whole[_SIDE, i] == FLEEING)):
        # a pedestrian that had started but is not on the road yet does not step on it any more
        whole[_STAGE, i] = _WAIT
        return 0.0
    whole[_STAGE, i] = _WALK
    return min(speed, slow_down(kerb) + CREEP)
