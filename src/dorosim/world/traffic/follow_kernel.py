"""The acceleration that a driver chooses: the Intelligent Driver Model, and its limits.

Sources: M. Treiber, A. Hennecke and D. Helbing, "Congested traffic states in empirical observations and microscopic
simulations", Phys. Rev. E 62, 1805 (2000), for the model. Stops and slower links are approached on a parabola of
constant deceleration. A bound by the safe speed (S. Krauss, 1998) rules out collisions where the IDM, which is a
model of normal driving, would brake too late.
"""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel
from dorosim.road.conflict import LONG_BODY
from dorosim.world.traffic.courtesy_kernel import courtesy_stop
from dorosim.world.traffic.crossing_kernel import distance_to_crossing
from dorosim.world.traffic.decision_table_kernel import (
    ENTRY,
    REPORT,
    SPAN_END,
    UNBOUNDED,
    VEHICLE,
    Special,
    Workspace,
    rows_of,
    span_of,
)
from dorosim.world.traffic.emergency_kernel import making_room_acceleration
from dorosim.world.traffic.junction_kernel import APPROACH_DECELERATION
from dorosim.world.traffic.link_occupancy_kernel import look_ahead_distance
from dorosim.world.traffic.road import DIVERGE, LINK, RoadArrays
from dorosim.world.traffic.state import Obstruction, Passing, TrafficState
from dorosim.world.traffic.verge_kernel import distance_to_body_on_way, distance_to_person_on_verge

MAX_BRAKING = 9.0
"""The largest deceleration of tyres on dry asphalt [m/s²]."""

KRAUSS_DECELERATION = 6.0
"""Deceleration that the safe speed of Krauss assumes of the driver and of the vehicle ahead [m/s²]."""

MIN_IDM_GAP = 0.1
"""Smaller gaps count as this in the IDM [m]."""

MIN_PASSING_GAP = 0.3
"""A vehicle passes an obstacle whose side is at least this far from its own [m]."""

TURN_OUT_ROOM, LONG_TURN_OUT_ROOM = 1.0, 2.0
"""Behind a body that stands a driver keeps this many of its wheelbases more, so that it can turn out to pass; that of a
long vehicle, the front of which swings out, more."""

TURN_OUT_SLOPE, LONG_TURN_OUT_SLOPE = 0.3, 0.25
"""And the way on which it moves aside by what the body reaches beyond the half of a car [m of offset per m of way]."""

SMALL_BODY = 1.2
"""A body that covers less of a lane than this is a person, or an object as small [m]."""

CLEARED_SHARE = 0.75
"""Beyond this share of a lane change's way the front of the body has left the lane from which it comes."""

_TURN_OUT_SPEED = 3.0
"""The room to turn out grows to its full as the body ahead slows down from this to a stop [m/s]."""

_NOT_PASSING, _PASSES = int(Passing.NOTHING), int(Special.PASSES)
_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at


@inner_kernel
def desired_speed(road: RoadArrays, link: int, desired: float) -> float:
    """The speed with which a driver uses an empty link [m/s]; `desired` as of `desired_speed_code`."""
    desired = desired * road.link[link, LINK.speed_limit] if desired >= 0.0 else -desired
    return float(max(min(desired, road.link[link, LINK.curve_speed]), 0.1))


@inner_kernel
def free_acceleration(road: RoadArrays, work: Workspace, row: int) -> float:
    """Acceleration on a free road: IDM below the desired speed, a comfortable slowing down above it [m/s²]."""
    target_speed = desired_speed(road, work.path[row, 0], work.vehicle[row, VEHICLE.desired_speed])
    ratio = work.vehicle[row, VEHICLE.speed] / target_speed
    square = ratio * ratio
    found = work.vehicle[row, VEHICLE.acceleration] * (1.0 - square * square)
    return float(max(found, -work.vehicle[row, VEHICLE.deceleration]))


