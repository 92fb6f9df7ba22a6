"""Pairs of actors that touch each other, in the order in which messages list them."""

from __future__ import annotations

from dorosim.ground.column import IntArray
from dorosim.world.actor.neighbour_state import NeighbourState

MAX_CONTACT_PAIRS = 10
"""Pairs of NPC vehicles in a message, at most (facts/udp-wire.md, 4.2)."""


def ranked_pairs(found: NeighbourState, pairs: IntArray, most: int = MAX_CONTACT_PAIRS) -> list[tuple[int, int]]:
    """Returns pairs of rows of `found`.

    Within a pair the nearer actor comes first. Pairs are sorted by their first actor, then by their second.

    Args:
        found: actors that take part in a collision, nearest first.
        pairs: `(n, 2)` ids of actors that touch; pairs of which one is not among `found` are left out.
        most: how many pairs at most.
    """
    rank = {actor: row for row, actor in enumerate(found.id.tolist())}
    ranked = [sorted((rank[a], rank[b])) for a, b in pairs.tolist() if a in rank and b in rank]
    return [(first, second) for first, second in sorted(ranked)[:most]]
