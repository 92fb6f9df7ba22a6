"""What a driver that would pass finds beside its lane: room, and vehicles that come."""

from __future__ import annotations

import numpy as np

from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.traffic.decision_table_kernel import (
    ENTRY,
    RARE,
    REPORT,
    UNBOUNDED,
    VEHICLE,
    Workspace,
    mark_changed,
    rows_of,
    span_of,
)
from dorosim.world.traffic.lane_beside_kernel import lane_beyond
from dorosim.world.traffic.pass_surrounding_kernel import MAX_PASS_HALT_SPEED
from dorosim.world.traffic.road import BESIDE, IN_JUNCTION, LINK, RoadArrays
from dorosim.world.traffic.state import Obstruction, TrafficState, Waiting

NO_LANE_BESIDE, LANE_BESIDE, ONCOMING_LANE, CROSSING_LANES = 0, 1, 2, 3
"""What `side_room` finds: no lane somewhere, lanes that lead the same way, oncoming ones, or lanes that cross."""

ONCOMING_MARGIN = 2.0
"""Time that is left at least between coming back and meeting an oncoming vehicle [s]."""

FOLLOWER_DECELERATION = 2.5
"""A follower on the lane beside must not have to brake harder than this [m/s²]."""

STANDING_GAP = 3.0
"""Distance to vehicles on the lane beside, at least [m]."""

ONCOMING_START_ACCELERATION = 1.0
"""An oncoming vehicle that stands is taken to drive off with this [m/s²]."""

COURTESY_REACH = 8.0
"""A driver that stands this near to where it lets another in is waiting for that [m]."""

BLOCKED_ITSELF_TIME = 2.0
"""A vehicle that stands and has been blocked for longer than this does not drive off by itself [s]."""

VERGE_ROOM = 4.0
"""A driver passes over the verge so far beyond the lanes, at most [m]."""

_MAX_LINKS_BACK = 24
_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at
_LIGHT = int(Waiting.LIGHT)


@outlined_kernel
def side_room(
    road: RoadArrays, work: Workspace, row: int, side: int, begin: float, end: float
) -> tuple[float, float, int, bool]:
    """The room beside the middle of a vehicle's lane.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        side: 0 left, 1 right.
        begin: a place along its path, from the start of its link [m].
        end: another, farther ahead [m].

    Returns:
        how far a body may come to that side in its own lane, and over a lane beside it [m]; what lane that is; and
        whether the line between is painted as one to cross.
    """
    own, room, kind, crossable = UNBOUNDED, UNBOUNDED, LANE_BESIDE, True
    way = 0.0
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        link = work.path[row, k]
        length = road.link[link, LINK.length]
        if way > end:
            break
        if way + length > begin:
            count = road.station_first[link + 1] - road.station_first[link]
            if count == 0:
                # no stations in a junction: there a vehicle keeps to its lane, but for the last of the way back
                own = min(own, road.half_width[link])
                if way < end - work.vehicle[row, VEHICLE.length]:
                    room, kind = min(room, own), CROSSING_LANES
            spacing = length / max(count - 1, 1)
            for number in range(count):
                if way + (number + 1) * spacing < begin or way + (number - 1) * spacing > end:
                    continue
                at = 2 * (road.station_first[link] + number) + side
                own, room = min(own, road.beside[at, BESIDE.own_room]), min(room, road.beside[at, BESIDE.room])
                crossable = crossable and road.beside[at, BESIDE.crossable] == 1.0
                if road.beside[at, BESIDE.link] == IN_JUNCTION:
                    kind = CROSSING_LANES
                elif kind == CROSSING_LANES:
                    continue
                elif road.beside[at, BESIDE.link] < 0.0:
                    kind = NO_LANE_BESIDE
                elif road.beside[at, BESIDE.direction] < 0.0 and kind == LANE_BESIDE:
                    kind = ONCOMING_LANE
        way += length
    return own, room, kind, crossable


