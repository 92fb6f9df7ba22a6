"""What drivers find out without each other: their places in the lists, the links ahead, and whether they have to stop.

Parts of the links are surveyed at once. What concerns other links, or depends on what others are granted, is put on
lists, and done in turn after that, as if all had been done in turn.
"""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.ahead_kernel import fetch_entering, fetch_surveyed, is_beyond_caches
from dorosim.world.traffic.conflict_kernel import MIN_LEAVING_SPEED
from dorosim.world.traffic.decision_table_kernel import (
    BUSY,
    ENTRIES,
    ENTRY,
    SPAN_BEGIN,
    SPAN_END,
    UNBOUNDED,
    VEHICLE,
    Workspace,
)
from dorosim.world.traffic.entry_list_kernel import sort_entries
from dorosim.world.traffic.junction_kernel import ASKS, find_stop, note_stop
from dorosim.world.traffic.link_occupancy_kernel import (
    ARRIVAL_HORIZON,
    JUNCTION_EXIT_LOOK_AHEAD,
    MIN_LOOK_AHEAD,
    PLACE_TOLERANCE,
    find_path,
    look_ahead_distance,
    may_arrive,
    occupy_link,
    register_arrival,
    register_authority,
    register_body,
    wait_place_of,
)
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.route import Routes

ENTERING, ASKING, DECIDING = range(3)
"""Columns of `Workspace.listed`."""


@inner_kernel
def busy_links_of(work: Workspace, part: int, parts: int) -> range:
    """The places in `Workspace.busy` of a part of the links with vehicles."""
    busy = work.total[BUSY]
    return range(busy * part // parts, busy * (part + 1) // parts)


@inner_kernel
def first_entry_of(work: Workspace, part: int, parts: int) -> int:
    """The first entry of a part of the links with vehicles: its lists begin there."""
    begin = work.total[BUSY] * part // parts
    if begin == work.total[BUSY]:
        return int(work.total[ENTRIES])
    return int(work.entry_span[work.busy[begin], SPAN_BEGIN])


@inner_kernel
def look_ahead(road: RoadArrays, work: Workspace, routes: Routes, row: int, seed: int, first_in_lane: bool) -> None:
    """Let a driver look as far ahead as it has to."""
    s, speed = work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.speed]
    look = look_ahead_distance(speed)
    if first_in_lane:
        look = max(look, ARRIVAL_HORIZON * speed, MIN_LOOK_AHEAD)
    reach = max(s + look + JUNCTION_EXIT_LOOK_AHEAD, work.vehicle[row, VEHICLE.authority] + PLACE_TOLERANCE)
    find_path(road, work, routes, row, seed, reach)


@inner_kernel
def concerns_others(road: RoadArrays, work: Workspace, row: int, first_in_lane: bool) -> bool:
    """Whether a vehicle has more to enter into the reports than its body on its own link."""
    link, tail = work.path[row, 0], work.vehicle[row, VEHICLE.s] - work.vehicle[row, VEHICLE.length]
    if tail < 0.0 or work.vehicle_ints[row, VEHICLE.source_link] >= 0:
        return True
    s, authority = work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.authority]
    way = 0.0
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        link = work.path[row, k]
        if road.link_ints[link, LINK.conflicting] == 1:
            stand = way + wait_place_of(road, link, work.vehicle[row, VEHICLE.length]) + PLACE_TOLERANCE
            if authority <= stand and (k > 0 or s <= stand):
                return first_in_lane and may_arrive(work, row, link)
            return True
        way += road.link[link, LINK.length]
    return False


@inner_kernel
def enter_vehicle(road: RoadArrays, work: Workspace, at: int, first_in_lane: bool) -> None:
    """Enter all of a vehicle into the reports: its body, its authority, and when it arrives."""
    row = work.entry_vehicle[at]
    register_body(road, work, row)
    path_count = work.vehicle_ints[row, VEHICLE.path_count]
    if path_count == 1 and road.link_ints[work.path[row, 0], LINK.conflicting] == 0:
        return
    k, way = register_authority(road, work, row)
    if first_in_lane and k >= 0:
        register_arrival(work, row, k, way)


@inner_kernel
def survey_links(road: RoadArrays, work: Workspace, routes: Routes, part: int, parts: int, seed: int) -> None:
    """Sort the vehicles of a part of the links, and let their drivers find out what they can without others."""
    far = is_beyond_caches(work)
    first = entering = asking = first_entry_of(work, part, parts)
    for number in busy_links_of(work, part, parts):
        link = work.busy[number]
        if far:
            fetch_surveyed(road, work, number)
        sort_entries(road, work, link)
        first_in_lane, alone, blocker = True, True, UNBOUNDED
        for at in range(work.entry_span[link, SPAN_END] - 1, work.entry_span[link, SPAN_BEGIN] - 1, -1):
            row = work.entry_vehicle[at]
            if work.vehicle_ints[row, VEHICLE.entry] != at:
                # a vehicle that leaves the lane may have to stop beside it
                if work.vehicle[row, VEHICLE.speed] < MIN_LEAVING_SPEED:
                    blocker = work.entry[at, ENTRY.front]
                continue
            look_ahead(road, work, routes, row, seed, first_in_lane)
            if concerns_others(road, work, row, first_in_lane):
                work.entering[entering] = 2 * at + (1 if first_in_lane else 0)
                entering += 1
            else:
                occupy_link(work, link, work.vehicle[row, VEHICLE.s] - work.vehicle[row, VEHICLE.length], row)
            crosses = work.vehicle_ints[row, VEHICLE.path_count] > 1 or road.link_ints[link, LINK.conflicting] == 1
            if crosses and work.vehicle[row, VEHICLE.authority] <= work.vehicle[row, VEHICLE.s]:
                first_in_lane = False
            if alone:
                code = find_stop(road, work, row, blocker, True)
                if code == ASKS:
                    work.asking[asking], work.blocker[asking] = at, blocker
                    asking += 1
                    alone = False
                else:
                    blocker = note_stop(road, work, row, code, blocker)
    work.listed[part, ENTERING] = entering - first
    work.listed[part, ASKING] = asking - first


@inner_kernel
def enter_vehicles(road: RoadArrays, work: Workspace, parts: int) -> None:
    """Enter the vehicles on the lists of all parts into the reports, on each link from the front to the back."""
    far = is_beyond_caches(work)
    for part in range(parts):
        first = first_entry_of(work, part, parts)
        end = first + work.listed[part, ENTERING]
        for listed in range(first, end):
            if far:
                fetch_entering(road, work, listed, end)
            found = work.entering[listed]
            enter_vehicle(road, work, found >> 1, found & 1 == 1)
