"""The acceleration that a driver chooses: the Intelligent Driver Model, and its limits.

Sources: M. Treiber, A. Hennecke and D. Helbing, "Congested traffic states in empirical observations and microscopic
simulations", Phys. Rev. E 62, 1805 (2000), for the model. Stops and slower links are approached on a parabola of
constant deceleration. A bound by the safe speed (S. Krauss, 1998) rules out collisions where the IDM, which is a
model of normal driving, would brake too late.
"""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.crossing_kernel import way_to_crossing
from dorosim.world.traffic.decision_table_kernel import (
    BODY,
    BRAKE,
    FAR,
    FIRST,
    FRONT,
    GAIN,
    GAP,
    HEADWAY,
    OBSTRUCTION,
    OLD,
    PATH_COUNT,
    PATH_START,
    PLACE,
    REAR,
    ROOT,
    SHADOW,
    SLOT,
    SPEED,
    TAIL,
    TAIL_ROW,
    WISH,
    Work,
)
from dorosim.world.traffic.junction_kernel import APPROACH_DECELERATION
from dorosim.world.traffic.link_occupancy_kernel import braking_look
from dorosim.world.traffic.road import CURVE_SPEED, LENGTH, LIMIT, OTHER_PART, OWN_PART, PART_LINK, PARTING, RoadArrays
from dorosim.world.traffic.state import Obstruction, SpeedMode, TrafficState

HARDEST = 9.0
"""The largest deceleration of tyres on dry asphalt [m/s²]."""

SAFE_DECELERATION = 6.0
"""Deceleration that the safe speed assumes of the driver and of the vehicle ahead [m/s²]."""

LEAST_GAP = 0.1
"""Smaller gaps count as this in the IDM [m]."""

SIDE_GAP = 0.3
"""A vehicle passes an obstacle whose side is at least this far from its own [m]."""

_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at
_CONSTANT = int(SpeedMode.CONSTANT)


@inner_kernel
def desired_speed(road: RoadArrays, floats: FloatArray, ints: IntArray, row: int, link: int) -> float:
    """The speed at which a driver would use a link if it were empty [m/s]."""
    wish = floats[_TRAFFIC.desired_speed, row]
    if ints[_TRAFFIC.speed_mode, row] != _CONSTANT:
        wish *= road.lane[link, LIMIT]
    found: float = max(min(wish, road.lane[link, CURVE_SPEED]), 0.1)
    return found


@inner_kernel
def wish_on(road: RoadArrays, work: Work, row: int, link: int) -> float:
    """The same as `desired_speed`, from the scratch of a decision [m/s]."""
    wish = work.driver[row, WISH]
    wish = wish * road.lane[link, LIMIT] if wish >= 0.0 else -wish
    found: float = max(min(wish, road.lane[link, CURVE_SPEED]), 0.1)
    return found


@inner_kernel
def free_acceleration(speed: float, wish: float, a: float, b: float) -> float:
    """Acceleration on a free road: IDM below the desired speed, a comfortable slowing down above it [m/s²]."""
    ratio = speed / wish
    square = ratio * ratio
    return max(a * (1.0 - square * square), -b)


@inner_kernel
def behind(work: Work, row: int, gap: float, ahead: float) -> float:
    """The part of a driver's acceleration that the vehicle ahead takes away: a (s* / s)^2 of the IDM [m/s²].

    Args:
        work: scratch.
        row: of the driver's vehicle.
        gap: from bumper to bumper, s [m].
        ahead: speed of the vehicle ahead [m/s].
    """
    speed = work.driver[row, SPEED]
    closing = speed * work.driver[row, HEADWAY] + speed * (speed - ahead) / work.driver[row, ROOT]
    ratio = (work.driver[row, GAP] + max(0.0, closing)) / max(gap, LEAST_GAP)
    found: float = work.driver[row, GAIN] * ratio * ratio
    return found


@inner_kernel
def safe_bound(speed: float, gap: float, ahead: float, dt: float) -> float:
    """The largest acceleration after which a vehicle can still stop behind one ahead that brakes [m/s²]."""
    reach = SAFE_DECELERATION * dt
    most = -reach + math.sqrt(reach * reach + ahead * ahead + 2.0 * SAFE_DECELERATION * max(gap - 0.5, 0.0))
    return (most - speed) / dt


