"""Counts what happens at the endpoints, and tells of it at most once per kind and second."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dorosim.ground.error import one_line

MOST_LINES = 20
"""Lines that are told beneath one."""
PERIOD = 1.0
"""Seconds between two lines of one kind."""


def silent(_: str) -> None:
    """Tells nobody; for a journal that only counts."""


@dataclass(slots=True)
class _Kind:
    last: float = -PERIOD
    held_back: int = 0


@dataclass(slots=True)
class Journal:
    """Counters by kind, with a line for a person now and then.

    Attributes:
        tell: where lines go.
        counts: how often each kind happened, none left out.
    """

    tell: Callable[[str], None]
    counts: Counter[str] = field(default_factory=Counter)
    _kinds: dict[str, _Kind] = field(default_factory=dict)

    def count(self, kind: str, times: int = 1) -> None:
        """Count without a line."""
        self.counts[kind] += times

    def report(self, kind: str, text: str, lines: Sequence[str] = ()) -> None:
        """Count, and tell `text`, and `lines` beneath it, unless one of this kind was told within the last second."""
        self.counts[kind] += 1
        state = self._kinds.setdefault(kind, _Kind())
        now = time.monotonic()
        if now - state.last < PERIOD:
            state.held_back += 1
            return
        more = f" (and {state.held_back:,} more of this kind)" if state.held_back else ""
        state.last, state.held_back = now, 0
        self.tell(one_line(f"{kind}: {text}{more}"))
        for line in lines[:MOST_LINES]:
            self.tell(one_line(f"  {line}"))
        if len(lines) > MOST_LINES:
            self.tell(f"  and {len(lines) - MOST_LINES:,} more")
