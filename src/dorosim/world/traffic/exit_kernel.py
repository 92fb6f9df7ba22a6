"""How much room there is behind a junction: a vehicle may enter one only where it can leave it."""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.decision_table_kernel import (
    BARRIER,
    BODY,
    FAR,
    FIRST,
    PATH_COUNT,
    PATH_START,
    REAR,
    RESERVED,
    SPEED,
    Work,
)
from dorosim.world.traffic.link_occupancy_kernel import SETTLING_DECELERATION, hold_of
from dorosim.world.traffic.road import CONTROLLED, KEEP, LENGTH, LIT, STOP, RoadArrays

LINE_GAP, JUNCTION_GAP = 0.5, 0.3
"""Distance at which a vehicle stops before a stop line, and before the start of a junction that has none [m]."""


@inner_kernel
def body_room(work: Work, link: int) -> float:
    """Room from the start of a link to the rear of the first body that is wholly on it, once that stands [m]."""
    room: float = work.report[link, BARRIER]
    for at in range(work.owner[link, FIRST], work.owner[link + 1, FIRST]):
        if work.entry[at, REAR] >= 0.0:
            speed = work.driver[work.occupant[at], SPEED]
            room = min(room, work.entry[at, REAR] + 0.5 * speed * speed / SETTLING_DECELERATION)
            break
    return room


@inner_kernel
def room_behind(road: RoadArrays, work: Work, row: int, k: int, need: float) -> tuple[float, float, int, float]:
    """The room behind the last zone of the k-th link of a path.

    Returns:
        the room that other bodies leave [m]; the room up to the next place where the vehicle may have to wait [m]; that
        place's index on the path, -1 for none within `need`; and how far that link starts behind the k-th [m].
    """
    link = work.sight[row, PATH_START + k]
    way = road.lane[link, LENGTH]
    behind = way - road.rim[link, KEEP]
    free, count = (FAR, work.sight[row, PATH_COUNT])
    for j in range(k + 1, count):
        following, before = (work.sight[row, PATH_START + j], work.sight[row, PATH_START + j - 1])
        if road.key[following, LIT] == 1 or (
            road.key[following, CONTROLLED] == 1 and hold_of(road, following, work.driver[row, BODY]) == 0.0
        ):
            back = road.lane[before, LENGTH] - road.lane[before, STOP] if j > k + 1 else 0.0
            place = behind - back - LINE_GAP
            return (min(free, place), place, j, way)
        bodies = body_room(work, following)
        if free >= FAR and bodies < FAR:
            free = behind + bodies
        if road.key[following, CONTROLLED] == 1:
            place = behind + hold_of(road, following, work.driver[row, BODY])
            return (min(free, place), place, j, way)
        behind += road.lane[following, LENGTH]
        way += road.lane[following, LENGTH]
        if behind > need + work.report[work.sight[row, PATH_START + k + 1], RESERVED]:
            break
    return (free, FAR, -1, way)