@outlined_kernel
def room_beyond(road: RoadArrays, work: Workspace, row: int, side: int, begin: float, end: float) -> tuple[float, bool]:
    """How much room there is beyond the lane beside a vehicle's own [m], 0 for none; and whether that is a lane.

    Over the verge it is `VERGE_ROOM`, over a second lane that leads the vehicle's way the width of that. Arguments as
    of `side_room`.
    """
    verge, lane, more, way = False, False, UNBOUNDED, 0.0
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        link = work.path[row, k]
        length = road.link[link, LINK.length]
        if way > end:
            break
        first = road.station_first[link]
        spacing = length / max(road.station_first[link + 1] - first - 1, 1)
        for number in range(road.station_first[link + 1] - first):
            if way + (number + 1) * spacing < begin or way + (number - 1) * spacing > end:
                continue
            at = 2 * (first + number) + side
            if road.beside[at, BESIDE.link] < 0.0:
                return 0.0, False
            other, direction, _, centre = lane_beyond(road, at)
            if other == IN_JUNCTION or (other >= 0 and direction < 0.0):
                return 0.0, False
            lane, verge = lane or other >= 0, verge or other < 0
            if other >= 0:
                more = min(more, abs(centre) + road.half_width[other] - road.beside[at, BESIDE.room])
        way += length
    if lane == verge:
        return 0.0, False
    return (max(more, 0.0), True) if lane else (VERGE_ROOM, False)


@outlined_kernel
def is_free_beside(
    road: RoadArrays, work: Workspace, row: int, side: int, target: float, out: float, duration: float, two: bool
) -> bool:
    """Whether the lanes beside are free for a vehicle that passes; if so, no other changes to them in this decision.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        side: 0 left, 1 right.
        target: offset at which it passes [m].
        out: where its front is when it is back in its lane, from the start of its link [m].
        duration: time until then [s].
        two: whether it passes over the lanes beyond those beside, too.
    """
    for mark in range(2):
        way, s = 0.0, work.vehicle[row, VEHICLE.s]
        for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
            link = work.path[row, k]
            length = road.link[link, LINK.length]
            count = road.station_first[link + 1] - road.station_first[link]
            spacing = length / max(count - 1, 1)
            last = -1
            for number in range(count):
                place = way + number * spacing
                if place < s - work.vehicle[row, VEHICLE.length] - 0.5 * spacing or place > out + 0.5 * spacing:
                    continue
                at = 2 * (road.station_first[link] + number) + side
                other = int(road.beside[at, BESIDE.link])
                if other < 0 or other == last:
                    continue
                last = other
                beyond = lane_beyond(road, at) if two else (-1, 0.0, 0.0, 0.0)
                if mark == 1:
                    mark_changed(work, other)
                    if beyond[0] >= 0:
                        mark_changed(work, beyond[0])
                    continue
                centre = road.beside[at, BESIDE.distance] * (1.0 if side == 0 else -1.0)
                first = (other, road.beside[at, BESIDE.direction], road.beside[at, BESIDE.place], centre)
                if not is_lane_free(road, work, row, first, place, target, out, duration):
                    return False
                if beyond[0] >= 0 and not is_lane_free(road, work, row, beyond, place, target, out, duration):
                    return False
            way += length
            if way > out:
                break
        if mark == 1:
            mark_changed(work, work.path[row, 0])
    return True


@outlined_kernel
def is_lane_free(
    road: RoadArrays,
    work: Workspace,
    row: int,
    lane: tuple[int, float, float, float],
    place: float,
    target: float,
    out: float,
    duration: float,
) -> bool:
    """Whether a lane beside is free for a vehicle that passes.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        lane: its row, its direction against that of the own lane, the place on it that is level with a station of that,
            and its middle from that of the own lane, left positive [m].
        place: of that station, from the start of the vehicle's link [m].
        target: as of `is_free_beside`.
        out: likewise.
        duration: likewise.
    """
    other, direction, level, centre = lane
    if work.link_ints[other, REPORT.changed_to] == 1:
        return False
    s, own_length = work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.length]
    here, beyond = (s - own_length if direction > 0.0 else s), out
    low = level + direction * ((here if direction > 0.0 else beyond) - place)
    high = level + direction * ((beyond if direction > 0.0 else here) - place)
    for entry in span_of(work.entry_span, other):
        if work.entry[entry, ENTRY.rear] < high + STANDING_GAP and work.entry[entry, ENTRY.front] > low - STANDING_GAP:
            ahead = direction > 0.0 and work.entry[entry, ENTRY.rear] > low + own_length + STANDING_GAP
            mover = work.entry_vehicle[entry]
            if work.vehicle[mover, VEHICLE.speed] <= MAX_PASS_HALT_SPEED:
                continue  # it is one of the boxes around the path
            # a vehicle ahead on a lane that leads the same way is in nobody's way as long as it drives on
            if not (ahead and work.vehicle[mover, VEHICLE.speed] > work.vehicle[row, VEHICLE.speed] + 1.0):
                return False
    middle, half = direction * (target - centre), 0.5 * work.floats[_TRAFFIC.width, row] + 0.3
    for entry in span_of(work.body_span, other):
        one = work.obstruction_row[entry]
        if (
            work.obstruction[_OBSTRUCTION.rear, one] < high + STANDING_GAP
            and work.obstruction[_OBSTRUCTION.front, one] > low - STANDING_GAP
            and work.obstruction[_OBSTRUCTION.right, one] < middle + half
            and work.obstruction[_OBSTRUCTION.left, one] > middle - half
        ):
            return False
    own_speed = work.vehicle[row, VEHICLE.speed]
    return not comes_from_behind(road, work, other, low, direction, duration, own_speed)


