"""What happens in a storyboard in words, for lists of events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.report import ElementTransition
from dorosim.world.storyboard.state import Transition, Verdict

STORYBOARD = "storyboard"
"""How texts of what happened in a storyboard begin."""
OVER = f"{STORYBOARD} over"
"""How the text of its end begins."""
_WORDS = {
    Transition.START: "starts",
    Transition.END: "ends",
    Transition.STOP: "is stopped",
    Transition.SKIP: "is skipped",
}
_VERDICTS = {Verdict.NONE: "", Verdict.SUCCESS: ", success", Verdict.FAILURE: ", failure"}


def storyboard_texts(elements: Sequence[str], now: Snapshot) -> Iterator[str]:
    """What the storyboard of a run reports of a tick, a text each: transitions, lines of its journal, its end.

    Args:
        elements: what each element is called, "" for those of which nothing is told.
        now: the snapshot after the tick.
    """
    report = now.storyboard_report
    for one in report.happened:
        text = transition_text(elements, one)
        if text:
            yield f"{STORYBOARD}: {text}"
    for line in report.journal:
        yield f"{STORYBOARD}: {line}"
    if report.ended:
        yield f"{OVER}: {report.ended}{_VERDICTS[Verdict(now.storyboard.verdict)]}"


def transition_text(elements: Sequence[str], one: ElementTransition) -> str:
    """A transition in words, "" for one of which nothing is told; arguments as of `storyboard_texts`."""
    name = elements[one.element] if one.element < len(elements) else ""
    word = _WORDS.get(one.transition, "")
    return f"{name} {word}" if name and word else ""
