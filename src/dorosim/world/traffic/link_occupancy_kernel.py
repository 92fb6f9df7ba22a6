"""What every vehicle enters into the reports on links: where its body is, its authority, and when it arrives."""

from __future__ import annotations

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.road.conflict import LONG_BODY
from dorosim.world.signal.permission import Permission
from dorosim.world.traffic.choice_kernel import next_link
from dorosim.world.traffic.decision_table_kernel import (
    AIM,
    ARRIVE_SPEED,
    ARRIVE_WAY,
    AUTHORITY,
    BARRIER,
    BEHIND,
    BODY,
    CLAIM,
    CODE,
    DRIVEN,
    FARTHER,
    FIRST,
    GAP,
    LONG_ROW,
    LONG_TAIL,
    OLD,
    PATH,
    PATH_COUNT,
    PATH_START,
    PAUSED,
    PLACE,
    REAR,
    RESERVED,
    SHADOW,
    SLOT,
    SPEED,
    TAIL,
    TAIL_ROW,
    WAITED,
    ZONE_ROW,
    ZONE_TAIL,
    Work,
)
from dorosim.world.traffic.road import CONTROLLED, HOLD, LENGTH, LONG_HOLD, NEXT, RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import Obstruction, Waiting

ARRIVAL_TIME = 8.0
"""Drivers look out for vehicles with priority this long before these arrive [s]; critical gaps are 4 to 7 s (Highway
Capacity Manual 2000, exhibit 17-5)."""

NEAREST_LOOK = 40.0
"""The first vehicle in a lane looks at least this far ahead [m]."""

BEHIND_JUNCTION = 30.0
"""A driver looks this far beyond its braking distance [m]: the room behind a junction."""

SETTLING_DECELERATION = 4.0
"""Deceleration with which a vehicle behind a junction is taken to stop, to find the room that it leaves [m/s²]."""

SHORTEST_VEHICLE = 2.0
"""An obstruction that covers less of a lane than this is no vehicle [m]."""

MIDDLE = 1.0
"""An obstruction that is not within this of the middle of a lane leaves room to stand behind a junction [m]."""

SLOW_BODY = 0.5
"""An obstruction that is slower than this does not count as coming to a junction [m/s]."""

_EPS = 1e-6

_OBSTRUCTION = Obstruction.at
_YIELD, _EXIT = int(Permission.YIELD), int(Waiting.EXIT)


@inner_kernel
def braking_look(speed: float) -> float:
    """How far ahead a driver must see [m]: to stop with 2 m/s², two seconds and a car's length."""
    return 0.25 * speed * speed + 2.0 * speed + 15.0


@inner_kernel
def look_ahead(road: RoadArrays, work: Work, routes: Routes, ints: IntArray, row: int, seed: int, reach: float) -> None:
    """Write the links ahead of a vehicle, as far as `reach` from the start of its own [m], into `work.sight`."""
    link = work.sight[row, PATH_START]
    counter, cursor = (work.sight[row, DRIVEN], work.sight[row, AIM])
    count, way = (1, road.lane[link, LENGTH])
    while count < PATH and way < reach:
        link, cursor = next_link(road, routes, ints, row, seed, link, counter, cursor)
        if link < 0:
            break
        work.sight[row, PATH_START + count] = link
        count += 1
        counter += 1
        way += road.lane[link, LENGTH]
    work.sight[row, PATH_COUNT] = count


@inner_kernel
def hold_of(road: RoadArrays, link: int, length: float) -> float:
    """Where on a link a body waits for its conflicts [m], 0 for before the link."""
    hold: float = road.lane[link, HOLD] if length <= LONG_BODY else road.lane[link, LONG_HOLD]
    return hold


@inner_kernel
def stand_on(road: RoadArrays, work: Work, link: int, tail: float, length: float, row: int) -> None:
    """Enter a body that is on a link, with or without an authority."""
    if tail < work.report[link, TAIL]:
        work.report[link, TAIL] = tail
        work.owner[link, TAIL_ROW] = row
    if road.key[link, CONTROLLED] == 1:
        occupy(work, link, tail, length, row)


@inner_kernel
def occupy(work: Work, link: int, tail: float, length: float, row: int) -> None:
    """Enter that a vehicle has the zones of a link until its tail has passed them."""
    if tail < work.report[link, ZONE_TAIL]:
        work.report[link, ZONE_TAIL] = tail
        work.owner[link, ZONE_ROW] = row
    if length > LONG_BODY and tail < work.report[link, LONG_TAIL]:
        work.report[link, LONG_TAIL] = tail
        work.owner[link, LONG_ROW] = row


@inner_kernel
def survey_body(road: RoadArrays, work: Work, row: int) -> None:
    """Enter a body on its link and on those that its rear still covers."""
    link = work.sight[row, PATH_START]
    tail = work.driver[row, PLACE] - work.driver[row, BODY]
    if tail < work.report[link, TAIL]:
        work.report[link, TAIL] = tail
        work.owner[link, TAIL_ROW] = row
    if (
        work.sight[row, SHADOW] >= 0
        and work.entry[work.sight[row, SHADOW], REAR] < work.report[work.sight[row, OLD], TAIL]
    ):
        work.report[work.sight[row, OLD], TAIL] = work.entry[work.sight[row, SHADOW], REAR]
        work.owner[work.sight[row, OLD], TAIL_ROW] = row
    if tail >= 0.0:
        return
    work.report[link, RESERVED] += work.driver[row, BODY] + work.driver[row, GAP]
    behind = work.sight[row, BEHIND]
    if behind < 0:
        return
    tail += road.lane[behind, LENGTH]
    stand_on(road, work, behind, tail, work.driver[row, BODY], row)
    behind = work.sight[row, FARTHER]
    if tail < 0.0 and behind >= 0:
        stand_on(road, work, behind, tail + road.lane[behind, LENGTH], work.driver[row, BODY], row)


