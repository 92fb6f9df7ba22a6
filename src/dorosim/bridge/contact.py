"""Who touches whom, in the order in which messages tell of it."""

from __future__ import annotations

from dorosim.ground.column import WholeArray
from dorosim.world.actor.neighbour_state import NeighbourState

MOST_PAIRS = 10
"""Pairs of NPC vehicles that are told of (facts/udp-wire.md, 4.2)."""


def ranked_pairs(found: NeighbourState, pairs: WholeArray, most: int = MOST_PAIRS) -> list[tuple[int, int]]:
    """Pairs of rows of `found`.

    Within a pair the nearer one stands first; it decides the order of the pairs, and then its partner.

    Args:
        found: who takes part in a collision, nearest first.
        pairs: `(n, 2)` ids of those who touch; pairs of which one is not among `found` are left out.
        most: how many pairs at most.
    """
    rank = {actor: row for row, actor in enumerate(found.id.tolist())}
    ranked = [sorted((rank[a], rank[b])) for a, b in pairs.tolist() if a in rank and b in rank]
    return [(first, second) for first, second in sorted(ranked)[:most]]