@inner_kernel
def interaction_deceleration(work: Workspace, row: int, gap: float, ahead: float) -> float:
    """The part of a driver's acceleration that the vehicle ahead takes away: a (s* / s)^2 of the IDM [m/s²].

    Args:
        work: scratch.
        row: of the driver's vehicle.
        gap: from bumper to bumper, s [m].
        ahead: speed of the vehicle ahead [m/s].
    """
    speed = work.vehicle[row, VEHICLE.speed]
    approach = speed * (speed - ahead) / work.vehicle[row, VEHICLE.braking_root]
    closing = speed * work.vehicle[row, VEHICLE.time_gap] + approach
    ratio = (work.vehicle[row, VEHICLE.standstill_gap] + max(0.0, closing)) / max(gap, MIN_IDM_GAP)
    return float(work.vehicle[row, VEHICLE.acceleration] * ratio * ratio)


@inner_kernel
def safe_acceleration(speed: float, gap: float, ahead: float, dt: float) -> float:
    """The largest acceleration after which a vehicle can still stop behind one ahead that brakes [m/s²]."""
    reach = KRAUSS_DECELERATION * dt
    most = -reach + math.sqrt(reach * reach + ahead * ahead + 2.0 * KRAUSS_DECELERATION * max(gap - 0.5, 0.0))
    return (most - speed) / dt


@inner_kernel
def find_diverging_leader(road: RoadArrays, work: Workspace, row: int, link: int, place: float) -> tuple[float, int]:
    """Gap to a vehicle that has turned off to another lane from the same node and still overlaps this lane.

    Args:
        road: the roads.
        work: scratch.
        row: the vehicle.
        link: the link on its way.
        place: where its front is on that link, negative before it [m].

    Returns:
        the gap [m] and the other's row; UNBOUNDED and -1 for none.
    """
    gap, leader = (UNBOUNDED, -1)
    for c in rows_of(road.link_ints, link, LINK.diverge_first):
        beside = int(road.diverge[c, DIVERGE.other_link])
        other, tail = work.link_ints[beside, REPORT.rear_vehicle], work.link[beside, REPORT.rear]
        overlaps = tail < road.diverge[c, DIVERGE.other_end] and place < road.diverge[c, DIVERGE.end]
        if other < 0 or other == row or not overlaps:
            continue
        if tail + work.vehicle[other, VEHICLE.length] > place and tail - place < gap:
            gap, leader = (tail - place, other)
    return (gap, leader)


@inner_kernel
def find_leader(road: RoadArrays, work: Workspace, row: int, reach: float) -> tuple[float, int]:
    """The gap to the vehicle ahead, over the ends of links, and its row; UNBOUNDED and -1 for none in `reach` [m]."""
    s, at = (work.vehicle[row, VEHICLE.s], work.vehicle_ints[row, VEHICLE.entry])
    link = work.path[row, 0]
    gap, leader = find_diverging_leader(road, work, row, link, s)
    if at + 1 < work.entry_span[link, SPAN_END]:
        ahead = work.entry[at + 1, ENTRY.rear] - s
        if ahead < gap:
            gap, leader = (ahead, work.entry_vehicle[at + 1])
        return (gap, leader)
    way = road.link[link, LINK.length] - s
    for k in range(1, work.vehicle_ints[row, VEHICLE.path_count]):
        if leader >= 0 or way > reach:
            break
        link = work.path[row, k]
        gap, leader = find_diverging_leader(road, work, row, link, -way)
        other = work.link_ints[link, REPORT.rear_vehicle]
        if other >= 0 and other != row and (way + work.link[link, REPORT.rear] < gap):
            gap, leader = (way + work.link[link, REPORT.rear], other)
        way += road.link[link, LINK.length]
    return (gap, leader)


@inner_kernel
def approach_acceleration(speed: float, way: float, target_speed: float, deceleration: float, dt: float) -> float:
    """Acceleration that brings a vehicle to a lower speed within a way, with a deceleration [m/s²].

    It holds the speed under the parabola from which the deceleration just suffices; above it, it brakes as hard as it
    needs to.
    """
    left = way - speed * dt
    most = math.sqrt(target_speed * target_speed + 2.0 * deceleration * max(left, 0.0))
    if speed <= most:
        return (most - speed) / dt
    return -max(deceleration, 0.5 * (speed * speed - target_speed * target_speed) / max(way, 0.05))


