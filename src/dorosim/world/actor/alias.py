"""The ids that a scenario gives to what it makes.

Scenario files give everything an id of their own. The world's ids are never used twice (design/seams.md, Who is who),
so loading a scenario again, or saving it, needs the world's id of each of the scenario's ids.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum

import numpy as np

from dorosim.ground.column import Columns, int64


class AliasKind(IntEnum):
    """The kind of thing that an id belongs to. Ids of one kind differ; those of two kinds need not."""

    VEHICLE = 0
    PEDESTRIAN = 1
    OBSTACLE = 2
    VEHICLE_SPAWN_POINT = 3
    PEDESTRIAN_SPAWN_POINT = 4
    FRICTION_AREA = 5


class AliasTable(Columns):
    """One row per id that a scenario gave, in the order of creation. Things that left the world may still be listed."""

    kind = int64("AliasKind")
    alias = int64("id in the scenario")
    actor = int64("id in the world")
    key = ("actor", "kind")

    def actor_of(self, kind: AliasKind, alias: int) -> int:
        """The world's id for an id of the scenario, 0 if there is none."""
        rows = np.flatnonzero((self.kind == kind) & (self.alias == alias))
        return int(self.actor[rows[-1]]) if len(rows) else 0

    def aliases_of(self, kind: AliasKind) -> dict[int, int]:
        """The scenario's ids of one kind by the world's."""
        rows = np.flatnonzero(self.kind == kind)
        return dict(zip(self.actor[rows].tolist(), self.alias[rows].tolist(), strict=True))

    def with_alias(self, kind: AliasKind, alias: int, actor: int) -> AliasTable:
        """A table in which a scenario's id means an actor, and nothing else."""
        row = AliasTable.zeros(1)
        row.kind[0], row.alias[0], row.actor[0] = kind, alias, actor
        kept = (self.kind != kind) | (self.alias != alias)
        return (self if kept.all() else self.take(kept)).append(row).freeze()

    def without_actors(self, actors: Collection[int]) -> AliasTable:
        """A table without actors that left the world; the table itself if it has none of them."""
        gone = np.isin(self.actor, np.asarray(list(actors), np.int64))
        return self.take(~gone).freeze() if gone.any() else self
