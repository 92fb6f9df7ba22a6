"""Counts what happens at the interface, and reports its problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dorosim.bridge.answer import Notice, Refusal
from dorosim.endpoint.journal import Journal

HEAD = "TCP "
"""What the kinds of this interface begin with, in counts and in lines."""
_STEP = f"{HEAD}FixedStep"


class StepLog:
    """Counts and lines of the interface. Safe from several threads as far as a count may be lost.

    Args:
        journal: of the program.

    Attributes:
        counts: by kind.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.counts: Counter[str] = Counter()

    def count(self, kind: str, times: int = 1) -> None:
        """Count what is not worth a line."""
        if times:
            self.counts[HEAD + kind] += times

    def count_step(self) -> None:
        """Count a FixedStep."""
        self.counts[_STEP] += 1

    def report(self, kind: str, text: str) -> None:
        """Count a problem, and show users a line."""
        self.count(kind)
        self._journal.report(HEAD + kind, text)

    def report_clamped(self, name: str, fields: Sequence[str], where: str) -> None:
        """Count a message whose numbers were brought into their ranges, and show users a line now and then."""
        self.count("clamped")
        self._journal.report_seldom(f"{HEAD}clamped", [f"{name}: {field}" for field in fields], where)

    def report_answer(self, where: str, answer: Refusal | Notice) -> None:
        """Count and show a refusal or a notice that answers a datagram; where: the address at which it came."""
        if isinstance(answer, Refusal):
            self.report("refused", f"{where}: {answer.reason}")
        else:
            self.report(answer.kind, f"{where}: {answer.text}")
