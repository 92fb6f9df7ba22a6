"""Drivers pass what stands in their way: in their own lane, over a lane beside it, or over an oncoming one.

A driver waits until it is plain that the body ahead does not only wait itself, then looks for a path around it on
which its body touches nothing, and for time enough on the lane beside. A path aside and back is tried out before it is
begun (`sweep_is_clear`), from the gentlest to that of full steering angle.

Sources: crossing the centre line, a solid one too, where an obstacle blocks the own side of the road: Road Traffic Act
of Korea, article 13 (4) 2; the distance to people: article 19 (2) and the 1 m and more of passing cyclists in general
use; comfortable lateral acceleration: ISO 15622 and 11270 limit assistance systems to 2 to 3 m/s².
"""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.signal.permission import Permission
from dorosim.world.traffic.conflict_kernel import travel_time
from dorosim.world.traffic.crossing_kernel import is_on_used_crosswalk
from dorosim.world.traffic.decision_table_kernel import ENTRY, REPORT, VEHICLE, Special, Workspace, span_of
from dorosim.world.traffic.follow_kernel import SMALL_BODY, turn_out_room
from dorosim.world.traffic.pass_room_kernel import (
    LANE_BESIDE,
    ONCOMING_LANE,
    VERGE_ROOM,
    is_free_beside,
    room_beyond,
    side_room,
)
from dorosim.world.traffic.pass_surrounding_kernel import boxes_beyond, surrounding_boxes
from dorosim.world.traffic.pass_sweep_kernel import bend_margin, sweep_is_clear
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.state import Obstruction, Passing, TrafficState

MAX_PASSED_SPEED = 2.0
"""A body that moves along the lane slower than this is passed [m/s]: people on foot, and all that stands."""

BLOCKED_TIME, SOLID_LINE_BLOCKED_TIME, JUNCTION_BLOCKED_TIME = 3.0, 8.0, 10.0
"""A driver that is blocked passes after this time [s]; over a line that is not painted as one to cross, and where the
body may wait for a junction, after this one."""

VERGE_BLOCKED_TIME, ONCOMING_VERGE_BLOCKED_TIME = 10.0, 30.0
"""Where there is no other way a driver passes over the verge after this time [s], or this one where oncoming vehicles
leave the other side in the end."""

SECOND_LANE_BLOCKED_TIME = 6.0
"""A driver passes over two lanes beside its own, which lead its way, after this time [s]."""

LANE_SWING, VERGE_SWING = 0.1, 1.0
"""The front may swing out beyond the room over lanes, and over the verge, by this [m]."""

SQUEEZE_TIME, SQUEEZE_GAP = 8.0, 0.32
"""A driver that has been blocked for longer passes vehicles slowly, with this distance at the side [s, m]."""

QUEUED_BLOCKED_TIME = 5.5
"""A driver in a queue behind a body has seen it for so long, at most, when its turn comes [s]."""

OWN_LANE_BLOCKED_TIME = 1.0
"""A driver passes within its own lane after this time [s]."""

LIGHT_QUEUE_LENGTH, JUNCTION_QUEUE_LENGTH = 30.0, 15.0
"""A body this near before a light that is not green [m], or before a junction, may be waiting there."""

QUEUE_GAP = 10.0
"""A body so near behind a vehicle that stands itself is in a queue [m]."""

PASSING_GAP, PASSING_GAP_TO_PEOPLE = 0.4, 1.0
"""Distance at the side with which vehicles, and people or small things, are passed [m]."""

PASS_SPEED, PASS_SPEED_BESIDE_PEOPLE = 30.0 / 3.6, 10.0 / 3.6
"""Vehicles, and people or small things, are passed with at most these speeds [m/s]."""

PASS_LATERAL_ACCELERATION = 1.5
"""Lateral acceleration of a path around something, at most [m/s²]."""

MIN_TURN = 0.6
"""Tangent of the largest steering angle of a driver's path: over it the wheelbase is the radius of the turn."""

MAX_PASS_SLOPE, PASS_SLOPES = 0.6, (0.42, 0.3, 0.2)
"""A path around something leads away from the lane by at most this [m of offset per m of way]; by less
where the front, which swings out, needs it: that of a long vehicle, or between a body and a pole."""

PASS_GROUP_GAP = 12.0
"""Bodies that are nearer to each other than this along the lane are passed as one [m]."""

RETURN_MARGIN = 0.5
"""How far the rear is beyond what it passed when a vehicle begins to go back to its lane [m]."""

