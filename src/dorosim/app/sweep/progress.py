"""How far a sweep is: on terminals a line that moves, for programs lines of JSON."""

from __future__ import annotations

import sys
import time
from typing import Any

from dorosim.app.run.report.json_output import json_line
from dorosim.app.run.report.progress import is_shown

_PERIOD_S, _JSON_PERIOD_S = 0.2, 1.0


class SweepProgress:
    """Counts cells.

    Args:
        total: how many there are; of a search, at most. json: whether lines of JSON go to standard output.

    Attributes:
        total: how many there are. counts: of each verdict. done: of all. why: the first that was found broken is, in
            words, "" for none.
    """

    def __init__(self, total: int, *, json: bool = False) -> None:
        self.total, self.counts, self.done = total, {"pass": 0, "fail": 0, "broken": 0}, 0
        self.why = ""
        self._json, self._before = json, 0
        self._began = self._shown = time.monotonic()
        self._line: Any = None

    def count(self, verdict: str, why: str = "") -> None:
        """Count a cell that is finished.

        Args:
            verdict: of it.
            why: it has this verdict, in words.
        """
        if verdict == "broken":
            self.why = self.why or why
        self.counts[verdict] += 1
        self.done += 1

    def begin(self) -> None:
        """The run begins: what is counted until now was finished before."""
        self._before, self._began = self.done, time.monotonic()
        if self._json:
            self._print("begin")
        elif is_shown():
            from rich.console import Console

            self._line = Console(stderr=True).status(self.text(), refresh_per_second=4.0)
            self._line.start()

    def show(self) -> None:
        """Show how far it is, if it is time."""
        now = time.monotonic()
        if now - self._shown < (_JSON_PERIOD_S if self._json else _PERIOD_S):
            return
        self._shown = now
        if self._json:
            self._print("progress")
        elif self._line is not None:
            self._line.update(self.text())

    def end(self) -> None:
        """The run is over."""
        if self._json:
            self._print("end")
        self.close()

    def close(self) -> None:
        """Take the line from the terminal."""
        if self._line is not None:
            self._line.stop()
            self._line = None

    @property
    def rate(self) -> float:
        """Cells a second of wall time, 0 before the first."""
        passed = time.monotonic() - self._began
        return (self.done - self._before) / passed if passed > 0 else 0.0

    @property
    def left_s(self) -> float | None:
        """Wall time that is left [s], None where it is not known."""
        return (self.total - self.done) / self.rate if self.rate else None

    def text(self) -> str:
        """How far it is, in a line."""
        parts = [f"{self.done:,} of {self.total:,} cells", f"{self.counts['fail']:,} fail"]
        parts += [f"{self.counts['broken']:,} broken"] if self.counts["broken"] else []
        if self.left_s is not None:
            parts += [f"{self.rate:.1f} a second", f"{_duration(self.left_s)} left"]
        return ", ".join(parts)

    def facts(self) -> dict[str, Any]:
        """How far it is, for programs: {done, total, passed, failed, broken, why, rate_hz, left_s}."""
        return {
            "done": self.done,
            "total": self.total,
            "passed": self.counts["pass"],
            "failed": self.counts["fail"],
            "broken": self.counts["broken"],
            "why": self.why,
            "rate_hz": round(self.rate, 3),
            "left_s": None if self.left_s is None else round(self.left_s, 1),
        }

    def _print(self, event: str) -> None:
        if sys.stdout is not None:
            sys.stdout.write(json_line({"event": event, **self.facts()}))
            sys.stdout.flush()


def _duration(seconds: float) -> str:
    """A duration in words."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
