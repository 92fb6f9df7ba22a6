"""Numbers of actors for messages without room for their ids.

An id is never used twice in a run, and may be any up to 2^31 - 1. UDP names an actor by an int16 (facts/udp-wire.md,
3.4), so there an actor has the smallest number that no actor has had for 10 simulated seconds: a client never takes one
actor for another that has just left (docs/decisions/0035-numbers-on-udp.md).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from dorosim.ground.column import Columns, IntArray, int64, row_of_id
from dorosim.ground.unit import NANOSECOND

LAST_NUMBER = 32767
"""The greatest number, that of an int16: as many things with an id may be there at a time."""
COOLING = 10_000_000_000
"""How long a number stays free before another actor gets it [ns of simulated time]."""
HELD = -1
"""`NumberTable.freed` of a number that an actor has."""


class NumberTable(Columns):
    """One row per number that an actor has, or had until not long ago, in ascending order of actors.

    Map objects and spawn points have numbers, too, though UDP does not report them: so an actor's number is its id as
    long as no number is used again.
    """

    actor = int64("id in the world")
    number = int64("1 to 32767; no two rows have the same")
    freed = int64("when its actor left the world; -1 while it is there [ns]", NANOSECOND)
    key = ("actor", "number")

    @classmethod
    def of(cls, actors: Sequence[int]) -> NumberTable:
        """The numbers of the first actors of a run: their ids, which are 1, 2, 3 and so on."""
        table = cls.zeros(len(actors))
        table.actor[:], table.number[:], table.freed[:] = actors, actors, HELD
        return table.freeze()

    def number_of(self, actor: int) -> int:
        """The number of an actor in the world, 0 if none has this id."""
        row = row_of_id(self.actor, actor)
        return int(self.number[row]) if row >= 0 and self.freed[row] == HELD else 0

    def numbers_of(self, actors: IntArray) -> IntArray:
        """`(N,)` the numbers of actors that are there, by their ids."""
        found: IntArray = self.number[np.searchsorted(self.actor, actors)]
        return found

    def is_held(self, number: int) -> bool:
        """Whether an actor in the world has a number."""
        return bool(((self.number == number) & (self.freed == HELD)).any())

    def held(self) -> int:
        """How many actors have a number."""
        return int(np.count_nonzero(self.freed == HELD))


def renumbered(
    table: NumberTable,
    new: Sequence[int],
    gone: Collection[int],
    told: IntArray,
    no_longer_told: Sequence[tuple[int, int]],
    time: int,
    by_id: IntArray,
) -> NumberTable:
    """The numbers after some actors have come and some have gone.

    Where no number has been free for long enough, the one that has been free longest is used.

    Args:
        table: of before; not changed.
        new: ids of the actors that came, ascending, greater than all of before.
        gone: ids of the actors that left.
        told: `(N,)` numbers by which ghosts are reported, which no actor gets (`dorosim.world.traffic.ghost`).
        no_longer_told: id and such a number of each ghost that left.
        time: simulated time [ns].
        by_id: `(N,)` ids of ghosts whose numbers are their ids, since their senders gave them these.
    """
    freed = table.freed.copy()
    if gone:
        freed[np.isin(table.actor, list(gone)) & (freed == HELD)] = time
    keep = (freed == HELD) | (time - freed < COOLING)
    cooling, come = list(no_longer_told), np.array(new, np.int64)
    fixed = np.isin(come, by_id)
    if cooling or fixed.any():
        # a ghost has it now, or had it last
        keep &= ~np.isin(table.number, [*(number for _, number in cooling), *come[fixed].tolist()])
    actor, number, freed = table.actor[keep], table.number[keep], freed[keep]
    barred = np.concatenate((told, come[fixed]))
    some, again = _free_numbers(number, freed, barred, [one for _, one in cooling], int(np.count_nonzero(~fixed)))
    given = come.copy()
    given[~fixed] = some
    if again:
        kept = ~np.isin(number, list(again))
        actor, number, freed = actor[kept], number[kept], freed[kept]
        cooling = [(one, had) for one, had in cooling if had not in again]
    after = NumberTable.zeros(len(actor) + len(cooling) + len(new))
    old, end = len(actor), len(actor) + len(cooling)
    after.actor[:old], after.number[:old], after.freed[:old] = actor, number, freed
    if cooling:
        after.actor[old:end], after.number[old:end] = np.array(cooling, np.int64).T
        after.freed[old:end] = time
    after.actor[end:], after.number[end:], after.freed[end:] = new, given, HELD
    return after.take(np.lexsort((after.number, after.actor))) if cooling else after


def _free_numbers(
    number: IntArray, freed: IntArray, barred: IntArray, cooling: Sequence[int], count: int
) -> tuple[IntArray, set[int]]:
    """`(count,)` numbers to give, the smallest first; and those of them that an actor had not long ago.

    Args:
        number: those that an actor has, or had until not long ago.
        freed: `(N,)` since when each is free [ns].
        barred: numbers that ghosts have.
        cooling: numbers that ghosts had until now.
        count: how many.
    """
    used = np.zeros(LAST_NUMBER + 1, np.bool_)
    used[0] = True
    used[number] = True
    used[barred] = True
    used[list(cooling)] = True
    free = np.flatnonzero(~used)[:count]
    if len(free) == count:
        return free, set()
    cold = np.flatnonzero((freed != HELD) & ~np.isin(number, barred))
    longest = number[cold[np.lexsort((number[cold], freed[cold]))]]
    more = np.concatenate((longest, np.array(cooling, np.int64)))[: count - len(free)]
    return np.concatenate((free, more)), set(more.tolist())
