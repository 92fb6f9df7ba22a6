"""Counts events at the endpoints and logs them, with limits on how often the same line or kind is logged."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dorosim.bridge.answer import CLAMPED, Notice, Refusal
from dorosim.ground.error import one_line

MAX_LINES = 20
"""Most lines that `Journal.report` logs beneath the first one of an event."""
SELDOM_PERIOD_S = 60.0
"""Seconds in which `report_seldom` logs a thing once."""
MAX_THINGS = 1_000
"""Most things that `report_seldom` remembers; when there are more, it forgets all of them."""
TEXT_PERIOD_S = 1.0
"""Seconds in which `report` logs at most `MAX_TEXTS` different texts of a kind."""
MAX_TEXTS = 3


def silent(_: str) -> None:
    """Drop the line; for a journal that only counts."""


@dataclass(slots=True)
class _Kind:
    began: float = -math.inf
    texts: set[str] = field(default_factory=set)
    held_back: int = 0


@dataclass(slots=True)
class _Thing:
    reported: float = -math.inf
    times: int = 0


@dataclass(slots=True)
class Journal:
    """Counts events by kind, and logs some of them as lines for the user.

    Attributes:
        write_line: is called with each line to log.
        counts: how often each kind happened; every event is counted, logged or not.
    """

    write_line: Callable[[str], None]
    counts: Counter[str] = field(default_factory=Counter)
    _kinds: dict[str, _Kind] = field(default_factory=dict)
    _things: dict[tuple[str, str], _Thing] = field(default_factory=dict)

    def report_answer(self, where: str, answer: Refusal | Notice) -> None:
        """Count and log a refusal or a notice that answers a message; where: the place at which the message came."""
        if isinstance(answer, Refusal):
            self.report("refused", f"{where}: {answer.reason}")
        elif answer.kind == CLAMPED:
            self.report_seldom(CLAMPED, answer.lines, where)
        else:
            self.report(answer.kind, f"{where}: {answer.text}", answer.lines)

    def report_seldom(self, kind: str, things: Sequence[str], where: str) -> None:
        """Count once, and log each thing at most once a minute, with the number of times since it was last logged.

        Args:
            kind: of the event.
            things: what the event concerns, as the subject of a sentence, such as "EgoCtrlCmd: accel".
            where: the place at which it happened this time.
        """
        self.counts[kind] += 1
        now = time.monotonic()
        for thing in things:
            if len(self._things) >= MAX_THINGS:
                self._things.clear()
            state = self._things.setdefault((kind, thing), _Thing())
            state.times += 1
            if now - state.reported >= SELDOM_PERIOD_S:
                times = f", {state.times:,} times since it was reported last" if state.times > 1 else ""
                state.reported, state.times = now, 0
                self.write_line(one_line(f"{kind}: {where}: {thing}{times}"))

    def report(self, kind: str, text: str, lines: Sequence[str] = ()) -> None:
        """Count, and log `text` with `lines` beneath it.

        Nothing is logged if the same text or `MAX_TEXTS` texts of this kind have been logged within a second.
        """
        self.counts[kind] += 1
        state = self._kinds.setdefault(kind, _Kind())
        now = time.monotonic()
        if now - state.began >= TEXT_PERIOD_S:
            state.began = now
            state.texts.clear()
        if text in state.texts or len(state.texts) == MAX_TEXTS:
            state.held_back += 1
            return
        state.texts.add(text)
        more = f" (and {state.held_back:,} more of this kind before)" if state.held_back else ""
        state.held_back = 0
        self.write_line(one_line(f"{kind}: {text}{more}"))
        for line in lines[:MAX_LINES]:
            self.write_line(one_line(f"  {line}"))
        if len(lines) > MAX_LINES:
            self.write_line(f"  and {len(lines) - MAX_LINES:,} more")
