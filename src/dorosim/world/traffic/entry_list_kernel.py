"""The lists of vehicles on each link, sorted by place."""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.beside_kernel import place_on_source_lane
from dorosim.world.traffic.decision_table_kernel import (
    ENTRY,
    REPORT,
    UNBOUNDED,
    VEHICLE,
    LinkReport,
    Workspace,
    fetch_vehicle,
    fill_vehicle,
)
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.state import Presence, TrafficState

_REPORT_FLOATS, _REPORT_INTS = LinkReport.float_width, len(LinkReport.int_columns)
_ON_LANE = int(Presence.ON_LANE)
_TRAFFIC = TrafficState.at


@inner_kernel
def list_vehicles(work: Workspace) -> None:
    """List the vehicles of each link in the order of their rows: a counting sort. Reads nothing but `TrafficState`."""
    links, rows = work.link.shape[0], work.ints.shape[1]
    # what begins at a link is counted two links later, so that each place is where it belongs once all are listed
    for link in range(links + 2):
        work.first[link] = 0
    for row in range(rows):
        if work.ints[_TRAFFIC.present, row] == _ON_LANE:
            link, old = work.ints[_TRAFFIC.link, row], work.ints[_TRAFFIC.change_from, row]
            work.first[link + 2] += 1
            if old >= 0:
                work.first[old + 2] += 1
    for link in range(links):
        work.first[link + 2] += work.first[link + 1]
    for row in range(rows):
        if work.ints[_TRAFFIC.present, row] == _ON_LANE:
            link, old = work.ints[_TRAFFIC.link, row], work.ints[_TRAFFIC.change_from, row]
            work.entry_vehicle[work.first[link + 1]] = row
            work.first[link + 1] += 1
            if old >= 0:
                work.entry_vehicle[work.first[old + 1]] = row
                work.first[old + 1] += 1


@inner_kernel
def fill_vehicles(work: Workspace, begin: int, end: int, turn: int) -> None:
    """Copy what a decision needs of some rows of vehicles into their records."""
    for row in range(begin, end):
        work.vehicle_ints[row, VEHICLE.entry] = -1
        work.vehicle_ints[row, VEHICLE.source_link_entry] = -1
        if work.ints[_TRAFFIC.present, row] == _ON_LANE:
            fill_vehicle(work, row, turn)


@inner_kernel
def reset_report(work: Workspace, link: int) -> None:
    """Reset the report on a link to nothing known, but for its entries."""
    for column in range(_REPORT_FLOATS):
        work.link[link, column] = UNBOUNDED
    work.link[link, REPORT.reserved] = work.link[link, REPORT.arrival_speed] = 0.0
    work.link[link, REPORT.waiting_time] = 0.0
    reset_ints(work, link)


@inner_kernel
def reset_ints(work: Workspace, link: int) -> None:
    """Reset the ints of the report on a link, or of the row after all links."""
    for column in range(_REPORT_INTS):
        work.link_ints[link, column] = 0
    work.link_ints[link, REPORT.rear_vehicle] = work.link_ints[link, REPORT.junction_vehicle] = -1
    work.link_ints[link, REPORT.long_junction_vehicle] = -1


@inner_kernel
def sort_entries(road: RoadArrays, work: Workspace, link: int) -> None:
    """Sort the listed vehicles of a link by the places of their fronts; of equal ones the lower row comes first."""
    first = work.first[link]
    for listed in range(first, work.first[link + 1]):
        fetch_vehicle(work, listed)
        row = work.entry_vehicle[listed]
        s = work.vehicle[row, VEHICLE.s]
        if work.path[row, 0] != link:
            s = place_on_source_lane(road, work.path[row, 0], link, s)
        at = listed
        while at > first and work.entry[at - 1, ENTRY.front] > s:
            work.entry[at, ENTRY.front] = work.entry[at - 1, ENTRY.front]
            work.entry[at, ENTRY.rear] = work.entry[at - 1, ENTRY.rear]
            work.entry_vehicle[at] = work.entry_vehicle[at - 1]
            at -= 1
        work.entry[at, ENTRY.front], work.entry_vehicle[at] = s, row
        work.entry[at, ENTRY.rear] = s - work.vehicle[row, VEHICLE.length]
    for at in range(first, work.first[link + 1]):
        row = work.entry_vehicle[at]
        work.vehicle_ints[row, VEHICLE.entry if work.path[row, 0] == link else VEHICLE.source_link_entry] = at
