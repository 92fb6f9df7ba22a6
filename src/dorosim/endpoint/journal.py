"""Counts what happens at the endpoints, and tells of it, but not again and again."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dorosim.bridge.answer import CLAMPED, Notice, Refusal
from dorosim.ground.error import one_line

MOST_LINES = 20
"""Lines that are told beneath one."""
MINUTE = 60.0
"""Seconds in which `report_seldom` tells of a thing once."""
MOST_THINGS = 1_000
"""Things that are remembered for it."""
PERIOD = 1.0
"""Seconds in which a kind has at most `MOST_TEXTS` lines, each with a text of its own."""
MOST_TEXTS = 3


def silent(_: str) -> None:
    """Tells nobody; for a journal that only counts."""


@dataclass(slots=True)
class _Kind:
    began: float = -math.inf
    texts: set[str] = field(default_factory=set)
    held_back: int = 0


@dataclass(slots=True)
class _Thing:
    told: float = -math.inf
    times: int = 0


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
    _things: dict[tuple[str, str], _Thing] = field(default_factory=dict)

    def count(self, kind: str, times: int = 1) -> None:
        """Count without a line."""
        self.counts[kind] += times

    def report_answer(self, where: str, answer: Refusal | Notice) -> None:
        """Count and tell of what a message did not get, or of what it did, as `report`; where: it came."""
        if isinstance(answer, Refusal):
            self.report(answer.kind, f"{where}: {answer.reason}")
        elif answer.kind == CLAMPED:
            self.report_seldom(CLAMPED, answer.lines, where)
        else:
            self.report(answer.kind, f"{where}: {answer.text}", answer.lines)

    def report_seldom(self, kind: str, things: Sequence[str], where: str) -> None:
        """Count once, and tell of each thing at most once a minute, with the number of times since it was told last.

        Args:
            kind: of what happened.
            things: what it happened to, in a sentence's subject, such as "EgoCtrlCmd: accel".
            where: it happened this time.
        """
        self.counts[kind] += 1
        now = time.monotonic()
        for thing in things:
            if len(self._things) >= MOST_THINGS:
                self._things.clear()
            state = self._things.setdefault((kind, thing), _Thing())
            state.times += 1
            if now - state.told >= MINUTE:
                times = f", {state.times:,} times since it was told last" if state.times > 1 else ""
                state.told, state.times = now, 0
                self.tell(one_line(f"{kind}: {where}: {thing}{times}"))

    def report(self, kind: str, text: str, lines: Sequence[str] = ()) -> None:
        """Count, and tell `text`, and `lines` beneath it, unless it or enough of its kind was told within a second."""
        self.counts[kind] += 1
        state = self._kinds.setdefault(kind, _Kind())
        now = time.monotonic()
        if now - state.began >= PERIOD:
            state.began = now
            state.texts.clear()
        if text in state.texts or len(state.texts) == MOST_TEXTS:
            state.held_back += 1
            return
        state.texts.add(text)
        more = f" (and {state.held_back:,} more of this kind before)" if state.held_back else ""
        state.held_back = 0
        self.tell(one_line(f"{kind}: {text}{more}"))
        for line in lines[:MOST_LINES]:
            self.tell(one_line(f"  {line}"))
        if len(lines) > MOST_LINES:
            self.tell(f"  and {len(lines) - MOST_LINES:,} more")
