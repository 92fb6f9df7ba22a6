"""Which actors a storyboard has hidden, and from whom (ASAM OpenSCENARIO XML 1.3, VisibilityAction)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from enum import IntFlag

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.world.collision.body import BodyTable
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.state import NEVER, StoryboardState


class HiddenFrom(IntFlag):
    """Bits of `EntityTable.hidden`."""

    GRAPHICS = 1
    SENSORS = 2
    TRAFFIC = 4


_NOBODY: frozenset[int] = frozenset()


def hidden_actors(storyboard: StoryboardState, whom: HiddenFrom) -> frozenset[int]:
    """Ids of the actors that some do not see.

    Those that are hidden from some sensors only are not among them (`as_seen_by`).

    Args:
        storyboard: of the snapshot.
        whom: who does not see them.
    """
    table = storyboard.entity
    if not len(table) or not table.hidden.any():
        return _NOBODY
    hidden = (table.hidden & int(whom)) != 0
    if whom & HiddenFrom.SENSORS:
        hidden &= storyboard.control.blind == NEVER
    return frozenset(table.actor[hidden & (table.actor > 0)].tolist())


def without_hidden(table: BodyTable, rows: IntArray, hidden: Collection[int]) -> IntArray:
    """Rows of bodies without those of some actors.

    Args:
        table: bodies.
        rows: `(N,)` some of its rows.
        hidden: ids; none for rows as they are.
    """
    return rows[~np.isin(table.id[rows], list(hidden))] if hidden else rows


def as_seen_by(now: Snapshot, names: Collection[str]) -> Snapshot:
    """The snapshot for one sensor: actors that are hidden from some sensors are hidden if it is one of them.

    All that a sensor looks at comes from its snapshot, so `hidden_actors` of it needs no name.

    Args:
        now: returned as it is where no actor is hidden from some sensors only.
        names: by which the sensor may be named, in any case of letters.
    """
    storyboard = now.storyboard
    entity, control = storyboard.entity, storyboard.control
    if not len(entity) or not (control.blind != NEVER).any():
        return now
    texts, known = storyboard.texts(), {one.casefold() for one in names}
    entity, control = entity.copy(), control.copy()
    for row in np.flatnonzero(control.blind != NEVER).tolist():
        listed = {one.strip().casefold() for one in texts[control.blind[row]].split("\n")}
        if not listed & known:
            entity.hidden[row] &= ~int(HiddenFrom.SENSORS)
        control.blind[row] = NEVER
    return replace(now, storyboard=replace(storyboard, entity=entity.freeze(), control=control.freeze()))