_TRAFFIC, _CONSIDERS = TrafficState.at, int(Special.CONSIDERS)
_OBSTRUCTION = Obstruction.at
_NOT_PASSING, _OWN_LANE = int(Passing.NOTHING), int(Passing.OWN_LANE)
_LANE_BESIDE, _ONCOMING_LANE = int(Passing.LANE_BESIDE), int(Passing.ONCOMING_LANE)
_VERGE = int(Passing.VERGE)
_CLEAR = int(Permission.CLEAR)


@inner_kernel
def covers(work: Workspace, body: int, half: float) -> bool:
    """Whether an obstruction is in the way of a body of a half width in the middle of the lane."""
    return bool(
        work.obstruction[_OBSTRUCTION.right, body] <= half and work.obstruction[_OBSTRUCTION.left, body] >= -half
    )


@outlined_kernel
def waiting_excuse(road: RoadArrays, work: Workspace, row: int, body: int, k: int) -> float:
    """How much longer a driver waits since the body ahead may be waiting itself [s]; negative for as long as it may.

    Args:
        road: the roads.
        work: scratch.
        row: of the driver's vehicle.
        body: row of the obstruction.
        k: which link of the vehicle's path it stands on.
    """
    front = work.obstruction[_OBSTRUCTION.front, body]
    if front - work.obstruction[_OBSTRUCTION.rear, body] < SMALL_BODY:
        return 0.0
    if work.obstruction[_OBSTRUCTION.emergency, body] != 0.0:
        return 0.0
    link = work.path[row, k]
    for at in span_of(work.entry_span, link):
        ahead = work.entry[at, ENTRY.rear] - front
        other = work.entry_vehicle[at]
        passes = work.ints[_TRAFFIC.passing, other] != _NOT_PASSING
        if 0.0 < ahead + 1.0 < QUEUE_GAP and work.vehicle[other, VEHICLE.speed] < MAX_PASSED_SPEED and not passes:
            return -1.0
    if k + 1 < work.vehicle_ints[row, VEHICLE.path_count]:
        following = work.path[row, k + 1]
        left = road.link[link, LINK.stop_line] - front
        if road.link_ints[following, LINK.signalled] == 1:
            if left < LIGHT_QUEUE_LENGTH and work.permission[following] >= _CLEAR:
                return -1.0
        elif road.link_ints[following, LINK.conflicting] == 1 and left < JUNCTION_QUEUE_LENGTH:
            return JUNCTION_BLOCKED_TIME
    return 0.0


@outlined_kernel
def group_ahead(
    road: RoadArrays, work: Workspace, row: int, body: int, k: int
) -> tuple[float, float, float, float, bool]:
    """The bodies that are passed as one with an obstruction.

    Returns:
        rear and front of the group from the start of the vehicle's link, right and left from the middle of the lane
        [m]; and whether all of them are small.
    """
    half = 0.5 * work.floats[_TRAFFIC.width, row] + PASSING_GAP
    way = 0.0
    for j in range(k):
        way += road.link[work.path[row, j], LINK.length]
    rear = way + work.obstruction[_OBSTRUCTION.rear, body]
    front = way + work.obstruction[_OBSTRUCTION.front, body]
    right, left = work.obstruction[_OBSTRUCTION.right, body], work.obstruction[_OBSTRUCTION.left, body]
    small = work.obstruction[_OBSTRUCTION.front, body] - work.obstruction[_OBSTRUCTION.rear, body] < SMALL_BODY
    for j in range(k, work.vehicle_ints[row, VEHICLE.path_count]):
        link = work.path[row, j]
        for at in span_of(work.body_span, link):
            one = work.obstruction_row[at]
            begin, end = way + work.obstruction[_OBSTRUCTION.rear, one], way + work.obstruction[_OBSTRUCTION.front, one]
            if work.obstruction[_OBSTRUCTION.passing_vehicle, one] > 0.0:
                continue
            if one == body or begin > front + PASS_GROUP_GAP or end < rear - PASS_GROUP_GAP:
                continue
            if covers(work, one, half) and work.obstruction[_OBSTRUCTION.speed, one] < MAX_PASSED_SPEED:
                rear, front = min(rear, begin), max(front, end)
                right = min(right, work.obstruction[_OBSTRUCTION.right, one])
                left = max(left, work.obstruction[_OBSTRUCTION.left, one])
                small = small and end - begin < SMALL_BODY
        way += road.link[link, LINK.length]
        if way > front + PASS_GROUP_GAP:
            break
    return rear, front, right, left, small


