"""What `dorosim scenario run` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console

from dorosim.app.run.report.console import print_line
from dorosim.app.run.report.json_output import Facts
from dorosim.app.run.scenario_suite import CaseResult
from dorosim.scenario.criterion.judge import VerdictWord


def facts_of_suite(results: Sequence[CaseResult]) -> Facts:
    """The verdicts of some runs.

    Returns:
        verdict: "broken" if any run is, else "fail" if any does, else "pass". passed, failed, broken: how many.
        cases: of each run {file, source, variation, parameters, verdict, why, time, criteria, about, notes, journal,
        files, again}; criteria are {title, limit, unit, held, value, time, other, x, y, said}.
    """
    counts = {word: sum(one.verdict is word for one in results) for word in VerdictWord}
    worst = [word for word in (VerdictWord.BROKEN, VerdictWord.FAIL) if counts[word]]
    return {
        "verdict": str(worst[0] if worst else VerdictWord.PASS),
        "passed": counts[VerdictWord.PASS],
        "failed": counts[VerdictWord.FAIL],
        "broken": counts[VerdictWord.BROKEN],
        "cases": [_facts_of_case(one) for one in results],
    }


def _facts_of_case(one: CaseResult) -> Facts:
    return {
        "file": one.given,
        "source": one.source,
        "variation": one.variation or None,
        "parameters": dict(one.values),
        "verdict": str(one.verdict),
        "why": one.why,
        "time": one.time,
        "criteria": [asdict(criterion) for criterion in one.criteria],
        "about": dict(one.about),
        "notes": list(one.notes),
        "journal": list(one.journal),
        "files": list(one.files),
        "again": one.again,
    }


class SuiteReport:
    """Prints runs as they end."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._said: set[str] = set()
        self._counts = dict.fromkeys(VerdictWord, 0)

    def show(self, one: CaseResult) -> None:
        """Print a run: what had no effect, what it wrote, its criteria, its verdict, and how to do it again."""
        self._counts[one.verdict] += 1
        for line in one.notes:
            if line not in self._said:
                self._said.add(line)
                print_line(self._console, f"note: {line}")
        for line in one.journal:
            print_line(self._console, line)
        for path in one.files:
            print_line(self._console, f"wrote {path}")
        for criterion in one.criteria if one.time else ():
            print_line(self._console, f"  {'held' if criterion.held else 'FAILED'}: {criterion.said}")
        if one.verdict is not VerdictWord.PASS:
            print_line(self._console, f"again: {one.again}")
        print_line(self._console, one.line)

    def end(self) -> None:
        """Print how many there were, where there were several."""
        total = sum(self._counts.values())
        if total > 1:
            counts = ", ".join(f"{count} {word}" for word, count in self._counts.items() if count)
            print_line(self._console, f"{total} runs: {counts}")