@inner_kernel
def max_acceleration(road: RoadArrays, work: Workspace, row: int, reach: float, dt: float) -> float:
    """The largest acceleration that slower links ahead and the place to stop allow [m/s²]."""
    s, speed = (work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.speed])
    most = UNBOUNDED
    if work.vehicle[row, VEHICLE.stop_place] < UNBOUNDED:
        most = approach_acceleration(speed, work.vehicle[row, VEHICLE.stop_place] - s, 0.0, APPROACH_DECELERATION, dt)
    way = road.link[work.path[row, 0], LINK.length] - s
    for k in range(1, work.vehicle_ints[row, VEHICLE.path_count]):
        if way > reach:
            break
        target_speed = desired_speed(road, work.path[row, k], work.vehicle[row, VEHICLE.desired_speed])
        if target_speed < speed + 1.0:
            deceleration = work.vehicle[row, VEHICLE.deceleration]
            most = min(most, approach_acceleration(speed, way, target_speed, deceleration, dt))
        way += road.link[work.path[row, k], LINK.length]
    return most


@inner_kernel
def obstruction_ahead(road: RoadArrays, work: Workspace, row: int, reach: float) -> tuple[float, float, int, int]:
    """The nearest obstruction in a vehicle's way.

    A vehicle that passes is where it passes until the end of that, and in the middle of its lane from there on.

    Returns:
        the gap to it [m], UNBOUNDED for none; its speed forwards [m/s]; its row, -1 for none; and which link of the
        path it stands on.
    """
    s, half = (work.vehicle[row, VEHICLE.s], 0.5 * work.floats[_TRAFFIC.width, row] + MIN_PASSING_GAP)
    now, after = work.floats[_TRAFFIC.lateral, row], work.floats[_TRAFFIC.lateral, row]
    end = UNBOUNDED
    if work.ints[_TRAFFIC.passing, row] != _NOT_PASSING:
        end = work.floats[_TRAFFIC.pass_end, row]
        now, after = work.floats[_TRAFFIC.pass_lateral, row], 0.0
    way = -s
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        if way > reach:
            break
        link = work.path[row, k]
        for at in span_of(work.body_span, link):
            body = work.obstruction_row[at]
            if work.obstruction[_OBSTRUCTION.passing_vehicle, body] == work.vehicle_ints[row, VEHICLE.row] + 1.0:
                continue
            middle = now if s + way + work.obstruction[_OBSTRUCTION.rear, body] < end else after
            if (
                work.obstruction[_OBSTRUCTION.right, body] <= middle + half
                and work.obstruction[_OBSTRUCTION.left, body] >= middle - half
                and way + work.obstruction[_OBSTRUCTION.front, body] > 0.0
            ):
                speed = max(work.obstruction[_OBSTRUCTION.speed, body], 0.0)
                return (way + work.obstruction[_OBSTRUCTION.rear, body], speed, body, k)
        way += road.link[link, LINK.length]
    return (UNBOUNDED, 0.0, -1, 0)


@inner_kernel
def turn_out_room(work: Workspace, row: int, body: int) -> float:
    """The distance behind a body that stands which a driver needs to turn out [m]: more, the wider the body is.

    People walk on, and small things take little.
    """
    is_long = work.vehicle[row, VEHICLE.length] > LONG_BODY
    wheelbases, slope = (LONG_TURN_OUT_ROOM, LONG_TURN_OUT_SLOPE) if is_long else (TURN_OUT_ROOM, TURN_OUT_SLOPE)
    if work.obstruction[_OBSTRUCTION.front, body] - work.obstruction[_OBSTRUCTION.rear, body] < SMALL_BODY:
        return float(work.floats[_TRAFFIC.wheelbase, row] * TURN_OUT_ROOM)
    reach = max(work.obstruction[_OBSTRUCTION.left, body], -work.obstruction[_OBSTRUCTION.right, body])
    return float(work.floats[_TRAFFIC.wheelbase, row] * wheelbases + min(max(reach - 1.0, 0.0), 4.0) / slope)