@outlined_kernel
def room_of_choice(
    road: RoadArrays, work: Workspace, row: int, choice: int, begin: float, end: float, blocked: float
) -> tuple[int, bool, float, bool, bool]:
    """Where a driver could pass something.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        choice: even left, odd right; 0 and 1 within its lane, 2 and 3 over the lane beside, 4 and 5 over the verge, 6
            and 7 over the lane beside and what lies beyond that.
        begin: as of `side_room`.
        end: likewise.
        blocked: for how long it has been blocked [s].

    Returns:
        what lane is beside and whether the line between is painted as one to cross, as of `side_room`; how far the body
        may come to that side [m], -1 where there is no such way; whether that is over the verge; and over two lanes.
    """
    side = choice & 1
    own_room, room, kind, crossable = side_room(road, work, row, side, begin, end)
    if choice < 2:
        return kind, crossable, own_room, False, False
    over_lane = kind in (LANE_BESIDE, ONCOMING_LANE)
    if choice < 4:
        return kind, crossable, (room if over_lane else -1.0), False, False
    if choice < 6:
        return kind, crossable, (-1.0 if over_lane else own_room + VERGE_ROOM), True, False
    more, two = room_beyond(road, work, row, side, begin, end) if over_lane else (0.0, False)
    if more <= 0.0 or blocked < SECOND_LANE_BLOCKED_TIME:
        return kind, crossable, -1.0, True, False
    return kind, crossable, room + more, not two, two


@outlined_kernel
def try_pass(road: RoadArrays, work: Workspace, row: int, body: int, k: int, excuse: float) -> bool:
    """Begin to pass an obstruction, if there is a way around it. Returns whether the vehicle has begun.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        body: row of the obstruction.
        k: which link of the vehicle's path it stands on.
        excuse: how much longer than otherwise the driver waits [s].
    """
    rear, front, right, left, small = group_ahead(road, work, row, body, k)
    s, length = work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.length]
    half, speed = 0.5 * work.floats[_TRAFFIC.width, row], work.vehicle[row, VEHICLE.speed]
    blocked = work.floats[_TRAFFIC.blocked_time, row] - excuse
    gap = PASSING_GAP_TO_PEOPLE if small else (PASSING_GAP if blocked < SQUEEZE_TIME else SQUEEZE_GAP)
    gap += bend_margin(road, work, row, front)
    end = front + length + RETURN_MARGIN
    boxes = surrounding_boxes(road, work, row, end + 2.0 * length)
    around = boxes.shape[0]
    for choice in range(8):
        side = choice & 1
        target = left + gap + half if side == 0 else right - gap - half
        kind, crossable, bound, verge, two = room_of_choice(road, work, row, choice, rear - 5.0, end, blocked)
        swing = VERGE_SWING if verge else LANE_SWING
        if abs(target) + half > bound + (LANE_SWING if 2 <= choice < 4 else 0.0):
            continue
        if two:
            boxes = boxes_beyond(road, work, row, side, end + 2.0 * length, boxes[:around])
        patience = BLOCKED_TIME if kind == LANE_BESIDE or crossable else SOLID_LINE_BLOCKED_TIME
        if verge:
            other_kind = side_room(road, work, row, 1 - side, rear - 5.0, end)[2]
            patience = ONCOMING_VERGE_BLOCKED_TIME if other_kind == ONCOMING_LANE else VERGE_BLOCKED_TIME
        if blocked < (OWN_LANE_BLOCKED_TIME if choice < 2 else patience):
            continue
        limit = PASS_SPEED_BESIDE_PEOPLE if small or verge or blocked > SQUEEZE_TIME else PASS_SPEED
        for bend in range(6):
            most = PASS_LATERAL_ACCELERATION / max(speed * speed, 1e-3)
            curvature = MIN_TURN / work.floats[_TRAFFIC.wheelbase, row]
            if bend < 2:
                curvature = min(curvature, PASS_LATERAL_ACCELERATION / (limit * limit) * (1.0 if bend == 0 else 4.0))
            if curvature > most:
                continue
            slope = MAX_PASS_SLOPE if bend < 3 else PASS_SLOPES[bend - 3]
            clear, out = sweep_is_clear(road, work, row, boxes, target, end, curvature, slope, bound + swing, verge)
            if not clear:
                continue
            limit = min(limit, (PASS_LATERAL_ACCELERATION / curvature) ** 0.5)
            duration = travel_time(out - s, min(speed, limit), limit, work.vehicle[row, VEHICLE.acceleration])
            if choice >= 2 and not is_free_beside(road, work, row, side, target, out, duration, two):
                break
            over = _LANE_BESIDE if kind == LANE_BESIDE else _ONCOMING_LANE
            # who is still out beside its lane keeps being seen there
            own = max(work.ints[_TRAFFIC.passing, row], _OWN_LANE)
            work.ints[_TRAFFIC.passing, row] = own if choice < 2 else (_VERGE if verge else over)
            work.floats[_TRAFFIC.pass_lateral, row], work.floats[_TRAFFIC.pass_end, row] = target, end
            work.floats[_TRAFFIC.pass_curvature, row], work.floats[_TRAFFIC.pass_speed, row] = curvature, limit
            work.floats[_TRAFFIC.pass_slope, row] = slope
            return True
    return False


