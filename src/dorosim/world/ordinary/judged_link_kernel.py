"""The kernels of ticks that are judged in a row, with the types of their arguments."""

from __future__ import annotations

from dorosim.ground.linked_kernel import KernelLink
from dorosim.world.ordinary.link_kernel import COUNT, FLOAT_ROWS, INT_ROWS, INTS, NEW_INT_ROWS, NEW_INTS

HOLD = KernelLink(
    "dorosim.world.storyboard.criterion_kernel", "hold_against_criteria", (NEW_INTS, FLOAT_ROWS, INT_ROWS, COUNT), COUNT
)
MAKE_JUDGED_TICKS = KernelLink(
    "dorosim.world.ordinary.judged_kernel", "make_judged_ticks", (NEW_INTS, NEW_INT_ROWS, INTS, NEW_INT_ROWS)
)
"""That which calls the others."""