@inner_kernel
def parting_gap(road: RoadArrays, work: Work, row: int, link: int, place: float) -> tuple[float, int]:
    """Gap to a vehicle that has turned off to another lane from the same node and still overlaps this lane.

    Args:
        road: the roads.
        work: scratch.
        row: the vehicle.
        link: the link on its way.
        place: where its front is on that link, negative before it [m].

    Returns:
        the gap [m] and the other's row; FAR and -1 for none.
    """
    gap, leader = (FAR, -1)
    for c in range(road.key[link, PARTING], road.key[link + 1, PARTING]):
        other = work.owner[int(road.parting[c, PART_LINK]), TAIL_ROW]
        tail = work.report[int(road.parting[c, PART_LINK]), TAIL]
        if other < 0 or other == row or tail >= road.parting[c, OTHER_PART] or (place >= road.parting[c, OWN_PART]):
            continue
        if tail + work.driver[other, BODY] > place and tail - place < gap:
            gap, leader = (tail - place, other)
    return (gap, leader)


@inner_kernel
def leader_ahead(road: RoadArrays, work: Work, row: int, reach: float) -> tuple[float, int]:
    """The gap to the vehicle ahead, over the ends of links, and its row; FAR and -1 for none within `reach` [m]."""
    s, at = (work.driver[row, PLACE], work.sight[row, SLOT])
    link = work.sight[row, PATH_START]
    gap, leader = parting_gap(road, work, row, link, s)
    if at + 1 < work.owner[link + 1, FIRST]:
        ahead = work.entry[at + 1, REAR] - s
        if ahead < gap:
            gap, leader = (ahead, work.occupant[at + 1])
        return (gap, leader)
    way = road.lane[link, LENGTH] - s
    for k in range(1, work.sight[row, PATH_COUNT]):
        if leader >= 0 or way > reach:
            break
        link = work.sight[row, PATH_START + k]
        gap, leader = parting_gap(road, work, row, link, -way)
        other = work.owner[link, TAIL_ROW]
        if other >= 0 and other != row and (way + work.report[link, TAIL] < gap):
            gap, leader = (way + work.report[link, TAIL], other)
        way += road.lane[link, LENGTH]
    return (gap, leader)


@inner_kernel
def approach(speed: float, way: float, wish: float, deceleration: float, dt: float) -> float:
    """Acceleration that brings a vehicle to a lower speed within a way, with a deceleration [m/s²].

    It holds the speed under the parabola from which the deceleration just suffices; above it, it brakes as hard as it
    needs to.
    """
    left = way - speed * dt
    most = math.sqrt(wish * wish + 2.0 * deceleration * max(left, 0.0))
    if speed <= most:
        return (most - speed) / dt
    return -max(deceleration, 0.5 * (speed * speed - wish * wish) / max(way, 0.05))


@inner_kernel
def ceiling(road: RoadArrays, work: Work, row: int, reach: float, dt: float) -> float:
    """The largest acceleration that slower links ahead and the place to stop allow [m/s²]."""
    s, speed = (work.driver[row, PLACE], work.driver[row, SPEED])
    most = FAR
    if work.wall[row] < FAR:
        most = approach(speed, work.wall[row] - s, 0.0, APPROACH_DECELERATION, dt)
    way = road.lane[work.sight[row, PATH_START], LENGTH] - s
    for k in range(1, work.sight[row, PATH_COUNT]):
        if way > reach:
            break
        wish = wish_on(road, work, row, work.sight[row, PATH_START + k])
        if wish < speed + 1.0:
            most = min(most, approach(speed, way, wish, work.driver[row, BRAKE], dt))
        way += road.lane[work.sight[row, PATH_START + k], LENGTH]
    return most


