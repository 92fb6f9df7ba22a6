"""A snapshot of one cell as another one would have it: a storyboard's state knows the values of its parameters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.state import NEVER, StoryboardState, packed


def with_parameters_of(now: Snapshot, start: Snapshot, other: Snapshot) -> Snapshot | None:
    """A snapshot of a cell with the parameters of another cell.

    Args:
        now: the snapshot.
        start: the first one of its cell.
        other: the first one of the other cell, of the same scenario.

    Returns:
        The snapshot with the values that parameters have at the start of the other cell; None where one of them has
        changed since the start, so that nothing can be said.
    """
    mine, theirs = _values(start.storyboard), _values(other.storyboard)
    present = _values(now.storyboard)
    if len(mine) != len(theirs):
        return None
    changed = [row for row, value in enumerate(theirs) if not _same(value, mine[row])]
    if not changed:
        return now
    if any(not _same(present[row], mine[row]) for row in changed):
        return None
    state = now.storyboard
    table, texts = state.variable.copy(), state.texts()
    for row in changed:
        value, at = theirs[row], int(table.text[row])
        if isinstance(value, str) != (at != NEVER) or (np.count_nonzero(table.text == at) > 1 and at != NEVER):
            return None
        if isinstance(value, str):
            texts[at] = value
        else:
            table.value[row] = value
    first, text = packed(texts)
    return replace(now, storyboard=replace(state, variable=table.freeze(), text_first=first, text=text))


def _values(state: StoryboardState) -> list[float | str]:
    """The values of variables and parameters."""
    texts = state.texts()
    pairs = zip(state.variable.value.tolist(), state.variable.text.tolist(), strict=True)
    return [value if row == NEVER else texts[row] for value, row in pairs]


def _same(one: float | str, other: float | str) -> bool:
    return one == other or (one != one and other != other)
