"""Arrays that get rows one by one, in a time that does not grow with what is there.

Joining two arrays copies both, so a thousand actors that come in one after the other are a thousand copies of all those
before them. A `GrowableArray` keeps room behind the arrays that it joined: the next join writes only what is new, and
room doubles when it is full (amortised constant time; Cormen et al., Introduction to Algorithms, section 17.4).
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

A = TypeVar("A", bound=NDArray[Any])
_MIN_ROOM = 64
"""Rows that a new block has at least."""
_MAX_BLOCKS = 16
"""Blocks that are kept, those joined to last: as many as there are arrays that one owner adds to in turn."""


class GrowableArray:
    """Joins arrays for one owner that adds to several of them in turn.

    What it returns are views of blocks with room behind. Each may be kept and read as any array: a join to an array
    that is not the latest of its block copies it, so versions never overwrite each other's rows. They do share those
    that they have in common. A view of columns side by side is not contiguous: pack it before a kernel sees it.
    """

    __slots__ = ("_blocks",)

    def __init__(self) -> None:
        self._blocks: dict[int, tuple[NDArray[Any], int]] = {}

    def join(self, head: A, tail: A, axis: int = 0) -> A:
        """`head` with `tail` behind it along an axis, of the type of `head`; writable."""
        count, total = head.shape[axis], head.shape[axis] + tail.shape[axis]
        block: A
        block, used = self._blocks.pop(id(head.base), (head, -1))  # type: ignore[assignment]
        if used != count or total > block.shape[axis]:
            block = _block_for(head, total, axis)
            _part(block, axis, 0, count)[...] = head
        _part(block, axis, count, total)[...] = tail
        return self._latest(block, total, axis)

    def cut(self, head: A, first: int, end: int, axis: int = 0) -> A:
        """`head` without the rows from `first` up to `end` along an axis; a copy, writable, with room behind."""
        self._blocks.pop(id(head.base), None)
        count, total = head.shape[axis], head.shape[axis] - (end - first)
        block: A = _block_for(head, total, axis)
        _part(block, axis, 0, first)[...] = _part(head, axis, 0, first)
        _part(block, axis, first, total)[...] = _part(head, axis, end, count)
        return self._latest(block, total, axis)

    def _latest(self, block: A, used: int, axis: int) -> A:
        """The rows of a block that are used; remember the block, and forget the one that was joined to least lately."""
        self._blocks[id(block)] = (block, used)
        if len(self._blocks) > _MAX_BLOCKS:
            del self._blocks[next(iter(self._blocks))]
        return _part(block, axis, 0, used)


def joined(head: A, tail: A, growth: GrowableArray | None = None, axis: int = 0) -> A:
    """`head` with `tail` behind it along an axis: by a growth, or as an array of its own if there is none."""
    if growth is not None:
        return growth.join(head, tail, axis)
    whole: A = np.concatenate((head, tail), axis=axis)  # type: ignore[assignment]
    return whole


def _block_for(array: A, total: int, axis: int) -> A:
    """An array of no content like another one, with room for twice as many rows as are needed."""
    shape = (*array.shape[:axis], max(2 * total, _MIN_ROOM), *array.shape[axis + 1 :])
    block: A = np.empty(shape, array.dtype)  # type: ignore[assignment]
    return block


def _part(block: A, axis: int, first: int, end: int) -> A:
    part: A = block[(slice(None),) * axis + (slice(first, end),)]  # type: ignore[assignment]
    return part