@outlined_kernel
def stay_out(road: RoadArrays, work: Workspace, row: int) -> None:
    """Let a vehicle that passes stay out as long as what it passes, or what comes next, is beside its way back."""
    s, length = work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.length]
    half = 0.5 * work.floats[_TRAFFIC.width, row] + PASSING_GAP
    end, way = work.floats[_TRAFFIC.pass_end, row], 0.0
    if s > end:
        return
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        link = work.path[row, k]
        for at in span_of(work.body_span, link):
            one = work.obstruction_row[at]
            rear, front = (
                way + work.obstruction[_OBSTRUCTION.rear, one],
                way + work.obstruction[_OBSTRUCTION.front, one],
            )
            stands = work.obstruction[_OBSTRUCTION.passing_vehicle, one] == 0.0
            if stands and rear < end + length and front > s - length and covers(work, one, half):
                end = max(end, front + length + RETURN_MARGIN)
        way += road.link[link, LINK.length]
        if way > end + length:
            break
    work.floats[_TRAFFIC.pass_end, row] = end


@inner_kernel
def decide_to_pass(
    road: RoadArrays, work: Workspace, row: int, body: int, k: int, clear: float, decision: float
) -> None:
    """Count how long a driver is blocked by a body, and pass it when it is time.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        body: row of the nearest obstruction in its way, -1 for none.
        k: which link of the vehicle's path that stands on.
        clear: gap to it [m].
        decision: time until the next decision [s].
    """
    if work.ints[_TRAFFIC.passing, row] != _NOT_PASSING:
        stay_out(road, work, row)
    if body < 0 and clear < PASS_HORIZON and work.vehicle[row, VEHICLE.speed] < MAX_PASSED_SPEED:
        blocked = work.floats[_TRAFFIC.blocked_time, row]
        work.floats[_TRAFFIC.blocked_time, row] = max(blocked, min(blocked + decision, QUEUED_BLOCKED_TIME))
        return
    slow = body >= 0 and abs(work.obstruction[_OBSTRUCTION.speed, max(body, 0)]) < MAX_PASSED_SPEED
    if not slow or clear > PASS_HORIZON:
        if work.floats[_TRAFFIC.blocked_time, row] > 0.0:
            work.floats[_TRAFFIC.blocked_time, row] = max(work.floats[_TRAFFIC.blocked_time, row] - decision, 0.0)
        return
    rear, front = work.obstruction[_OBSTRUCTION.rear, body], work.obstruction[_OBSTRUCTION.front, body]
    if is_on_used_crosswalk(work, work.path[row, k], rear, front):
        return  # people walk on, and others may come out from behind
    excuse = waiting_excuse(road, work, row, body, k)
    if excuse < 0.0:
        return
    work.floats[_TRAFFIC.blocked_time, row] += decision
    speed = work.vehicle[row, VEHICLE.speed]
    if (
        work.vehicle_ints[row, VEHICLE.special] & _CONSIDERS != 0
        and clear < PASS_BEGIN_DISTANCE + turn_out_room(work, row, body) + PASS_BEGIN_TIME * speed
        and work.ints[_TRAFFIC.change_from, row] < 0
        and work.link_ints[work.path[row, 0], REPORT.changed_to] == 0
    ):
        try_pass(road, work, row, body, k, excuse)


PASS_HORIZON = 40.0
"""A driver that is nearer to a body in its way than this counts how long that stands [m]."""

PASS_BEGIN_DISTANCE, PASS_BEGIN_TIME = 9.0, 2.0
"""A driver begins to pass at most this far [m] and the way of this time [s] before it would stop behind a body."""
