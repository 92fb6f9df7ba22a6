"""Which actors are in the world, and by which numbers messages report them."""

from __future__ import annotations

from dorosim.world.draft import Draft
from dorosim.world.snapshot import EGO


def lives(draft: Draft, actor: int) -> bool:
    """Whether there is an actor, a map object or a spawn point of an id."""
    if actor == EGO or draft.row_of(actor) >= 0 or draft.spawn.holds(actor):
        return True
    tables = (draft.traffic, draft.ghost, draft.people.state, draft.obstacles.state, draft.friction.objects)
    return any(bool((table.id == actor).any()) for table in tables)


def is_known_as(draft: Draft, number: int) -> bool:
    """Whether messages report an actor by a number: its id, its number on UDP, or the alias of a ghost."""
    if lives(draft, number) or draft.ghost.row_told_as(number) >= 0:
        return True
    held = draft.number
    rows = (held.number == number) & (held.freed < 0)
    return bool(rows.any()) and int(held.actor[rows][0]) not in draft.gone
