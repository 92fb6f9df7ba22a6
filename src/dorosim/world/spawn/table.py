"""Spawn points as tables, which are part of the Snapshot: commands change them, and time does."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from dorosim.ground.column import Columns, IntArray, float64, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, NANOSECOND, RADIAN, RATIO, SECOND
from dorosim.world.spawn.point import Destination, PedestrianSpawnPoint, VehicleSpawnPoint

UNSCHEDULED = -1
"""`next_time` of a point that has not drawn its first period yet."""
NANOSECONDS = 1_000_000_000
_MAX_WAIT = 1e9
"""Longer waits [s] are cut to this, so that times stay within int64."""


class VehicleSpawnTable(Columns):
    """One row per vehicle spawn point, in ascending order of id. See `VehicleSpawnPoint` for what the columns mean."""

    x = float64(METRE, "of the point, east", frame="map")
    y = float64(METRE, "of the point, north", frame="map")
    z = float64(METRE, "of the point, up", frame="map")
    yaw = float64(RADIAN, "of the point", frame="map")
    start_s = float64(METRE, "arc length of the entry")
    end_s = float64(METRE, "arc length at which vehicles leave")
    shortest_period = float64(SECOND, "from one entry to the next")
    longest_period = float64(SECOND, "from one entry to the next")
    lowest_speed = float64(METRE_PER_SECOND, "at entry, CUSTOM")
    highest_speed = float64(METRE_PER_SECOND, "at entry, CUSTOM")
    lowest_speed_ratio = float64(RATIO, "at entry over the limit, LINK")
    highest_speed_ratio = float64(RATIO, "at entry over the limit, LINK")
    lowest_desired = float64(METRE_PER_SECOND, "desired, CUSTOM")
    highest_desired = float64(METRE_PER_SECOND, "desired, CUSTOM")
    lowest_desired_ratio = float64(RATIO, "desired over the limit, LINK")
    highest_desired_ratio = float64(RATIO, "desired over the limit, LINK")
    lowest_bias = float64(RATIO, "of half the lane width, left positive")
    highest_bias = float64(RATIO, "of half the lane width, left positive")
    safety_distance = float64(METRE, "room that must be free around the entry")
    time_to_collision = float64(SECOND, "before a vehicle behind gets to the entry")
    id = int64("internal id")
    enabled = int64("1 if it spawns")
    model = int64("row of the vehicle catalogue, -1 random")
    lengths = int64("LengthSet of random models")
    start_link = int64("row of the link of entry, -1 none: nothing enters")
    end_link = int64("row of the link at which vehicles leave, -1 none")
    destination = int64("id of a destination object, -1 none")
    close_loop = int64("1 if the way is driven again and again")
    lane_change = int64("1 if vehicles may change lanes")
    maximum = int64("vehicles of the point in the world at a time")
    speed_rule = int64("SpeedRule of the speed at entry")
    desired_range = int64("SpeedRange")
    desired_rule = int64("SpeedRule of the desired speed")
    bias_rule = int64("BiasRule")
    spawned = int64("how many entered so far")
    next_time = int64("when the next one enters [ns of simulated time], UNSCHEDULED if not drawn yet", NANOSECOND)
    counter = int64("periods drawn so far: the address of the next draw")


class PedestrianSpawnTable(Columns):
    """One row per pedestrian spawn point, in ascending order of id. See `PedestrianSpawnPoint`."""

    x = float64(METRE, "of the point, east", frame="map")
    y = float64(METRE, "of the point, north", frame="map")
    z = float64(METRE, "of the point, up", frame="map")
    yaw = float64(RADIAN, "in which pedestrians look first", frame="map")
    period = float64(SECOND, "of the cycle")
    id = int64("internal id")
    enabled = int64("1 if it spawns")
    model = int64("row of the pedestrian catalogue, -1 random")
    mode = int64("CharacterMode")
    minimum = int64("least number in the world after a cycle")
    maximum = int64("largest number in the world after a cycle")
    spawned = int64("how many entered so far")
    next_time = int64("when the next cycle is [ns of simulated time], UNSCHEDULED if not known yet", NANOSECOND)
    counter = int64("cycles so far: the address of the next draw")


class DestinationTable(Columns):
    """One row per destination of a pedestrian spawn point, by ascending id of the point, then in order of visit."""

    x = float64(METRE, "middle of the box, east", frame="map")
    y = float64(METRE, "middle of the box, north", frame="map")
    z = float64(METRE, "middle of the box, up", frame="map")
    yaw = float64(RADIAN, "of the box", frame="map")
    length = float64(METRE, "of the box along its yaw")
    width = float64(METRE, "of the box across its yaw")
    point = int64("id of the spawn point")
    key = ("point",)


SpawnTable = TypeVar("SpawnTable", VehicleSpawnTable, PedestrianSpawnTable)
Rows = TypeVar("Rows", VehicleSpawnTable, PedestrianSpawnTable, DestinationTable)

AnyPoint = VehicleSpawnPoint | PedestrianSpawnPoint
_DRAWN = ("next_time", "counter")
"""Columns that a description of a point does not have."""


def vehicle_spawn_table(points: Iterable[VehicleSpawnPoint], time: int = 0) -> VehicleSpawnTable:
    """A writable table of points with different ids.

    Args:
        points: in any order; see `checked_point`.
        time: present time [ns], from which their waits count.
    """
    return _filled(VehicleSpawnTable, sorted(points, key=_id_of), time)


def pedestrian_spawn_tables(
    points: Iterable[PedestrianSpawnPoint], time: int = 0
) -> tuple[PedestrianSpawnTable, DestinationTable]:
    """Writable tables of points with different ids, and of their destinations; arguments as above."""
    ordered = sorted(points, key=_id_of)
    pairs = [(point.id, destination) for point in ordered for destination in point.destinations]
    destinations = DestinationTable.zeros(len(pairs))
    _fill(destinations, [destination for _, destination in pairs], ("point",))
    destinations.point[:] = [point for point, _ in pairs]
    return _filled(PedestrianSpawnTable, ordered, time), destinations


def vehicle_points(table: VehicleSpawnTable, time: int) -> tuple[VehicleSpawnPoint, ...]:
    """The points of a table as they are now, so that `vehicle_spawn_table` makes them again.

    The number of the next draw is not part of it: points that are written to a file and read again draw anew.
    """
    return tuple(VehicleSpawnPoint(**fields) for fields in _fields_of_points(table, time))


def pedestrian_points(
    table: PedestrianSpawnTable, destinations: DestinationTable, time: int
) -> tuple[PedestrianSpawnPoint, ...]:
    """The points of the tables as they are now; see `vehicle_points`."""
    return tuple(
        PedestrianSpawnPoint(**fields, destinations=destinations_of(destinations, fields["id"]))
        for fields in _fields_of_points(table, time)
    )


def destinations_of(table: DestinationTable, point: int) -> tuple[Destination, ...]:
    """The destinations of one spawn point, in order of visit."""
    names = [column.name for column in table.float_columns]
    return tuple(
        Destination(**{name: float(getattr(table, name)[row]) for name in names})
        for row in np.flatnonzero(table.point == point)
    )


def count_owned(table: SpawnTable, owners: IntArray) -> IntArray:
    """How many actors each point has in the world `(rows,)`.

    Args:
        table: the points.
        owners: `(N,)` id of the spawn point that each actor came from; others, such as -1, belong to none.
    """
    if not len(table):
        return np.zeros(0, np.int64)
    row = np.minimum(np.searchsorted(table.id, owners), len(table) - 1)
    return np.bincount(row[table.id[row] == owners], minlength=len(table)).astype(np.int64)


def enable_points(table: SpawnTable, ids: Collection[int], enabled: bool) -> SpawnTable:
    """A writable table in which points spawn or do not. A point that is enabled anew draws a period first."""
    after = table.copy()
    rows = np.isin(after.id, list(ids))
    after.next_time[rows & (after.enabled != int(enabled))] = UNSCHEDULED
    after.enabled[rows] = int(enabled)
    return after


def merge_points(table: Rows, new: Rows) -> Rows:
    """A writable table with the rows of `new` added; rows of the same id (of the same point) are replaced."""
    key, added = _key(table), _key(new)
    if not len(key) or not len(added) or added[0] > key[-1]:
        return table.append(new)
    rows = np.searchsorted(key, added)
    if not isinstance(table, DestinationTable) and added[-1] <= key[-1] and bool((key[rows] == added).all()):
        after = table.copy()
        after.floats[:, rows], after.ints[:, rows] = new.floats, new.ints
        return after
    kept = ~np.isin(key, added)
    joined = type(table)(table.floats[:, kept], table.ints[:, kept]).append(new)
    order = np.argsort(_key(joined), kind="stable")
    return type(table)(np.take(joined.floats, order, axis=1), np.take(joined.ints, order, axis=1))


def without_points(table: Rows, ids: Collection[int]) -> Rows:
    """A writable table without points, or without their destinations."""
    if not len(table):
        return table.copy()
    kept = ~np.isin(_key(table), list(ids))
    return type(table)(np.compress(kept, table.floats, axis=1), np.compress(kept, table.ints, axis=1))


def _key(table: Columns) -> IntArray:
    key: IntArray = getattr(table, "point" if hasattr(table, "point") else "id")
    return key


def _id_of(point: AnyPoint) -> int:
    return point.id


def _filled(kind: type[SpawnTable], points: Sequence[AnyPoint], time: int) -> SpawnTable:
    """A table of points in ascending order of id."""
    table = kind.zeros(len(points))
    _fill(table, points, _DRAWN)
    table.next_time[:] = [_time_after(point.wait, time) for point in points]
    return table


def _fields_of_points(table: SpawnTable, time: int) -> Iterator[dict[str, Any]]:
    """The fields of each point but its destinations."""
    names = [column.name for column in (*table.float_columns, *table.int_columns) if column.name not in _DRAWN]
    for row in range(len(table)):
        fields = {name: getattr(table, name)[row].item() for name in names}
        flags = {name: bool(fields[name]) for name in ("enabled", "close_loop", "lane_change") if name in fields}
        yield fields | flags | {"wait": _wait_until(int(table.next_time[row]), time)}


def _fill(table: Columns, records: Sequence[object], left: tuple[str, ...]) -> None:
    """Write records into the columns of their fields' names."""
    for column in (*table.float_columns, *table.int_columns):
        if column.name not in left:
            getattr(table, column.name)[:] = [getattr(record, column.name) for record in records]


def _time_after(wait: float, time: int) -> int:
    return time + round(min(max(wait, 0.0), _MAX_WAIT) * NANOSECONDS) if math.isfinite(wait) else UNSCHEDULED


def _wait_until(next_time: int, time: int) -> float:
    return math.nan if next_time == UNSCHEDULED else max(next_time - time, 0) / NANOSECONDS
