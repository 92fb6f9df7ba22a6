"""The two reasons why an actor that moves by itself is made to stand; each lasts until it is taken back."""

from __future__ import annotations

from dorosim.ground.column import IntArray

PAUSED, AI_OFF = 1, 2
"""Bits of the columns `paused`: it was paused; it may not decide for itself."""


def hold(column: IntArray, row: int, why: int, held: bool) -> None:
    """Set or take back one reason of a row."""
    column[row] = int(column[row]) | why if held else int(column[row]) & ~why
