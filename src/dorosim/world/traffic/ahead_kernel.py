"""Asks for what drivers are about to look at, where links and vehicles are more than the caches hold.

A driver looks at the links ahead, those at the links that these conflict with, and each of them says where the next is:
a processor that has to wait for one after the other does little else. What comes is known some vehicles before, since
lists are gone through in order (`dorosim.ground.prefetch_kernel`). Results do not change.
"""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel
from dorosim.ground.prefetch_kernel import fetch
from dorosim.world.traffic.decision_table_kernel import BUSY, ENTRIES, VEHICLE, Workspace, rows_of
from dorosim.world.traffic.road import CONFLICT, LINK, LinkConflict, RoadArrays, RoadLink
from dorosim.world.traffic.workspace_kernel import RECORD_WORDS, REPORT_WORDS

MAX_CACHED_LINKS = 4_000
"""The tables of so many links, and of their vehicles, are in the caches of a core anyway."""

_AHEAD, _SOON, _NEXT = 6, 4, 2
"""How many turns before they are needed rows are asked for, and what these lead to."""

_LINKS_SEEN = 3
"""Of the links of a path so many are asked for."""

_LINE = 8
_LINK_COLUMNS, _CONFLICT_COLUMNS = RoadLink.float_width, LinkConflict.float_width


@inner_kernel
def is_beyond_caches(work: Workspace) -> bool:
    """Whether it is worth while to ask for what comes."""
    return bool(work.link.shape[0] > MAX_CACHED_LINKS)


@inner_kernel
def fetch_link(road: RoadArrays, link: int) -> None:
    """Ask for what roads say of a link."""
    fetch(road.link, link * _LINK_COLUMNS)
    fetch(road.link_ints, link * _LINK_COLUMNS)


@inner_kernel
def fetch_surveyed(road: RoadArrays, work: Workspace, number: int) -> None:
    """Ask for links with vehicles that come after one, which is given by its place in `Workspace.busy`."""
    if number + _AHEAD >= work.total[BUSY]:
        return
    fetch_link(road, work.busy[number + _AHEAD])
    for choice in rows_of(road.link_ints, work.busy[number + _NEXT], LINK.successor_first):
        fetch_link(road, road.connection[choice])


@inner_kernel
def fetch_path(road: RoadArrays, work: Workspace, row: int) -> None:
    """Ask for the first links that a driver sees, and for the reports on them."""
    for k in range(min(work.vehicle_ints[row, VEHICLE.path_count], _LINKS_SEEN)):
        fetch_link(road, work.path[row, k])
        fetch(work.link, work.path[row, k] * REPORT_WORDS)


@inner_kernel
def fetch_chosen(road: RoadArrays, work: Workspace, at: int) -> None:
    """Ask for what the driver of an entry that comes after one looks at."""
    if at + _AHEAD < work.total[ENTRIES]:
        fetch_path(road, work, work.entry_vehicle[at + _AHEAD])


@inner_kernel
def fetch_entering(road: RoadArrays, work: Workspace, listed: int, end: int) -> None:
    """Ask for vehicles that come after one on a list of `Workspace.entering`, and for the links that they see."""
    if listed + _AHEAD < end:
        record = work.entry_vehicle[work.entering[listed + _AHEAD] >> 1] * RECORD_WORDS
        for line in range(0, RECORD_WORDS, _LINE):
            fetch(work.vehicle, record + line)
    if listed + _NEXT < end:
        fetch_path(road, work, work.entry_vehicle[work.entering[listed + _NEXT] >> 1])


@inner_kernel
def fetch_asking(road: RoadArrays, work: Workspace, listed: int, end: int) -> None:
    """Ask for vehicles that come after one on a list of `Workspace.asking`, and for what conflicts with their way."""
    if listed + _AHEAD < end:
        record = work.entry_vehicle[work.asking[listed + _AHEAD]] * RECORD_WORDS
        for line in range(0, RECORD_WORDS, _LINE):
            fetch(work.vehicle, record + line)
    if listed + _SOON < end:
        fetch_path(road, work, work.entry_vehicle[work.asking[listed + _SOON]])
    if listed + _NEXT < end:
        row = work.entry_vehicle[work.asking[listed + _NEXT]]
        link = work.path[row, min(1, work.vehicle_ints[row, VEHICLE.path_count] - 1)]
        for conflict in rows_of(road.link_ints, link, LINK.conflict_first):
            fetch(road.conflict, conflict * _CONFLICT_COLUMNS)
    if listed + 1 < end:
        row = work.entry_vehicle[work.asking[listed + 1]]
        link = work.path[row, min(1, work.vehicle_ints[row, VEHICLE.path_count] - 1)]
        for conflict in rows_of(road.link_ints, link, LINK.conflict_first):
            fetch(work.link, int(road.conflict[conflict, CONFLICT.foe_link]) * REPORT_WORDS)