@inner_kernel
def obstruction_ahead(
    road: RoadArrays, work: Work, floats: FloatArray, obstruction: FloatArray, row: int, reach: float
) -> tuple[float, float]:
    """Gap to the nearest obstruction in a vehicle's way, and its speed forwards; FAR for none [m, m/s]."""
    s, half = (work.driver[row, PLACE], 0.5 * floats[_TRAFFIC.width, row] + SIDE_GAP)
    right, left = (floats[_TRAFFIC.lateral, row] - half, floats[_TRAFFIC.lateral, row] + half)
    way = -s
    for k in range(work.sight[row, PATH_COUNT]):
        if way > reach:
            break
        link = work.sight[row, PATH_START + k]
        for at in range(work.owner[link, OBSTRUCTION], work.owner[link + 1, OBSTRUCTION]):
            other = work.barrier[at]
            beside = obstruction[_OBSTRUCTION.left, other] < right or obstruction[_OBSTRUCTION.right, other] > left
            if not beside and way + obstruction[_OBSTRUCTION.front, other] > 0.0:
                return (way + obstruction[_OBSTRUCTION.rear, other], max(obstruction[_OBSTRUCTION.speed, other], 0.0))
        way += road.lane[link, LENGTH]
    return (FAR, 0.0)


@inner_kernel
def follow(work: Work, row: int, gap: float, ahead: float, dt: float) -> float:
    """The acceleration behind one leader, without the free part: -a (s*/s)^2, bounded by what is safe [m/s²]."""
    speed = work.driver[row, SPEED]
    push = -behind(work, row, gap, ahead)
    if gap < 2.0 + 1.5 * speed:
        push = min(push, safe_bound(speed, gap, ahead, dt))
    return push


@inner_kernel
def accelerate(
    road: RoadArrays,
    work: Work,
    floats: FloatArray,
    obstruction: FloatArray,
    crossing: FloatArray,
    row: int,
    dt: float,
) -> tuple[float, float, float]:
    """The acceleration that a driver chooses now.

    Returns:
        the acceleration [m/s²]; for MOBIL, the acceleration for what is ahead in its lane, without places to stop
        [m/s²]; and the gap to the nearest obstruction in its way, FAR for none [m].
    """
    speed = work.driver[row, SPEED]
    reach = max(braking_look(speed), 4.0 * speed)
    wish = wish_on(road, work, row, work.sight[row, PATH_START])
    free = free_acceleration(speed, wish, work.driver[row, GAIN], work.driver[row, BRAKE])
    gap, leader = leader_ahead(road, work, row, reach)
    wish = free
    if leader >= 0:
        wish = free + follow(work, row, gap, work.driver[leader, SPEED], dt)
    found = min(wish, work.driver[row, GAIN])
    if work.sight[row, OLD] >= 0:
        found = min(found, free + old_lane(work, row, dt))
    clear = FAR
    if obstruction.shape[1] > 0:
        clear, ahead = obstruction_ahead(road, work, floats, obstruction, row, reach)
        if clear < FAR:
            wish = min(wish, free + follow(work, row, clear, ahead, dt))
            found = min(found, wish)
    if crossing.shape[1] > 0:
        stop = way_to_crossing(road, work, crossing, row, reach)
        if stop < FAR:
            found = min(found, approach(speed, stop, 0.0, APPROACH_DECELERATION, dt))
    if work.sight[row, PATH_COUNT] > 1 or work.wall[row] < FAR:
        found = min(found, ceiling(road, work, row, reach, dt))
    return (max(found, -HARDEST), max(wish, -HARDEST), clear)


@inner_kernel
def old_lane(work: Work, row: int, dt: float) -> float:
    """The change of acceleration by the vehicle ahead on the lane that a vehicle is leaving, as `follow` [m/s²]."""
    at, old = (work.sight[row, SHADOW], work.sight[row, OLD])
    if at + 1 < work.owner[old + 1, FIRST]:
        return follow(
            work, row, work.entry[at + 1, REAR] - work.entry[at, FRONT], work.driver[work.occupant[at + 1], SPEED], dt
        )
    other = work.owner[old, TAIL_ROW]
    if other >= 0 and other != row and (work.report[old, TAIL] > work.entry[at, FRONT]):
        return follow(work, row, work.report[old, TAIL] - work.entry[at, FRONT], work.driver[other, SPEED], dt)
    return 0.0
