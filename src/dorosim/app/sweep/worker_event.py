"""What runners and workers say to each other, as lines of JSON."""

from __future__ import annotations

import msgspec

from dorosim.app.sweep.cell import Cell


class WorkerEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a worker says.

    Attributes:
        kind: "ready", "begun", "done", "full" (the disk is) or "unable" (nothing can run).
        number: of the cell. verdict, margin: of one that is done. why: in words. wall: how long it took [s].
    """

    kind: str
    number: int = -1
    verdict: str = ""
    margin: float | None = None
    why: str = ""
    wall: float = 0.0


class CellOrder(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A cell that is to be run.

    Attributes:
        cell: which. attempts: how often it was begun already.
    """

    cell: Cell
    attempts: int = 0
