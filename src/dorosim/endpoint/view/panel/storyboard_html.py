"""A storyboard as HTML; what comes from a file is text in it."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dorosim.bridge.view.event import PageEvent
from dorosim.world.storyboard.state import ElementState, Transition, Verdict

if TYPE_CHECKING:  # of scenarios, which most runs do without
    from dorosim.bridge.view.storyboard import ElementLine, StoryboardSummary
    from dorosim.bridge.view.storyboard_condition import ConditionLine

MAX_LISTED_ELEMENTS = 150
"""Elements that are listed; of more the first ones, and how many there are."""
MAX_LISTED_VALUES = 20
"""Variables that are listed."""
_GREEN, _ORANGE, _GREY, _RED = "#2b8a3e", "#e67700", "#868e96", "#c92a2a"
_DOTS = {
    ElementState.IDLE: (_GREY, "○", "not begun"),
    ElementState.STANDBY: (_ORANGE, "◐", "waits for its start"),
    ElementState.RUNNING: (_GREEN, "●", "runs"),
    ElementState.COMPLETE: (_GREY, "✓", "complete"),
}
_HOW = {Transition.STOP: "stopped", Transition.SKIP: "skipped"}
_VERDICTS = {
    Verdict.NONE: (_GREY, "no success or failure condition is met"),
    Verdict.SUCCESS: (_GREEN, "a success condition is met"),
    Verdict.FAILURE: (_RED, "a failure condition is met"),
}


def summary_html(name: str, found: StoryboardSummary, problem: str = "") -> str:
    """How a storyboard stands."""
    counts = f"events: {found.waiting} wait, {found.running} run, {found.complete} complete"
    if problem:
        verdict = f'<span style="color:{_RED}">{html.escape(problem)}</span>'
    elif found.ended:
        colour, text = _VERDICTS[found.verdict]
        verdict = f'<span style="color:{colour}"><b>Over after {found.time:.2f} s</b>: {text}</span>'
    else:
        verdict = f'<span style="color:{_GREEN}"><b>Goes on</b></span>, {found.time:.2f} s after its start'
    parts = [f"<b>{html.escape(name)}</b><br>{verdict}", f'<div style="opacity:0.75">{counts}</div>']
    for title, groups in (("Ends", found.stop), ("Success", found.success), ("Failure", found.failure)):
        if groups:
            parts.append(f"<div>{title}, if</div>{_groups_html(groups, looked_at=not found.ended, depth=1)}")
    if found.values:
        values = "".join(f"<div>{html.escape(one)}</div>" for one in found.values[:MAX_LISTED_VALUES])
        more = len(found.values) - MAX_LISTED_VALUES
        parts.append(
            f'<div style="opacity:0.75;margin-top:0.3em">{values}{f"and {more} more" if more > 0 else ""}</div>'
        )
    return f'<div style="padding:0.3em 0.6em;font-size:0.85em;line-height:1.35">{"".join(parts)}</div>'


def tree_html(lines: Sequence[ElementLine], *, all_of_it: bool) -> str:
    """The elements of a storyboard.

    Args:
        lines: parents before their children.
        all_of_it: whether what is complete or has not begun is shown with all below it; else only that it is there.
    """
    shown, hidden_below = [], -1
    for one in lines:
        if not all_of_it and 0 <= hidden_below < one.depth:
            continue
        closed = not all_of_it and one.state in (ElementState.IDLE, ElementState.COMPLETE)
        hidden_below = one.depth if closed else -1
        shown.append(_element_html(one, closed=closed))
    more = len(shown) - MAX_LISTED_ELEMENTS
    rest = f'<div style="opacity:0.7">and {more:,} more</div>' if more > 0 else ""
    return (
        '<div style="padding:0.2em 0.6em;font-size:0.82em;line-height:1.3;overflow-wrap:anywhere">'
        f"{''.join(shown[:MAX_LISTED_ELEMENTS])}{rest}</div>"
    )


def journal_html(events: Sequence[PageEvent]) -> str:
    """What has happened in a storyboard, newest first."""
    if not events:
        return '<div style="padding:0.2em 0.6em;opacity:0.7;font-size:0.82em">Nothing since the page looks.</div>'
    rows = "".join(
        '<tr><td style="opacity:0.65;text-align:right;padding-right:0.7em;white-space:nowrap;vertical-align:top">'
        f"{one.time:.2f} s</td><td>{html.escape(one.text)}</td></tr>"
        for one in events
    )
    return f'<table style="font-size:0.78em;margin:0.2em 0.6em;line-height:1.3">{rows}</table>'


def _element_html(one: ElementLine, *, closed: bool) -> str:
    colour, dot, hint = _DOTS[one.state]
    weight = "600" if one.state is ElementState.RUNNING else "400"
    side = [f"×{one.runs}" if one.runs else "", _HOW.get(one.how, "") if one.state is ElementState.COMPLETE else ""]
    if one.since is not None:
        side.append(f"{one.since:.2f} s")
        hint += f" since {one.since:.2f} s of simulated time"
    actors = f' <span style="opacity:0.7">({html.escape(one.actors)})</span>' if one.actors else ""
    row = (
        f'<div style="display:flex;gap:0.4em;padding-left:{0.8 * one.depth:.1f}em" title="{hint}">'
        f'<span style="color:{colour}">{dot}</span>'
        f'<span style="flex:1"><span style="opacity:0.6">{one.kind}</span> '
        f'<span style="font-weight:{weight}">{html.escape(one.name)}</span>{actors}</span>'
        f'<span style="opacity:0.65;white-space:nowrap">{" ".join(part for part in side if part)}</span></div>'
    )
    if closed:
        return row
    if one.start and one.state in (ElementState.IDLE, ElementState.STANDBY):
        row += _groups_html(one.start, looked_at=one.waits, depth=one.depth + 1)
    if one.stop and one.state is not ElementState.COMPLETE:
        inner = 0.8 * (one.depth + 1) + 0.3
        row += f'<div style="padding-left:{inner:.1f}em;opacity:0.75">stopped, if</div>'
        row += _groups_html(one.stop, looked_at=one.state is ElementState.RUNNING, depth=one.depth + 2)
    return row


def _groups_html(groups: Sequence[Sequence[ConditionLine]], *, looked_at: bool, depth: int) -> str:
    """Conditions: all of one group must be met."""
    parts = []
    for number, group in enumerate(groups):
        if number:
            parts.append(f'<div style="padding-left:{0.8 * depth + 0.3:.1f}em;opacity:0.75">or</div>')
        parts += [_condition_html(one, looked_at=looked_at, depth=depth) for one in group]
    return "".join(parts)


def _condition_html(one: ConditionLine, *, looked_at: bool, depth: int) -> str:
    seen = looked_at and one.seen
    colour = _GREEN if one.met else _ORANGE
    sign = ("✓" if one.met else "✗") if seen else "·"
    value = f"now {one.value}" if seen and one.value else ""
    delayed = " (does not count yet)" if seen and one.met and not one.counts else ""
    return (
        f'<div style="display:flex;gap:0.4em;padding-left:{0.8 * depth + 0.3:.1f}em;opacity:{1.0 if seen else 0.65}" '
        f'title="{html.escape(one.name, quote=True)}"><span style="color:{colour if seen else _GREY}">{sign}</span>'
        f'<span style="flex:1">{html.escape(one.text)}{delayed}</span>'
        f'<span style="white-space:nowrap;font-weight:600">{html.escape(value)}</span></div>'
    )