@inner_kernel
def survey_authority(road: RoadArrays, work: Work, row: int) -> tuple[int, float]:
    """Enter the junctions for which a vehicle has the authority.

    Returns:
        the place on its path of the first junction for which it has none, -1 for none in sight, and the way to that
        link's start from the start of the vehicle's own [m].
    """
    s, authority = (work.driver[row, PLACE], work.driver[row, AUTHORITY])
    tail, need = (s - work.driver[row, BODY], work.driver[row, BODY] + work.driver[row, GAP])
    way = 0.0
    for k in range(work.sight[row, PATH_COUNT]):
        link = work.sight[row, PATH_START + k]
        if road.key[link, CONTROLLED] == 1:
            stand = way + hold_of(road, link, work.driver[row, BODY]) + _EPS
            if authority <= stand and (k > 0 or s <= stand):
                return (k, way)
            occupy(work, link, tail - way, work.driver[row, BODY], row)
            if k + 1 < work.sight[row, PATH_COUNT]:
                work.report[work.sight[row, PATH_START + k + 1], RESERVED] += need
        way += road.lane[link, LENGTH]
    return (-1, way)


@inner_kernel
def survey_arrival(work: Work, permission: IntArray, row: int, k: int, way: float) -> None:
    """Enter the arrival of a vehicle at a junction to cross, if its light and the room behind the junction allow it."""
    link = work.sight[row, PATH_START + k]
    speed = work.driver[row, SPEED]
    if permission[link] > _YIELD or (work.sight[row, CODE] == _EXIT and speed < 1.0):
        return
    ahead = way - work.driver[row, PLACE]
    if ahead < work.report[link, ARRIVE_WAY]:
        work.report[link, ARRIVE_WAY] = ahead
        work.report[link, ARRIVE_SPEED] = speed
    work.report[link, CLAIM] = max(work.report[link, CLAIM], work.driver[row, WAITED])


@inner_kernel
def survey(road: RoadArrays, work: Work, routes: Routes, ints: IntArray, permission: IntArray, seed: int) -> None:
    """Let every vehicle look ahead and enter itself into the reports, on each link from the front to the back."""
    for link in range(road.lane.shape[0]):
        first_in_lane = True
        for at in range(work.owner[link + 1, FIRST] - 1, work.owner[link, FIRST] - 1, -1):
            row = work.occupant[at]
            if work.sight[row, SLOT] != at:
                continue
            s, speed, authority = (work.driver[row, PLACE], work.driver[row, SPEED], work.driver[row, AUTHORITY])
            look = braking_look(speed)
            if first_in_lane:
                look = max(look, ARRIVAL_TIME * speed, NEAREST_LOOK)
            reach = max(s + look + BEHIND_JUNCTION, authority + _EPS)
            look_ahead(road, work, routes, ints, row, seed, reach)
            survey_body(road, work, row)
            if work.sight[row, PATH_COUNT] == 1 and road.key[link, CONTROLLED] == 0:
                continue
            k, way = survey_authority(road, work, row)
            if first_in_lane and k >= 0 and (work.sight[row, PAUSED] == 0):
                survey_arrival(work, permission, row, k, way)
            if authority <= s:
                first_in_lane = False


@inner_kernel
def survey_obstructions(road: RoadArrays, work: Work, floats: FloatArray, ints: IntArray) -> None:
    """Enter obstructing vehicles: they occupy the zones that they stand in, and arrive at junctions like others.

    Pedestrians and small objects are not entered: they are in the way where they are, but do not drive.
    """
    for row in range(ints.shape[1]):
        link, rear, front = (
            ints[_OBSTRUCTION.link, row],
            floats[_OBSTRUCTION.rear, row],
            floats[_OBSTRUCTION.front, row],
        )
        if front - rear < SHORTEST_VEHICLE:
            continue
        speed = max(floats[_OBSTRUCTION.speed, row], 0.0)
        if rear >= 0.0 and floats[_OBSTRUCTION.right, row] < MIDDLE and floats[_OBSTRUCTION.left, row] > -MIDDLE:
            room = rear + 0.5 * speed * speed / SETTLING_DECELERATION
            work.report[link, BARRIER] = min(work.report[link, BARRIER], room)
        if road.key[link, CONTROLLED] == 1 and front > road.lane[link, HOLD]:
            occupy(work, link, rear, front - rear, -2)
        elif road.key[link, CONTROLLED] == 1 and speed > SLOW_BODY:
            arrive(work, link, -front, speed)
        if speed > SLOW_BODY:
            for choice in range(road.key[link, NEXT], road.key[link + 1, NEXT]):
                following = road.pool[choice]
                if road.key[following, CONTROLLED] == 1:
                    arrive(work, following, road.lane[link, LENGTH] - front, speed)


@inner_kernel
def arrive(work: Work, link: int, way: float, speed: float) -> None:
    """Enter the arrival of an obstructing vehicle at a link."""
    if way < work.report[link, ARRIVE_WAY]:
        work.report[link, ARRIVE_WAY] = way
        work.report[link, ARRIVE_SPEED] = speed
