"""All spawn points of a run."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.spawn.table import (
    DestinationTable,
    PedestrianSpawnTable,
    VehicleSpawnTable,
    enable_points,
    merge_points,
    pedestrian_spawn_tables,
    vehicle_spawn_table,
    without_points,
)


@dataclass(frozen=True, slots=True, eq=False)
class SpawnPoints:
    """The spawn points of vehicles and pedestrians; never changed, only replaced.

    Attributes:
        vehicle, pedestrian: one row a point. destination: where the pedestrians go.
    """

    vehicle: VehicleSpawnTable
    pedestrian: PedestrianSpawnTable
    destination: DestinationTable

    @classmethod
    def empty(cls) -> Self:
        """No points."""
        tables = (VehicleSpawnTable.zeros(0), PedestrianSpawnTable.zeros(0), DestinationTable.zeros(0))
        return cls(*tables).freeze()

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.vehicle) + len(self.pedestrian)

    def freeze(self) -> Self:
        """Make all tables read-only, and return the points themselves."""
        for table in (self.vehicle, self.pedestrian, self.destination):
            table.freeze()
        return self

    def ids(self) -> set[int]:
        """The ids of all points."""
        return {*self.vehicle.id.tolist(), *self.pedestrian.id.tolist()}

    def holds(self, point: int) -> bool:
        """Whether there is a point of an id."""
        return self.vehicle.row_of(point) >= 0 or self.pedestrian.row_of(point) >= 0

    def with_vehicles(self, points: Collection[VehicleSpawnPoint], time: int) -> Self:
        """With points of vehicles; those of the same id are replaced. Their waits count from `time` [ns]."""
        new = vehicle_spawn_table(points, time)
        return type(self)(merge_points(self.vehicle, new), self.pedestrian, self.destination).freeze()

    def with_pedestrians(self, points: Collection[PedestrianSpawnPoint], time: int) -> Self:
        """With points of pedestrians; those of the same id are replaced. Their waits count from `time` [ns]."""
        new, goals = pedestrian_spawn_tables(points, time)
        old_goals = without_points(self.destination, new.id.tolist())
        return type(self)(self.vehicle, merge_points(self.pedestrian, new), merge_points(old_goals, goals)).freeze()

    def enabled(self, ids: Collection[int], enabled: bool) -> Self:
        """With points that spawn, or do not."""
        vehicle = enable_points(self.vehicle, ids, enabled)
        return type(self)(vehicle, enable_points(self.pedestrian, ids, enabled), self.destination).freeze()

    def without(self, ids: Collection[int]) -> Self:
        """Without some points."""
        vehicle, pedestrian = without_points(self.vehicle, ids), without_points(self.pedestrian, ids)
        return type(self)(vehicle, pedestrian, without_points(self.destination, ids)).freeze()