@inner_kernel
def following_acceleration(work: Workspace, row: int, gap: float, ahead: float, dt: float) -> float:
    """The acceleration behind one leader, without the free part: -a (s*/s)^2, bounded by what is safe [m/s²]."""
    speed = work.vehicle[row, VEHICLE.speed]
    push = -interaction_deceleration(work, row, gap, ahead)
    if gap < 2.0 + 1.5 * speed:
        push = min(push, safe_acceleration(speed, gap, ahead, dt))
    return push


@inner_kernel
def choose_acceleration(road: RoadArrays, work: Workspace, row: int, dt: float) -> tuple[float, float, float, int, int]:
    """The acceleration that a driver chooses now.

    Returns:
        the acceleration [m/s²]; for MOBIL, the acceleration for what is ahead in its lane, without places to stop
        [m/s²]; the gap to the nearest obstruction in its way, UNBOUNDED for none [m]; its row, -1 for none or where
        another vehicle is between; and which link of the path it stands on.
    """
    speed = work.vehicle[row, VEHICLE.speed]
    reach = max(look_ahead_distance(speed), 4.0 * speed)
    free = free_acceleration(road, work, row)
    gap, leader = find_leader(road, work, row, reach)
    in_lane = free
    if leader >= 0:
        in_lane = free + following_acceleration(work, row, gap, work.vehicle[leader, VEHICLE.speed], dt)
    found = min(in_lane, work.vehicle[row, VEHICLE.acceleration])
    if work.vehicle_ints[row, VEHICLE.source_link] >= 0:
        found = min(found, free + source_link_acceleration(work, row, dt))
    clear, body, k = UNBOUNDED, -1, 0
    if work.obstruction.shape[1] > 0:
        clear, ahead, body, k = obstruction_ahead(road, work, row, reach)
        if clear < UNBOUNDED:
            room = turn_out_room(work, row, body) * max(1.0 - ahead / _TURN_OUT_SPEED, 0.0)
            in_lane = min(in_lane, free + following_acceleration(work, row, clear - room, ahead, dt))
            found = min(found, in_lane)
            if gap < clear:
                body = -1
        stop = min(courtesy_stop(road, work, row), distance_to_person_on_verge(work, row))
        stop = min(stop, distance_to_body_on_way(road, work, row))
        if stop < UNBOUNDED:
            found = min(found, approach_acceleration(speed, stop, 0.0, APPROACH_DECELERATION, dt))
    found = min(found, making_room_acceleration(work, row))
    if work.vehicle_ints[row, VEHICLE.special] & _PASSES != 0:
        found = min(found, max(work.floats[_TRAFFIC.pass_speed, row] - speed, -work.vehicle[row, VEHICLE.deceleration]))
    if work.crossing.shape[1] > 0:
        stop = distance_to_crossing(road, work, row, reach)
        if stop < UNBOUNDED:
            found = min(found, approach_acceleration(speed, stop, 0.0, APPROACH_DECELERATION, dt))
    if work.vehicle_ints[row, VEHICLE.path_count] > 1 or work.vehicle[row, VEHICLE.stop_place] < UNBOUNDED:
        found = min(found, max_acceleration(road, work, row, reach, dt))
    return (max(found, -MAX_BRAKING), max(in_lane, -MAX_BRAKING), clear, body, k)


@inner_kernel
def source_link_acceleration(work: Workspace, row: int, dt: float) -> float:
    """The change of acceleration by the vehicle ahead on the lane that a vehicle is leaving [m/s²]."""
    at, old = work.vehicle_ints[row, VEHICLE.source_link_entry], work.vehicle_ints[row, VEHICLE.source_link]
    front = work.entry[at, ENTRY.front]
    leader, rear = work.link_ints[old, REPORT.rear_vehicle], work.link[old, REPORT.rear]
    if at + 1 < work.entry_span[old, SPAN_END]:
        leader, rear = work.entry_vehicle[at + 1], work.entry[at + 1, ENTRY.rear]
    elif leader < 0 or leader == row or rear <= front:
        return 0.0
    done = work.vehicle[row, VEHICLE.s] - work.floats[_TRAFFIC.change_start, row]
    if done + rear - front > CLEARED_SHARE * work.floats[_TRAFFIC.change_length, row]:
        return 0.0
    return following_acceleration(work, row, rear - front, work.vehicle[leader, VEHICLE.speed], dt)