@inner_kernel
def needed_distance(
    speed: float, direction: float, duration: float, own_speed: float, limit: float, held: bool
) -> float:
    """How far a vehicle on a lane beside must be away [m]; one that is `held` by a light stays where it is."""
    if direction > 0.0:
        braking = 0.5 * max(speed * speed - own_speed * own_speed, 0.0) / FOLLOWER_DECELERATION
        return STANDING_GAP + speed + braking
    if held:
        return STANDING_GAP
    time = duration + ONCOMING_MARGIN
    start = max(limit - speed, 0.0)
    faster = min(ONCOMING_START_ACCELERATION * time, start)
    return STANDING_GAP + time * (speed + 0.5 * faster)


@outlined_kernel
def comes_from_behind(
    road: RoadArrays, work: Workspace, lane: int, place: float, direction: float, duration: float, own_speed: float
) -> bool:
    """Whether a vehicle that drives towards a place on a lane, on it or on those before it, would be there too early.

    Args:
        road: the roads.
        work: scratch.
        lane: the lane.
        place: on the lane, perhaps before its start [m].
        direction: of the lane, as of `BesideLane`.
        duration: for how long the place is needed [s].
        own_speed: of the vehicle that needs it [m/s].
    """
    queue = np.empty(_MAX_LINKS_BACK, np.int64)
    way = np.empty(_MAX_LINKS_BACK)
    queue[0], way[0] = lane, place
    done, count = 0, 1
    limit = road.link[lane, LINK.speed_limit]
    farthest = needed_distance(1.2 * limit, direction, duration, own_speed, limit, False)
    while done < count:
        link, here = queue[done], way[done]
        done += 1
        for at in span_of(work.entry_span, link):
            distance = here - work.entry[at, ENTRY.front]
            if distance <= -STANDING_GAP:
                continue
            one = work.entry_vehicle[at]
            lets_in = abs(work.rare[link, RARE.courtesy_place] - work.entry[at, ENTRY.front]) < COURTESY_REACH
            waits = lets_in or work.ints[_TRAFFIC.waiting, one] == _LIGHT
            speed = work.vehicle[one, VEHICLE.speed]
            waits = waits or direction > 0.0 or work.floats[_TRAFFIC.blocked_time, one] > BLOCKED_ITSELF_TIME
            if waits and speed <= MAX_PASS_HALT_SPEED:
                continue
            held = waits and speed < 1.0
            if distance < needed_distance(speed, direction, duration, own_speed, limit, held):
                return True
        for at in span_of(work.body_span, link):
            body = work.obstruction_row[at]
            distance = here - work.obstruction[_OBSTRUCTION.front, body]
            speed = work.obstruction[_OBSTRUCTION.speed, body]
            comes = distance > -STANDING_GAP and speed > 0.5
            if comes and distance < needed_distance(speed, direction, duration, own_speed, limit, False):
                return True
        if here >= farthest:
            continue
        for choice in rows_of(road.link_ints, link, LINK.predecessor_first):
            if count < _MAX_LINKS_BACK:
                before = road.connection[choice]
                queue[count], way[count] = before, here + road.link[before, LINK.length]
                count += 1
    return False
