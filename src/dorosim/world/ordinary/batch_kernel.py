"""Ordinary ticks of many worlds in one call."""

from __future__ import annotations

from dorosim.ground.address_kernel import ints_at
from dorosim.ground.column import IntArray
from dorosim.ground.jit import kernel
from dorosim.world.ordinary.link_kernel import MAKE_TICK

_make_tick = MAKE_TICK.call


@kernel
def make_ordinary_ticks(tick: int, places: IntArray, rare: IntArray, begin: int, end: int) -> None:
    """Write the states of some worlds one tick later, but for those in which something rare happens.

    Threads may work on ranges of one batch at the same time.

    Args:
        tick: address of `make_ordinary_tick`.
        places: `(5, N)` of each world: address of the block now, of the next, length of a block; address of what its
            ticks take as given, and length of that; read-only. A length of 0: the world is passed over.
        rare: `(N,)` written for the worlds of the range: as `make_ordinary_tick` returns it.
        begin: first world of the range.
        end: the one after the last.
    """
    for i in range(begin, end):
        count, words = places[2, i], places[4, i]
        if count != 0:
            given = (ints_at(places[0, i], count), ints_at(places[1, i], count), ints_at(places[3, i], words))
            rare[i] = _make_tick(tick, given)
