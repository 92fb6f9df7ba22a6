"""The goals that vehicles were given: the links of their way, the goal, and whether they have been there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

import numpy as np

from dorosim.ground.column import Columns, IntArray, float64, int64
from dorosim.ground.unit import METRE
from dorosim.world.traffic.route import RouteTable
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

DEFAULT_GOAL_RADIUS = 3.0
"""How near to its goal a vehicle counts as there if the command does not say [m]; it passes it within its lane."""
MAX_GOAL_RADIUS = 1000.0
"""Bound of what can be asked for [m]."""
MAX_ROUTE_LINKS = 10_000
"""Links of a way."""


class GoalTable(Columns):
    """One row per vehicle with a goal, in ascending order of ids."""

    actor = int64("id of the vehicle")
    passed = int64("1 once it has been there")
    link = int64("link of the goal")
    s = float64(METRE, "arc length of the goal on that link")
    x = float64(METRE, "of the goal, east", frame="map")
    y = float64(METRE, "of the goal, north", frame="map")
    z = float64(METRE, "of the goal, up", frame="map")
    reach = float64(METRE, "how near to it counts as there")
    key = ("actor",)


@dataclass(frozen=True, slots=True, eq=False)
class Goals:
    """All goals; never changed, only replaced.

    Attributes:
        table: one row a vehicle, read-only.
        way: the links of the way of each, in the order of the rows.
    """

    table: GoalTable
    way: RouteTable

    @classmethod
    def empty(cls) -> Self:
        """None."""
        return cls(GoalTable.zeros(0).freeze(), RouteTable.from_lists([]))

    def __len__(self) -> int:
        """How many there are."""
        return self.table.rows

    def with_goal(self, goal: GoalTable, way: Collection[int]) -> Self:
        """With the goal of one vehicle, in place of the one that it had.

        Args:
            goal: a table of one row.
            way: rows of links, in driving order.
        """
        rest = self.without_actors((int(goal.actor[0]),))
        table = rest.table.append(goal)
        order = np.argsort(table.actor, kind="stable")
        ways = [rest.way.of(row) for row in range(len(rest))] + [np.array(tuple(way), np.int64)]
        return type(self)(table.take(order).freeze(), RouteTable.from_lists([ways[row] for row in order.tolist()]))

    def without_actors(self, actors: Collection[int]) -> Self:
        """Without the goals of some vehicles; the same object if none of them has one."""
        keep = ~np.isin(self.table.actor, list(actors))
        if keep.all():
            return self
        ways = [self.way.of(row) for row in np.flatnonzero(keep).tolist()]
        return type(self)(self.table.take(keep).freeze(), RouteTable.from_lists(ways))

    def with_arrivals(self, vehicle: VehicleState, parameter: VehicleParameter, traffic: TrafficState) -> Self:
        """With the vehicles marked that are at their goals by now; the same object if none is new.

        A vehicle is there if the origin of its body, or its front, is within the reach of the goal.
        """
        rows = np.flatnonzero(self.table.passed == 0)
        if not len(rows):
            return self
        there = np.zeros(len(rows), np.bool_)
        front = parameter.wheelbase + parameter.front_overhang
        npc_front = traffic.wheelbase + traffic.front_overhang
        for ids, x, y, yaw, ahead in (
            (vehicle.id, vehicle.x, vehicle.y, vehicle.yaw, front),
            (traffic.id, traffic.x, traffic.y, traffic.yaw, npc_front),
        ):
            found, at = _matched(ids, self.table.actor[rows])
            goal = rows[found]
            for share in (0.0, 1.0):
                dx = x[at] + share * ahead[at] * np.cos(yaw[at]) - self.table.x[goal]
                dy = y[at] + share * ahead[at] * np.sin(yaw[at]) - self.table.y[goal]
                there[found] |= np.hypot(dx, dy) <= self.table.reach[goal]
        if not there.any():
            return self
        table = self.table.copy()
        table.passed[rows[there]] = 1
        return type(self)(table.freeze(), self.way)


def _matched(ids: IntArray, wanted: IntArray) -> tuple[IntArray, IntArray]:
    """Which of the wanted ids are among ascending ids, and in which rows."""
    if not len(ids):
        return _NOBODY, _NOBODY
    at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    found = np.flatnonzero(ids[at] == wanted)
    return found, at[found]


_NOBODY = np.zeros(0, np.int64)
